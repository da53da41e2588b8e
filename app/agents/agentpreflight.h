// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "models/config/evalconfig.h"

#include <QCoroTask>

#include <optional>

namespace proctor
{

/// What keeps the configuration's registered agent from working on this machine and can only be learnt by
/// trying: a wall that cannot be built, a Python module (`python3 -m NAME`) that its Python does not have.
/// Nothing also for an agent in the sandbox.
QCoro::Task<std::optional<QString>> registeredAgentProblem(EvalConfig config, CancellationToken token);

/// The module that `python [options] -m MODULE …` starts, and the options before it; nothing for any other
/// command.
struct PythonModule {
    QStringList options;
    QString name;

    bool operator==(const PythonModule &) const = default;
};
std::optional<PythonModule> pythonModuleOf(const QStringList &command);

} // namespace proctor
