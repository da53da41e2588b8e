// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/examrun.h"

#include <QObject>

#include <deque>

namespace proctor
{

/// Several runs one after another, each in its own results folder; none after one that ended as Broken. Lives
/// on the engine's thread.
class RunQueue : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void add(ExamSpec spec);
    /// Begins with the first entry; does nothing while one runs.
    void start();
    /// Stops the running entry and begins no other.
    void stop();
    /// The entry that runs, or nullptr.
    ExamRun *current() const { return m_current.get(); }
    int waiting() const { return static_cast<int>(m_waiting.size()); }

signals:
    /// To connect to the run's own signals before it starts.
    void beginning(proctor::ExamRun *run);
    void ended(proctor::ExamRun *run, const proctor::RunEnd &end);
    /// The queue is empty, or stop() has taken effect.
    void finished();

private:
    void beginNext();

    std::deque<ExamSpec> m_waiting;
    std::unique_ptr<ExamRun> m_current;
    bool m_stopped = false;
};

} // namespace proctor
