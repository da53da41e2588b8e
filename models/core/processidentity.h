// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace proctor
{

/// One process, told apart from every other one of any machine at any time: a process id alone is given
/// to another process sooner or later. All functions may be called on any thread.
struct ProcessIdentity {
    /// Lives: it is there. Gone: it is not. Unknown: it belongs to another machine, nobody here can tell.
    enum class Life { Lives, Gone, Unknown };

    /// Hash of /etc/machine-id (else the host name) and the process id namespace, 16 hexadecimal digits:
    /// equal where process ids mean the same. The environment variable PROCTOR_MACHINE_ID takes its place.
    QString machine;
    /// /proc/sys/kernel/random/boot_id; start times of different boots cannot be compared. The environment
    /// variable PROCTOR_BOOT_ID takes its place.
    QString boot;
    qint64 pid = 0;
    /// Clock ticks from boot to the start of the process: field 22 of /proc/<pid>/stat, see proc(5).
    quint64 startTime = 0;

    bool operator==(const ProcessIdentity &) const = default;

    /// The calling process.
    static ProcessIdentity current();
    /// A running process of this machine; nothing if there is none.
    static std::optional<ProcessIdentity> of(qint64 pid);

    bool isOfThisMachine() const;
    /// Of this machine since it was last switched on: only then can be found out whether it lives.
    bool isOfThisBoot() const;
    /// A zombie counts as gone: it does nothing any more.
    Life life() const;

    /// "machine:boot:pid:start", and back. Nothing if the text is not of that shape.
    QString toText() const;
    static std::optional<ProcessIdentity> fromText(const QString &text);
};

} // namespace proctor
