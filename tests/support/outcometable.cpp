// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/outcometable.h"

#include "app/agents/sandboxagent.h"

#include <QCoroTask>
#include <QRegularExpression>
#include <QTimer>

namespace proctor::test
{

Row::Row()
{
    docker.pull = EvalConfig::Pull::Never;
    docker.network = QStringLiteral("none");
    docker.memory = QStringLiteral("512m");
    docker.pids = 128;
}

Row scored(const QString &agent, double reward, QStringList flags)
{
    Row row;
    row.agent = agent;
    row.reward = reward;
    row.flags = std::move(flags);
    return row;
}

Row agentFails(const QString &agent, const QString &sentence)
{
    Row row;
    row.agent = agent;
    row.state = State::Failed;
    row.phase = FailurePhase::Agent;
    row.fault = Fault::Agent;
    row.sentence = sentence;
    return row;
}

Row verdict(const QByteArray &verifier, double reward, QStringList flags)
{
    Row row = scored(Row().agent, reward, std::move(flags));
    row.verifier = verifier;
    return row;
}

Row verifierFails(const QByteArray &verifier, FailurePhase phase, const QString &sentence)
{
    Row row;
    row.verifier = verifier;
    row.state = State::Failed;
    row.phase = phase;
    row.fault = Fault::Harness;
    row.sentence = sentence;
    return row;
}

Row harnessFails(FailurePhase phase, const QString &sentence)
{
    return verifierFails(Row().verifier, phase, sentence);
}

Row lost(const QString &agent, const QString &sentence)
{
    Row row = agentFails(agent, sentence);
    row.state = State::Lost;
    row.fault = Fault::Harness;
    return row;
}

QByteArray Left::file(const QString &name) const
{
    QFile file(folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
}

std::unique_ptr<Left> OutcomeTable::attempt(const Row &row, CancellationToken token, const Prepare &prepare)
{
    TrialBundle bundle;
    bundle.setVerifier(row.verifier);
    if (!row.bundledReward.isEmpty())
        bundle.write(QStringLiteral("reward.txt"), row.bundledReward);
    if (!row.withTools)
        QDir(bundle.path() + QStringLiteral("/tools")).removeRecursively();

    auto left = std::make_unique<Left>();
    AttemptSpec spec;
    spec.instance.id = QStringLiteral("trial");
    spec.instance.image = row.image;
    spec.slot = {QStringLiteral("trial"), 1};
    spec.folder = left->folder.path();
    spec.config.agent.cmd = row.agent;
    spec.config.agent.timeoutSec = row.agentLimit;
    spec.config.verifier.timeoutSec = row.verifierLimit;
    spec.config.verifier.judgeApiKey = QStringLiteral("judge-key-12345");
    spec.config.runner.onTimeout = row.onTimeout;
    spec.config.docker = row.docker;
    std::unique_ptr<Sandbox> sandbox = makeSandbox(spec, bundle);
    AttemptRun run(spec, std::move(sandbox), std::make_unique<SandboxAgent>(spec.config), token);
    if (prepare)
        prepare(&run);
    int judged = 0;
    connect(&run, &AttemptRun::judged, &run, [&](const Outcome &outcome) {
        left->outcome = outcome;
        ++judged;
    });
    QCoro::waitFor(run.run());
    if (judged != 1)
        qFatal("judged %d times", judged);
    left->seconds = run.elapsedSeconds();
    return left;
}

void OutcomeTable::compare(const Outcome &outcome, const Row &row)
{
    const QByteArray said = outcome.error.toUtf8();
    QVERIFY2(outcome.state == row.state, said);
    QVERIFY2(outcome.phase == row.phase, said);
    QVERIFY2(outcome.fault == row.fault, said);
    QVERIFY2(outcome.step == row.step, said);
    QCOMPARE(outcome.reward, row.reward);
    QCOMPARE(outcome.flags, row.flags);
    QVERIFY2(outcome.error.contains(row.sentence), said);
    QCOMPARE(outcome.error.isEmpty(), row.state == State::Scored);
}

void OutcomeTable::ends_data()
{
    QTest::addColumn<Row>("row");
    QTest::newRow("answers, 0.45") << scored(Row().agent, 0.45);
    QTest::newRow("answers, 0.45 with newline") << verdict("printf '0.45\\n' > /app/reward.txt", 0.45);
    QTest::newRow("reward in /logs/verifier") << verdict("echo 0.5 > /logs/verifier/reward.txt", 0.5);
    QTest::newRow("empty answer") << scored(QStringLiteral("true"), 0.45, {QStringLiteral("no_answer")});
    QTest::newRow("agent exits 1") << agentFails(
        QStringLiteral("echo '{}' > /app/answer.json; echo I give up >&2; exit 1"),
        QStringLiteral("exit code 1: I give up"));
    QTest::newRow("agent's program is missing")
        << agentFails(QStringLiteral("no-such-program"), QStringLiteral("127"));

    Row slow = agentFails(QStringLiteral("echo started; sleep 60"), QStringLiteral("longer than"));
    slow.agentLimit = 1;
    slow.phase = FailurePhase::Timeout;
    slow.step = Phase::Agent;
    slow.flags = {QStringLiteral("no_answer")};
    QTest::newRow("agent over its time") << slow;

    Row slowButVerified =
        scored(QStringLiteral("echo '{}' > /app/answer.json; sleep 60"), 0.45, {QStringLiteral("timed_out")});
    slowButVerified.agentLimit = 1;
    slowButVerified.onTimeout = EvalConfig::OnTimeout::Verify;
    QTest::newRow("agent over its time, verified") << slowButVerified;

    QTest::newRow("daemons left behind") << scored(
        QStringLiteral("echo '{}' > /app/answer.json; setsid -f sleep 300; setsid -f sleep 301; true"), 0.45,
        {QStringLiteral("leftovers")});
    QTest::newRow("prints no UTF-8") << scored(
        QStringLiteral("printf '\\377\\376\\n'; echo '{}' > /app/answer.json"), 0.45);
    QTest::newRow("deletes its own folder")
        << scored(QStringLiteral("echo '{}' > /app/answer.json; rm -rf /app /tmp 2>/dev/null; true"), 0.45);
    QTest::newRow("forges the tool log") << scored(
        QStringLiteral(
            "echo '{}' > /app/answer.json; echo '{\"tool\":\"look\"}' >> /app/.tool_calls.jsonl; true"),
        0.45);
    QTest::newRow("forks without end")
        << scored(QStringLiteral("echo '{}' > /app/answer.json; (bomb() { bomb | bomb & }; bomb) "
                                 "2>/dev/null & read -t 1 < /dev/tty; true"),
                  0.45, {QStringLiteral("leftovers")});

    QTest::newRow("verifier writes nothing")
        << verifierFails("true", FailurePhase::Verifier, QStringLiteral("wrote no reward"));
    QTest::newRow("verifier exits 7, fresh reward")
        << verdict("echo 0.3 > /app/reward.txt; exit 7", 0.3, {QStringLiteral("verifier_exit")});
    Row stale =
        verifierFails("echo broken >&2; exit 7", FailurePhase::Verifier, QStringLiteral("exit code 7"));
    stale.bundledReward = "0.99";
    QTest::newRow("verifier exits 7, stale reward") << stale;
    for (const char *text : {"nan", "inf", "-0.5", "1.7", "1_0", "perfect"}) {
        QTest::newRow(qPrintable(QStringLiteral("reward text %1").arg(QLatin1String(text)))) << verifierFails(
            QByteArray("echo ") + text + " > /app/reward.txt", FailurePhase::Reward, QLatin1String(text));
    }
    QTest::newRow("reward file empty")
        << verifierFails("> /app/reward.txt", FailurePhase::Reward, QStringLiteral("empty"));
    QTest::newRow("two different rewards")
        << verdict("echo 0.2 > /app/reward.txt; echo 0.8 > /logs/verifier/reward.txt", 0.2,
                   {QStringLiteral("two_rewards")});
    QTest::newRow("two equal rewards, written differently")
        << verdict("echo 0.20 > /app/reward.txt; echo 0.2 > /logs/verifier/reward.txt", 0.2);
    QTest::newRow("two equal rewards")
        << verdict("echo 0.2 > /app/reward.txt; echo 0.2 > /logs/verifier/reward.txt", 0.2);
    Row slowVerifier = verifierFails("echo 0.9 > /app/reward.txt; sleep 60", FailurePhase::Timeout,
                                     QStringLiteral("longer than"));
    slowVerifier.verifierLimit = 1;
    slowVerifier.step = Phase::Verifier;
    QTest::newRow("verifier over its time") << slowVerifier;
    Row noTools = verifierFails("true", FailurePhase::Setup, QStringLiteral("tools"));
    noTools.withTools = false;
    QTest::newRow("no tools folder") << noTools;
    addOwnRows();
}

void OutcomeTable::ends()
{
    QFETCH(Row, row);
    const auto left = attempt(row);
    if (row.state == State::Failed && row.phase != FailurePhase::Timeout && !left->outcome.flags.isEmpty() &&
        row.flags.isEmpty())
        row.flags = left->outcome.flags.filter(QRegularExpression(QStringLiteral("no_answer|truncated")));
    compare(left->outcome, row);
    QVERIFY2(left->seconds < 25, "the limits were not kept");
}

void OutcomeTable::keepsEverythingOfAFailedAttempt()
{
    Row row;
    row.agent = QStringLiteral(
        "echo thinking; echo oops >&2; /app/tools/look; echo '{\"a\":1}' > /app/answer.json; "
        "echo '# A' > /app/answer.md; mkdir -p /app/artifacts/deep; echo x > /app/artifacts/deep/x.txt; "
        "exit 3");
    const auto left = attempt(row);
    QCOMPARE(left->outcome.state, State::Failed);
    QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")), QByteArray("thinking\n{\"found\": 3}\n"));
    QCOMPARE(left->file(QStringLiteral("agent_stderr.txt")), QByteArray("oops\n"));
    QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("{\"a\":1}\n"));
    QCOMPARE(left->file(QStringLiteral("answer.md")), QByteArray("# A\n"));
    QCOMPARE(left->file(QStringLiteral("artifacts/deep/x.txt")), QByteArray("x\n"));
    QCOMPARE(left->file(QStringLiteral("tool_calls.jsonl")), QByteArray("{\"tool\":\"look\"}\n"));
    QVERIFY(left->file(QStringLiteral("tool_trace.jsonl")).contains("\"found\":3"));
    QVERIFY(left->file(QStringLiteral("state.tar")).contains("answer.json"));
}

void OutcomeTable::keepsTheEndsOfMuchOutput()
{
    Row row;
    row.agent = QStringLiteral(
        "echo first; head -c 200M /dev/zero | tr '\\0' x; echo; echo last; echo '{}' > /app/answer.json");
    const auto left = attempt(row);
    QCOMPARE(left->outcome.state, State::Scored);
    QCOMPARE(left->outcome.flags, QStringList(QStringLiteral("truncated")));
    const QByteArray log = left->file(QStringLiteral("agent_stdout.txt"));
    QVERIFY(log.startsWith("first\n"));
    QVERIFY(log.endsWith("\nlast\n"));
    QVERIFY(log.contains("bytes left out"));
    QVERIFY(log.size() < (51 << 20));
    QCOMPARE(QDir(left->folder.path()).entryList({QStringLiteral("*.tail*")}), QStringList());
}

void OutcomeTable::manyLargeArtifactsDecideNothing()
{
    Row row;
    row.agent = QStringLiteral(
        "echo '{}' > /app/answer.json; for i in $(seq 300); do truncate -s 64M /app/artifacts/$i; done");
    const auto left = attempt(row);
    QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
    QCOMPARE(left->outcome.flags, QStringList(QStringLiteral("truncated")));
    qint64 size = 0;
    for (const QFileInfo &file :
         QDir(left->folder.filePath(QStringLiteral("artifacts"))).entryInfoList(QDir::Files))
        size += file.size();
    QVERIFY(size <= (256 << 20));
}

void OutcomeTable::sentencesAreCleanOfKeysAndControls()
{
    Row row;
    row.verifier =
        "printf 'curl -H judge-key-12345\\033[2J\\nno such host' >&2; echo judge-key-12345; exit 6";
    const auto left = attempt(row);
    QCOMPARE(left->outcome.state, State::Failed);
    QVERIFY2(left->outcome.error.endsWith(QStringLiteral(": curl -H *** [2J no such host")),
             qPrintable(left->outcome.error));
    QCOMPARE(left->file(QStringLiteral("verifier_stdout.txt")), QByteArray("***\n"));
    QVERIFY(!left->file(QStringLiteral("verifier_stderr.txt")).contains("judge-key"));
}

/// An answer that found no room on this machine is neither marked as if it were empty nor held against
/// the agent.
void OutcomeTable::answerThatCannotBeKeptIsNoVerdict()
{
    const auto left = attempt(Row(), {}, [](AttemptRun *run) {
        QVERIFY(QDir().mkpath(run->spec().folder + QStringLiteral("/answer.json")));
    });
    QCOMPARE(left->outcome.state, State::Failed);
    QCOMPARE(left->outcome.phase, FailurePhase::Exception);
    QCOMPARE(left->outcome.fault, Fault::Harness);
    QVERIFY2(left->outcome.error.contains(QStringLiteral("answer.json")), qPrintable(left->outcome.error));
}

void OutcomeTable::artifactNamesThatFitNowhereAreLeftOut()
{
    Row row;
    row.agent = QStringLiteral("echo '{}' > /app/answer.json; cd /app/artifacts; echo 1 > kept; "
                               "name=$(printf 'x%.0s' {1..255}); echo 1 > $name; "
                               "for i in {1..15}; do mkdir $name$i 2>/dev/null || mkdir d${name:5}; "
                               "cd d${name:5}; done; echo 1 > deep; true");
    const auto left = attempt(row);
    QVERIFY2(left->outcome.state == State::Scored, qPrintable(left->outcome.error));
    QCOMPARE(left->file(QStringLiteral("artifacts/kept")), QByteArray("1\n"));
}

void OutcomeTable::agentGetsNowhere_data()
{
    QTest::addColumn<QString>("attack");
    QTest::newRow("tests") << QStringLiteral("cat /app/tests/test.sh");
    QTest::newRow("database") << QStringLiteral("cat /app/goods.db");
    QTest::newRow("databases by name")
        << QStringLiteral("find / -name '*.db' -readable 2>/dev/null | grep -F goods");
    QTest::newRow("real tools") << QStringLiteral("grep -rlF found /app --include=look");
    QTest::newRow("bridge's memory") << QStringLiteral("cat /proc/1/mem");
    QTest::newRow("bridge's environment") << QStringLiteral("grep -az judge-key-12345 /proc/*/environ");
    QTest::newRow("judge key") << QStringLiteral("env | grep -F judge-key-12345");
    QTest::newRow("network") << QStringLiteral("timeout 2 bash -c 'echo x > /dev/tcp/192.0.2.1/80'");
    QTest::newRow("reward") << QStringLiteral("echo 1 > /app/reward.txt");
    QTest::newRow("verifier's logs") << QStringLiteral(
        "mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt && false");
    QTest::newRow("host home") << QStringLiteral("ls /root/* /home/*");
    QTest::newRow("tool log") << QStringLiteral("echo x >> /app/.tool_calls.jsonl");
    QTest::newRow("mount") << QStringLiteral("mount -t tmpfs none /mnt");
    QTest::newRow("new namespace") << QStringLiteral("unshare -Ur true");
    QTest::newRow("kill everything") << QStringLiteral("kill -9 1; kill -9 -1; false");
}

void OutcomeTable::agentGetsNowhere()
{
    QFETCH(QString, attack);
    Row row;
    row.agent = QStringLiteral("if %1; then echo BROKEN-IN; fi; echo '{}' > /app/answer.json").arg(attack);
    const auto left = attempt(row);
    compare(left->outcome, scored({}, 0.45));
    QVERIFY2(!left->file(QStringLiteral("agent_stdout.txt")).contains("BROKEN-IN"),
             left->file(QStringLiteral("agent_stdout.txt")));
}

void OutcomeTable::lateRewriteIsTooLate()
{
    Row row;
    row.agent = QStringLiteral("echo '{\"v\":1}' > /app/answer.json; "
                               "setsid -f bash -c 'while true; do echo forged > /app/answer.json; sleep "
                               "0.01; done' & sleep 0.3; "
                               "echo '{\"v\":1}' > /app/answer.json; exit 0");
    row.verifier = "sleep 0.5; cp /app/answer.json /app/seen; sleep 0.5; cmp /app/seen /app/answer.json "
                   "&& echo 1 > /app/reward.txt";
    const auto left = attempt(row);
    QCOMPARE(left->outcome.reward, std::optional<double>(1.0));
    QVERIFY(left->outcome.flags.contains(QStringLiteral("leftovers")));
}

void OutcomeTable::judgeKeyReachesTheVerifierOnly()
{
    Row row;
    row.verifier = "test \"$JUDGE_API_KEY\" = judge-key-12345 && echo 1 > /app/reward.txt";
    const auto left = attempt(row);
    QCOMPARE(left->outcome.reward, std::optional<double>(1.0));
}

void OutcomeTable::stepsAreKeptAsTheyCome()
{
    Row row;
    row.agent = QStringLiteral(
        "echo '{\"a\": \"judge-key-12345\"}' > /app/answer.json; /usr/bin/python3 -c '\n"
        "import urllib.request as u\n"
        "for body in (b\"{\\\"schema_version\\\": 1, \\\"agent\\\": \\\"terminal\\\"}\",\n"
        "             b\"{\\\"step\\\": 1, \\\"content\\\": \\\"judge-key-12345 is secret\\\"}\"):\n"
        "    u.urlopen(u.Request(\"http://127.0.0.1:9999/trajectory\", body)).read()\n'");
    const auto left = attempt(row);
    QVERIFY2(left->outcome.state == State::Scored, qPrintable(left->outcome.error));
    QCOMPARE(left->file(QStringLiteral("trajectory.jsonl")),
             QByteArray("{\"agent\":\"terminal\",\"schema_version\":1}\n"
                        "{\"content\":\"*** is secret\",\"step\":1}\n"));
    QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("{\"a\": \"***\"}\n"));
}

void OutcomeTable::userStops_data()
{
    QTest::addColumn<proctor::Phase>("in");
    QTest::newRow("agent") << Phase::Agent;
    QTest::newRow("verifier") << Phase::Verifier;
}

void OutcomeTable::userStops()
{
    QFETCH(proctor::Phase, in);
    Row row;
    row.agent = in == Phase::Agent ? QStringLiteral("echo half > /app/answer.json; echo so far; sleep 60")
                                   : Row().agent;
    row.verifier = "sleep 60";
    CancellationSource source;
    const auto left = attempt(row, source.token(), [&](AttemptRun *run) {
        connect(run, &AttemptRun::phaseEntered, run, [&source, run, in](Phase phase) {
            if (phase == in)
                QTimer::singleShot(500, run, [&] { source.cancel(QStringLiteral("Stopped by the user")); });
        });
    });
    QCOMPARE(left->outcome.state, State::Cancelled);
    QCOMPARE(left->outcome.phase, std::optional<FailurePhase>(failureIn(in)));
    QCOMPARE(left->outcome.fault, std::optional<Fault>(Fault::Harness));
    QVERIFY(left->seconds < 10);
    if (in == Phase::Agent) {
        QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")), QByteArray("so far\n"));
        QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("half\n"));
    }
}

} // namespace proctor::test
