// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace proctor
{

/// The candidate that someone who wrote `name` most likely meant, or nothing when none is near. Letter case
/// and the difference between '-' and '_' count for nothing, neighbours swapped count as one slip.
/// A candidate that `name` begins counts as near after all others.
std::optional<QString> nearestName(const QString &name, const QStringList &candidates);

/// The same for several: at most `most`, the nearest first, equally near ones in the order of the candidates.
QStringList nearestNames(const QString &name, const QStringList &candidates, qsizetype most);

} // namespace proctor
