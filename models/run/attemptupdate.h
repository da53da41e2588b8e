// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/outcome.h"
#include "models/run/slot.h"

#include <QDateTime>
#include <QList>
#include <QMetaType>

namespace proctor
{

/// What is now known of one slot, as sent from the engine to the window: a whole new picture, not a change.
struct AttemptUpdate {
    Slot slot;
    QString domain;
    /// 0 = not begun.
    int attempt = 0;
    /// Set while the attempt runs.
    std::optional<Phase> phase;
    /// When the running attempt began; elapsed time is counted from here.
    QDateTime startedAt;
    /// Of an ended attempt, in seconds.
    double durationSec = 0;
    int toolCalls = 0;
    /// State::NotRun while it waits or runs.
    Outcome outcome;
};

/// What one of several runs gave.
struct EndedRun {
    /// As in RunStatus.
    QString title;
    std::optional<double> mean;
    QString problem;
};

/// The run as a whole, for the status bar and the header of the Run page.
struct RunStatus {
    enum class Activity { Idle, Running, Pausing, Paused, Stopping, Finished };

    Activity activity = Activity::Idle;
    /// "travel · careful"
    QString title;
    /// Slots in the plan, and what became of them.
    int total = 0, running = 0, scored = 0, agentFailed = 0, harnessFailed = 0;
    /// Nothing when it is unknown how many slots there should be.
    std::optional<int> notRun = 0;
    int concurrency = 1;
    /// Headline mean and half width of its 95 % interval, as far as known.
    std::optional<double> mean, halfWidth;
    std::optional<double> secondsLeft;
    /// Why the run could not start or ended early; empty when all is well.
    QString problem;
    /// Of several runs one after another those that have ended, this one among them when it has.
    QList<EndedRun> ended;
};

} // namespace proctor

Q_DECLARE_METATYPE(proctor::AttemptUpdate)
Q_DECLARE_METATYPE(proctor::RunStatus)
