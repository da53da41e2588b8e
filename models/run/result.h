// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"
#include "models/run/outcome.h"
#include "models/run/slot.h"

#include <QByteArray>
#include <QMetaType>

#include <optional>

namespace proctor
{

/// One record of result.json and of a line of scores.jsonl: the peer's members (instance_id, domain,
/// run_id, reward, error, phase, duration_sec, in this order) and then ours (state, fault, step, flags,
/// attempt).
struct Result {
    QString instanceId;
    /// null in the file when the dataset names none.
    std::optional<QString> domain;
    /// Absent when the folder holds a single run.
    std::optional<int> runId;
    Outcome outcome;
    /// Wall time in seconds, one decimal in the file.
    double durationSec = 0;
    /// The how-manieth attempt of its slot this is, from 1.
    int attempt = 1;
    /// Members that we do not know, as the text of a JSON object ("" = none); written back after ours.
    QByteArray extra;

    Slot slot() const { return {instanceId, runId.value_or(1)}; }

    /// One line of JSON without a newline. Numbers keep a decimal point as the peer writes them (1.0, not 1).
    QByteArray toJsonLine() const;
    /// The same object indented by two, as in result.json.
    QByteArray toJsonFile() const;
    /// Reads both our own records and the peer's, whose state and fault follow from reward and phase:
    /// a number in [0, 1] is scored, anything else that is not null is failed at "reward".
    static Expected<Result> fromJson(const QByteArray &json);

    bool operator==(const Result &) const = default;
};

} // namespace proctor

Q_DECLARE_METATYPE(proctor::Result)
