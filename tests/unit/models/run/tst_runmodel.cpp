// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runmodel.h"
#include "models/run/standing.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace proctor;

static const QDateTime noon = QDateTime::fromString(QStringLiteral("2026-03-01T12:00:00Z"), Qt::ISODate);

static AttemptUpdate waiting(const QString &id, int run = 1)
{
    AttemptUpdate update;
    update.slot = {id, run};
    update.domain = QStringLiteral("travel");
    return update;
}

static AttemptUpdate running(const QString &id, Phase phase)
{
    AttemptUpdate update = waiting(id);
    update.attempt = 1;
    update.phase = phase;
    update.startedAt = noon;
    return update;
}

static AttemptUpdate ended(const QString &id, const Outcome &outcome, double seconds)
{
    AttemptUpdate update = waiting(id);
    update.attempt = 1;
    update.durationSec = seconds;
    update.toolCalls = 7;
    update.outcome = outcome;
    return update;
}

class TestRunModel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void rowsAppearInTheOrderOfTheirSlots();
    void updatesMergeBySlot();
    void neighbouringChangesAreOneSignal();
    void cellsAreFormatted();
    void sortRoleHoldsRawNumbers();
    void elapsedFollowsTheClock();
    void clearEmpties();
    void outcomesInWords_data();
    void outcomesInWords();
    void manyRows();

private:
    QString shown(int row, int column) const { return model->index(row, column).data().toString(); }

    std::unique_ptr<RunModel> model;
    std::unique_ptr<QAbstractItemModelTester> tester;
};

void TestRunModel::init()
{
    tester.reset();
    model = std::make_unique<RunModel>();
    tester = std::make_unique<QAbstractItemModelTester>(
        model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
}

void TestRunModel::rowsAppearInTheOrderOfTheirSlots()
{
    model->apply({waiting(QStringLiteral("b")), waiting(QStringLiteral("a"))});
    model->apply({waiting(QStringLiteral("a"), 2)});
    QCOMPARE(model->rowCount(), 3);
    QCOMPARE(shown(0, RunModel::Instance), QStringLiteral("b"));
    QCOMPARE(shown(2, RunModel::Run), QStringLiteral("2"));
    QCOMPARE(model->rowOf({QStringLiteral("a"), 2}), 2);
    QCOMPARE(model->rowOf({QStringLiteral("c"), 1}), -1);
}

void TestRunModel::updatesMergeBySlot()
{
    model->apply({waiting(QStringLiteral("a")), waiting(QStringLiteral("b"))});
    QSignalSpy reset(model.get(), &QAbstractItemModel::modelReset);
    QSignalSpy inserted(model.get(), &QAbstractItemModel::rowsInserted);
    QSignalSpy changed(model.get(), &QAbstractItemModel::dataChanged);
    model->apply({running(QStringLiteral("b"), Phase::Agent), running(QStringLiteral("c"), Phase::Pull),
                  running(QStringLiteral("c"), Phase::Start)});
    QCOMPARE(reset.count(), 0);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 1);
    QCOMPARE(model->rowCount(), 3);
    QCOMPARE(shown(1, RunModel::State), QStringLiteral("Running"));
    QCOMPARE(shown(2, RunModel::Progress), phaseText(Phase::Start));
}

void TestRunModel::neighbouringChangesAreOneSignal()
{
    QList<AttemptUpdate> rows;
    for (int i = 0; i < 6; ++i)
        rows << waiting(QString::number(i));
    model->apply(rows);
    QSignalSpy changed(model.get(), &QAbstractItemModel::dataChanged);
    model->apply({rows[1], rows[2], rows[4]});
    QCOMPARE(changed.count(), 2);
    QCOMPARE(changed.at(0).at(1).toModelIndex().row(), 2);
    QCOMPARE(changed.at(1).at(0).toModelIndex().row(), 4);
}

void TestRunModel::cellsAreFormatted()
{
    model->apply(
        {ended(QStringLiteral("a"), Outcome::scored(0.4516), 252),
         ended(QStringLiteral("b"), Outcome::failed(FailurePhase::Agent, QStringLiteral("exit\n 1")), 3)});
    QCOMPARE(shown(0, RunModel::Reward), QStringLiteral("0.452"));
    QCOMPARE(shown(0, RunModel::Elapsed), QStringLiteral("4 m 12 s"));
    QCOMPARE(shown(0, RunModel::State), QStringLiteral("Scored"));
    QCOMPARE(shown(1, RunModel::Reward), QString());
    QCOMPARE(shown(1, RunModel::State), QStringLiteral("Agent failed"));
    QCOMPARE(shown(1, RunModel::Message), QStringLiteral("exit 1"));
    QCOMPARE(model->index(0, RunModel::Reward).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Reward: 0.452"));
    for (int column = 0; column < RunModel::ColumnCount; ++column)
        QVERIFY(!model->headerData(column, Qt::Horizontal).toString().isEmpty());
}

void TestRunModel::sortRoleHoldsRawNumbers()
{
    model->apply({ended(QStringLiteral("a"), Outcome::scored(0), 252), waiting(QStringLiteral("b"))});
    QCOMPARE(model->index(0, RunModel::Elapsed).data(RunModel::SortRole).toDouble(), 252.0);
    QVERIFY(model->index(1, RunModel::Reward).data(RunModel::SortRole).toDouble() <
            model->index(0, RunModel::Reward).data(RunModel::SortRole).toDouble());
}

void TestRunModel::elapsedFollowsTheClock()
{
    model->apply(
        {ended(QStringLiteral("a"), Outcome::scored(1), 5), running(QStringLiteral("b"), Phase::Agent)});
    QSignalSpy changed(model.get(), &QAbstractItemModel::dataChanged);
    model->tick(noon.addSecs(75));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex(), model->index(1, RunModel::Elapsed));
    QCOMPARE(shown(1, RunModel::Elapsed), QStringLiteral("1 m 15 s"));
    QCOMPARE(shown(0, RunModel::Elapsed), QStringLiteral("5.0 s"));

    model->apply({ended(QStringLiteral("b"), Outcome::scored(1), 80)});
    changed.clear();
    model->tick(noon.addSecs(90));
    QCOMPARE(changed.count(), 0);
}

void TestRunModel::clearEmpties()
{
    model->apply({running(QStringLiteral("a"), Phase::Agent)});
    model->clear();
    QCOMPARE(model->rowCount(), 0);
    QSignalSpy changed(model.get(), &QAbstractItemModel::dataChanged);
    model->tick();
    QCOMPARE(changed.count(), 0);
    model->apply({waiting(QStringLiteral("a"))});
    QCOMPARE(model->rowCount(), 1);
}

void TestRunModel::outcomesInWords_data()
{
    QTest::addColumn<AttemptUpdate>("update");
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("stage");
    QTest::addColumn<QString>("part");
    const QString id = QStringLiteral("a");
    const QString why = QStringLiteral("exit status 1");
    const int none = -1;
    const auto prepare = static_cast<int>(Stage::Prepare);
    const auto agent = static_cast<int>(Stage::Agent);
    const auto verify = static_cast<int>(Stage::Verify);
    QTest::newRow("waiting") << waiting(id) << "Not run" << none << "Not run yet.";
    QTest::newRow("running") << running(id, Phase::Setup) << "Running" << prepare << "12 s so far";
    QTest::newRow("scored") << ended(id, Outcome::scored(0.5, {QStringLiteral("no_answer")}), 12) << "Scored"
                            << none << "left no answer";
    QTest::newRow("agent") << ended(id, Outcome::failed(FailurePhase::Agent, why), 12) << "Agent failed"
                           << agent << "Exit status 1.";
    QTest::newRow("agent's time was up")
        << ended(id, Outcome::timedOut(Phase::Agent, why), 12) << "Agent failed" << agent << "counts as 0";
    QTest::newRow("verifier's time was up")
        << ended(id, Outcome::timedOut(Phase::Verifier, why), 12) << "Harness failed" << verify << "left out";
    QTest::newRow("pull") << ended(id, Outcome::failed(FailurePhase::Pull, why), 12) << "Harness failed"
                          << prepare << "left out";
    QTest::newRow("no place known") << ended(id, Outcome::failed(FailurePhase::Exception, why), 12)
                                    << "Harness failed" << none << "left out";
    QTest::newRow("cancelled") << ended(id, Outcome::cancelled(Phase::Agent, why), 12) << "Stopped" << agent
                               << "run again";
    QTest::newRow("lost") << ended(id, Outcome::lost(Phase::Verifier, why), 12) << "Lost" << verify
                          << "run again";
}

void TestRunModel::outcomesInWords()
{
    QFETCH(AttemptUpdate, update);
    QFETCH(QString, part);
    QTEST(standingText(standingOf(update)), "word");
    const std::optional<Stage> stage = stageOf(update);
    QTEST(stage ? static_cast<int>(*stage) : -1, "stage");
    const QString text = outcomeText(update, noon.addSecs(12));
    QVERIFY2(text.contains(part), qPrintable(text));
}

void TestRunModel::manyRows()
{
    tester.reset();
    QList<AttemptUpdate> rows;
    for (int i = 0; i < 100'000; ++i)
        rows << waiting(QString::number(i));
    model->apply(rows);
    QCOMPARE(model->rowCount(), 100'000);
    const auto before = model->snapshot();
    model->apply({ended(QStringLiteral("99999"), Outcome::scored(1), 1)});
    QCOMPARE(shown(99'999, RunModel::State), QStringLiteral("Scored"));
    QVERIFY(before->matches(99'999, standingText(Standing::Waiting)));
}

QTEST_GUILESS_MAIN(TestRunModel)
#include "tst_runmodel.moc"
