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

QStringList nearestNames(const QString &name, const QStringList &candidates, qsizetype most)
{
    const QString wanted = folded(name);
    if (wanted.isEmpty() || wanted.size() > longestName)
        return {};
    const int mostSlips = std::clamp(int(wanted.size()) / 3, 1, 3);
    const bool isAbbreviation = wanted.size() >= shortestAbbreviation;
    std::vector<std::pair<int, QString>> near;
    for (const QString &candidate : candidates) {
        const QString offered = folded(candidate);
        const bool isTooFar = std::abs(offered.size() - wanted.size()) > mostSlips;
        const int slips = isTooFar ? mostSlips + 1 : editDistance(wanted, offered);
        if (slips <= mostSlips || (isAbbreviation && offered.startsWith(wanted)))
            near.emplace_back(slips, candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    QStringList names;
    for (const auto &[slips, candidate] : near) {
        if (names.size() < most)
            names << candidate;
    }
    return names;
}

std::optional<QString> nearestName(const QString &name, const QStringList &candidates)
{
    const QStringList nearest = nearestNames(name, candidates, 1);
    return nearest.isEmpty() ? std::nullopt : std::optional(nearest.first());
}

} // namespace proctor
