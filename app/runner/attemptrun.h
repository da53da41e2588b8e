// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/agent.h"
#include "app/runner/attemptfiles.h"
#include "app/sandbox/sandbox.h"
#include "models/config/evalconfig.h"
#include "models/exam/instance.h"
#include "models/run/logkind.h"
#include "models/run/outcome.h"
#include "models/run/slot.h"

#include <QElapsedTimer>

#include <memory>

namespace proctor
{

/// What one attempt is to do and where it keeps its files.
struct AttemptSpec {
    Instance instance;
    Slot slot;
    int attempt = 1;
    /// The slot's folder; exists and is empty of this attempt's files.
    QString folder;
    EvalConfig config;
};

/// One execution of one instance: pull, start, set-up, agent, outputs, verifier, reward, clean. It ends in an
/// Outcome whatever happens, and everything it started is gone by then.
class AttemptRun : public QObject
{
    Q_OBJECT

public:
    AttemptRun(AttemptSpec spec, std::unique_ptr<Sandbox> sandbox, std::unique_ptr<Agent> agent,
               CancellationToken token, QObject *parent = nullptr);

    const AttemptSpec &spec() const { return m_spec; }
    int toolCalls() const { return m_toolCalls; }
    double elapsedSeconds() const;
    /// Members of the result besides the outcome: "sandbox".
    QJsonObject particulars() const;

    /// The whole attempt; to be awaited once, and the object kept until it has ended.
    QCoro::Task<void> run();

signals:
    /// The outcome, before the sandbox is cleaned up: what is known is not to be lost by what may still go
    /// wrong.
    void judged(const proctor::Outcome &outcome);
    void phaseEntered(proctor::Phase phase);
    void toolCalled();
    /// See Sandbox::pulling().
    void pulling(const QString &sentence);
    void logged(proctor::LogKind kind, const QByteArray &bytes);

private:
    QCoro::Task<Outcome> story();
    QCoro::Task<Outcome> guardedStory();
    QCoro::Task<Stepped<Nothing>> setUp();
    QCoro::Task<Stepped<Nothing>> freeze();
    QCoro::Task<Stepped<Nothing>> saveAnswers();
    QCoro::Task<void> saveArtifacts();
    QCoro::Task<void> saveState();
    QCoro::Task<Outcome> readReward(CommandEnd verifier);

    void enter(Phase phase);
    void watchBridge();
    void watchAgent();
    void keepOutput(SandboxCommand::Who who, int stream, const QByteArray &bytes);
    void keepCall(const BridgeToolCall &call);
    SandboxCommand verifierCommand() const;
    /// How the agent's end ends the attempt; nothing when the verifier is to judge.
    std::optional<Outcome> verdictOnAgent(const CommandEnd &agent, bool stoppedByUser) const;
    QString withLastWords(const QString &sentence, SandboxCommand::Who who) const;
    Outcome failedIn(Phase phase, const StepFailure &failure) const;
    QCoro::Task<Outcome> brokenIn(Phase phase, StepFailure failure);
    void flag(const QString &word);

    AttemptSpec m_spec;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<Agent> m_agent;
    AgentPlace m_place;
    CancellationToken m_token;
    AttemptFiles m_files;
    QElapsedTimer m_clock;
    Phase m_phase = Phase::Pull;
    QStringList m_flags;
    int m_toolCalls = 0;
};

} // namespace proctor

Q_DECLARE_METATYPE(proctor::LogKind)
