// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentchoice.h"

#include "app/agents/registeredagent.h"
#include "app/agents/sandboxagent.h"

namespace proctor
{

std::unique_ptr<Agent> makeAgent(const EvalConfig &config)
{
    if (config.agent.registration)
        return std::make_unique<RegisteredAgent>(config);
    return std::make_unique<SandboxAgent>(config);
}

} // namespace proctor
