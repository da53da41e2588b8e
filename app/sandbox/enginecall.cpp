// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/enginecall.h"

#include "app/sandbox/dockercommand.h"

namespace proctor
{

ProcessSpec engineProcess(const EvalConfig::Docker &docker, const QStringList &arguments)
{
    ProcessSpec process;
    process.program = engineProgram(docker);
    process.arguments = arguments;
    return process;
}

QCoro::Task<ProcessEnd> askEngine(EvalConfig::Docker docker, QStringList command,
                                  std::chrono::milliseconds limit, CancellationToken token)
{
    ProcessSpec spec = engineProcess(docker, engineArguments(docker, command));
    spec.timeLimit = limit;
    Process process(spec);
    co_return co_await process.run(token);
}

} // namespace proctor
