// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/result.h"

namespace proctor
{

/// The members of a record as they stand in the file, before it is decided what they mean.
struct RecordFields {
    QString instanceId;
    std::optional<QString> domain;
    std::optional<int> runId;
    /// A number in [0, 1].
    std::optional<double> reward;
    /// Anything else that stands at reward and is not null, as written.
    QByteArray invalidReward;
    QString error;
    std::optional<FailurePhase> phase;
    double durationSec = 0;
    std::optional<State> state;
    std::optional<Fault> fault;
    std::optional<Phase> step;
    QStringList flags;
    int attempt = 1;
    QByteArray extra;

    static bool isReward(double number) { return number >= 0 && number <= 1; }
};

/// What the members say together. A record of the peer has no state: it follows from reward and phase.
Result resultOf(RecordFields &&fields);

} // namespace proctor
