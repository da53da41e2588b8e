// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/recordfields.h"

#include <QCoreApplication>

namespace proctor
{

/// The peer records every command that took too long as "timeout: Command '[…]' timed out after n seconds"
/// and nothing else, so whose time was up has to be read from the command. Only host agents are no docker
/// command.
static std::optional<Phase> stepOfPeerTimeout(const QString &error)
{
    static const QString command = QStringLiteral("timeout: Command '[");
    if (!error.startsWith(command))
        return std::nullopt;
    const QStringView arguments = QStringView(error).mid(command.size());
    if (!arguments.startsWith(u"'docker'"))
        return Phase::Agent;
    if (arguments.startsWith(u"'docker', 'pull'"))
        return Phase::Pull;
    if (arguments.startsWith(u"'docker', 'run'"))
        return Phase::Start;
    if (arguments.contains(u"su agent -c"))
        return Phase::Agent;
    if (arguments.contains(u"tests/test.sh"))
        return Phase::Verifier;
    return Phase::Setup;
}

static Outcome failure(RecordFields &fields)
{
    if (!fields.phase) {
        Outcome outcome;
        outcome.state = State::Failed;
        outcome.fault = Fault::Harness;
        outcome.error = fields.error;
        outcome.flags = fields.flags;
        return outcome;
    }
    const auto step = fields.step ? fields.step : stepOfPeerTimeout(fields.error);
    if (*fields.phase == FailurePhase::Timeout && step)
        return Outcome::timedOut(*step, fields.error, fields.flags);
    return Outcome::failed(*fields.phase, fields.error, fields.flags);
}

static Outcome unfinished(RecordFields &fields)
{
    Outcome outcome;
    outcome.state = *fields.state;
    outcome.phase = fields.phase;
    outcome.error = fields.error;
    outcome.flags = fields.flags;
    if (outcome.state != State::NotRun)
        outcome.fault = Fault::Harness;
    return outcome;
}

static Outcome invalidReward(RecordFields &fields)
{
    static constexpr qsizetype shownBytes = 200;
    const QString text = QString::fromUtf8(fields.invalidReward.left(shownBytes));
    return Outcome::failed(FailurePhase::Reward,
                           QCoreApplication::translate("Result", "invalid reward: %1").arg(text),
                           fields.flags);
}

static Outcome outcomeOf(RecordFields &fields)
{
    const State said = fields.state.value_or(State::Scored);
    if (said == State::Scored && fields.reward)
        return Outcome::scored(*fields.reward, fields.flags);
    if (said == State::Scored && !fields.invalidReward.isEmpty())
        return invalidReward(fields);
    if (said == State::Scored || said == State::Failed)
        return failure(fields);
    return unfinished(fields);
}

Result resultOf(RecordFields &&fields)
{
    Result result;
    result.outcome = outcomeOf(fields);
    if (fields.fault && result.outcome.state != State::Scored)
        result.outcome.fault = fields.fault;
    result.instanceId = std::move(fields.instanceId);
    result.domain = std::move(fields.domain);
    result.runId = fields.runId;
    result.durationSec = fields.durationSec;
    result.attempt = fields.attempt;
    result.extra = std::move(fields.extra);
    return result;
}

} // namespace proctor
