// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/processidentity.h"

#include <QProcessEnvironment>

namespace proctor
{

/// What every child of Proctor carries in its environment, and so does all that the child starts: whose it
/// is. Two variables: PROCTOR_OWNER=<machine>:<boot>:<pid>:<start time> and, if it works for a results
/// folder, PROCTOR_RUN=<hash of the folder's path>. A sandbox that clears the environment inside keeps them
/// on its own outermost process.
struct OwnerMark {
    ProcessIdentity owner;
    /// 16 hexadecimal digits, or empty.
    QString run;

    bool operator==(const OwnerMark &) const = default;

    /// The mark of this process.
    static OwnerMark current(const QString &resultsFolder = {});
    /// From the environment of a process as in /proc/<pid>/environ; nothing if it carries no (whole) mark.
    static std::optional<OwnerMark> fromEnvironment(const QByteArray &environment);
    void addTo(QProcessEnvironment *environment) const;

    /// True also if that cannot be known, so that nobody's things are touched.
    bool isAlive() const { return owner.life() != ProcessIdentity::Life::Gone; }
};

} // namespace proctor
