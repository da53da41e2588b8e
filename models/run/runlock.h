// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"
#include "models/core/processidentity.h"

#include <QDateTime>

namespace proctor
{

/// The content of run.lock: which process writes to a results folder, and until when that may be believed
/// without asking the machine.
struct LockHolder {
    ProcessIdentity process;
    QDateTime leaseUntil;

    /// On the same machine since the same boot the process alone decides, elsewhere the lease alone.
    bool isLive(const QDateTime &now) const;
    /// "process 12 on this machine", for a sentence.
    QString text() const;

    QByteArray toJson() const;
    /// Nothing for text that names no process, such as that of an empty file.
    static std::optional<LockHolder> fromJson(const QByteArray &json);
};

/// The right to write to a results folder. It is taken, renewed and given back under a file lock on run.lock,
/// so that of two processes that start in the same moment one gets it; between those moments only the file's
/// content speaks.
class RunLock
{
public:
    static constexpr int leaseSeconds = 60;

    /// Fails when another process holds the lock (which is named) or when the file cannot be written.
    static Expected<RunLock> acquire(const QString &path);

    /// Extends the lease by a minute. When it fails isLost() tells whether another holds the lock now.
    Expected<Nothing> renew();
    bool isLost() const { return m_lost; }
    /// Whether the lease is so far gone that renew() must come before the next writing.
    bool needsRenewal() const;
    /// Removes the file if it is still ours.
    void release();

private:
    explicit RunLock(const QString &path)
        : m_path(path)
        , m_self(ProcessIdentity::current())
    {
    }

    Expected<Nothing> take(bool renewing);

    QString m_path;
    ProcessIdentity m_self;
    QDateTime m_leaseUntil;
    bool m_lost = false;
};

} // namespace proctor
