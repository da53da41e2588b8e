// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/runqueue.h"

namespace proctor
{

void RunQueue::add(ExamSpec spec)
{
    m_waiting.push_back(std::move(spec));
}

void RunQueue::start()
{
    m_stopped = false;
    if (!m_current)
        beginNext();
}

void RunQueue::stop()
{
    m_stopped = true;
    if (m_current)
        m_current->stop();
}

void RunQueue::beginNext()
{
    if (m_stopped || m_waiting.empty()) {
        emit finished();
        return;
    }
    m_current = std::make_unique<ExamRun>(std::move(m_waiting.front()));
    m_waiting.pop_front();
    connect(m_current.get(), &ExamRun::finished, this, [this](const RunEnd &end) {
        emit ended(m_current.get(), end);
        // What Proctor or the machine cannot do now, it cannot do for the next entry either.
        if (end.kind == RunEnd::Kind::Broken)
            m_waiting.clear();
        // The run is in the middle of its own signal.
        m_current.release()->deleteLater();
        beginNext();
    });
    emit beginning(m_current.get());
    m_current->start();
}

} // namespace proctor
