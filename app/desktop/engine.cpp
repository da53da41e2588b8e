// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine.h"

#include "app/process/reaper.h"

#include <QFileInfo>

namespace proctor
{

/// So many are read by nobody, and each change sends all of them.
static constexpr int mostRemarks = 200;

Engine::Engine(QObject *parent)
    : QObject(parent)
    , m_logs(this)
{
    connect(&m_logs, &AttemptLogs::loaded, this, &Engine::logLoaded);
    connect(&m_logs, &AttemptLogs::appended, this, &Engine::logAppended);
}

Engine::~Engine() = default;

void Engine::removeLeftovers()
{
    const Leftovers leftovers = Reaper().remove();
    QStringList lines = leftovers.folders;
    for (const Leftovers::LeftProcess &process : leftovers.processes)
        lines << tr("Process %1: %2").arg(process.pid).arg(process.command);
    lines += leftovers.problems;
    if (!lines.isEmpty())
        emit leftoversRemoved(lines);
}

void Engine::open(const QString &path)
{
    if (isRunning())
        return say(tr("Stop the run before you open something else"));
    OpenedExam exam = path.isEmpty() ? OpenedExam::fromDemo() : OpenedExam::fromPath(path);
    if (!exam.status.problem.isEmpty() && m_status.total > 0)
        return say(exam.status.problem);
    show(std::move(exam));
}

void Engine::openDemo()
{
    open({});
    if (m_opened.status.problem.isEmpty())
        start();
}

void Engine::show(OpenedExam exam)
{
    m_opened = std::move(exam);
    m_status = m_opened.status;
    setRemarks(m_opened.warnings);
    emit opened(m_opened.updates);
    emit statusChanged(m_status);
}

void Engine::setRemarks(const QStringList &remarks)
{
    m_remarks = remarks.mid(0, mostRemarks);
    if (remarks.size() > mostRemarks)
        m_remarks << tr("There are more of these.");
    emit remarksChanged(m_remarks);
}

/// Each once: the runs of a queue may share what it is about.
void Engine::remark(const QString &sentence)
{
    if (m_remarks.size() <= mostRemarks && !m_remarks.contains(sentence))
        setRemarks(m_remarks + QStringList{sentence});
}

/// Shows a sentence and leaves all else as it is.
void Engine::say(const QString &problem)
{
    RunStatus status = m_status;
    status.problem = problem;
    emit statusChanged(status);
}

void Engine::start()
{
    begin(m_opened.exams);
}

void Engine::retryFailed(const QStringList &faults)
{
    const auto choice = RetryChoice::fromWords(faults.join(u','));
    if (!choice)
        return say(choice.error().text());
    QList<ExamSpec> exams = m_opened.exams;
    for (ExamSpec &exam : exams)
        exam.selection.retry = *choice;
    begin(exams);
}

void Engine::begin(const QList<ExamSpec> &exams)
{
    if (isRunning())
        return;
    if (exams.isEmpty())
        return say(tr("These are results to look at. Open the configuration they were made with to run it."));
    m_queue = std::make_unique<RunQueue>();
    m_begun = 0;
    m_toRun = exams.size();
    m_ended.clear();
    setRemarks(m_opened.warnings);
    for (const ExamSpec &exam : exams)
        m_queue->add(exam);
    connect(m_queue.get(), &RunQueue::beginning, this, &Engine::follow);
    connect(m_queue.get(), &RunQueue::ended, this,
            [this](ExamRun *run, const RunEnd &end) { noteEnd(*run, end); });
    connect(m_queue.get(), &RunQueue::finished, this, &Engine::onQueueFinished);
    m_queue->start();
}

void Engine::follow(ExamRun *run)
{
    ++m_begun;
    const bool isAnother = m_toRun > 1;
    m_opened.folders = SlotFolders(run->spec().resultsFolder(), run->spec().selection.runs > 1);
    if (isAnother) {
        m_logs.watch({}, {});
        emit opened({});
    }
    run->watchLog(m_logs.slot());
    connect(run, &ExamRun::updated, this, &Engine::updated);
    connect(run, &ExamRun::statusChanged, this, &Engine::onStatus);
    connect(run, &ExamRun::journaled, this, &Engine::onEvent);
    connect(run, &ExamRun::warned, this, &Engine::remark);
    connect(run, &ExamRun::logged, &m_logs,
            [this](const Slot &, LogKind kind, const QByteArray &bytes) { m_logs.add(kind, bytes); });
}

/// A run that is not alone gives way to the next one: what it gave stays in the status.
void Engine::noteEnd(const ExamRun &run, const RunEnd &end)
{
    if (m_toRun > 1)
        m_ended << EndedRun{run.spec().title(), run.status().mean, end.problem};
}

void Engine::onStatus(RunStatus status)
{
    status.ended = m_ended;
    if (m_toRun > 1)
        status.title = tr("%1 · %2 of %3").arg(status.title).arg(m_begun).arg(m_toRun);
    // Between two runs of a queue nothing is over yet.
    const bool goesOn = status.activity == RunStatus::Activity::Finished && m_queue && m_queue->waiting() > 0;
    if (goesOn && m_status.activity != RunStatus::Activity::Stopping)
        status.activity = RunStatus::Activity::Running;
    m_status = status;
    emit statusChanged(m_status);
}

void Engine::onEvent(const JournalEvent &event)
{
    const bool isWatched = !event.slot.instanceId.isEmpty() && event.slot == m_logs.slot();
    if (isWatched && event.kind != JournalEvent::Kind::Phase)
        m_logs.reload();
}

void Engine::onQueueFinished()
{
    // The queue is in the middle of its own signal.
    m_queue.release()->deleteLater();
    m_status.activity = RunStatus::Activity::Finished;
    m_status.ended = m_ended;
    emit statusChanged(m_status);
    if (m_isShuttingDown)
        emit idle();
}

void Engine::pause()
{
    if (m_queue && m_queue->current())
        m_queue->current()->pause();
}

void Engine::resume()
{
    if (m_queue && m_queue->current())
        m_queue->current()->resume();
}

void Engine::stop()
{
    if (m_queue)
        m_queue->stop();
}

void Engine::stopAttempt(const Slot &slot)
{
    if (m_queue && m_queue->current())
        m_queue->current()->stopAttempt(slot);
}

void Engine::setConcurrency(int concurrency)
{
    for (ExamSpec &exam : m_opened.exams)
        exam.config.runner.concurrency = concurrency;
    if (m_queue && m_queue->current())
        m_queue->current()->setConcurrency(concurrency);
    else
        m_status.concurrency = concurrency;
}

void Engine::watchLog(const Slot &slot)
{
    const bool isNobodys = slot.instanceId.isEmpty();
    m_logs.watch(slot, isNobodys ? QString() : m_opened.folders.slotFolder(slot));
    if (m_queue && m_queue->current())
        m_queue->current()->watchLog(slot);
}

void Engine::findFolder(const Slot &slot)
{
    const QString folder = m_opened.folders.slotFolder(slot);
    if (QFileInfo(folder).isDir())
        emit folderFound(folder);
    else
        say(tr("The folder %1 does not exist").arg(folder));
}

void Engine::shutDown()
{
    m_isShuttingDown = true;
    if (isRunning())
        stop();
    else
        emit idle();
}

} // namespace proctor
