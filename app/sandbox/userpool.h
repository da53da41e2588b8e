// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <sys/types.h>

namespace proctor
{

/// User ids for running attempts, so that limits the kernel counts per user do not reach from one attempt
/// into another. Only root can hand them out; for anybody else there are none. For use on the engine's
/// thread.
std::optional<uid_t> takeAttemptUser();
void giveBackAttemptUser(uid_t user);

} // namespace proctor
