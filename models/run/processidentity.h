// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace proctor
{

/// Names one process for good: a process id alone is given again to others.
struct ProcessIdentity {
    /// Of the machine, hashed; environment variable PROCTOR_MACHINE_ID replaces it (for tests).
    QString machine;
    /// Of the machine's current boot; environment variable PROCTOR_BOOT_ID replaces it.
    QString boot;
    qint64 pid = 0;
    /// When the process began, in clock ticks since the boot.
    qint64 start = 0;

    static ProcessIdentity ofThisProcess();

    /// Whether it was started on this machine since it was last switched on. Otherwise nothing can be found
    /// out about it.
    bool isOfThisBoot() const;
    /// Whether it runs; only to be asked when isOfThisBoot(). A process that ended and waits to be collected
    /// does not.
    bool isAlive() const;

    bool operator==(const ProcessIdentity &) const = default;
};

/// When process `pid` began, in clock ticks since the boot; nothing when there is no such process or it has
/// ended.
std::optional<qint64> startOfProcess(qint64 pid);

} // namespace proctor
