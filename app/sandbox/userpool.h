// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <sys/types.h>

namespace proctor
{

/// A user id, 20000 to 39999, that no other running attempt of this Proctor has, so that limits the kernel
/// counts per user do not reach from one attempt into another, not even between containers. For use on the
/// engine's thread.
class AttemptUser
{
public:
    AttemptUser();
    ~AttemptUser();
    Q_DISABLE_COPY_MOVE(AttemptUser)

    uid_t id() const { return m_id; }

    /// Whether a process of this machine can become such a user: only root can.
    static bool isWithinReach();

private:
    uid_t m_id;
};

} // namespace proctor
