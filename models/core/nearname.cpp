// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/nearname.h"

#include <algorithm>
#include <vector>

namespace proctor
{

static constexpr qsizetype shortestAbbreviation = 4;
/// Longer names than this are nobody's slip, and comparing them would take long.
static constexpr qsizetype longestName = 200;

/// Optimal string alignment: insert, remove, replace, swap neighbours.
static int editDistance(const QString &a, const QString &b)
{
    const auto width = size_t(b.size()) + 1;
    std::vector<int> before(width), above(width), row(width);
    for (size_t j = 0; j < width; ++j)
        above[j] = int(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        row[0] = int(i);
        for (size_t j = 1; j < width; ++j) {
            const auto k = qsizetype(j) - 1;
            const int replaced = above[j - 1] + (a[i - 1] == b[k] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[k - 1] && a[i - 2] == b[k])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(above);
        above.swap(row);
    }
    return above.back();
}

static QString folded(const QString &name)
{
    return name.toLower().replace(u'-', u'_');
}

std::optional<QString> nearestName(const QString &name, const QStringList &candidates)
{
    const QString wanted = folded(name);
    if (wanted.isEmpty() || wanted.size() > longestName)
        return std::nullopt;
    const int mostSlips = std::clamp(int(wanted.size()) / 3, 1, 3);
    std::optional<QString> nearest;
    int fewest = mostSlips + 1;
    for (const QString &candidate : candidates) {
        const QString offered = folded(candidate);
        if (std::abs(offered.size() - wanted.size()) >= fewest)
            continue;
        const int slips = editDistance(wanted, offered);
        if (slips < fewest) {
            fewest = slips;
            nearest = candidate;
        }
    }
    if (nearest || wanted.size() < shortestAbbreviation)
        return nearest;
    const auto longer =
        std::find_if(candidates.begin(), candidates.end(),
                     [&wanted](const QString &candidate) { return folded(candidate).startsWith(wanted); });
    return longer == candidates.end() ? std::nullopt : std::optional(*longer);
}

} // namespace proctor
