// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runplan.h"

#include <QTest>

using namespace proctor;

static QList<Instance> exam(const QStringList &ids)
{
    QList<Instance> instances;
    for (const QString &id : ids) {
        Instance instance;
        instance.id = id;
        instances << instance;
    }
    return instances;
}

static QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

/// "a#1 b#1", in order.
static QString slotsOf(const RunPlan &plan)
{
    QStringList keys;
    for (const RunPlan::Item &item : plan.items)
        keys << item.slot.key();
    return keys.join(u' ');
}

static QHash<Slot, Result> verdicts(const QList<std::pair<Slot, Outcome>> &outcomes)
{
    QHash<Slot, Result> results;
    for (const auto &[slot, outcome] : outcomes) {
        Result result;
        result.instanceId = slot.instanceId;
        result.outcome = outcome;
        results.insert(slot, result);
    }
    return results;
}

class TestRunPlan : public QObject
{
    Q_OBJECT

private slots:
    void selects_data();
    void selects();
    void namesWhatMatchesNothing();
    void refusesNegativeNumbers();
    void goesRunByRun();
    void takesWhatHasNoVerdict_data();
    void takesWhatHasNoVerdict();
    void ignoresOtherVerdicts();
    void readsRetryWords_data();
    void readsRetryWords();
};

void TestRunPlan::selects_data()
{
    QTest::addColumn<QString>("only");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("slots");
    QTest::newRow("all") << "" << 0 << "h1#1 h2#1 h10#1 f1#1 x[1]#1 x1#1";
    QTest::newRow("first two") << "" << 2 << "h1#1 h2#1";
    QTest::newRow("limit above all") << "" << 99 << "h1#1 h2#1 h10#1 f1#1 x[1]#1 x1#1";
    QTest::newRow("ids in the dataset's order") << "f1 h2" << 0 << "h2#1 f1#1";
    QTest::newRow("star") << "h*" << 0 << "h1#1 h2#1 h10#1";
    QTest::newRow("question mark") << "h?" << 0 << "h1#1 h2#1";
    QTest::newRow("set") << "h[2-9]" << 0 << "h2#1";
    QTest::newRow("not in set") << "h[!1]" << 0 << "h2#1";
    QTest::newRow("exact id wins over glob") << "x[1]" << 0 << "x[1]#1";
    QTest::newRow("overlapping entries") << "h* h1 *1" << 0 << "h1#1 h2#1 h10#1 f1#1 x1#1";
    QTest::newRow("limit of the selection") << "*1" << 2 << "h1#1 f1#1";
}

void TestRunPlan::selects()
{
    QFETCH(QString, only);
    QFETCH(int, limit);
    RunSelection selection;
    selection.only = only.split(u' ', Qt::SkipEmptyParts);
    selection.limit = limit;
    const auto plan = RunPlan::make(exam(words("h1 h2 h10 f1 x[1] x1")), selection, {});
    QVERIFY(plan.hasValue());
    QTEST(slotsOf(*plan), "slots");
    QCOMPARE(plan->selected, int(plan->items.size()));
}

void TestRunPlan::namesWhatMatchesNothing()
{
    const auto said = [](const char *only) {
        RunSelection selection;
        selection.only = QString::fromUtf8(only).split(u',');
        const auto plan = RunPlan::make(exam(words("hotel_1 hotel_2 museum")), selection, {});
        return plan ? QString() : plan.error().message;
    };
    QCOMPARE(said("hotl_1"), QStringLiteral("no instance matches 'hotl_1' (near: hotel_1, hotel_2)"));
    QCOMPARE(said("hotel_1,z*,musuem"), QStringLiteral("no instance matches 'z*', 'musuem' (near: museum)"));
    QCOMPARE(said("hotel_1,["), QStringLiteral("no instance matches '['"));
    QCOMPARE(said("hotel_1,, "), QString());
    QCOMPARE(said(" ,"), QStringLiteral("the selection of instances is empty"));
    QVERIFY(said("b1,b2,b3,b4,b5,b6,b7").endsWith(QLatin1String("2 more")));
}

void TestRunPlan::refusesNegativeNumbers()
{
    RunSelection selection;
    selection.limit = -1;
    QVERIFY(!RunPlan::make({}, selection, {}));
    selection.limit.reset();
    selection.runs = 0;
    QVERIFY(!RunPlan::make({}, selection, {}));
}

void TestRunPlan::goesRunByRun()
{
    RunSelection selection;
    selection.runs = 2;
    const auto done = verdicts({{{QStringLiteral("b"), 1}, Outcome::scored(0.5)}});
    const auto plan = RunPlan::make(exam(words("a b c")), selection, done);
    QCOMPARE(slotsOf(*plan), QStringLiteral("a#1 c#1 a#2 b#2 c#2"));
    QCOMPARE(plan->selected, 6);
    QCOMPARE(plan->alreadyDone, 1);
    QCOMPARE(plan->items.first().instance.id, QStringLiteral("a"));
}

void TestRunPlan::takesWhatHasNoVerdict_data()
{
    QTest::addColumn<bool>("skipDone");
    QTest::addColumn<QString>("retry");
    QTest::addColumn<QString>("slots");
    QTest::newRow("plain") << true << "none"
                           << "new#1 harness#1 cancelled#1 lost#1 slow_verifier#1";
    QTest::newRow("everything")
        << false << "none"
        << "new#1 scored#1 zero#1 agent#1 harness#1 cancelled#1 lost#1 slow_agent#1 slow_verifier#1";
    QTest::newRow("retry all") << true << ""
                               << "new#1 agent#1 harness#1 cancelled#1 lost#1 slow_agent#1 slow_verifier#1";
    QTest::newRow("retry agent") << true << "agent"
                                 << "new#1 agent#1 slow_agent#1";
    QTest::newRow("retry harness") << true << "harness"
                                   << "new#1 harness#1 slow_verifier#1";
    QTest::newRow("retry two") << true << "lost, cancelled"
                               << "new#1 cancelled#1 lost#1";
}

void TestRunPlan::takesWhatHasNoVerdict()
{
    QFETCH(bool, skipDone);
    QFETCH(QString, retry);
    const auto slot = [](const char *id) { return Slot{QLatin1String(id), 1}; };
    const QString why = QStringLiteral("why");
    const auto ended = verdicts({{slot("scored"), Outcome::scored(1)},
                                 {slot("zero"), Outcome::scored(0)},
                                 {slot("agent"), Outcome::failed(FailurePhase::Agent, why)},
                                 {slot("harness"), Outcome::failed(FailurePhase::Verifier, why)},
                                 {slot("cancelled"), Outcome::cancelled(Phase::Agent, why)},
                                 {slot("lost"), Outcome::lost(Phase::Agent, why)},
                                 {slot("slow_agent"), Outcome::timedOut(Phase::Agent, why)},
                                 {slot("slow_verifier"), Outcome::timedOut(Phase::Verifier, why)}});
    RunSelection selection;
    selection.skipDone = skipDone;
    if (retry != QLatin1String("none"))
        selection.retry = RetryChoice::fromWords(retry).value();
    const QStringList ids = words("new scored zero agent harness cancelled lost slow_agent slow_verifier");
    const auto plan = RunPlan::make(exam(ids), selection, ended);
    QTEST(slotsOf(*plan), "slots");
    QCOMPARE(plan->selected, 9);
    QCOMPARE(plan->alreadyDone, 9 - int(plan->items.size()));
}

void TestRunPlan::ignoresOtherVerdicts()
{
    const auto done = verdicts({{{QStringLiteral("a"), 1}, Outcome::scored(1)},
                                {{QStringLiteral("a"), 5}, Outcome::scored(1)},
                                {{QStringLiteral("elsewhere"), 1}, Outcome::scored(1)}});
    RunSelection selection;
    selection.runs = 2;
    const auto plan = RunPlan::make(exam(words("a")), selection, done);
    QCOMPARE(slotsOf(*plan), QStringLiteral("a#2"));
    QCOMPARE(plan->alreadyDone, 1);
}

void TestRunPlan::readsRetryWords_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("choice");
    QTest::newRow("none") << ""
                          << "agent harness lost cancelled ";
    QTest::newRow("one") << "agent"
                         << "agent ";
    QTest::newRow("some") << "cancelled, harness"
                          << "harness cancelled ";
    QTest::newRow("unknown") << "agent,everything"
                             << "'everything' cannot be retried";
    QTest::newRow("empty part") << "agent,"
                                << "'' cannot be retried";
}

void TestRunPlan::readsRetryWords()
{
    QFETCH(QString, words);
    QFETCH(QString, choice);
    const auto read = RetryChoice::fromWords(words);
    if (!read) {
        QVERIFY2(read.error().message.startsWith(choice), qPrintable(read.error().message));
        return;
    }
    const QString shown = QString(read->agent ? QStringLiteral("agent ") : QString()) +
                          (read->harness ? QStringLiteral("harness ") : QString()) +
                          (read->lost ? QStringLiteral("lost ") : QString()) +
                          (read->cancelled ? QStringLiteral("cancelled ") : QString());
    QCOMPARE(shown, choice);
}

QTEST_GUILESS_MAIN(TestRunPlan)
#include "tst_runplan.moc"
