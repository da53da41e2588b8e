// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/agent.h"
#include "models/config/evalconfig.h"

#include <memory>

namespace proctor
{

/// The agent that a configuration selects, for one attempt.
std::unique_ptr<Agent> makeAgent(const EvalConfig &config);

} // namespace proctor
