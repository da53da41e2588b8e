// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/result.h"

#include <QDateTime>

namespace proctor
{

/// The slot that Slot::key() names "ID#run"; an id may itself hold '#'.
std::optional<Slot> slotFromKey(const QString &key);

/// One line of events.jsonl: what happened when. The journal is append-only, one write a line; scores.jsonl
/// can be rebuilt from it. The same lines are what `--json` prints.
struct JournalEvent {
    enum class Kind { Started, Phase, Outcome, Stopped, Resumed, Recovered };

    QDateTime at;
    Kind kind = Kind::Started;
    /// Empty instance id for events of the whole run (stopped, resumed).
    Slot slot;
    int attempt = 0;
    std::optional<proctor::Phase> phase;
    std::optional<Result> result;

    /// One line of JSON without a newline.
    QByteArray toJsonLine() const;
    static Expected<JournalEvent> fromJson(const QByteArray &line);

    bool operator==(const JournalEvent &) const = default;
};

} // namespace proctor

Q_DECLARE_METATYPE(proctor::JournalEvent)
