// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/scheduler.h"

#include <algorithm>

namespace proctor
{

Scheduler::Scheduler(Attempt attempt, int concurrency, QObject *parent)
    : QObject(parent)
    , m_attempt(std::move(attempt))
    , m_concurrency(std::max(1, concurrency))
{
}

void Scheduler::add(const QList<RunPlan::Item> &items)
{
    m_waiting.insert(m_waiting.end(), items.begin(), items.end());
    emit changed();
    if (m_begins)
        beginNext();
}

void Scheduler::start()
{
    if (m_stopped)
        return;
    m_begins = true;
    beginNext();
}

void Scheduler::pause()
{
    m_begins = false;
    emit changed();
    if (m_running.empty())
        emit settled();
}

void Scheduler::stop(const QString &reason)
{
    m_stopped = true;
    m_begins = false;
    m_waiting.clear();
    for (Running &running : m_running)
        running.cancellation.cancel(reason);
    emit changed();
    if (m_running.empty())
        emit settled();
}

void Scheduler::stopAttempt(const Slot &slot, const QString &reason)
{
    const auto waiting = std::find_if(m_waiting.begin(), m_waiting.end(),
                                      [&](const RunPlan::Item &item) { return item.slot == slot; });
    if (waiting != m_waiting.end())
        m_waiting.erase(waiting);
    for (Running &running : m_running) {
        if (running.slot == slot)
            running.cancellation.cancel(reason);
    }
    emit changed();
}

void Scheduler::setConcurrency(int concurrency)
{
    m_concurrency = std::max(1, concurrency);
    emit changed();
    if (m_begins)
        beginNext();
}

void Scheduler::beginNext()
{
    while (m_begins && !m_waiting.empty() && running() < m_concurrency) {
        RunPlan::Item item = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_running.emplace_back().slot = item.slot;
        const auto self = std::prev(m_running.end());
        self->task = runOne(std::move(item), self);
    }
    emit changed();
    if (m_running.empty() && m_waiting.empty())
        emit settled();
}

QCoro::Task<void> Scheduler::runOne(RunPlan::Item item, std::list<Running>::iterator self)
{
    try {
        co_await m_attempt(std::move(item), self->cancellation.token());
    } catch (...) {
        // An attempt answers for itself; whatever it failed to say, its place is free again.
        qCritical("An attempt ended in an exception");
    }
    // The task cannot be destroyed from within itself.
    QMetaObject::invokeMethod(
        this, [this, self] { ended(self); }, Qt::QueuedConnection);
}

void Scheduler::ended(std::list<Running>::iterator self)
{
    m_running.erase(self);
    if (m_begins) {
        beginNext();
        return;
    }
    emit changed();
    if (m_running.empty())
        emit settled();
}

} // namespace proctor
