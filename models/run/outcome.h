// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/phase.h"

#include <QStringList>

#include <optional>

namespace proctor
{

/// The end of an attempt. Only Scored carries a reward.
enum class State { NotRun, Scored, Failed, Cancelled, Lost };

/// Whose fault a missing reward is. Agent faults count as 0 in the headline mean, harness faults are left
/// out.
enum class Fault { Agent, Harness };

/// How an attempt ended, why, and whose fault it was.
struct Outcome {
    State state = State::NotRun;
    /// Of a failed, cancelled or lost attempt: what it failed at or was stopped in.
    std::optional<FailurePhase> phase;
    std::optional<Fault> fault;
    /// Only with FailurePhase::Timeout: the step whose time was up (Pull, Start, Setup, Agent or Verifier).
    std::optional<Phase> step;
    /// In [0, 1]; only with State::Scored.
    std::optional<double> reward;
    /// A sentence; empty when scored.
    QString error;
    /// Remarks that do not change the verdict: no_answer, timed_out, oom, leftovers, truncated,
    /// verifier_exit, two_rewards.
    QStringList flags;

    static Outcome scored(double reward, QStringList flags = {});
    /// The fault follows from the phase: agent, outputs and budget are the agent's, all else is the
    /// harness's.
    static Outcome failed(FailurePhase phase, const QString &error, QStringList flags = {});
    /// A step's time was up; only the agent's own is its fault.
    static Outcome timedOut(Phase step, const QString &error, QStringList flags = {});
    static Outcome cancelled(Phase in, const QString &error);
    static Outcome lost(Phase in, const QString &error);

    bool operator==(const Outcome &) const = default;
};

QString toWord(State state);
std::optional<State> stateFromWord(const QString &word);
QString toWord(Fault fault);
std::optional<Fault> faultFromWord(const QString &word);

} // namespace proctor
