// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/resultstore.h"
#include "models/run/scoreswriter.h"
#include "models/run/summary.h"
#include "resultfolder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;
using Kind = JournalEvent::Kind;

namespace
{

RunIdentity identityOf(const char *model)
{
    const QJsonObject dataset{
        {u"config"_s, u"travel"_s}, {u"instances"_s, 3}, {u"fingerprint"_s, u"sha256:1"_s}};
    const QJsonObject agent{{u"name"_s, u"careful"_s}, {u"model"_s, QString::fromLatin1(model)}};
    return {QJsonObject{{u"schema_version"_s, 1}, {u"dataset"_s, dataset}, {u"agent"_s, agent}}};
}

ResultStore::WriteOptions options(int runs = 1)
{
    return {identityOf("m1"), runs, false, false};
}

const Slot slotA{u"a"_s, 1};

/// Runs one attempt of a slot from start to end.
void attempt(ResultStore &store, const Slot &slot, const Outcome &outcome)
{
    const auto number = store.beginAttempt(slot);
    QVERIFY(number);
    QVERIFY(store.recordPhase(slot, *number, Phase::Agent));
    QVERIFY(store.recordOutcome(resultOf(slot.instanceId, outcome, *number, slot.run)));
}

QStringList eventsOf(const ResultFolder &folder)
{
    QStringList texts;
    for (const QByteArray &text : folder.read("events.jsonl").split('\n')) {
        const QJsonObject json = QJsonDocument::fromJson(text).object();
        const QString phase = json["phase"_L1].toString();
        if (json.contains("event"_L1))
            texts << json["event"_L1].toString() + (phase.isEmpty() ? phase : u' ' + phase);
    }
    return texts;
}

/// Does `work` in a process of its own that then dies as if by kill -9, with the store that `work` gives
/// still open.
template<typename Work>
void dieAfter(Work work)
{
    const pid_t child = fork();
    if (child == 0) {
        const auto store = work();
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    QVERIFY(WIFSIGNALED(status));
}

/// While it lives no file can grow beyond some bytes, as on a disk that is full.
class FullDisk
{
public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limited{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }
    Q_DISABLE_COPY_MOVE(FullDisk)

private:
    rlimit m_before = {};
};

} // namespace

class TestResultStoreWriting : public QObject
{
    Q_OBJECT

private slots:
    void cleanup();
    void writesEveryFile();
    void rewritesScoresSeldom();
    void rewritesManyScoresMoreSeldom();
    void keepsEarlierAttemptsWhole();
    void cancelledAttemptDoesNotReplaceAScore();
    void refusesASecondWriter();
    void stopsWhenItsLockIsTaken();
    void notesImages();
    void stopsWhenItsFolderIsRemoved();
    void refusesAnotherExam();
    void mixesOnDemand();
    void refusesAPeersFolderUnlessAdopted();
    void adoptsAndKeepsTheOriginal();
    void turnsASingleRunIntoTheFirstOfMany();
    void keepsTheFirstRunsNumberOverACrash();
    void finishesAnInterruptedMoveIntoRuns();
    void staysWithSeveralRuns();
    void importsWhatThePeerAppended();
    void importsWhatThePeerAppendsMeanwhile();
    void putsRightWhatACrashLeft_data();
    void putsRightWhatACrashLeft();
    void recoversOnce();
    void keepsTheFilesOfAVerdictOverACrash();
    void writesOnBehindAHalfLine();
    void refusesANewerSchema();
    void keepsUnknownMembers();
    void rewritesTheSummaryAlone();
    void leavesTheSummaryOfOthersAlone();
    void keepsBrokenScoresAside();
    void explainsAFullDisk();
    void explainsAPlaceThatCannotBeWritten();
    void blamesTheMachineForFullDisks();
    void readsTheJournalFromItsCheckpoint();
    void distrustsACheckpointOfOtherScores();
    void refusesToWriteWhenReadOnly();
};

void TestResultStoreWriting::cleanup()
{
    qunsetenv("PROCTOR_MACHINE_ID");
}

void TestResultStoreWriting::writesEveryFile()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    QVERIFY((*store)->isWritable());
    QVERIFY(folder.has("run.lock"));
    QVERIFY((*store)->recordRunEvent(Kind::Resumed));
    QCOMPARE(*(*store)->beginAttempt(slotA), 1);
    QVERIFY(QFileInfo((*store)->slotFolder(slotA)).isDir());
    QVERIFY((*store)->recordPhase(slotA, 1, Phase::Pull));
    QVERIFY((*store)->recordOutcome(resultOf(u"a"_s, Outcome::scored(0.5))));
    QVERIFY((*store)->recordRunEvent(Kind::Stopped));
    QVERIFY((*store)->close());
    QVERIFY(!(*store)->isWritable());
    QVERIFY((*store)->close());

    QCOMPARE(eventsOf(folder),
             (QStringList{u"resumed"_s, u"started"_s, u"phase pull"_s, u"outcome"_s, u"stopped"_s}));
    QVERIFY(folder.read("events.jsonl").startsWith("{\"schema_version\": 1}\n"));
    const Result expected = resultOf(u"a"_s, Outcome::scored(0.5));
    QCOMPARE(folder.read("scores.jsonl"), line(expected));
    QCOMPARE(folder.read("a/result.json"), expected.toJsonFile());
    const QJsonObject summary = QJsonDocument::fromJson(folder.read("summary.json")).object();
    QCOMPARE(summary["config"_L1].toString(), u"travel"_s);
    QCOMPARE(summary["avg_reward"_L1].toDouble(), 0.5);
    QCOMPARE(summary["not_run"_L1].toInt(), 2);
    QVERIFY(!folder.has("run.lock"));
    QVERIFY((*store)->identity()->differencesFrom(identityOf("m1")).isEmpty());
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())), verdictsOf(**store));
}

void TestResultStoreWriting::rewritesScoresSeldom()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    attempt(**store, slotA, Outcome::scored(1));
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 1);
    attempt(**store, {u"b"_s, 1}, Outcome::scored(1));
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 1);
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())).size(), 2);
    QVERIFY((*store)->close());
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 2);
}

void TestResultStoreWriting::rewritesManyScoresMoreSeldom()
{
    QCOMPARE(ScoresWriter::pauseAfter(0), 5000);
    QCOMPARE(ScoresWriter::pauseAfter(250), 5000);
    QCOMPARE(ScoresWriter::pauseAfter(1000), 20000);
}

void TestResultStoreWriting::keepsEarlierAttemptsWhole()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    for (int i = 1; i <= 3; ++i) {
        QCOMPARE(*(*store)->beginAttempt(slotA), i);
        QCOMPARE(QDir(folder.path("a")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 i == 1 ? QStringList() : QStringList{u"attempts"_s});
        folder.write("a/answer.json", QByteArray::number(i));
        folder.write("a/.prompt/system.md", QByteArray::number(i));
        folder.write("a/artifacts/deep/file", QByteArray::number(i));
        QVERIFY((*store)->recordOutcome(resultOf(u"a"_s, Outcome::scored(i / 4.0), i)));
    }
    for (const char *name : {"answer.json", ".prompt/system.md", "artifacts/deep/file"}) {
        QCOMPARE(folder.read(QByteArray("a/attempts/1/") + name), QByteArray("1"));
        QCOMPARE(folder.read(QByteArray("a/attempts/2/") + name), QByteArray("2"));
        QCOMPARE(folder.read(QByteArray("a/") + name), QByteArray("3"));
    }
    QVERIFY(folder.read("a/attempts/1/result.json").contains("0.25"));
    QCOMPARE((*store)->attempts(slotA), 3);
}

void TestResultStoreWriting::cancelledAttemptDoesNotReplaceAScore()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    attempt(**store, slotA, Outcome::scored(0.5));
    attempt(**store, slotA, Outcome::cancelled(Phase::Agent, u"stopped"_s));
    QCOMPARE(verdictsOf(**store), QStringList{u"a#1 1 scored 0.5"_s});
    QVERIFY((*store)->close());
    QCOMPARE(folder.read("scores.jsonl"), line(resultOf(u"a"_s, Outcome::scored(0.5))));
    QVERIFY(folder.read("a/result.json").contains("cancelled"));
    QCOMPARE((*store)->attemptFolder(slotA, 1), folder.path("a/attempts/1"));
    QVERIFY(folder.read("a/attempts/1/result.json").contains("0.5"));
}

void TestResultStoreWriting::notesImages()
{
    const ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        QVERIFY((*store)->recordImage(u"hotel:1"_s, u"sha256:a"_s));
        QVERIFY((*store)->recordImage(u"tent:1"_s, u"sha256:b"_s));
        QVERIFY((*store)->recordImage(u"hotel:1"_s, u"sha256:c"_s));
        attempt(**store, slotA, Outcome::scored(0.5));
    }
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    QCOMPARE((*store)->identity()->imageId(u"hotel:1"_s), u"sha256:c"_s);
    QCOMPARE((*store)->identity()->imageId(u"tent:1"_s), u"sha256:b"_s);
    QCOMPARE((*store)->identity()->imageId(u"lamp:1"_s), QString());
}

void TestResultStoreWriting::refusesASecondWriter()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    const auto second = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(!second);
    QVERIFY(second.error().message.contains(QString::number(getpid())));
    QCOMPARE(second.error().kind, Error::Kind::Input);
    QVERIFY(folder.has("run.lock"));
    QVERIFY(ResultStore::openReadOnly(folder.path()));
    QVERIFY((*store)->renewLease());
    QVERIFY((*store)->close());
    QVERIFY(ResultStore::openForWriting(folder.path(), options()));
}

void TestResultStoreWriting::stopsWhenItsLockIsTaken()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    folder.write(
        "run.lock",
        R"({"machine":"elsewhere","boot":"b","pid":7,"start":1,"lease_until":"2099-01-01T00:00:00Z"})");
    const auto renewed = (*store)->renewLease();
    QVERIFY(!renewed);
    QVERIFY(renewed.error().message.contains(u"elsewhere"_s));
    QVERIFY(!(*store)->isWritable());
    const auto begun = (*store)->beginAttempt(slotA);
    QVERIFY(!begun);
    QCOMPARE(begun.error().message, renewed.error().message);
    QVERIFY(folder.read("run.lock").contains("elsewhere"));
}

void TestResultStoreWriting::stopsWhenItsFolderIsRemoved()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    QVERIFY(QDir(folder.path()).removeRecursively());
    const auto begun = (*store)->beginAttempt(slotA);
    QVERIFY(!begun);
    QCOMPARE(begun.error().kind, Error::Kind::Machine);
    QCOMPARE(begun.error().file, folder.path("events.jsonl"));
}

void TestResultStoreWriting::refusesAnotherExam()
{
    ResultFolder folder;
    QVERIFY(ResultStore::openForWriting(folder.path(), options()));
    const auto other = ResultStore::openForWriting(folder.path(), {identityOf("m2"), 1, false, false});
    QVERIFY(!other);
    QCOMPARE(other.error().kind, Error::Kind::Input);
    QVERIFY(other.error().message.contains(u"agent model: m1 here, m2 in the configuration"_s));
    QVERIFY(!folder.has("run.lock"));
}

void TestResultStoreWriting::mixesOnDemand()
{
    ResultFolder folder;
    QVERIFY(ResultStore::openForWriting(folder.path(), options()));
    for (int i = 0; i < 2; ++i) {
        const auto mixed = ResultStore::openForWriting(folder.path(), {identityOf("m2"), 1, true, false});
        QVERIFY(mixed);
        QVERIFY((*mixed)->identity()->differencesFrom(identityOf("m1")).isEmpty());
    }
    const QJsonObject identity = QJsonDocument::fromJson(folder.read("run.json")).object();
    QCOMPARE(identity["mixed"_L1].toArray(), QJsonArray{identityOf("m2").json});
}

void TestResultStoreWriting::refusesAPeersFolderUnlessAdopted()
{
    ResultFolder folder;
    const QByteArray scores = R"({"instance_id": "a", "reward": 1.0})";
    folder.write("scores.jsonl", scores);
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(!store);
    QVERIFY(store.error().message.contains(u"--adopt"_s));
    QCOMPARE(store.error().kind, Error::Kind::Input);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"scores.jsonl"_s});
    QCOMPARE(folder.read("scores.jsonl"), scores);
}

void TestResultStoreWriting::adoptsAndKeepsTheOriginal()
{
    ResultFolder folder;
    QFile published(QStringLiteral(PROCTOR_TEST_DATA "/exam/eval_results_retried/travel/scores.jsonl"));
    QVERIFY(published.open(QIODevice::ReadOnly));
    const QByteArray scores = published.readAll();
    folder.write("scores.jsonl", scores + "broken\n");
    for (int i = 0; i < 2; ++i) {
        const auto store = ResultStore::openForWriting(folder.path(), {identityOf("m1"), 1, false, true});
        QVERIFY(store);
        QCOMPARE(verdictsOf(**store), QStringList{u"one_a#1 2 scored 0.7"_s});
        QCOMPARE((*store)->attempts({u"one_a"_s, 1}), 2);
    }
    QCOMPARE(folder.read("scores.jsonl.orig"), scores + "broken\n");
    QCOMPARE(eventsOf(folder), (QStringList{u"outcome"_s, u"outcome"_s}));
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 1);

    // All of it can be told again from the journal.
    QVERIFY(QFile::remove(folder.path("scores.jsonl")));
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())), QStringList{u"one_a#1 2 scored 0.7"_s});
}

void TestResultStoreWriting::turnsASingleRunIntoTheFirstOfMany()
{
    ResultFolder folder;
    {
        const auto single = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(single);
        attempt(**single, slotA, Outcome::failed(FailurePhase::Agent, u"exit 1"_s));
        attempt(**single, slotA, Outcome::scored(0.5));
        folder.write("a/.prompt/system.md", "x");
    }
    {
        const auto many = ResultStore::openForWriting(folder.path(), options(2));
        QVERIFY(many);
        QCOMPARE((*many)->slotFolder(slotA), folder.path("a/run_1"));
        attempt(**many, {u"a"_s, 2}, Outcome::scored(1));
        attempt(**many, slotA, Outcome::scored(0.75));
    }
    QCOMPARE(QDir(folder.path("a")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             (QStringList{u"run_1"_s, u"run_2"_s}));
    QVERIFY(folder.has("a/run_1/attempts/1/result.json"));
    QVERIFY(folder.has("a/run_1/attempts/2/.prompt/system.md"));
    QVERIFY(folder.read("a/run_1/attempts/2/result.json").contains("\"run_id\": 1"));
    const auto store = ResultStore::openReadOnly(folder.path());
    QCOMPARE(verdictsOf(**store), (QStringList{u"a#1 3 scored 0.75"_s, u"a#2 1 scored 1"_s}));
    for (const Result &result : (*store)->results())
        QVERIFY(result.runId);
    QCOMPARE((*store)->identity()->json["runs"_L1].toInt(), 2);
}

/// The number that each line of scores.jsonl gives for its run, 0 for none.
static QList<int> runIdsOf(const ResultFolder &folder)
{
    QList<int> ids;
    for (const QByteArray &text : folder.read("scores.jsonl").trimmed().split('\n'))
        ids << QJsonDocument::fromJson(text).object()["run_id"_L1].toInt();
    return ids;
}

void TestResultStoreWriting::keepsTheFirstRunsNumberOverACrash()
{
    ResultFolder folder;
    {
        const auto single = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(single);
        attempt(**single, slotA, Outcome::scored(0.5));
        attempt(**single, {u"b"_s, 1}, Outcome::scored(1));
    }
    dieAfter([&folder] {
        auto store = ResultStore::openForWriting(folder.path(), options(3));
        attempt(**store, {u"a"_s, 2}, Outcome::scored(1));
        return store;
    });
    const auto looked = ResultStore::openReadOnly(folder.path());
    QVERIFY(looked);
    for (const Result &result : (*looked)->results())
        QCOMPARE(result.runId.value_or(0), result.slot().run);

    QVERIFY(ResultStore::openForWriting(folder.path(), options(3)));
    QCOMPARE(runIdsOf(folder), (QList<int>{1, 1, 2}));
    QVERIFY(folder.has("a/run_1/result.json"));

    // Also when nothing but the journal is left, which has the first run without a number.
    QVERIFY(QFile::remove(folder.path("scores.jsonl")));
    QVERIFY(ResultStore::openForWriting(folder.path(), options(3)));
    QCOMPARE(runIdsOf(folder), (QList<int>{1, 1, 2}));
}

void TestResultStoreWriting::finishesAnInterruptedMoveIntoRuns()
{
    ResultFolder folder;
    {
        const auto single = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(single);
        attempt(**single, slotA, Outcome::scored(0.5));
        attempt(**single, {u"b"_s, 1}, Outcome::scored(1));
    }
    // As if the power went after run.json was written and one of the folders was moved.
    folder.write("run.json", folder.read("run.json").replace("\"runs\": 1", "\"runs\": 3"));
    QVERIFY(QDir().mkpath(folder.path("a/run_1")));
    QVERIFY(QFile::rename(folder.path("a/result.json"), folder.path("a/run_1/result.json")));
    const auto looked = ResultStore::openReadOnly(folder.path());
    QVERIFY(looked);
    QCOMPARE((*looked)->results().first().runId.value_or(0), 1);
    for (int i = 0; i < 2; ++i) {
        QVERIFY(ResultStore::openForWriting(folder.path(), options()));
        QCOMPARE(runIdsOf(folder), (QList<int>{1, 1}));
        for (const char *name : {"a", "b"}) {
            QCOMPARE(QDir(folder.path(name)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                     QStringList{u"run_1"_s});
            QVERIFY(folder.read(QByteArray(name) + "/run_1/result.json").contains("\"run_id\": 1"));
        }
    }
}

void TestResultStoreWriting::staysWithSeveralRuns()
{
    ResultFolder folder;
    {
        const auto many = ResultStore::openForWriting(folder.path(), options(3));
        QVERIFY(many);
        attempt(**many, {u"a"_s, 3}, Outcome::scored(1));
    }
    // The peer, asked for one run in the same folder, writes beside the run folders and names no run.
    folder.append("scores.jsonl",
                  "{\"instance_id\": \"a\", \"domain\": \"d\", \"reward\": 0.25, \"error\": null}\n");
    folder.write("a/result.json", "{}");
    folder.write("a/answer.json", "peer");
    const auto one = ResultStore::openForWriting(folder.path(), options(1));
    QVERIFY(one);
    QCOMPARE((*one)->slotFolder(slotA), folder.path("a/run_1"));
    QCOMPARE(folder.read("a/run_1/answer.json"), QByteArray("peer"));
    QVERIFY(!folder.has("a/answer.json"));
    QCOMPARE(folder.read("scores.jsonl").count("\"run_id\": "), 2);

    const auto single = ResultStore::openForWriting(ResultFolder().path(), options(1));
    QVERIFY(single);
    QVERIFY(!(*single)->beginAttempt({u"a"_s, 2}));
}

void TestResultStoreWriting::importsWhatThePeerAppended()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::failed(FailurePhase::Pull, u"no network"_s));
    }
    folder.append("scores.jsonl", R"({"instance_id": "a", "domain": "d", "reward": 0.75, "error": null})"
                                  "\n"
                                  R"({"instance_id": "b", "domain": "d", "reward": 0.5, "error": null})");
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    const QStringList verdicts{u"a#1 2 scored 0.75"_s, u"b#1 1 scored 0.5"_s};
    QCOMPARE(verdictsOf(**store), verdicts);
    QCOMPARE(eventsOf(folder).count(u"outcome"_s), 3);
    QCOMPARE(*(*store)->beginAttempt(slotA), 3);
    QVERIFY((*store)->recordOutcome(resultOf(u"a"_s, Outcome::cancelled(Phase::Pull, u"x"_s), 3)));
    QVERIFY((*store)->close());
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())), verdicts);
}

void TestResultStoreWriting::importsWhatThePeerAppendsMeanwhile()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    attempt(**store, slotA, Outcome::scored(1));
    folder.append("scores.jsonl", R"({"instance_id": "b", "domain": "d", "reward": 0.5, "error": null})");
    attempt(**store, {u"c"_s, 1}, Outcome::scored(1));
    QVERIFY((*store)->close());
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())),
             (QStringList{u"a#1 1 scored 1"_s, u"c#1 1 scored 1"_s, u"b#1 1 scored 0.5"_s}));
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 3);
    QCOMPARE(eventsOf(folder).count(u"outcome"_s), 3);
}

void TestResultStoreWriting::putsRightWhatACrashLeft_data()
{
    QTest::addColumn<int>("phases");
    QTest::newRow("just begun") << 0;
    for (int i = 1; i <= allPhases().size(); ++i)
        QTest::newRow(qPrintable(toWord(allPhases()[i - 1]))) << i;
}

void TestResultStoreWriting::putsRightWhatACrashLeft()
{
    QFETCH(int, phases);
    ResultFolder folder;
    dieAfter([&folder, phases] {
        auto store = ResultStore::openForWriting(folder.path(), options());
        attempt(**store, slotA, Outcome::scored(0.5));
        attempt(**store, {u"b"_s, 1}, Outcome::scored(1));
        for (const QString &id : {u"a"_s, u"c"_s}) {
            const auto number = (*store)->beginAttempt({id, 1});
            for (int i = 0; i < phases; ++i)
                static_cast<void>((*store)->recordPhase({id, 1}, *number, allPhases()[i]));
        }
        return store;
    });
    QVERIFY(folder.has("run.lock"));
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 1);

    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    const QStringList verdicts{u"a#1 1 scored 0.5"_s, u"b#1 1 scored 1"_s, u"c#1 1 lost -"_s};
    QCOMPARE(verdictsOf(**store), verdicts);
    const Phase phase = phases == 0 ? Phase::Pull : allPhases()[phases - 1];
    const Outcome lost = (*store)->result({u"c"_s, 1})->outcome;
    QCOMPARE(*lost.phase, failureIn(phase));
    QCOMPARE(*lost.fault, Fault::Harness);
    QVERIFY(!lost.error.isEmpty());
    QCOMPARE((*store)->warnings().size(), 2);
    QCOMPARE(eventsOf(folder).count(u"recovered "_s + toWord(phase)), 2);
    QVERIFY(folder.read("a/result.json").contains("lost"));
    QVERIFY(folder.read("a/attempts/1/result.json").contains("0.5"));
    QCOMPARE(folder.read("scores.jsonl").count('\n'), 3);
    QCOMPARE((*store)->attempts(slotA), 2);
    QVERIFY((*store)->close());
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())), verdicts);
}

void TestResultStoreWriting::recoversOnce()
{
    ResultFolder folder;
    dieAfter([&folder] {
        auto store = ResultStore::openForWriting(folder.path(), options(2));
        static_cast<void>((*store)->beginAttempt({u"a"_s, 2}));
        return store;
    });
    QVERIFY(folder.has("run.lock"));
    for (int i = 0; i < 2; ++i) {
        const auto store = ResultStore::openForWriting(folder.path(), options(2));
        QVERIFY(store);
        QCOMPARE(verdictsOf(**store), QStringList{u"a#2 1 lost -"_s});
        QCOMPARE((*store)->warnings().size(), i == 0 ? 1 : 0);
    }
    QCOMPARE(eventsOf(folder), (QStringList{u"started"_s, u"recovered pull"_s}));
    QVERIFY(folder.read("a/run_2/result.json").contains("\"run_id\": 2"));
}

void TestResultStoreWriting::keepsTheFilesOfAVerdictOverACrash()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::scored(0.5));
        folder.write("a/stderr.log", "first");
        // The files of the first attempt cannot be moved away: it is as if we died before.
        folder.write("a/attempts", "in the way");
        QVERIFY(!(*store)->beginAttempt(slotA));
        QVERIFY((*store)->close());
    }
    QCOMPARE(eventsOf(folder).count(u"started"_s), 2);
    QVERIFY(folder.read("a/result.json").contains("0.5"));
    QVERIFY(QFile::remove(folder.path("a/attempts")));
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    QCOMPARE(verdictsOf(**store), QStringList{u"a#1 1 scored 0.5"_s});
    QCOMPARE((*store)->attempts(slotA), 2);
    QVERIFY(folder.read("a/attempts/1/result.json").contains("0.5"));
    QCOMPARE(folder.read("a/attempts/1/stderr.log"), QByteArray("first"));
    QVERIFY(folder.read("a/result.json").contains("lost"));
    QVERIFY(!folder.has("a/stderr.log"));
}

void TestResultStoreWriting::writesOnBehindAHalfLine()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::scored(1));
    }
    const QByteArray half = outcomeLine(resultOf(u"b"_s, Outcome::scored(0.5))).left(90);
    folder.append("events.jsonl", half);
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        QCOMPARE((*store)->warnings().size(), 1);
        attempt(**store, {u"c"_s, 1}, Outcome::scored(0.25));
    }
    QVERIFY(folder.read("events.jsonl").contains(half + '\n'));
    QVERIFY(QFile::remove(folder.path("scores.jsonl")));
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())),
             (QStringList{u"a#1 1 scored 1"_s, u"c#1 1 scored 0.25"_s}));
}

void TestResultStoreWriting::refusesANewerSchema()
{
    ResultFolder folder;
    QVERIFY(ResultStore::openForWriting(folder.path(), options()));
    const QByteArray newer =
        folder.read("run.json").replace("\"schema_version\": 1", "\"schema_version\": 2");
    folder.write("run.json", newer);
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(!store);
    QVERIFY(store.error().message.contains(u"newer"_s));
    QCOMPARE(store.error().kind, Error::Kind::Input);
    QCOMPARE(folder.read("run.json"), newer);
}

void TestResultStoreWriting::keepsUnknownMembers()
{
    ResultFolder folder;
    folder.write("scores.jsonl",
                 R"({"instance_id": "a", "reward": 1.0, "tokens": 12345678901234567890123, "v": 1.10})"
                 "\n");
    folder.write("summary.json", R"({"config": "old", "model": "x", "big": 12345678901234567890123})");
    QJsonObject identity = identityOf("m1").json;
    identity[u"unknown"_s] = u"kept"_s;
    folder.write("run.json", QJsonDocument(identity).toJson());
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, {u"b"_s, 1}, Outcome::scored(1));
    }
    QVERIFY(folder.read("scores.jsonl").contains(R"("tokens": 12345678901234567890123, "v": 1.10})"));
    QVERIFY(folder.read("events.jsonl").contains("12345678901234567890123"));
    QVERIFY(folder.read("run.json").contains("\"kept\""));
    const QByteArray summary = folder.read("summary.json");
    QVERIFY(summary.startsWith("{\n  \"config\": \"travel\",\n"));
    QVERIFY(summary.endsWith(",\n  \"model\": \"x\",\n  \"big\": 12345678901234567890123\n}"));
}

void TestResultStoreWriting::rewritesTheSummaryAlone()
{
    ResultFolder folder;
    folder.write("scores.jsonl", line(resultOf(u"a"_s, Outcome::scored(0.5))));
    folder.write("summary.json", R"({"config": "old", "big": 12345678901234567890123})");
    const QByteArray scores = folder.read("scores.jsonl");
    QVERIFY(ResultStore::rewriteSummary(folder.path()));
    const QByteArray summary = folder.read("summary.json");
    QVERIFY(summary.contains("\"avg_reward\": 0.5"));
    QVERIFY(summary.contains("\"not_run\": null"));
    QVERIFY(summary.endsWith(",\n  \"big\": 12345678901234567890123\n}"));
    QCOMPARE(folder.read("scores.jsonl"), scores);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             (QStringList{u"scores.jsonl"_s, u"summary.json"_s}));
    const FullDisk full(10);
    const auto written = ResultStore::rewriteSummary(folder.path());
    QVERIFY(!written);
    QCOMPARE(written.error().kind, Error::Kind::Machine);
}

void TestResultStoreWriting::leavesTheSummaryOfOthersAlone()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::scored(0.5));
        folder.write("summary.json", "{}");
        const auto locked = ResultStore::rewriteSummary(folder.path());
        QVERIFY(!locked);
        QCOMPARE(locked.error().kind, Error::Kind::Input);
        QVERIFY(locked.error().message.contains(QString::number(getpid())));
        QCOMPARE(folder.read("summary.json"), QByteArray("{}"));
        QVERIFY(folder.has("run.lock"));
    }
    folder.write("run.json",
                 folder.read("run.json").replace("\"schema_version\": 1", "\"schema_version\": 2"));
    folder.write("summary.json", "{}");
    const auto newer = ResultStore::rewriteSummary(folder.path());
    QVERIFY(!newer);
    QCOMPARE(newer.error().kind, Error::Kind::Input);
    QVERIFY(newer.error().message.contains(u"newer"_s));
    QCOMPARE(folder.read("summary.json"), QByteArray("{}"));
}

void TestResultStoreWriting::keepsBrokenScoresAside()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::scored(1));
    }
    folder.append("scores.jsonl", "{\"instance_id\": \"b\", \"rew");
    const QByteArray broken = folder.read("scores.jsonl");
    QVERIFY(ResultStore::openForWriting(folder.path(), options()));
    QCOMPARE(folder.read("scores.jsonl.orig"), broken);
    QCOMPARE(folder.read("scores.jsonl"), line(resultOf(u"a"_s, Outcome::scored(1))));
}

void TestResultStoreWriting::explainsAFullDisk()
{
    ResultFolder folder;
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(store);
    attempt(**store, slotA, Outcome::scored(1));
    const QByteArray journal = folder.read("events.jsonl"), scores = folder.read("scores.jsonl");
    QCOMPARE(*(*store)->beginAttempt({u"b"_s, 1}), 1);
    {
        const FullDisk full(static_cast<rlim_t>(folder.read("events.jsonl").size()) + 10);
        const auto recorded = (*store)->recordOutcome(resultOf(u"b"_s, Outcome::scored(0.5)));
        QVERIFY(!recorded);
        QCOMPARE(recorded.error().file, folder.path("events.jsonl"));
        QVERIFY(!recorded.error().message.isEmpty());
    }
    {
        const FullDisk full(10);
        QVERIFY(!(*store)->recordOutcome(resultOf(u"b"_s, Outcome::scored(0.5))));
        const auto closed = (*store)->close();
        QVERIFY(!closed);
    }
    QVERIFY(folder.read("events.jsonl").startsWith(journal));
    QCOMPARE(folder.read("scores.jsonl"), scores);
    QVERIFY(!folder.has("run.lock"));

    const auto again = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(again);
    QCOMPARE(verdictsOf(**again).first(), u"a#1 1 scored 1"_s);
}

void TestResultStoreWriting::explainsAPlaceThatCannotBeWritten()
{
    ResultFolder folder;
    folder.write("file", "x");
    const auto below = ResultStore::openForWriting(folder.path("file/travel"), options());
    QVERIFY(!below);
    QCOMPARE(below.error().kind, Error::Kind::Machine);
    QCOMPARE(below.error().file, folder.path("file/travel"));

    QVERIFY(QFile::link(u"/dev/full"_s, folder.path("events.jsonl")));
    const auto full = ResultStore::openForWriting(folder.path(), {identityOf("m1"), 1, false, true});
    QVERIFY(!full);
    QCOMPARE(full.error().kind, Error::Kind::Machine);
    QCOMPARE(full.error().file, folder.path("events.jsonl"));
    QVERIFY(!folder.has("run.lock"));
}

void TestResultStoreWriting::blamesTheMachineForFullDisks()
{
    ResultFolder folder;
    const FullDisk full(10);
    const auto store = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(!store);
    QCOMPARE(store.error().kind, Error::Kind::Machine);

    // As a file system that cannot be written, whoever one is.
    ResultFolder locked;
    QDir().mkpath(locked.path("run.lock"));
    const auto unlockable = ResultStore::openForWriting(locked.path(), options());
    QVERIFY(!unlockable);
    QCOMPARE(unlockable.error().kind, Error::Kind::Machine);
}

void TestResultStoreWriting::readsTheJournalFromItsCheckpoint()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::scored(0.5));
        attempt(**store, slotA, Outcome::cancelled(Phase::Agent, u"stopped"_s));
        attempt(**store, {u"b"_s, 1}, Outcome::scored(1));
    }
    // What lies before the checkpoint is not looked at any more, what is appended is.
    const QByteArray journal = folder.read("events.jsonl");
    folder.write("events.jsonl", QByteArray(journal.size() - 1, '?') + '\n' +
                                     line(Kind::Started, {u"b"_s, 1}, 2) +
                                     outcomeLine(resultOf(u"b"_s, Outcome::scored(0.25), 2)));
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QCOMPARE(verdictsOf(**store), (QStringList{u"a#1 1 scored 0.5"_s, u"b#1 2 scored 0.25"_s}));
    QCOMPARE((*store)->attempts(slotA), 2);
    QCOMPARE((*store)->attempts({u"b"_s, 1}), 2);
    QVERIFY((*store)->warnings().isEmpty());
}

void TestResultStoreWriting::distrustsACheckpointOfOtherScores()
{
    ResultFolder folder;
    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        attempt(**store, slotA, Outcome::scored(0.5));
    }
    folder.write("scores.jsonl", folder.read("scores.jsonl").replace("0.5", "1.0"));
    QCOMPARE(verdictsOf(**ResultStore::openReadOnly(folder.path())), QStringList{u"a#1 1 scored 0.5"_s});

    {
        const auto store = ResultStore::openForWriting(folder.path(), options());
        QVERIFY(store);
        QCOMPARE(*(*store)->beginAttempt(slotA), 2);
    }
    QVERIFY(!folder.read("run.json").contains("checkpoint"));
    const auto again = ResultStore::openForWriting(folder.path(), options());
    QVERIFY(again);
    QCOMPARE((*again)->warnings().size(), 1);
    QCOMPARE(verdictsOf(**again), QStringList{u"a#1 1 scored 0.5"_s});
}

void TestResultStoreWriting::refusesToWriteWhenReadOnly()
{
    ResultFolder folder;
    folder.write("scores.jsonl", line(resultOf(u"a"_s, Outcome::scored(1))));
    const auto store = ResultStore::openReadOnly(folder.path());
    QVERIFY(store);
    QVERIFY(!(*store)->beginAttempt(slotA));
    QVERIFY(!(*store)->recordPhase(slotA, 1, Phase::Agent));
    QVERIFY(!(*store)->recordOutcome(resultOf(u"a"_s, Outcome::scored(0))));
    QVERIFY(!(*store)->recordRunEvent(Kind::Stopped));
    QVERIFY(!(*store)->renewLease());
    QVERIFY((*store)->close());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList{u"scores.jsonl"_s});
}

QTEST_GUILESS_MAIN(TestResultStoreWriting)
#include "tst_resultstorewriting.moc"
