// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace proctor
{

/// The outer of the two nested bubblewraps of a local sandbox. Sizes in bytes.
struct OuterWall {
    /// Limit of /app, an empty file system in memory that the bundle is copied into.
    qint64 appSize = 0;
    qint64 temporarySize = 1LL << 30;
    /// What runs inside as process 1.
    QStringList command;
};

/// Arguments of `bwrap`: no network but an own loopback, no view of the host but /usr, an empty environment.
/// Process 1 is the command itself (--as-pid-1), so nothing inside can signal it and its end ends everything.
QStringList bubblewrapArguments(const OuterWall &wall);

} // namespace proctor
