// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"
#include "models/exam/instance.h"
#include "models/run/result.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QStringList>

namespace proctor
{

/// What the user wants run again by --retry-failed: of the slots that ended without a reward exactly these.
struct RetryChoice {
    bool agent = false, harness = false, lost = false, cancelled = false;

    /// "" = agent, harness, lost and cancelled; else a comma-separated list of these words. Errors: any other
    /// word.
    static Expected<RetryChoice> fromWords(const QString &words);
};

struct RunSelection {
    /// Ids and globs (`*`, `?`, `[a-z]`, `[!a-z]`); an entry that is an id means it alone. Empty = all.
    /// Contents of @file are already read in, one a line; blank lines count for nothing.
    QStringList only;
    /// The first so many of those that `only` leaves; absent or 0 = all.
    std::optional<int> limit;
    int runs = 1;
    bool skipDone = true;
    std::optional<RetryChoice> retry;
};

/// Which attempts a run will make, in order: run 1 of every instance, then run 2, and so on.
struct RunPlan {
    struct Item {
        Instance instance;
        Slot slot;
    };
    QList<Item> items;
    /// Slots that already have a verdict and are left as they are.
    int alreadyDone = 0;
    /// All slots of the selection, done ones included.
    int selected = 0;

    /// A plain run takes what is not run, cancelled, lost or failed by the harness; agent failures are
    /// verdicts and run again by `retry` only. With `retry` the chosen ends run again, and what is not run
    /// yet is taken too. skipDone false takes everything. Verdicts of other instances or of runs above `runs`
    /// count for nothing. Errors: `only` entries that match nothing (named, with near ids), a negative limit,
    /// fewer runs than 1.
    static Expected<RunPlan> make(const QList<Instance> &instances, const RunSelection &selection,
                                  const QHash<Slot, Result> &verdicts);
};

} // namespace proctor
