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

std::optional<uid_t> takeAttemptUser()
{
    if (geteuid() != 0)
        return std::nullopt;
    // Another Proctor on this machine most likely begins elsewhere.
    const uid_t start = static_cast<uid_t>(getpid()) * 64 % userCount;
    for (uid_t offset = 0; offset < userCount; ++offset) {
        const uid_t user = firstUser + (start + offset) % userCount;
        if (usersInUse().insert(user).second)
            return user;
    }
    return std::nullopt;
}

void giveBackAttemptUser(uid_t user)
{
    usersInUse().erase(user);
}

} // namespace proctor
