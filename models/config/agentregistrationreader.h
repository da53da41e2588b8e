// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/agentregistration.h"
#include "models/config/configsection.h"

namespace proctor
{

/// Reads `agents.<name>` and checks all that can be checked before the agent starts: protocol, command and
/// its placeholders, working folder (it must exist), variable names, output paths, time limit. A null
/// timeout_sec or output_paths leaves the member absent.
AgentRegistration readRegistration(const ConfigSection &section, const QString &name,
                                   const QString &configDir);

} // namespace proctor
