// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace proctor
{

/// An entry of the configuration's `agents` section: an agent of the user's own, started on the host
/// by protocol manifest-v1.
struct AgentRegistration {
    QString name;
    QString protocol = QStringLiteral("manifest-v1");
    /// argv template, a string already split; placeholders in braces, see fillPlaceholders().
    QStringList command;
    /// As written; see workingFolder().
    QString cwd = QStringLiteral(".");
    /// Seconds; absent = agent.timeout_sec.
    std::optional<double> timeoutSec;
    /// Normalised; absent = agent.output_paths.
    std::optional<QStringList> outputPaths;
    QStringList passEnv;

    /// Absolute: a leading ~ is the home folder, a relative path begins at the configuration's folder.
    QString workingFolder(const QString &configDir) const;
};

} // namespace proctor
