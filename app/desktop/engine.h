// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/attemptlogs.h"
#include "app/desktop/openedexam.h"
#include "app/runner/runqueue.h"

#include <QObject>

#include <memory>

namespace proctor
{

/// The engine behind the window: what is open, and what runs of it. Lives on its own thread; slots are called
/// and signals delivered by queued connections, with values only. Every request is answered by a status.
class Engine : public QObject
{
    Q_OBJECT

public:
    explicit Engine(QObject *parent = nullptr);
    ~Engine() override;

public slots:
    /// Removes what Proctors that are no more left behind.
    void removeLeftovers();
    /// An empty path is the demo exam, not begun. Refused while something runs.
    void open(const QString &path);
    /// The demo exam, which begins at once.
    void openDemo();
    void start();
    void pause();
    void resume();
    void stop();
    void stopAttempt(const proctor::Slot &slot);
    /// Words as in --retry-failed.
    void retryFailed(const QStringList &faults);
    void setConcurrency(int concurrency);
    void watchLog(const proctor::Slot &slot);
    void findFolder(const proctor::Slot &slot);
    /// Stops what runs; then comes `idle`.
    void shutDown();

signals:
    /// What is shown is another exam: rows of the one before are gone.
    void opened(const QList<proctor::AttemptUpdate> &updates);
    void updated(const QList<proctor::AttemptUpdate> &updates);
    void statusChanged(const proctor::RunStatus &status);
    void logLoaded(const proctor::Slot &slot, proctor::LogKind kind, const QString &text);
    void logAppended(const proctor::Slot &slot, proctor::LogKind kind, const QString &text);
    /// A folder that exists.
    void folderFound(const QString &folder);
    /// All there is to remark about what is open, without keeping it from being run.
    void remarksChanged(const QStringList &remarks);
    void leftoversRemoved(const QStringList &lines);
    /// After shutDown(): nothing runs any more.
    void idle();

private:
    bool isRunning() const { return m_queue != nullptr; }
    void show(OpenedExam opened);
    void say(const QString &problem);
    void begin(const QList<ExamSpec> &exams);
    void follow(ExamRun *run);
    void remark(const QString &sentence);
    void setRemarks(const QStringList &remarks);
    void noteEnd(const ExamRun &run, const RunEnd &end);
    void onStatus(RunStatus status);
    void onEvent(const JournalEvent &event);
    void onQueueFinished();

    OpenedExam m_opened;
    /// Set while something runs.
    std::unique_ptr<RunQueue> m_queue;
    qsizetype m_begun = 0, m_toRun = 0;
    QList<EndedRun> m_ended;
    QStringList m_remarks;
    RunStatus m_status;
    AttemptLogs m_logs;
    bool m_isShuttingDown = false;
};

} // namespace proctor
