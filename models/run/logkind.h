// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace proctor
{

/// The texts that are kept of an attempt and shown beside it.
enum class LogKind { AgentOutput, AgentErrors, Verifier, Answer };

inline constexpr int logKindCount = 4;

} // namespace proctor
