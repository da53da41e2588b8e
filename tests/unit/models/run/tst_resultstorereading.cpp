// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/resultstore.h"
#include "models/run/summary.h"
#include "resultfolder.h"

#include <QTest>

#include <sys/stat.h>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;
using Kind = JournalEvent::Kind;

namespace
{

Outcome agentFailure()
{
    return Outcome::failed(FailurePhase::Agent, u"agent exit 1"_s);
}

Outcome cancelled()
{
    return Outcome::cancelled(Phase::Agent, u"stopped"_s);
}

} // namespace

class TestResultStoreReading : public QObject
{
    Q_OBJECT

private slots:
    void refusesWhatIsNoFile_data();
    void refusesWhatIsNoFile();
    void opensWhatThePeerWrote_data();
    void opensWhatThePeerWrote();
    void findsTheFilesOfASlot();
    void skipsBrokenLinesOnly();
    void readsALongFileInItsOrder();
    void lastVerdictCounts_data();
    void lastVerdictCounts();
    void journalWinsOverScores_data();
    void journalWinsOverScores();
    void leavesOutAHalfWrittenEntry();
    void countsAttempts();
    void opensANewerSchemaWithAMessage_data();
    void opensANewerSchemaWithAMessage();
    void explainsWhatIsMissing();
    void changesNothing();
};

void TestResultStoreReading::opensWhatThePeerWrote_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QStringList>("verdicts");
    QTest::newRow("one run") << "eval_results/travel"
                             << QStringList{u"hotel_hangzhou_cheap_001#1 1 scored 1"_s,
                                            u"consume_tent_002#1 1 scored 1"_s};
    QTest::newRow("a retry") << "eval_results_retried/travel" << QStringList{u"one_a#1 2 scored 0.7"_s};
    QTest::newRow("three runs") << "experiments/evaluation/travel/20260831_deepseek-v4-flash_mini-swe-agent"
                                << QStringList{u"attraction_auckland_extreme_sports_415#1 1 scored 0.29"_s,
                                               u"attraction_fiji_adventure_417#1 1 scored 0.7"_s,
                                               u"attraction_auckland_extreme_sports_415#2 1 scored 0.71"_s,
                                               u"attraction_fiji_adventure_417#2 1 scored 0.69"_s,
                                               u"attraction_auckland_extreme_sports_415#3 1 scored 0.44"_s,
                                               u"attraction_fiji_adventure_417#3 1 scored 0.41"_s};
    QTest::newRow("a package")
        << "experiments/evaluation/e_commerce/20260901_deepseek-v4-flash_mini-swe-agent"
        << QStringList{u"a1_culture_immerse-0011#1 1 scored 0.82"_s};
}

void TestResultStoreReading::opensWhatThePeerWrote()
{
    QFETCH(QString, folder);
    const auto store = ResultStore::openReadOnly(QStringLiteral(PROCTOR_TEST_DATA "/exam/") + folder);
    QVERIFY(store);
    QTEST(verdictsOf(**store), "verdicts");
    QVERIFY(!(*store)->isWritable());
    QVERIFY(!(*store)->identity());
    QVERIFY((*store)->warnings().isEmpty());
}

void TestResultStoreReading::findsTheFilesOfASlot()
{
    ResultFolder folder;
    folder.write("scores.jsonl", line(resultOf(u"a b"_s, Outcome::scored(1))));
    const auto flat = ResultStore::openReadOnly(folder.path());
    QCOMPARE((*flat)->slotFolder({u"a b"_s, 1}), folder.path("a b"));
    QCOMPARE((*flat)->attemptFolder({u"a b"_s, 1}, 1), folder.path("a b"));

    folder.write("scores.jsonl", line(resultOf(u"a b"_s, Outcome::scored(1), 3, 2)));
    const auto runs = ResultStore::openReadOnly(folder.path());
    QCOMPARE((*runs)->slotFolder({u"a b"_s, 2}), folder.path("a b/run_2"));
    QCOMPARE((*runs)->slotFolder({u"a b"_s, 1}), folder.path("a b/run_1"));
    QCOMPARE((*runs)->attemptFolder({u"a b"_s, 2}, 2), folder.path("a b/run_2/attempts/2"));
    QCOMPARE((*runs)->attemptFolder({u"a b"_s, 2}, 3), folder.path("a b/run_2"));
}

void TestResultStoreReading::readsALongFileInItsOrder()
{
    static constexpr int records = 12'000;
    QByteArray scores;
    for (int i = 0; i < records; ++i)
        scores += line(resultOf(QStringLiteral("instance_%1").arg(i), Outcome::scored(0.5)));
    QVERIFY(scores.size() > 1 << 20);
    const int firstBroken = 3, secondBroken = records + 2;
    QList<QByteArray> lines = scores.split('\n');
    lines.insert(firstBroken - 1, "{broken");
    lines.insert(secondBroken - 1, "{also broken");
    const ResultFolder folder;
    folder.write("scores.jsonl", lines.join('\n'));
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QCOMPARE(warningsOf(**store), QStringList({QStringLiteral("scores.jsonl:%1").arg(firstBroken),
                                               QStringLiteral("scores.jsonl:%1").arg(secondBroken)}));
    const QList<Result> results = (*store)->results();
    QCOMPARE(results.size(), records);
    for (int i = 0; i < records; ++i)
        QCOMPARE(results[i].instanceId, QStringLiteral("instance_%1").arg(i));
}

void TestResultStoreReading::skipsBrokenLinesOnly()
{
    ResultFolder folder;
    folder.write("scores.jsonl",
                 "\xef\xbb\xbf" + line(resultOf(u"a"_s, Outcome::scored(1))) + "3\n\n\"x\"\r\n" +
                     R"({"instance_id": "b", "reward": NaN, "error": null})" + "\r\n" +
                     R"({"instance_id": "c", "rew)" + '\n' + line(resultOf(u"d"_s, Outcome::scored(0.5))) +
                     R"({"instance_id": "e", "reward": 0.25})");
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QCOMPARE(verdictsOf(**store), (QStringList{u"a#1 1 scored 1"_s, u"b#1 1 failed -"_s,
                                               u"d#1 1 scored 0.5"_s, u"e#1 1 scored 0.25"_s}));
    QCOMPARE(warningsOf(**store),
             (QStringList{u"scores.jsonl:2"_s, u"scores.jsonl:4"_s, u"scores.jsonl:6"_s}));
    QCOMPARE((*store)->result({u"b"_s, 1})->outcome.error, u"invalid reward: NaN"_s);
}

void TestResultStoreReading::lastVerdictCounts_data()
{
    QTest::addColumn<QList<Outcome>>("outcomes");
    QTest::addColumn<QString>("verdict");
    const Outcome scored = Outcome::scored(0.5);
    QTest::newRow("scored after failed") << QList<Outcome>{agentFailure(), scored} << "a#1 2 scored 0.5";
    QTest::newRow("failed after scored") << QList<Outcome>{scored, agentFailure()} << "a#1 2 failed -";
    QTest::newRow("cancelled after scored") << QList<Outcome>{scored, cancelled()} << "a#1 1 scored 0.5";
    QTest::newRow("lost after failed")
        << QList<Outcome>{agentFailure(), Outcome::lost(Phase::Pull, u"gone"_s)} << "a#1 1 failed -";
    QTest::newRow("lost after cancelled")
        << QList<Outcome>{cancelled(), Outcome::lost(Phase::Pull, u"gone"_s)} << "a#1 2 lost -";
    QTest::newRow("scored after cancelled after failed")
        << QList<Outcome>{agentFailure(), cancelled(), scored} << "a#1 3 scored 0.5";
}

void TestResultStoreReading::lastVerdictCounts()
{
    QFETCH(QList<Outcome>, outcomes);
    QByteArray scores, journal = "{\"schema_version\": 1}\n";
    for (int i = 0; i < outcomes.size(); ++i) {
        const Result result = resultOf(u"a"_s, outcomes[i], i + 1);
        scores += line(result);
        journal += line(Kind::Started, result.slot(), i + 1) + outcomeLine(result);
    }
    ResultFolder fromScores, fromJournal;
    fromScores.write("scores.jsonl", scores);
    fromJournal.write("events.jsonl", journal);
    for (const ResultFolder *folder : {&fromScores, &fromJournal}) {
        const auto store = ResultStore::openReadOnly(folder->path());
        QVERIFY(store);
        QTEST(verdictsOf(**store).join(u'|'), "verdict");
        QCOMPARE((*store)->attempts({u"a"_s, 1}), static_cast<int>(outcomes.size()));
        QVERIFY((*store)->warnings().isEmpty());
    }
}

void TestResultStoreReading::journalWinsOverScores_data()
{
    QTest::addColumn<QByteArray>("scores");
    QTest::addColumn<QByteArray>("journal");
    QTest::addColumn<QString>("verdict");
    const Result first = resultOf(u"a"_s, agentFailure());
    const Result second = resultOf(u"a"_s, Outcome::scored(0.5), 2);
    const QByteArray both = outcomeLine(first) + outcomeLine(second);
    QTest::newRow("scores lag behind") << line(first) << both << "a#1 2 scored 0.5";
    QTest::newRow("both say the same") << line(second) << both << "a#1 2 scored 0.5";
    QTest::newRow("scores lack the slot") << QByteArray() << both << "a#1 2 scored 0.5";
    QTest::newRow("scores were changed by hand")
        << line(resultOf(u"a"_s, Outcome::scored(1), 2)) << both << "a#1 2 scored 0.5";
    QTest::newRow("journal could not be written") << line(second) << outcomeLine(first) << "a#1 2 scored 0.5";
    const QByteArray peer = R"({"instance_id": "a", "domain": "hotel", "reward": 0.75, "error": null})"
                            "\n";
    QTest::newRow("the peer appended") << line(second) + peer << both << "a#1 3 scored 0.75";
    QTest::newRow("the peer appended, imported")
        << peer
        << both + outcomeLine(*Result::fromJson(R"({"instance_id": "a", "domain": "hotel", "reward": 0.75,)"
                                                R"( "error": null, "state": "scored", "attempt": 3})"))
        << "a#1 3 scored 0.75";
}

void TestResultStoreReading::journalWinsOverScores()
{
    QFETCH(QByteArray, scores);
    QFETCH(QByteArray, journal);
    ResultFolder folder;
    folder.write("scores.jsonl", scores);
    folder.write("events.jsonl", "{\"schema_version\": 1}\n" + journal);
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QTEST(verdictsOf(**store).join(u'|'), "verdict");
    QVERIFY((*store)->warnings().isEmpty());
}

void TestResultStoreReading::leavesOutAHalfWrittenEntry()
{
    const QByteArray first = outcomeLine(resultOf(u"a"_s, Outcome::scored(1)));
    const QByteArray second = outcomeLine(resultOf(u"b"_s, Outcome::scored(0.5)));
    for (qsizetype cut = 1; cut < second.size() - 1; ++cut) {
        ResultFolder folder;
        folder.write("events.jsonl", "{\"schema_version\": 1}\n" + first + second.left(cut));
        const auto store = ResultStore::openReadOnly(folder.path());
        QVERIFY(store);
        QCOMPARE(verdictsOf(**store), QStringList{u"a#1 1 scored 1"_s});
        QCOMPARE(warningsOf(**store), QStringList{u"events.jsonl:3"_s});
    }
    ResultFolder whole;
    whole.write("events.jsonl", first + second.chopped(1));
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(whole.path())),
             (QStringList{u"a#1 1 scored 1"_s, u"b#1 1 scored 0.5"_s}));
}

void TestResultStoreReading::countsAttempts()
{
    const Slot odd{u"a#1 \"酒\""_s, 2};
    ResultFolder folder;
    folder.write("events.jsonl", line(Kind::Started, odd, 1) + line(Kind::Phase, odd, 1, Phase::Agent) +
                                     outcomeLine(resultOf(odd.instanceId, Outcome::scored(1), 1, 2)) +
                                     line(Kind::Started, odd, 2) + line(Kind::Started, {u"b"_s, 1}, 1) +
                                     line(Kind::Stopped, {}, 0));
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QCOMPARE((*store)->attempts(odd), 2);
    QCOMPARE((*store)->attempts({u"b"_s, 1}), 1);
    QCOMPARE((*store)->attempts({u"c"_s, 1}), 0);
    QCOMPARE(verdictsOf(**store), QStringList{u"a#1 \"酒\"#2 1 scored 1"_s});
    QVERIFY(!(*store)->result({u"b"_s, 1}));
}

void TestResultStoreReading::opensANewerSchemaWithAMessage_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("identity") << QByteArray("run.json");
    QTest::newRow("journal") << QByteArray("events.jsonl");
}

void TestResultStoreReading::opensANewerSchemaWithAMessage()
{
    QFETCH(QByteArray, file);
    ResultFolder folder;
    folder.write("scores.jsonl", line(resultOf(u"a"_s, Outcome::scored(1))));
    folder.write(file.constData(), "{\"schema_version\": 2}\n");
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QCOMPARE(verdictsOf(**store).size(), 1);
    QCOMPARE((*store)->warnings().size(), 1);
    QVERIFY((*store)->warnings().first().where.message.contains(u"newer"));
}

void TestResultStoreReading::explainsWhatIsMissing()
{
    ResultFolder folder;
    const auto absent = ResultStore::openReadOnly(folder.path());
    QVERIFY(!absent);
    QVERIFY(absent.error().message.contains(folder.path()));

    QDir().mkpath(folder.path());
    const auto empty = ResultStore::openReadOnly(folder.path());
    QVERIFY(!empty);
    QVERIFY(empty.error().message.contains(u"scores.jsonl"));

    folder.write("run.json", "{");
    const auto broken = ResultStore::openReadOnly(folder.path());
    QVERIFY(!broken);
    QCOMPARE(broken.error().file, folder.path("run.json"));
}

void TestResultStoreReading::changesNothing()
{
    ResultFolder folder;
    folder.write("scores.jsonl", R"({"instance_id": "a", "reward": 0.75})");
    folder.write("events.jsonl", line(Kind::Started, {u"a"_s, 1}, 1));
    {
        const auto store = ResultStore::openReadOnly(folder.path());
        QVERIFY(store);
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             (QStringList{u"events.jsonl"_s, u"scores.jsonl"_s}));
    QCOMPARE(folder.read("scores.jsonl"), QByteArray(R"({"instance_id": "a", "reward": 0.75})"));
}

void TestResultStoreReading::refusesWhatIsNoFile_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("isPipe");
    for (const char *name : {"run.json", "scores.jsonl", "events.jsonl", "summary.json"}) {
        QTest::addRow("pipe %s", name) << QByteArray(name) << true;
        QTest::addRow("folder %s", name) << QByteArray(name) << false;
    }
}

/// To open a pipe that nobody writes to would never end.
void TestResultStoreReading::refusesWhatIsNoFile()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, isPipe);
    ResultFolder folder;
    folder.write("other.jsonl", {});
    const QString path = folder.path(name.constData());
    if (isPipe)
        QCOMPARE(mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    else
        QVERIFY(QDir().mkpath(path));
    const auto shown = ResultStore::openReadOnly(folder.path());
    QVERIFY(!shown);
    QCOMPARE(shown.error().file, path);
    const auto written = ResultStore::openForWriting(folder.path(), {});
    QVERIFY(!written);
    QCOMPARE(written.error().file, path);
    QCOMPARE(written.error().kind, Error::Kind::Machine);
    QVERIFY(!folder.has("run.lock"));
}

QTEST_GUILESS_MAIN(TestResultStoreReading)
#include "tst_resultstorereading.moc"
