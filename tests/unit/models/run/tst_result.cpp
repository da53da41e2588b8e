// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/result.h"

#include <QTest>

using namespace proctor;

namespace
{

Result read(const QByteArray &json)
{
    const auto result = Result::fromJson(json);
    return result ? *result : Result{};
}

} // namespace

class TestResult : public QObject
{
    Q_OBJECT

private slots:
    void writesEveryNameOnce();
    void writesThePeersMembersFirst();
    void indentsTheFile();
    void survivesARoundTrip_data();
    void survivesARoundTrip();
    void keepsUnknownMembers();
    void readsThePeersRecords_data();
    void readsThePeersRecords();
    void tellsWhoseTimeWasUp_data();
    void tellsWhoseTimeWasUp();
    void refusesBrokenRecords_data();
    void refusesBrokenRecords();
};

void TestResult::writesThePeersMembersFirst()
{
    Result result;
    result.instanceId = QString::fromUtf8("酒店 \"1\"");
    result.runId = 2;
    result.outcome =
        Outcome::timedOut(Phase::Agent, QStringLiteral("too long"), {QStringLiteral("truncated")});
    result.durationSec = 7.25;
    result.attempt = 3;
    QCOMPARE(
        result.toJsonLine(),
        QByteArray(
            "{\"instance_id\": \"酒店 \\\"1\\\"\", \"domain\": null, \"run_id\": 2, \"reward\": null, "
            "\"error\": \"too long\", \"phase\": \"timeout\", \"duration_sec\": 7.2, \"state\": \"failed\", "
            "\"fault\": \"agent\", \"step\": \"agent\", \"flags\": [\"truncated\"], \"attempt\": 3}"));

    Result scored;
    scored.instanceId = QStringLiteral("a");
    scored.domain = QStringLiteral("hotel");
    scored.outcome = Outcome::scored(1);
    QCOMPARE(scored.toJsonLine(),
             QByteArray("{\"instance_id\": \"a\", \"domain\": \"hotel\", \"reward\": 1.0, \"error\": null, "
                        "\"duration_sec\": 0.0, \"state\": \"scored\", \"attempt\": 1}"));
}

void TestResult::indentsTheFile()
{
    Result result;
    result.instanceId = QStringLiteral("a");
    result.domain = QString();
    result.outcome = Outcome::scored(0.5);
    QCOMPARE(
        result.toJsonFile(),
        QByteArray(
            "{\n  \"instance_id\": \"a\",\n  \"domain\": \"\",\n  \"reward\": 0.5,\n  \"error\": null,\n  "
            "\"duration_sec\": 0.0,\n  \"state\": \"scored\",\n  \"attempt\": 1\n}"));
}

void TestResult::survivesARoundTrip_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("scored") << Outcome::scored(0.1 + 0.2, {QStringLiteral("no_answer")});
    QTest::newRow("agent failed") << Outcome::failed(FailurePhase::Agent, QStringLiteral("agent exit 1"));
    QTest::newRow("outputs") << Outcome::failed(FailurePhase::Outputs, QStringLiteral("missing"));
    QTest::newRow("verifier timeout") << Outcome::timedOut(Phase::Verifier, QStringLiteral("over its time"));
    QTest::newRow("cancelled") << Outcome::cancelled(Phase::Verifier, QStringLiteral("stopped by the user"));
    QTest::newRow("lost") << Outcome::lost(Phase::Clean, QStringLiteral("Proctor ended"));
    QTest::newRow("not run") << Outcome{};
}

void TestResult::survivesARoundTrip()
{
    QFETCH(Outcome, outcome);
    Result result;
    result.instanceId = QStringLiteral("i/ü");
    result.domain = QStringLiteral("d");
    result.runId = 4;
    result.outcome = outcome;
    result.durationSec = 12.5;
    result.attempt = 2;
    result.extra = R"({"cost": 1.10})";
    const Result again = read(result.toJsonLine());
    QCOMPARE(again.toJsonLine(), result.toJsonLine());
    QVERIFY(again == result);
    QVERIFY(read(result.toJsonFile()) == result);
}

void TestResult::keepsUnknownMembers()
{
    const Result result =
        read(R"({"tokens": 123456789012345678901234567890, "instance_id": "a", "reward": 1,)"
             R"( "nested":{"x": [1.10, NaN]}, "error": null, "phase": "unheard"})");
    QVERIFY(result.toJsonLine().endsWith(
        R"("attempt": 1, "tokens": 123456789012345678901234567890, "nested": {"x": [1.10, NaN]}, "phase": "unheard"})"));
    QCOMPARE(read(result.toJsonLine()).toJsonLine(), result.toJsonLine());
}

void TestResult::readsThePeersRecords_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<Outcome>("outcome");
    const auto invalid = [](const char *text) {
        return Outcome::failed(FailurePhase::Reward,
                               QStringLiteral("invalid reward: ") + QString::fromUtf8(text));
    };
    QTest::newRow("score") << QByteArray(R"("reward": 0.45, "error": null)") << Outcome::scored(0.45);
    QTest::newRow("integer") << QByteArray(R"("reward": 1, "error": null)") << Outcome::scored(1);
    QTest::newRow("zero") << QByteArray(R"("reward": 0.0)") << Outcome::scored(0);
    QTest::newRow("agent") << QByteArray(R"("reward": null, "error": "agent exit 1: ", "phase": "agent")")
                           << Outcome::failed(FailurePhase::Agent, QStringLiteral("agent exit 1: "));
    QTest::newRow("pull") << QByteArray(R"("reward": null, "error": "pull failed: x", "phase": "pull")")
                          << Outcome::failed(FailurePhase::Pull, QStringLiteral("pull failed: x"));
    for (const char *text : {"NaN", "Infinity", "-Infinity", "-0.5", "1.7", "true", "\"0.5\"", "[0.5]", "{}"})
        QTest::newRow(text) << QByteArray("\"reward\": ") + text + ", \"error\": null" << invalid(text);
    Outcome unexplained;
    unexplained.state = State::Failed;
    unexplained.fault = Fault::Harness;
    QTest::newRow("no phase") << QByteArray(R"("reward": null, "error": null)") << unexplained;
    QTest::newRow("no reward") << QByteArray(R"("duration_sec": 1.0)") << unexplained;
    QTest::newRow("last of two counts")
        << QByteArray(R"("reward": "x", "reward": 0.5)") << Outcome::scored(0.5);
}

void TestResult::readsThePeersRecords()
{
    QFETCH(QByteArray, members);
    QFETCH(Outcome, outcome);
    const auto result = Result::fromJson("{\"instance_id\": \"a\", \"domain\": null, " + members + '}');
    QVERIFY(result);
    QCOMPARE(toWord(result->outcome.state), toWord(outcome.state));
    QCOMPARE(result->outcome.error, outcome.error);
    QVERIFY(result->outcome == outcome);
    QVERIFY(!result->domain);
    QVERIFY(!result->runId);
    QCOMPARE(result->slot().run, 1);
}

void TestResult::tellsWhoseTimeWasUp_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<Phase>("step");
    QTest::addColumn<Fault>("fault");
    QTest::newRow("pull") << "['docker', 'pull', 'x']" << Phase::Pull << Fault::Harness;
    QTest::newRow("run") << "['docker', 'run', '-d']" << Phase::Start << Fault::Harness;
    QTest::newRow("copy") << "['docker', 'cp', 'x']" << Phase::Setup << Fault::Harness;
    QTest::newRow("agent in the container")
        << "['docker', 'exec', 'n', 'bash', '-c', \"su agent -c 'python3 x'\"]" << Phase::Agent
        << Fault::Agent;
    QTest::newRow("agent on the host") << "['python3', 'agent.py']" << Phase::Agent << Fault::Agent;
    QTest::newRow("verifier") << "['docker', 'exec', 'n', 'bash', '-c', 'cd /app && bash tests/test.sh']"
                              << Phase::Verifier << Fault::Harness;
}

void TestResult::tellsWhoseTimeWasUp()
{
    QFETCH(QString, command);
    const QString error = QStringLiteral("timeout: Command '%1' timed out after 5 seconds").arg(command);
    QByteArray line = R"({"instance_id": "a", "reward": null, "phase": "timeout", "error": ")";
    line += QString(error).replace(QLatin1Char('"'), QLatin1String("\\\"")).toUtf8() + "\"}";
    const Result result = read(line);
    QCOMPARE(result.outcome.error, error);
    QVERIFY(result.outcome.step);
    QTEST(*result.outcome.step, "step");
    QTEST(*result.outcome.fault, "fault");
}

void TestResult::refusesBrokenRecords_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("cut") << QByteArray(R"({"instance_id": "a", "rew)");
    QTest::newRow("number") << QByteArray("3");
    QTest::newRow("list") << QByteArray("[]");
    QTest::newRow("no id") << QByteArray(R"({"reward": 1.0})");
    QTest::newRow("id is null") << QByteArray(R"({"instance_id": null, "reward": 1.0})");
    QTest::newRow("two in one line") << QByteArray(R"({"instance_id": "a"}{"instance_id": "b"})");
}

void TestResult::refusesBrokenRecords()
{
    QFETCH(QByteArray, json);
    const auto result = Result::fromJson(json);
    QVERIFY(!result);
    QVERIFY(!result.error().message.isEmpty());
}

void TestResult::writesEveryNameOnce()
{
    // An unknown phase beside a reward that is none: the phase is the reward's, and is written once.
    const auto read = Result::fromJson(R"({"instance_id":"x","reward":2.0,"phase":"sleep","colour":"red"})");
    QVERIFY(read.hasValue());
    const QByteArray line = read->toJsonLine();
    QCOMPARE(line.count("\"phase\""), 1);
    QVERIFY(line.contains("\"colour\": \"red\""));
    const auto again = Result::fromJson(line);
    QVERIFY(again.hasValue());
    QCOMPARE(again->toJsonLine(), line);
    // Alone it stays, for whoever knows it.
    const auto kept = Result::fromJson(R"({"instance_id":"x","reward":null,"phase":"sleep"})");
    QVERIFY(kept.hasValue());
    QVERIFY(kept->toJsonLine().contains("\"phase\": \"sleep\""));
}

QTEST_GUILESS_MAIN(TestResult)
#include "tst_result.moc"
