// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/process.h"
#include "models/config/evalconfig.h"

#include <QCoroTask>

#include <chrono>

namespace proctor
{

/// The client process that asks the configured engine for something.
ProcessSpec engineProcess(const EvalConfig::Docker &docker, const QStringList &arguments);

/// One short command of the client, from its start to its end; `arguments` without the context. A time limit
/// is a must: a client whose engine hangs waits for ever.
QCoro::Task<ProcessEnd> askEngine(EvalConfig::Docker docker, QStringList command,
                                  std::chrono::milliseconds limit, CancellationToken token = {});

} // namespace proctor
