// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace proctor
{

/// A file that is held open, so that what was checked is what is read.
class OpenedOutput
{
public:
    OpenedOutput(QString path, int descriptor);
    OpenedOutput(OpenedOutput &&other) noexcept;
    OpenedOutput &operator=(OpenedOutput &&other) noexcept;
    ~OpenedOutput();

    /// As declared, relative to the attempt's folder.
    const QString &path() const { return m_path; }
    /// A path that leads to this very file for as long as it is open.
    QString readablePath() const;

private:
    QString m_path;
    int m_descriptor = -1;
};

/// What a registered agent has to leave in its attempt's folder.
class AgentOutputs
{
public:
    /// `folder` absolute; `paths` normalised, see declaredOutputs().
    AgentOutputs(QString folder, QStringList paths)
        : m_folder(std::move(folder))
        , m_paths(std::move(paths))
    {
    }

    /// Takes away what an earlier attempt left: answers, artifacts, manifest. Nothing outside the folder is
    /// touched, whatever links lie in it.
    Expected<Nothing> clear() const;
    /// Brings answers and artifacts here from another folder of this file system, as they are.
    void takeFrom(const QString &folder) const;
    /// Takes away what is in the place of a file that Proctor itself is going to write there.
    void removeObstacles() const;
    /// All of them, or a sentence that names each that is missing, a link, no regular file, or too large. No
    /// link is followed at any part of a path, and nothing that could block is opened.
    Expected<std::vector<OpenedOutput>> open() const;

private:
    /// What the declared paths begin with, and artifacts.
    QStringList topNames() const;

    QString m_folder;
    QStringList m_paths;
};

} // namespace proctor
