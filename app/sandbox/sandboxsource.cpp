// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/sandboxsource.h"

#include "app/sandbox/dockersandboxes.h"
#include "app/sandbox/localsandboxes.h"

namespace proctor
{

/// Beyond the sum of the limits: start, set-up and the copying of files. Seconds.
static constexpr double deadlineMargin = 120;

BridgeSetup bridgeSetupOf(const EvalConfig &config)
{
    BridgeSetup setup;
    setup.hide = config.docker.hide;
    setup.toolLimit = config.runner.toolTimeoutSec;
    setup.toolParallel = config.runner.toolParallel;
    setup.deadline = config.agent.timeoutSec + config.verifier.timeoutSec + deadlineMargin;
    return setup;
}

std::unique_ptr<SandboxSource> makeSandboxSource(const EvalConfig &config, const QString &resultsFolder)
{
    if (config.runner.sandbox == EvalConfig::SandboxKind::Docker)
        return std::make_unique<DockerSandboxes>(config, resultsFolder);
    return std::make_unique<LocalSandboxes>(config, resultsFolder);
}

} // namespace proctor
