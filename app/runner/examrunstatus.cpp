// SPDX-License-Identifier: GPL-3.0-or-later
// What an ExamRun tells about itself: pictures of its slots, and the status of the whole.
#include "app/runner/examrun.h"
#include "models/run/summary.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>

namespace proctor
{

void ExamRun::showAll(const RunPlan &plan)
{
    QSet<Slot> planned;
    for (const RunPlan::Item &item : plan.items)
        planned.insert(item.slot);
    for (const Slot &slot : std::as_const(m_selected)) {
        AttemptUpdate &update = picture(slot);
        const auto result = m_store->result(slot);
        if (result && !planned.contains(slot)) {
            update.outcome = result->outcome;
            update.durationSec = result->durationSec;
            update.attempt = result->attempt;
        }
    }
    sendPictures();
}

AttemptUpdate &ExamRun::picture(const Slot &slot)
{
    m_changedPictures.insert(slot);
    if (!m_pictureTimer.isActive() && !m_finished)
        m_pictureTimer.start();
    return m_pictures[slot];
}

void ExamRun::sendPictures()
{
    m_pictureTimer.stop();
    QList<AttemptUpdate> updates;
    if (m_changedPictures.size() == m_selected.size()) {
        // All at once means for the first time: in the order of the plan.
        for (const Slot &slot : std::as_const(m_selected))
            updates << m_pictures.value(slot);
    } else {
        for (const Slot &slot : std::as_const(m_changedPictures))
            updates << m_pictures.value(slot);
    }
    m_changedPictures.clear();
    if (!updates.isEmpty())
        emit updated(updates);
}

void ExamRun::enterActivity(RunStatus::Activity activity)
{
    m_status.activity = activity;
    sendStatus();
}

void ExamRun::sendStatus()
{
    m_statusTimer.stop();
    QElapsedTimer cost;
    cost.start();
    if (!m_store)
        return void(emit statusChanged(m_status));
    QList<Result> results;
    for (const Slot &slot : std::as_const(m_selected)) {
        if (const auto result = m_store->result(slot))
            results << *result;
    }
    const int total = static_cast<int>(m_selected.size());
    const Summary summary = Summary::of(results, m_spec.config.dataset.config, total);
    m_status.total = total;
    m_status.running = m_scheduler.running();
    m_status.concurrency = m_scheduler.concurrency();
    m_status.scored = summary.scored;
    m_status.agentFailed = summary.agentFailed;
    m_status.harnessFailed = summary.harnessFailed + summary.cancelled + summary.lost;
    m_status.notRun = summary.notRun;
    m_status.mean = summary.headlineMean;
    m_status.halfWidth = summary.headlineHalfWidth;
    m_status.secondsLeft = secondsLeft();
    emit statusChanged(m_status);
    // A long exam takes long to sum up: never more than a twentieth of the time.
    const std::chrono::milliseconds fair(20 * cost.elapsed());
    m_statusTimer.setInterval(std::max<std::chrono::milliseconds>(shortestStatusInterval, fair));
}

std::optional<double> ExamRun::secondsLeft() const
{
    const int left = m_scheduler.waiting() + m_scheduler.running();
    if (m_ended == 0 || left == 0)
        return std::nullopt;
    const double rounds = std::ceil(static_cast<double>(left) / m_scheduler.concurrency());
    return m_endedSeconds / m_ended * rounds;
}

} // namespace proctor
