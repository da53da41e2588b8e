// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/runqueue.h"

#include <memory>

namespace proctor
{

class StopSignals;

/// The engine behind the command line: exams one after another, until the last has ended or the user stops.
/// Lives on its own thread; signals are delivered by queued connections, with values only.
class ExamEngine : public QObject
{
    Q_OBJECT

public:
    explicit ExamEngine(const QList<ExamSpec> &exams);
    ~ExamEngine() override;

    /// To be called by a queued connection, once.
    void start();

signals:
    /// The next of the exams; what follows up to `ended` is about it.
    void began();
    void updated(const QList<proctor::AttemptUpdate> &updates);
    void journaled(const proctor::JournalEvent &event);
    void statusChanged(const proctor::RunStatus &status);
    void warned(const QString &sentence);
    void ended(const proctor::RunEnd &end);
    /// The user has asked for the end, which is on its way.
    void stopping();
    void finished();

private:
    void follow(ExamRun *run);

    RunQueue m_queue;
    std::unique_ptr<StopSignals> m_stopSignals;
};

} // namespace proctor
