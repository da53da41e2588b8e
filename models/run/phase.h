// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace proctor
{

/// Where an attempt is. The order is the order in which an attempt passes through them.
/// Pull makes the image or bundle available; Outputs ends every process of the agent and freezes
/// what it produced; Clean always comes last and never changes the outcome.
enum class Phase { Pull, Start, Setup, Agent, Outputs, Verifier, Reward, Clean };

/// What a failed attempt failed at. Timeout, Budget, Config and Exception are no places but causes;
/// the words on disk are those of the peer's result files.
enum class FailurePhase {
    Pull,
    Start,
    Setup,
    Config,
    Agent,
    Outputs,
    Verifier,
    Reward,
    Timeout,
    Budget,
    Exception
};

const QList<Phase> &allPhases();

/// The word on disk: "pull", "start", "setup", "agent", "outputs", "verifier", "reward", "clean".
QString toWord(Phase phase);
std::optional<Phase> phaseFromWord(const QString &word);

QString toWord(FailurePhase phase);
std::optional<FailurePhase> failurePhaseFromWord(const QString &word);

/// The failure that an attempt which stops in `phase` is recorded with.
FailurePhase failureIn(Phase phase);

} // namespace proctor
