// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "models/run/runplan.h"

#include <QCoroTask>
#include <QObject>

#include <deque>
#include <functional>
#include <list>

namespace proctor
{

/// Runs the attempts of a plan, so many at a time. Owns every task until it has ended. Lives on the engine's
/// thread.
class Scheduler : public QObject
{
    Q_OBJECT

public:
    /// One attempt from begin to end; has to end soon after `token` is cancelled.
    using Attempt = std::function<QCoro::Task<void>(RunPlan::Item item, CancellationToken token)>;

    Scheduler(Attempt attempt, int concurrency, QObject *parent = nullptr);

    void add(const QList<RunPlan::Item> &items);
    /// Begins, or goes on after pause().
    void start();
    /// Begins no new attempt and lets running ones end.
    void pause();
    /// Begins no new attempt and cancels the running ones. Final.
    void stop(const QString &reason);
    /// Cancels one running attempt, or takes a waiting one out of the queue.
    void stopAttempt(const Slot &slot, const QString &reason);
    /// Takes effect with the next attempt that begins or ends; at least 1.
    void setConcurrency(int concurrency);

    int concurrency() const { return m_concurrency; }
    int running() const { return static_cast<int>(m_running.size()); }
    int waiting() const { return static_cast<int>(m_waiting.size()); }

signals:
    /// A number changed.
    void changed();
    /// Nothing runs and nothing will begin by itself: the plan is done, or pause() or stop() has taken full
    /// effect.
    void settled();

private:
    struct Running {
        Slot slot;
        CancellationSource cancellation;
        std::optional<QCoro::Task<void>> task;
    };

    void beginNext();
    QCoro::Task<void> runOne(RunPlan::Item item, std::list<Running>::iterator self);
    void ended(std::list<Running>::iterator self);

    Attempt m_attempt;
    int m_concurrency;
    bool m_begins = false;
    bool m_stopped = false;
    std::deque<RunPlan::Item> m_waiting;
    std::list<Running> m_running;
};

} // namespace proctor
