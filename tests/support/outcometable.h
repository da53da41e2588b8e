// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every end that an attempt can have, for each kind of sandbox: who is at fault, what it is called, and what
// is kept. A test derives from OutcomeTable, says where the sandboxes come from, and adds the rows that only
// its kind has; Qt Test runs the inherited slots too.
#pragma once

#include "app/runner/attemptrun.h"
#include "tests/support/trialbundle.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

namespace proctor::test
{

struct Row {
    QString agent = QStringLiteral("echo '{}' > /app/answer.json");
    QByteArray verifier = "echo 0.45 > /app/reward.txt";
    QByteArray bundledReward;
    double agentLimit = 30, verifierLimit = 30;
    EvalConfig::OnTimeout onTimeout = EvalConfig::OnTimeout::Fail;
    bool withTools = true;
    /// Of containers: an image instead of the trial's bundle, and how it is run.
    QString image;
    EvalConfig::Docker docker;

    State state = State::Scored;
    std::optional<FailurePhase> phase;
    std::optional<Fault> fault;
    std::optional<Phase> step;
    std::optional<double> reward;
    QStringList flags;
    /// Part of the sentence about a failure.
    QString sentence;

    Row();
};

Row scored(const QString &agent, double reward, QStringList flags = {});
Row agentFails(const QString &agent, const QString &sentence);
Row verdict(const QByteArray &verifier, double reward, QStringList flags = {});
Row verifierFails(const QByteArray &verifier, FailurePhase phase, const QString &sentence);
/// Failed by the harness before an agent ran.
Row harnessFails(FailurePhase phase, const QString &sentence);
Row lost(const QString &agent, const QString &sentence);

/// What an attempt left behind.
struct Left {
    Outcome outcome;
    QTemporaryDir folder;
    double seconds = 0;

    QByteArray file(const QString &name) const;
};

class OutcomeTable : public QObject
{
    Q_OBJECT

public:
    using Prepare = std::function<void(AttemptRun *)>;

protected:
    /// A sandbox for the trial's bundle; may fill in the instance's image.
    virtual std::unique_ptr<Sandbox> makeSandbox(AttemptSpec &spec, const TrialBundle &bundle) = 0;
    /// Rows of this kind of sandbox alone, for ends().
    virtual void addOwnRows() = 0;

    std::unique_ptr<Left> attempt(const Row &row, CancellationToken token = {}, const Prepare &prepare = {});
    static void compare(const Outcome &outcome, const Row &row);

private slots:
    void ends_data();
    void ends();
    void keepsEverythingOfAFailedAttempt();
    void keepsTheEndsOfMuchOutput();
    void manyLargeArtifactsDecideNothing();
    void sentencesAreCleanOfKeysAndControls();
    void answerThatCannotBeKeptIsNoVerdict();
    void artifactNamesThatFitNowhereAreLeftOut();
    void agentGetsNowhere_data();
    void agentGetsNowhere();
    void lateRewriteIsTooLate();
    void judgeKeyReachesTheVerifierOnly();
    void stepsAreKeptAsTheyCome();
    void userStops_data();
    void userStops();
};

} // namespace proctor::test

Q_DECLARE_METATYPE(proctor::test::Row)
