// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/outcome.h"

#include "models/core/words.h"

namespace proctor
{

static constexpr WordTable<State, 5> stateWords{{
    {State::NotRun, "not_run"},
    {State::Scored, "scored"},
    {State::Failed, "failed"},
    {State::Cancelled, "cancelled"},
    {State::Lost, "lost"},
}};

static constexpr WordTable<Fault, 2> faultWords{{
    {Fault::Agent, "agent"},
    {Fault::Harness, "harness"},
}};

static Fault faultOf(FailurePhase phase)
{
    switch (phase) {
    case FailurePhase::Agent:
    case FailurePhase::Outputs:
    case FailurePhase::Budget:
        return Fault::Agent;
    default:
        return Fault::Harness;
    }
}

static Outcome stopped(State state, Phase in, const QString &error)
{
    Outcome outcome;
    outcome.state = state;
    outcome.phase = failureIn(in);
    outcome.fault = Fault::Harness;
    outcome.error = error;
    return outcome;
}

Outcome Outcome::scored(double reward, QStringList flags)
{
    Outcome outcome;
    outcome.state = State::Scored;
    outcome.reward = reward;
    outcome.flags = std::move(flags);
    return outcome;
}

Outcome Outcome::failed(FailurePhase phase, const QString &error, QStringList flags)
{
    Outcome outcome;
    outcome.state = State::Failed;
    outcome.phase = phase;
    outcome.fault = faultOf(phase);
    outcome.error = error;
    outcome.flags = std::move(flags);
    return outcome;
}

Outcome Outcome::timedOut(Phase step, const QString &error, QStringList flags)
{
    Outcome outcome = failed(FailurePhase::Timeout, error, std::move(flags));
    outcome.step = step;
    outcome.fault = step == Phase::Agent ? Fault::Agent : Fault::Harness;
    return outcome;
}

Outcome Outcome::cancelled(Phase in, const QString &error)
{
    return stopped(State::Cancelled, in, error);
}

Outcome Outcome::lost(Phase in, const QString &error)
{
    return stopped(State::Lost, in, error);
}

QString toWord(State state)
{
    return wordOf(stateWords, state);
}

std::optional<State> stateFromWord(const QString &word)
{
    return valueOf(stateWords, word);
}

QString toWord(Fault fault)
{
    return wordOf(faultWords, fault);
}

std::optional<Fault> faultFromWord(const QString &word)
{
    return valueOf(faultWords, word);
}

} // namespace proctor
