// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace proctor
{

/// An entry of the configuration's `agents` section: an agent of the user's own, started on the host
/// by protocol manifest-v1.
struct AgentRegistration {
    /// What keeps the agent from the user's files; ours. A wall of bubblewrap leaves it the network.
    enum class Wall { None, Bubblewrap };

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
    Wall wall = Wall::None;
    /// Where `command` stands in the configuration, counted from 1; 0 = unknown.
    int commandLine = 0, commandColumn = 0;

    /// Absolute: a leading ~ is the home folder, a relative path begins at the configuration's folder.
    QString workingFolder(const QString &configDir) const;
};

} // namespace proctor
