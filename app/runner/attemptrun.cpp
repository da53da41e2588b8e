// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/attemptrun.h"

#include "app/agents/hostenvironment.h"
#include "models/run/reward.h"

#include <QDir>
#include <QFileInfo>

#include <exception>

namespace proctor
{

static constexpr qint64 answerBound = 64LL << 20;
static constexpr qint64 artifactsBound = 256LL << 20;
static constexpr qint64 stateBound = 256LL << 20;
static constexpr qint64 rewardBound = 64LL << 10;
/// Far above what a log keeps, so that its end is the true end, and below what would take minutes to pass on.
static constexpr qint64 outputCap = 512LL << 20;
static constexpr int artifactLimit = 1000;
static const QString applicationReward = QStringLiteral("/app/reward.txt");
static const QString logsReward = QStringLiteral("/logs/verifier/reward.txt");

static const QString outOfMemoryFlag = QStringLiteral("oom");

/// How a process ended, with the cause that no exit code tells.
static QString fullDescription(const CommandEnd &end)
{
    return end.outOfMemory ? AttemptRun::tr("%1, its memory having run out").arg(describe(end))
                           : describe(end);
}

AttemptRun::AttemptRun(AttemptSpec spec, std::unique_ptr<Sandbox> sandbox, std::unique_ptr<Agent> agent,
                       CancellationToken token, QObject *parent)
    : QObject(parent)
    , m_spec(std::move(spec))
    , m_sandbox(std::move(sandbox))
    , m_agent(std::move(agent))
    , m_token(std::move(token))
    , m_files(m_spec.folder, m_spec.attempt,
              secretsOf(m_spec.config, QProcessEnvironment::systemEnvironment()))
{
    m_clock.start();
    m_place.instance = m_spec.instance;
    m_place.folder = m_spec.folder;
    connect(m_sandbox.get(), &Sandbox::pulling, this, &AttemptRun::pulling);
    watchAgent();
}

double AttemptRun::elapsedSeconds() const
{
    return static_cast<double>(m_clock.elapsed()) / 1000.0;
}

QJsonObject AttemptRun::particulars() const
{
    return {{QStringLiteral("sandbox"), m_sandbox->particulars()}};
}

QCoro::Task<void> AttemptRun::run()
{
    Outcome outcome = co_await guardedStory();
    m_files.close();
    const bool isVerdict = outcome.state == State::Scored || outcome.state == State::Failed;
    if (isVerdict && !m_files.problem().isEmpty())
        outcome = Outcome::failed(FailurePhase::Exception,
                                  tr("Cannot write the attempt's files: %1").arg(m_files.problem()));
    outcome.error = m_files.scrubbed(outcome.error);
    emit judged(outcome);
    enter(Phase::Clean);
    co_await m_sandbox->clean();
}

/// The story with an end for what nobody expects, so that the sandbox is cleaned up then, too.
QCoro::Task<Outcome> AttemptRun::guardedStory()
{
    QString what;
    try {
        co_return co_await story();
    } catch (const std::exception &exception) {
        what = QString::fromLocal8Bit(exception.what());
    } catch (...) {
        what = tr("unknown");
    }
    co_return Outcome::failed(FailurePhase::Exception, tr("Proctor failed: %1").arg(what));
}

QCoro::Task<Outcome> AttemptRun::story()
{
    enter(Phase::Pull);
    const auto pulled = co_await m_sandbox->pull(m_token);
    if (!pulled)
        co_return failedIn(Phase::Pull, pulled.error());

    enter(Phase::Start);
    const auto started = co_await m_sandbox->start(m_token);
    if (!started)
        co_return failedIn(Phase::Start, started.error());
    m_place.hello = *started;
    m_place.bridge = m_sandbox->bridge();
    watchBridge();

    enter(Phase::Setup);
    const auto ready = co_await setUp();
    if (!ready)
        co_return failedIn(Phase::Setup, ready.error());

    enter(Phase::Agent);
    const auto agent = co_await m_agent->work(m_place, m_token);
    if (!agent)
        co_return co_await brokenIn(Phase::Agent, agent.error());
    const bool stoppedByUser = m_token.isCancelled();
    if (agent->outOfMemory && agent->code != 0)
        flag(outOfMemoryFlag);
    if (agent->leftovers > 0)
        flag(QStringLiteral("leftovers"));
    if (m_files.endOutput(SandboxCommand::Who::Agent, agent->dropped))
        flag(QStringLiteral("truncated"));

    enter(Phase::Outputs);
    const auto frozen = co_await freeze();
    if (!frozen)
        co_return failedIn(Phase::Outputs, frozen.error());
    std::optional<Outcome> verdict = verdictOnAgent(*agent, stoppedByUser);
    if (!verdict) {
        const auto delivered = co_await m_agent->deliver(m_place, m_token);
        if (!delivered)
            co_return failedIn(Phase::Outputs, delivered.error());
        if (!delivered->isEmpty())
            verdict = Outcome::failed(FailurePhase::Outputs, *delivered, m_flags);
    }
    // For people and for regrading: it decides nothing, so its failure does not either.
    co_await saveState();
    if (m_token.isCancelled() && !verdict)
        verdict = Outcome::cancelled(Phase::Outputs, m_token.reason());
    if (verdict)
        co_return *verdict;
    if (agent->timedOut)
        flag(QStringLiteral("timed_out"));

    enter(Phase::Verifier);
    const auto verifier = co_await m_sandbox->bridge()->run(verifierCommand(), m_token);
    if (!verifier)
        co_return co_await brokenIn(Phase::Verifier, verifier.error());
    if (m_files.endOutput(SandboxCommand::Who::Verifier, verifier->dropped))
        flag(QStringLiteral("truncated"));
    if (m_token.isCancelled())
        co_return Outcome::cancelled(Phase::Verifier, m_token.reason());
    if (verifier->timedOut) {
        co_return Outcome::timedOut(
            Phase::Verifier,
            tr("The verifier took longer than its %1 s").arg(m_spec.config.verifier.timeoutSec), m_flags);
    }

    enter(Phase::Reward);
    co_return co_await readReward(*verifier);
}

QCoro::Task<Stepped<Nothing>> AttemptRun::setUp()
{
    const auto brought = co_await m_agent->bring(m_place.bridge, m_token);
    if (!brought)
        co_return brought.error();
    const auto ready = co_await m_sandbox->setUp(m_token);
    if (!ready)
        co_return ready.error();
    m_place.ready = *ready;
    co_return Nothing{};
}

/// Takes what the agent left in the sandbox out of it. Nothing of the agent is alive any more.
QCoro::Task<Stepped<Nothing>> AttemptRun::freeze()
{
    const auto closed = co_await m_place.bridge->closePorts();
    if (!closed)
        co_return closed.error();
    const auto saved = co_await saveAnswers();
    if (!saved)
        co_return saved.error();
    if (m_agent->worksInSandbox())
        co_await saveArtifacts();
    if (!m_place.bridge->isOpen()) {
        const StepFailure gone{StepFailure::Kind::Lost, m_place.bridge->lossReason()};
        co_return gone;
    }
    co_return Nothing{};
}

QCoro::Task<Stepped<Nothing>> AttemptRun::saveAnswers()
{
    QStringList names{QStringLiteral("tool_calls.jsonl")};
    if (m_agent->worksInSandbox())
        names << QStringLiteral("answer.json") << QStringLiteral("answer.md");
    for (const QString &name : std::as_const(names)) {
        const bool isLog = name == names.first();
        const QString source = (isLog ? QStringLiteral("/app/.") : QStringLiteral("/app/")) + name;
        const auto saved = co_await m_place.bridge->save(source, m_files.path(name), answerBound);
        if (!saved && saved.error().kind != StepFailure::Kind::Failed)
            co_return saved.error();
        if (saved && *saved)
            flag(QStringLiteral("truncated"));
        m_files.scrubFile(name);
    }
    const bool hasAnswer = QFileInfo(m_files.path(QStringLiteral("answer.json"))).size() > 0;
    if (m_agent->worksInSandbox() && !hasAnswer)
        flag(QStringLiteral("no_answer"));
    co_return Nothing{};
}

/// A path from the sandbox that may be used below a folder of ours.
static bool staysInside(const QString &path)
{
    return !path.isEmpty() && !path.startsWith(QLatin1Char('/')) && !path.contains(QChar::Null) &&
           !path.split(QLatin1Char('/')).contains(QStringLiteral(".."));
}

QCoro::Task<void> AttemptRun::saveArtifacts()
{
    const QString source = QStringLiteral("/app/artifacts");
    const auto entries = co_await m_sandbox->bridge()->list(source, artifactLimit);
    if (!entries)
        co_return;
    qint64 size = 0;
    for (const BridgeEntry &entry : *entries) {
        if (entry.type != BridgeEntry::Type::File || !staysInside(entry.path))
            continue;
        size += entry.size;
        if (size > artifactsBound || m_token.isCancelled()) {
            flag(QStringLiteral("truncated"));
            co_return;
        }
        const QString target = m_files.path(QStringLiteral("artifacts/") + entry.path);
        QDir().mkpath(QFileInfo(target).path());
        const auto saved =
            co_await m_sandbox->bridge()->save(source + QLatin1Char('/') + entry.path, target, answerBound);
        if (!saved || *saved)
            flag(QStringLiteral("truncated"));
    }
}

QCoro::Task<void> AttemptRun::saveState()
{
    if (m_token.isCancelled())
        co_return;
    const auto saved =
        co_await m_sandbox->bridge()->saveChanges(m_files.path(QStringLiteral("state.tar")), stateBound);
    if (!saved || *saved)
        flag(QStringLiteral("truncated"));
}

QCoro::Task<Outcome> AttemptRun::readReward(CommandEnd verifier)
{
    const auto first = co_await m_sandbox->bridge()->get(applicationReward, rewardBound);
    const auto second = co_await m_sandbox->bridge()->get(logsReward, rewardBound);
    for (const auto *file : {&first, &second}) {
        if (!*file && file->error().kind != StepFailure::Kind::Failed)
            co_return failedIn(Phase::Reward, file->error());
    }
    const bool succeeded = verifier.code == 0;
    if (!first && !second) {
        if (verifier.outOfMemory)
            flag(outOfMemoryFlag);
        const QString sentence =
            succeeded ? tr("The verifier wrote no reward")
                      : tr("The verifier ended with %1 and wrote no reward").arg(fullDescription(verifier));
        co_return Outcome::failed(FailurePhase::Verifier,
                                  withLastWords(sentence, SandboxCommand::Who::Verifier), m_flags);
    }
    if (!succeeded)
        flag(QStringLiteral("verifier_exit"));
    const auto reward = parseReward(first ? first->content : second->content);
    if (!reward)
        co_return Outcome::failed(FailurePhase::Reward, reward.error().message, m_flags);
    if (first && second) {
        const auto other = parseReward(second->content);
        if (!other || *other != *reward)
            flag(QStringLiteral("two_rewards"));
    }
    co_return Outcome::scored(*reward, m_flags);
}

void AttemptRun::enter(Phase phase)
{
    m_phase = phase;
    emit phaseEntered(phase);
}

void AttemptRun::watchBridge()
{
    connect(m_place.bridge, &Bridge::output, this, &AttemptRun::keepOutput);
    connect(m_place.bridge, &Bridge::toolFinished, this, &AttemptRun::keepCall);
    connect(m_place.bridge, &Bridge::stepTaken, this,
            [this](const QJsonObject &step) { m_files.step(step); });
}

void AttemptRun::watchAgent()
{
    connect(m_agent.get(), &Agent::output, this, [this](int stream, const QByteArray &bytes) {
        keepOutput(SandboxCommand::Who::Agent, stream, bytes);
    });
    connect(m_agent.get(), &Agent::toolCalled, this, &AttemptRun::keepCall);
}

void AttemptRun::keepOutput(SandboxCommand::Who who, int stream, const QByteArray &bytes)
{
    const QByteArray kept = m_files.keep(who, stream, bytes);
    const LogKind agentKind = stream == 1 ? LogKind::AgentOutput : LogKind::AgentErrors;
    emit logged(who == SandboxCommand::Who::Agent ? agentKind : LogKind::Verifier, kept);
}

void AttemptRun::keepCall(const BridgeToolCall &call)
{
    ++m_toolCalls;
    m_files.trace(call);
    emit toolCalled();
}

SandboxCommand AttemptRun::verifierCommand() const
{
    SandboxCommand command;
    command.who = SandboxCommand::Who::Verifier;
    // The bridge removes a reward that is there before the verifier begins: it is nobody's verdict.
    command.arguments = {QStringLiteral("bash"), QStringLiteral("tests/test.sh")};
    const EvalConfig::Verifier &verifier = m_spec.config.verifier;
    command.environment = {{QStringLiteral("TESTS_DIR"), QStringLiteral("/app/tests")},
                           {QStringLiteral("JUDGE_BASE_URL"), verifier.judgeBaseUrl},
                           {QStringLiteral("JUDGE_API_KEY"), verifier.judgeApiKey},
                           {QStringLiteral("JUDGE_MODEL"), verifier.judgeModel}};
    command.limit = verifier.timeoutSec;
    command.outputCap = outputCap;
    return command;
}

std::optional<Outcome> AttemptRun::verdictOnAgent(const CommandEnd &agent, bool stoppedByUser) const
{
    if (stoppedByUser)
        return Outcome::cancelled(Phase::Agent, m_token.reason());
    if (agent.timedOut) {
        if (m_spec.config.runner.onTimeout == EvalConfig::OnTimeout::Verify)
            return std::nullopt;
        return Outcome::timedOut(
            Phase::Agent, tr("The agent took longer than its %1 s").arg(m_spec.config.agent.timeoutSec),
            m_flags);
    }
    if (agent.code == 0)
        return std::nullopt;
    const QString sentence = tr("The agent ended with %1").arg(fullDescription(agent));
    return Outcome::failed(FailurePhase::Agent, withLastWords(sentence, SandboxCommand::Who::Agent), m_flags);
}

QString AttemptRun::withLastWords(const QString &sentence, SandboxCommand::Who who) const
{
    const QString words = m_files.lastWords(who);
    return words.isEmpty() ? sentence : sentence + QStringLiteral(": ") + words;
}

Outcome AttemptRun::failedIn(Phase phase, const StepFailure &failure) const
{
    if (m_token.isCancelled())
        return Outcome::cancelled(phase, m_token.reason());
    const bool isLost = failure.kind == StepFailure::Kind::Lost;
    const bool isBeforeAgent = phase < Phase::Agent;
    if (isLost && !isBeforeAgent)
        return Outcome::lost(phase, failure.message);
    // The agent has no part in what the harness does after its end, nor in a wall that could not be built
    // around it.
    if (phase == Phase::Outputs || phase == Phase::Reward)
        return Outcome::failed(FailurePhase::Exception, failure.message, m_flags);
    if (failure.kind == StepFailure::Kind::TimedOut)
        return Outcome::timedOut(phase, failure.message, m_flags);
    return Outcome::failed(phase == Phase::Agent ? FailurePhase::Setup : failureIn(phase), failure.message,
                           m_flags);
}

/// The sandbox may be lost, and whose fault that is depends on what became of it.
QCoro::Task<Outcome> AttemptRun::brokenIn(Phase phase, StepFailure failure)
{
    if (failure.kind != StepFailure::Kind::Lost || m_token.isCancelled())
        co_return failedIn(phase, failure);
    const SandboxLoss loss = co_await m_sandbox->inquire();
    failure.message = loss.sentence;
    const bool wasInside = phase == Phase::Agent && m_agent->worksInSandbox();
    const bool isOfAgent = wasInside && loss.cause != SandboxLoss::Cause::Harness;
    if (loss.cause == SandboxLoss::Cause::OutOfMemory)
        flag(outOfMemoryFlag);
    if (isOfAgent)
        co_return Outcome::failed(FailurePhase::Agent,
                                  tr("The sandbox broke down while the agent ran: %1").arg(loss.sentence),
                                  m_flags);
    if (loss.cause == SandboxLoss::Cause::OutOfMemory && phase != Phase::Agent)
        co_return Outcome::failed(failureIn(phase),
                                  tr("The sandbox broke down while the verifier ran: %1").arg(loss.sentence),
                                  m_flags);
    co_return failedIn(phase, failure);
}

void AttemptRun::flag(const QString &word)
{
    if (!m_flags.contains(word))
        m_flags << word;
}

} // namespace proctor
