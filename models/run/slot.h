// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHashFunctions>
#include <QString>

namespace proctor
{

/// The place of one verdict: an instance in one run. Runs count from 1.
struct Slot {
    QString instanceId;
    int run = 1;

    /// "ID#run": how journals and --json name a slot.
    QString key() const { return instanceId + QLatin1Char('#') + QString::number(run); }
    bool operator==(const Slot &) const = default;
};

inline size_t qHash(const Slot &slot, size_t seed = 0)
{
    return qHashMulti(seed, slot.instanceId, slot.run);
}

} // namespace proctor
