// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/examengine.h"

#include "app/cli/stopsignals.h"

namespace proctor
{

ExamEngine::ExamEngine(const QList<ExamSpec> &exams)
    : m_queue(this) // so that it moves to another thread with this object
{
    for (const ExamSpec &exam : exams)
        m_queue.add(exam);
    connect(&m_queue, &RunQueue::beginning, this, &ExamEngine::follow);
    connect(&m_queue, &RunQueue::ended, this, [this](ExamRun *, const RunEnd &end) { emit ended(end); });
    connect(&m_queue, &RunQueue::finished, this, [this] {
        // Nothing is left to be stopped: from now on a signal ends the program as it does any other.
        m_stopSignals.reset();
        emit finished();
    });
}

ExamEngine::~ExamEngine() = default;

void ExamEngine::start()
{
    m_stopSignals = std::make_unique<StopSignals>();
    connect(m_stopSignals.get(), &StopSignals::stopRequested, this, [this] {
        emit stopping();
        m_queue.stop();
    });
    m_queue.start();
}

void ExamEngine::follow(ExamRun *run)
{
    emit began();
    connect(run, &ExamRun::updated, this, &ExamEngine::updated);
    connect(run, &ExamRun::journaled, this, &ExamEngine::journaled);
    connect(run, &ExamRun::statusChanged, this, &ExamEngine::statusChanged);
    connect(run, &ExamRun::warned, this, &ExamEngine::warned);
}

} // namespace proctor
