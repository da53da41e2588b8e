// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

#include <QMetaType>

namespace proctor
{

/// How a slot stands, in the order in which a sorted table shows it.
enum class Standing { Running, Scored, AgentFailed, HarnessFailed, Cancelled, Lost, Waiting };

inline constexpr int standingCount = 7;

/// The three parts of an attempt that a user follows; Phase is finer.
enum class Stage { Prepare, Agent, Verify };

Standing standingOf(const AttemptUpdate &update);

/// Where a running attempt is, or where one that has no reward came to an end. Nothing while it waits or when
/// scored.
std::optional<Stage> stageOf(const AttemptUpdate &update);
/// The finer place, for instance Phase::Pull; of an ended attempt as far as its outcome tells.
std::optional<Phase> placeOf(const AttemptUpdate &update);

/// Words for the window, in its language: "Scored", "Agent failed", …
QString standingText(Standing standing);
/// "Starting the sandbox", …
QString phaseText(Phase phase);
/// What happened, whose fault it was and what it means for the mean, in full sentences. `now` is for running
/// attempts.
QString outcomeText(const AttemptUpdate &update, const QDateTime &now);

} // namespace proctor

Q_DECLARE_METATYPE(proctor::Standing)
Q_DECLARE_METATYPE(proctor::Stage)
