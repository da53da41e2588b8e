// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/result.h"

#include <QList>
#include <QMap>

namespace proctor
{

/// All figures about a set of results. The first block is the peer's arithmetic (summary.json, `report`),
/// computed on deduplicated slots; the second is ours.
struct Summary {
    struct Domain {
        int count = 0;
        double mean = 0, min = 0, max = 0;
        bool operator==(const Domain &) const = default;
    };

    QString config;
    /// Records, of which `completed` have a reward.
    int total = 0, completed = 0, failed = 0;
    /// Unrounded; 4 decimals when written.
    double avgReward = 0;
    int runs = 1;
    /// Sample standard deviation (n-1) of the rounded per-run means; 0 for one run.
    double std = 0;
    /// Per-run means rounded to 4 decimals; empty when no record has a run id.
    QList<double> runScores;
    /// Over valid records, sorted by name.
    QMap<QString, Domain> byDomain;
    /// Failure phase ("unknown" without one) and how often, in order of appearance.
    QList<std::pair<QString, int>> failureBreakdown;

    /// Slots by end.
    int scored = 0, agentFailed = 0, harnessFailed = 0, cancelled = 0, lost = 0;
    /// Nothing when it is unknown how many slots there should be.
    std::optional<int> notRun;
    /// Agent faults count 0, harness faults are left out; per instance first, then over instances.
    std::optional<double> headlineMean;
    /// Half the width of its 95 % interval (Student's t over instances); absent for fewer than two instances.
    std::optional<double> headlineHalfWidth;
    /// Scored only.
    std::optional<double> peerMean;
    /// Every failure counts 0, also harness faults, cancelled and lost.
    std::optional<double> strictMean;

    /// `planned`: number of slots that the run should have; one that the results exceed counts as unknown.
    static Summary of(const QList<Result> &results, const QString &config, std::optional<int> planned = {});

    /// summary.json as the peer's `report` writes it (indent 2, no final newline), our fields after the
    /// peer's.
    QByteArray toJson() const;
};

} // namespace proctor
