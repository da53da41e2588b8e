// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/verdicts.h"

#include <QJsonObject>

namespace proctor
{

/// Kept in run.json under "checkpoint" when a run closes: up to where the journal says nothing that the
/// scores.jsonl of that moment does not. As long as scores.jsonl is the same file, the journal need only be
/// read from there. It can be deleted at any time.
struct Checkpoint {
    /// Length of the journal.
    qint64 journalBytes = 0;
    /// Length of scores.jsonl, and when it was last changed in nanoseconds since 1970.
    qint64 scoresBytes = 0, scoresChangedNs = 0;
    /// Attempts of those slots that were tried more often than their verdict says, by slot key.
    QJsonObject attempts;

    /// Nothing while an attempt runs or a file is missing.
    static std::optional<Checkpoint> of(const QString &folder, const Verdicts &verdicts);

    QJsonObject toJson() const;
    /// Nothing when `json` is no checkpoint or the files are not those it was made for.
    static std::optional<Checkpoint> validIn(const QString &folder, const QJsonObject &json);

    bool operator==(const Checkpoint &) const = default;
};

} // namespace proctor
