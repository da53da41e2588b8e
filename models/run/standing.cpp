// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/standing.h"

#include "models/core/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace proctor
{

namespace
{
struct Words {
    Q_DECLARE_TR_FUNCTIONS(proctor::Standing)
};
} // namespace

Standing standingOf(const AttemptUpdate &update)
{
    switch (update.outcome.state) {
    case State::Scored:
        return Standing::Scored;
    case State::Failed:
        return update.outcome.fault == Fault::Agent ? Standing::AgentFailed : Standing::HarnessFailed;
    case State::Cancelled:
        return Standing::Cancelled;
    case State::Lost:
        return Standing::Lost;
    case State::NotRun:
        break;
    }
    return update.phase ? Standing::Running : Standing::Waiting;
}

static std::optional<Phase> placeOf(FailurePhase phase)
{
    switch (phase) {
    case FailurePhase::Pull:
        return Phase::Pull;
    case FailurePhase::Start:
    case FailurePhase::Config:
        return Phase::Start;
    case FailurePhase::Setup:
        return Phase::Setup;
    case FailurePhase::Agent:
    case FailurePhase::Budget:
        return Phase::Agent;
    case FailurePhase::Outputs:
        return Phase::Outputs;
    case FailurePhase::Verifier:
        return Phase::Verifier;
    case FailurePhase::Reward:
        return Phase::Reward;
    case FailurePhase::Timeout:
    case FailurePhase::Exception:
        break;
    }
    return std::nullopt;
}

std::optional<Phase> placeOf(const AttemptUpdate &update)
{
    switch (standingOf(update)) {
    case Standing::Running:
        return update.phase;
    case Standing::Scored:
    case Standing::Waiting:
        return std::nullopt;
    default:
        break;
    }
    if (update.outcome.step)
        return update.outcome.step;
    return update.outcome.phase ? placeOf(*update.outcome.phase) : std::nullopt;
}

static Stage stageOf(Phase phase)
{
    switch (phase) {
    case Phase::Pull:
    case Phase::Start:
    case Phase::Setup:
        return Stage::Prepare;
    case Phase::Agent:
    case Phase::Outputs:
        return Stage::Agent;
    default:
        return Stage::Verify;
    }
}

std::optional<Stage> stageOf(const AttemptUpdate &update)
{
    const std::optional<Phase> place = placeOf(update);
    return place ? std::optional(stageOf(*place)) : std::nullopt;
}

QString standingText(Standing standing)
{
    switch (standing) {
    case Standing::Running:
        return Words::tr("Running");
    case Standing::Scored:
        return Words::tr("Scored");
    case Standing::AgentFailed:
        return Words::tr("Agent failed");
    case Standing::HarnessFailed:
        return Words::tr("Harness failed");
    case Standing::Cancelled:
        return Words::tr("Stopped");
    case Standing::Lost:
        return Words::tr("Lost");
    case Standing::Waiting:
        return Words::tr("Not run");
    }
    return {};
}

QString phaseText(Phase phase)
{
    switch (phase) {
    case Phase::Pull:
        return Words::tr("Fetching the task");
    case Phase::Start:
        return Words::tr("Starting the sandbox");
    case Phase::Setup:
        return Words::tr("Setting up");
    case Phase::Agent:
        return Words::tr("Agent at work");
    case Phase::Outputs:
        return Words::tr("Taking the answer");
    case Phase::Verifier:
        return Words::tr("Verifying");
    case Phase::Reward:
        return Words::tr("Reading the reward");
    case Phase::Clean:
        return Words::tr("Cleaning up");
    }
    return {};
}

static QString flagText(const QString &flag)
{
    if (flag == QLatin1String("no_answer"))
        return Words::tr("The agent left no answer.");
    if (flag == QLatin1String("timed_out"))
        return Words::tr("Its time was up; what it had written was verified.");
    if (flag == QLatin1String("oom"))
        return Words::tr("It ran out of memory.");
    if (flag == QLatin1String("leftovers"))
        return Words::tr("It left processes behind, which were ended.");
    if (flag == QLatin1String("truncated"))
        return Words::tr("Its output was too long; the middle is not kept.");
    if (flag == QLatin1String("verifier_exit"))
        return Words::tr("The verifier wrote a reward but reported a failure.");
    if (flag == QLatin1String("two_rewards"))
        return Words::tr("The verifier wrote two different rewards; /app/reward.txt counts.");
    return Words::tr("Remark: %1.").arg(flag);
}

static QString endText(const AttemptUpdate &update)
{
    const QString took = durationText(update.durationSec);
    switch (standingOf(update)) {
    case Standing::Scored:
        return Words::tr("Scored %1 in %2.").arg(rewardText(update.outcome.reward.value_or(0)), took);
    case Standing::AgentFailed:
        return Words::tr("The agent failed after %1; this counts as 0 in the mean.").arg(took);
    case Standing::HarnessFailed:
        return Words::tr("Not the agent's fault: it failed after %1 and is left out of the mean.").arg(took);
    case Standing::Cancelled:
        return Words::tr("Stopped after %1. It will run again at the next start.").arg(took);
    default:
        return Words::tr("Lost: the run ended before this attempt did. It will run again at the next start.");
    }
}

static QString asSentence(const QString &text)
{
    static const QString stops = QStringLiteral(".!?。！？…");
    QString trimmed = text.trimmed();
    // A word, not a name such as "answer.json".
    static const QRegularExpression word(QStringLiteral("^[a-z]+ "));
    if (word.match(trimmed).hasMatch())
        trimmed[0] = trimmed[0].toUpper();
    return trimmed.isEmpty() || stops.contains(trimmed.back()) ? trimmed : trimmed + QLatin1Char('.');
}

QString outcomeText(const AttemptUpdate &update, const QDateTime &now)
{
    const Standing standing = standingOf(update);
    if (standing == Standing::Waiting)
        return Words::tr("Not run yet.");
    if (standing == Standing::Running) {
        const qint64 seconds = qMax<qint64>(0, update.startedAt.secsTo(now));
        return Words::tr("%1, %2 so far.").arg(phaseText(*update.phase), clockText(seconds));
    }
    QStringList sentences{endText(update)};
    if (!update.outcome.error.isEmpty())
        sentences << asSentence(update.outcome.error);
    for (const QString &flag : update.outcome.flags)
        sentences << flagText(flag);
    return sentences.join(QLatin1Char(' '));
}

} // namespace proctor
