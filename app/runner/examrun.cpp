// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/examrun.h"

#include "app/agents/agentchoice.h"
#include "app/agents/agentpreflight.h"

#include <QDir>
#include <QJsonDocument>

#include <algorithm>
#include <exception>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr auto pictureInterval = 50ms;
static constexpr auto leaseInterval = 10s;

ExamRun::ExamRun(ExamSpec spec, QObject *parent)
    : QObject(parent)
    , m_spec(std::move(spec))
    , m_sandboxes(makeSandboxSource(m_spec.config, m_spec.resultsFolder()))
    , m_scheduler(
          [this](RunPlan::Item item, CancellationToken token) { return attempt(std::move(item), token); },
          m_spec.config.runner.concurrency)
{
    m_status.title = m_spec.title();
    m_status.concurrency = m_scheduler.concurrency();
    m_pictureTimer.setInterval(pictureInterval);
    m_pictureTimer.setSingleShot(true);
    m_leaseTimer.setInterval(leaseInterval);
    connect(&m_pictureTimer, &QTimer::timeout, this, &ExamRun::sendPictures);
    connect(&m_leaseTimer, &QTimer::timeout, this, [this] {
        const auto renewed = m_store->renewLease();
        if (!renewed)
            breakOff(renewed.error().text());
    });
    m_statusTimer.setInterval(shortestStatusInterval);
    m_statusTimer.setSingleShot(true);
    connect(&m_statusTimer, &QTimer::timeout, this, &ExamRun::sendStatus);
    connect(&m_scheduler, &Scheduler::changed, this, [this] {
        if (!m_statusTimer.isActive())
            m_statusTimer.start();
    });
    connect(&m_scheduler, &Scheduler::settled, this, &ExamRun::settle);
}

ExamRun::~ExamRun() = default;

void ExamRun::start()
{
    m_preparation = guardedPreparation();
}

QCoro::Task<void> ExamRun::guardedPreparation()
{
    QString what;
    try {
        co_await prepare();
        co_return;
    } catch (const std::exception &exception) {
        what = QString::fromLocal8Bit(exception.what());
    } catch (...) {
        what = tr("unknown");
    }
    const RunEnd broken{RunEnd::Kind::Broken, tr("Proctor failed: %1").arg(what)};
    finish(broken);
}

QCoro::Task<void> ExamRun::prepare()
{
    const auto problem = co_await m_sandboxes->problem(m_cancellation.token());
    if (problem) {
        const RunEnd broken{RunEnd::Kind::Broken, *problem};
        co_return finish(broken);
    }
    if (m_cancellation.isCancelled()) {
        const RunEnd stopped{RunEnd::Kind::SomeNotScored, {}};
        co_return finish(stopped);
    }
    const auto agentProblem = co_await registeredAgentProblem(m_spec.config, m_cancellation.token());
    if (agentProblem && !m_cancellation.isCancelled()) {
        const RunEnd refused{RunEnd::Kind::Refused, *agentProblem};
        co_return finish(refused);
    }
    for (const QString &warning : m_sandboxes->warnings())
        emit warned(warning);
    const Expected<RunPlan> plan = openAndPlan();
    if (!plan) {
        const RunEnd refused{plan.error().kind == Error::Kind::Machine ? RunEnd::Kind::Broken
                                                                       : RunEnd::Kind::Refused,
                             plan.error().text()};
        co_return finish(refused);
    }
    m_leaseTimer.start();
    showAll(*plan);
    enterActivity(RunStatus::Activity::Running);
    m_scheduler.add(plan->items);
    m_scheduler.start();
}

/// The selection is looked at first: what cannot be planned must not change the folder.
Expected<RunPlan> ExamRun::openAndPlan()
{
    RunSelection everything = m_spec.selection;
    everything.skipDone = false;
    everything.retry.reset();
    const auto selected = RunPlan::make(m_spec.dataset.instances, everything, {});
    if (!selected)
        return selected.error();

    ResultStore::WriteOptions options;
    options.identity = m_spec.identity();
    options.runs = m_spec.selection.runs;
    options.mix = m_spec.mix;
    options.adopt = m_spec.adopt;
    auto store = ResultStore::openForWriting(m_spec.resultsFolder(), options);
    if (!store)
        return store.error();
    m_store = std::move(*store);
    for (const Diagnostic &warning : m_store->warnings())
        emit warned(toText(warning));

    for (const RunPlan::Item &item : selected->items) {
        m_selected << item.slot;
        AttemptUpdate &update = m_pictures[item.slot];
        update.slot = item.slot;
        update.domain = item.instance.domain.value_or(QString());
    }
    QHash<Slot, Result> verdicts;
    for (const Result &result : m_store->results())
        verdicts.insert(result.slot(), result);
    return RunPlan::make(m_spec.dataset.instances, m_spec.selection, verdicts);
}

/// Whether an attempt ended so that there may be no sandboxes at all any more.
static bool isSandboxsFault(const Outcome &outcome)
{
    const bool isBeforeSetup = outcome.phase == FailurePhase::Pull || outcome.phase == FailurePhase::Start ||
                               (outcome.phase == FailurePhase::Timeout && outcome.fault == Fault::Harness);
    return outcome.state == State::Lost || (outcome.state == State::Failed && isBeforeSetup);
}

QCoro::Task<void> ExamRun::attempt(RunPlan::Item item, CancellationToken token)
{
    const Expected<int> number = m_store->beginAttempt(item.slot);
    if (!number) {
        breakOff(number.error().text());
        co_return;
    }
    AttemptSpec spec;
    spec.instance = item.instance;
    spec.slot = item.slot;
    spec.attempt = *number;
    spec.folder = m_store->slotFolder(item.slot);
    spec.config = m_spec.config;
    announce({QDateTime::currentDateTimeUtc(), JournalEvent::Kind::Started, item.slot, *number, {}, {}});

    AttemptRun attempt(spec, m_sandboxes->make(item.instance), makeAgent(m_spec.config), token);
    watch(&attempt);
    Outcome outcome;
    connect(&attempt, &AttemptRun::judged, this, [&outcome](const Outcome &judged) { outcome = judged; });
    co_await attempt.run();
    if (!isSandboxsFault(outcome) || token.isCancelled())
        co_return;
    // With nothing to run in, every further attempt would only fail like this one.
    const auto lapse = co_await m_sandboxes->lapse(token);
    if (lapse)
        breakOff(*lapse);
}

void ExamRun::watch(AttemptRun *attempt)
{
    const Slot slot = attempt->spec().slot;
    const int number = attempt->spec().attempt;
    AttemptUpdate &update = picture(slot);
    update.attempt = number;
    update.startedAt = QDateTime::currentDateTimeUtc();
    update.toolCalls = 0;
    update.outcome = {};

    connect(attempt, &AttemptRun::judged, this,
            [this, attempt](const Outcome &outcome) { record(*attempt, outcome); });
    connect(attempt, &AttemptRun::phaseEntered, this, [this, slot, number](Phase phase) {
        const JournalEvent event{
            QDateTime::currentDateTimeUtc(), JournalEvent::Kind::Phase, slot, number, phase, {}};
        // By then the attempt is judged, and the journal's last word on it is its outcome.
        if (phase == Phase::Clean)
            return announce(event);
        picture(slot).phase = phase;
        const auto journaled = m_store->recordPhase(slot, number, phase);
        if (!journaled)
            breakOff(journaled.error().text());
        announce(event);
    });
    connect(attempt, &AttemptRun::pulling, this,
            [this, slot](const QString &sentence) { tellOfPull(slot, sentence); });
    connect(attempt, &AttemptRun::toolCalled, this, [this, slot] { ++picture(slot).toolCalls; });
    connect(attempt, &AttemptRun::logged, this, [this, slot](LogKind kind, const QByteArray &bytes) {
        if (slot == m_watched)
            emit logged(slot, kind, bytes);
    });
}

/// Everybody learns that an image is pulled, once; how far it is, who looks at an attempt that waits for it.
void ExamRun::tellOfPull(const Slot &slot, const QString &sentence)
{
    const QString begins = sentence.section(QStringLiteral(": "), 0, 0);
    if (!m_toldPulls.contains(begins)) {
        m_toldPulls.insert(begins);
        emit warned(begins);
    }
    if (slot == m_watched)
        emit logged(slot, LogKind::AgentErrors, sentence.toUtf8() + '\n');
}

void ExamRun::record(const AttemptRun &attempt, const Outcome &outcome)
{
    Result result;
    result.instanceId = attempt.spec().instance.id;
    result.domain = attempt.spec().instance.domain;
    if (m_spec.selection.runs > 1)
        result.runId = attempt.spec().slot.run;
    result.outcome = outcome;
    result.durationSec = attempt.elapsedSeconds();
    result.attempt = attempt.spec().attempt;
    result.extra = QJsonDocument(attempt.particulars()).toJson(QJsonDocument::Compact);

    const Slot slot = attempt.spec().slot;
    AttemptUpdate &update = picture(slot);
    update.phase.reset();
    update.durationSec = result.durationSec;
    // A stopped attempt does not take back the verdict that its slot already had.
    const auto recorded = m_store->recordOutcome(result);
    update.outcome = recorded ? m_store->result(slot).value_or(result).outcome : outcome;
    m_endedSeconds += result.durationSec;
    ++m_ended;
    announce(
        {QDateTime::currentDateTimeUtc(), JournalEvent::Kind::Outcome, slot, result.attempt, {}, result});
    if (!recorded)
        return breakOff(recorded.error().text());
    learnImage(attempt.particulars().value(QLatin1String("sandbox")).toObject());
}

void ExamRun::learnImage(const QJsonObject &sandbox)
{
    const QString image = sandbox.value(QLatin1String("image")).toString();
    const QString id = sandbox.value(QLatin1String("image_id")).toString();
    const QString known = m_store->identity()->imageId(image);
    if (id.isEmpty() || id == known)
        return;
    if (!known.isEmpty())
        emit warned(tr("The image %1 has changed since this folder was begun: results of both stand in it")
                        .arg(image));
    const auto noted = m_store->recordImage(image, id);
    if (!noted)
        breakOff(noted.error().text());
}

void ExamRun::pause()
{
    if (m_status.activity != RunStatus::Activity::Running)
        return;
    enterActivity(RunStatus::Activity::Pausing);
    m_scheduler.pause();
}

void ExamRun::resume()
{
    const bool canResume =
        m_status.activity == RunStatus::Activity::Pausing || m_status.activity == RunStatus::Activity::Paused;
    if (!canResume)
        return;
    enterActivity(RunStatus::Activity::Running);
    const auto journaled = m_store->recordRunEvent(JournalEvent::Kind::Resumed);
    if (!journaled)
        return breakOff(journaled.error().text());
    announce({QDateTime::currentDateTimeUtc(), JournalEvent::Kind::Resumed, {}, 0, {}, {}});
    m_scheduler.start();
}

void ExamRun::stop()
{
    if (m_finished)
        return;
    enterActivity(RunStatus::Activity::Stopping);
    m_cancellation.cancel(tr("Stopped by the user"));
    if (m_store)
        m_scheduler.stop(m_cancellation.token().reason());
}

void ExamRun::stopAttempt(const Slot &slot)
{
    m_scheduler.stopAttempt(slot, tr("Stopped by the user"));
}

void ExamRun::setConcurrency(int concurrency)
{
    m_scheduler.setConcurrency(concurrency);
}

void ExamRun::watchLog(const Slot &slot)
{
    m_watched = slot;
}

/// Something Proctor itself needs does not work: nothing more can be recorded, so nothing more is begun.
void ExamRun::breakOff(const QString &problem)
{
    if (m_problem.isEmpty())
        m_problem = problem;
    m_cancellation.cancel(problem);
    m_scheduler.stop(problem);
}

void ExamRun::settle()
{
    if (m_finished || !m_store)
        return;
    const bool isPaused =
        m_status.activity == RunStatus::Activity::Pausing || m_status.activity == RunStatus::Activity::Paused;
    if (isPaused && m_scheduler.waiting() > 0)
        return enterActivity(RunStatus::Activity::Paused);
    if (m_cancellation.isCancelled()) {
        const auto journaled = m_store->recordRunEvent(JournalEvent::Kind::Stopped);
        if (!journaled && m_problem.isEmpty())
            m_problem = journaled.error().text();
        announce({QDateTime::currentDateTimeUtc(), JournalEvent::Kind::Stopped, {}, 0, {}, {}});
    }
    const auto closed = m_store->close();
    if (!closed && m_problem.isEmpty())
        m_problem = closed.error().text();
    finish(m_problem.isEmpty() ? verdict() : RunEnd{RunEnd::Kind::Broken, m_problem});
}

RunEnd ExamRun::verdict() const
{
    const bool allScored = std::all_of(m_selected.begin(), m_selected.end(), [this](const Slot &slot) {
        const auto result = m_store->result(slot);
        return result && result->outcome.state == State::Scored;
    });
    return {allScored ? RunEnd::Kind::AllScored : RunEnd::Kind::SomeNotScored, {}};
}

void ExamRun::finish(RunEnd end)
{
    if (m_finished)
        return;
    m_finished = true;
    m_leaseTimer.stop();
    sendPictures();
    m_status.problem = end.problem;
    enterActivity(RunStatus::Activity::Finished);
    // By the event loop: this may run within a coroutine or the scheduler's own signal.
    QMetaObject::invokeMethod(
        this, [this, end] { emit finished(end); }, Qt::QueuedConnection);
}

void ExamRun::announce(const JournalEvent &event)
{
    emit journaled(event);
}

} // namespace proctor
