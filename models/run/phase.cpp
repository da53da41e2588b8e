// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/phase.h"

#include "models/core/words.h"

namespace proctor
{

static constexpr WordTable<Phase, 8> phaseWords{{
    {Phase::Pull, "pull"},
    {Phase::Start, "start"},
    {Phase::Setup, "setup"},
    {Phase::Agent, "agent"},
    {Phase::Outputs, "outputs"},
    {Phase::Verifier, "verifier"},
    {Phase::Reward, "reward"},
    {Phase::Clean, "clean"},
}};

static constexpr WordTable<FailurePhase, 11> failureWords{{
    {FailurePhase::Pull, "pull"},
    {FailurePhase::Start, "start"},
    {FailurePhase::Setup, "setup"},
    {FailurePhase::Config, "config"},
    {FailurePhase::Agent, "agent"},
    {FailurePhase::Outputs, "outputs"},
    {FailurePhase::Verifier, "verifier"},
    {FailurePhase::Reward, "reward"},
    {FailurePhase::Timeout, "timeout"},
    {FailurePhase::Budget, "budget"},
    {FailurePhase::Exception, "exception"},
}};

const QList<Phase> &allPhases()
{
    static const QList<Phase> phases = [] {
        QList<Phase> list;
        for (const auto &entry : phaseWords)
            list << entry.value;
        return list;
    }();
    return phases;
}

QString toWord(Phase phase)
{
    return wordOf(phaseWords, phase);
}

std::optional<Phase> phaseFromWord(const QString &word)
{
    return valueOf(phaseWords, word);
}

QString toWord(FailurePhase phase)
{
    return wordOf(failureWords, phase);
}

std::optional<FailurePhase> failurePhaseFromWord(const QString &word)
{
    return valueOf(failureWords, word);
}

FailurePhase failureIn(Phase phase)
{
    // The verdict stands before an attempt is cleaned up: whatever stops there stops after the reward.
    if (phase == Phase::Clean)
        return FailurePhase::Reward;
    return failurePhaseFromWord(toWord(phase)).value_or(FailurePhase::Exception);
}

} // namespace proctor
