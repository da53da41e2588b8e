// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/evalconfig.h"
#include "models/core/diagnostic.h"

#include <QHash>

namespace proctor
{

/// Where an attempt's folder keeps what a registered agent is told; paths absolute, whether the files exist
/// or not.
struct PromptFiles {
    explicit PromptFiles(const QString &attemptFolder);

    QString folder, system, instruction, toolDefinitions, taskContext, manifest;
};

/// Values of a command's placeholders.
QHash<QString, QString> placeholderValues(const EvalConfig &config, const QString &instanceId,
                                          const QString &attemptFolder, const QString &toolUrl);

/// argv of the selected registration, the program as a path. Errors: a placeholder, see fillPlaceholders();
/// no such program.
Expected<QStringList> hostCommand(const EvalConfig &config, const QHash<QString, QString> &values);

/// What can be said about the selected agent's program before anything starts: it must be there, unless its
/// name depends on the instance.
Diagnostics programProblems(const EvalConfig &config);

/// The agent's working folder, links resolved.
QString workingFolderOf(const EvalConfig &config);

} // namespace proctor
