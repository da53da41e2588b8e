// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/userpool.h"

#include <set>

#include <unistd.h>

namespace proctor
{

static constexpr uid_t firstUser = 20000;
static constexpr uid_t userCount = 20000;

static std::set<uid_t> &usersInUse()
{
    static std::set<uid_t> users;
    return users;
}

static uid_t takeUser()
{
    // Another Proctor on this machine most likely begins elsewhere.
    const uid_t start = static_cast<uid_t>(getpid()) * 64 % userCount;
    for (uid_t offset = 0; offset < userCount; ++offset) {
        const uid_t user = firstUser + (start + offset) % userCount;
        if (usersInUse().insert(user).second)
            return user;
    }
    // Far more attempts than can run at a time: one is shared.
    return firstUser + start;
}

AttemptUser::AttemptUser()
    : m_id(takeUser())
{
}

AttemptUser::~AttemptUser()
{
    usersInUse().erase(m_id);
}

bool AttemptUser::isWithinReach()
{
    return geteuid() == 0;
}

} // namespace proctor
