// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <chrono>

namespace proctor
{

/// Why a step of an attempt did not come to its end.
struct StepFailure {
    enum class Kind {
        /// It was tried and did not work; `message` says why.
        Failed,
        /// The host could not keep what came: its own disk fails.
        HostFailed,
        TimedOut,
        /// The user stopped it.
        Cancelled,
        /// The sandbox is gone, so nobody can say what happened.
        Lost,
    };
    Kind kind = Kind::Failed;
    QString message;
};

/// Time a process in the sandbox has to be dead after it was killed, on a machine that is out of breath.
inline constexpr auto killGrace = std::chrono::seconds(20);

/// The value a step ends in: every step that is awaited ends in one, whatever happens.
template<typename T>
using Stepped = Expected<T, StepFailure>;

} // namespace proctor
