// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QString>
#include <QStringList>
#include <QTemporaryFile>

#include <memory>
#include <vector>

namespace proctor
{

/// A copy of a file that only this program knows, so that what was checked is what is read, whatever
/// becomes of the file.
class OpenedOutput
{
public:
    OpenedOutput(QString path, std::unique_ptr<QTemporaryFile> copy);

    /// As declared, relative to the attempt's folder.
    const QString &path() const { return m_path; }
    /// A path that leads to the copy for as long as this lives.
    QString readablePath() const;

private:
    QString m_path;
    std::unique_ptr<QTemporaryFile> m_copy;
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

    /// Takes away what an earlier attempt left: answers, artifacts, manifest, workspace. Nothing outside the
    /// folder is touched, whatever links lie in it.
    Expected<Nothing> clear() const;
    /// Brings answers and artifacts here from another folder of this file system, as they are.
    void takeFrom(const QString &folder) const;
    /// Takes away what is in the place of the folder, or of a file that Proctor itself is going to write
    /// there.
    void removeObstacles() const;
    /// All of them, or a sentence that names each that is missing, a link, no regular file, or too large. No
    /// link is followed at any part of a path, nothing that could block is opened, and of a file that grows
    /// no more is read than what is too large. An error of the machine: no room for the copies.
    Expected<std::vector<OpenedOutput>> open() const;

private:
    /// What the declared paths begin with, and artifacts.
    QStringList topNames() const;

    QString m_folder;
    QStringList m_paths;
};

} // namespace proctor
