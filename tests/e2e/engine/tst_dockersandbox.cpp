// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attempts in containers of a real engine: what they end in, and that nothing of them is left.
#include "app/agents/sandboxagent.h"
#include "app/runner/attemptrun.h"
#include "app/sandbox/dockercommand.h"
#include "app/sandbox/dockersandboxes.h"
#include "app/sandbox/leftcontainers.h"

#include "tests/support/await.h"
#include "tests/support/engine.h"

#include <QDirIterator>
#include <QTest>

#include <csignal>

using namespace proctor;
using namespace proctor::test;
using namespace Qt::StringLiterals;

namespace
{

const QString agentKey = u"agent-key-4711"_s;
const QString judgeKey = u"judge-key-0815"_s;

/// One attempt in the middle of which a test may do something.
struct Trial {
    QString image = testImage(u"base"_s);
    QString command = u"true"_s;
    EvalConfig config;
    QTemporaryDir folder;
    CancellationSource source;
    Outcome outcome;
    QJsonObject particulars;
    QString problem;

    Trial()
    {
        config.runner.sandbox = EvalConfig::SandboxKind::Docker;
        config.docker.pull = EvalConfig::Pull::Never;
        config.docker.network = u"none"_s;
        config.docker.memory = u"256m"_s;
        config.agent.timeoutSec = 60;
        config.agent.llmApiKey = agentKey;
        config.verifier.timeoutSec = 60;
        config.verifier.judgeApiKey = judgeKey;
    }

    QString runMark() const { return runLabel + u'=' + OwnerMark::current(folder.path()).run; }
    QStringList containers() const { return containersWith(runMark()); }

    /// `meanwhile` is called once, when the agent is at work.
    void run(const std::function<void()> &meanwhile = {})
    {
        DockerSandboxes sandboxes(config, folder.path());
        const auto obstacle = await(sandboxes.problem({}));
        if (obstacle) {
            problem = *obstacle;
            return;
        }
        AttemptSpec spec;
        spec.instance.id = u"trial"_s;
        spec.instance.image = image;
        spec.slot = {u"trial"_s, 1};
        spec.folder = folder.path();
        spec.config = config;
        spec.config.agent.cmd = command;
        AttemptRun attempt(spec, sandboxes.make(spec.instance), std::make_unique<SandboxAgent>(spec.config),
                           source.token());
        QObject::connect(&attempt, &AttemptRun::judged, &attempt, [&](const Outcome &judged) {
            outcome = judged;
            particulars = attempt.particulars().value(u"sandbox"_s).toObject();
        });
        // What the agent prints tells that it is at work; the rest of the attempt waits for it.
        bool isMeanwhile = !meanwhile;
        QObject::connect(&attempt, &AttemptRun::logged, &attempt, [&](LogKind, const QByteArray &) {
            if (!std::exchange(isMeanwhile, true))
                meanwhile();
        });
        QCoro::waitFor(attempt.run());
    }
};

/// Command lines of all processes of this machine.
QByteArray commandLines()
{
    QByteArray all;
    QDirIterator processes(u"/proc"_s, QDir::Dirs);
    while (processes.hasNext())
        all += contentOf(processes.next() + u"/cmdline"_s) + '\n';
    return all;
}

qint64 clientOf(const QString &container)
{
    QDirIterator processes(u"/proc"_s, QDir::Dirs);
    while (processes.hasNext()) {
        const QString path = processes.next();
        const QList<QByteArray> words = contentOf(path + u"/cmdline"_s).split('\0');
        if (words.first().endsWith("docker") && words.contains(container.toUtf8()))
            return path.section(u'/', -1).toLongLong();
    }
    return 0;
}

} // namespace

#define COMPARE_FAILURE(trial, expectedState, expectedFault, part)                                           \
    do {                                                                                                     \
        QVERIFY2(trial.problem.isEmpty(), qPrintable(trial.problem));                                        \
        const QByteArray said = toWord(trial.outcome.state).toUtf8() + ": " + trial.outcome.error.toUtf8();  \
        QVERIFY2(trial.outcome.state == expectedState, said);                                                \
        QVERIFY2(trial.outcome.fault == expectedFault, said);                                                \
        QVERIFY2(trial.outcome.error.contains(part), said);                                                  \
        QTRY_VERIFY(trial.containers().isEmpty());                                                           \
    } while (false)

class TestDockerSandbox : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { PROCTOR_NEEDS_ENGINE(); }
    void cleanup() { QCOMPARE(liveProcesses(), 0); }

    void scores_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<bool>("keeps");
        const QStringList demo = demoInstances();
        QTest::newRow("one layout") << demo.first() << false;
        QTest::newRow("the other layout") << demo.last() << false;
        QTest::newRow("oddtools") << u"oddtools"_s << false;
        QTest::newRow("its own entrypoint") << u"entrypoint"_s << true;
        QTest::newRow("an entrypoint replaced") << u"entrypoint"_s << false;
        QTest::newRow("stale rewards") << u"stale"_s << false;
    }
    void scores()
    {
        QFETCH(QString, image);
        QFETCH(bool, keeps);
        Trial trial;
        trial.image = testImage(image);
        trial.command = u"echo '{}' > /app/answer.json; id -u"_s;
        if (keeps)
            trial.config.docker.entrypoint = EvalConfig::Entrypoint::Keep;
        trial.run();
        QVERIFY2(trial.problem.isEmpty(), qPrintable(trial.problem));
        QVERIFY2(trial.outcome.state == State::Scored, qPrintable(trial.outcome.error));
        QVERIFY(*trial.outcome.reward < 1);
        QCOMPARE(contentOf(trial.folder.filePath(u"agent_stdout.txt"_s)).trimmed(),
                 QByteArray::number(trial.particulars.value(u"uid"_s).toInt()));
        QCOMPARE(trial.particulars.value(u"kind"_s).toString(), u"docker"_s);
        QVERIFY(trial.particulars.value(u"image_id"_s).toString().startsWith(u"sha256:"_s));
        QCOMPARE(trial.particulars.value(u"limits"_s).toObject().value(u"memory"_s).toString(), u"256m"_s);
        QTRY_VERIFY(trial.containers().isEmpty());
    }

    void asksTheServiceOfAKeptEntrypoint()
    {
        Trial trial;
        trial.image = testImage(u"entrypoint"_s);
        trial.config.docker.entrypoint = EvalConfig::Entrypoint::Keep;
        trial.command = u"ask_service; echo '{}' > /app/answer.json"_s;
        trial.run();
        QVERIFY2(trial.outcome.state == State::Scored, qPrintable(trial.outcome.error));
        QTRY_VERIFY(trial.containers().isEmpty());
    }

    void needsPython()
    {
        Trial trial;
        trial.image = testImage(u"nopython"_s);
        trial.run();
        COMPARE_FAILURE(trial, State::Failed, Fault::Harness, u"has no python3"_s);
        QCOMPARE(trial.outcome.phase, FailurePhase::Start);
    }

    void needsTheImage()
    {
        Trial trial;
        trial.image = u"proctor-test/nosuch:1"_s;
        trial.run();
        COMPARE_FAILURE(trial, State::Failed, Fault::Harness, u"docker.pull is never"_s);
        QCOMPARE(trial.outcome.phase, FailurePhase::Pull);
    }

    void agentOutOfMemory()
    {
        Trial trial;
        trial.image = testImage(demoInstances().first());
        trial.config.docker.memory = u"64m"_s;
        trial.command = u"exec python3 -c 'x = bytearray(300 << 20)'"_s;
        trial.run();
        COMPARE_FAILURE(trial, State::Failed, Fault::Agent, u"memory"_s);
        QCOMPARE(trial.outcome.phase, FailurePhase::Agent);
        QVERIFY(trial.outcome.flags.contains(u"oom"_s));
    }

    void killedFromOutside()
    {
        Trial trial;
        trial.image = testImage(demoInstances().first());
        trial.command = u"echo at work; sleep 60"_s;
        trial.run([&] { docker({u"kill"_s, trial.containers().value(0)}); });
        COMPARE_FAILURE(trial, State::Lost, Fault::Harness, u"outside"_s);
    }

    void clientKilled()
    {
        Trial trial;
        trial.image = testImage(demoInstances().first());
        trial.command = u"echo at work; sleep 60"_s;
        trial.run([&] {
            const qint64 client = clientOf(trial.containers().value(0));
            QVERIFY(client > 0);
            ::kill(static_cast<pid_t>(client), SIGKILL);
        });
        COMPARE_FAILURE(trial, State::Lost, Fault::Harness, u"signal 9"_s);
    }

    void stopped_data()
    {
        QTest::addColumn<bool>("keeps");
        QTest::newRow("replace") << false;
        QTest::newRow("keep") << true;
    }
    void stopped()
    {
        QFETCH(bool, keeps);
        Trial trial;
        trial.image = testImage(keeps ? u"entrypoint"_s : demoInstances().first());
        if (keeps)
            trial.config.docker.entrypoint = EvalConfig::Entrypoint::Keep;
        trial.command = u"echo at work; sleep 60"_s;
        trial.run([&] { trial.source.cancel(u"Enough"_s); });
        COMPARE_FAILURE(trial, State::Cancelled, Fault::Harness, u"Enough"_s);
    }

    void showsNoSecret()
    {
        Trial trial;
        trial.image = testImage(demoInstances().first());
        trial.config.docker.network = u"bridge"_s;
        trial.command = u"echo at work; read -t 60 line < <(sleep 2); echo '{}' > /app/answer.json"_s;
        QByteArray seen;
        trial.run([&] {
            seen = docker({u"inspect"_s, trial.containers().value(0)}).out + commandLines();
            QVERIFY(seen.contains("proctor.owner"));
        });
        QVERIFY2(trial.outcome.state == State::Scored, qPrintable(trial.outcome.error));
        QVERIFY(!seen.isEmpty());
        QVERIFY(!seen.contains(agentKey.toUtf8()) && !seen.contains(judgeKey.toUtf8()));
    }

    void namesAnEngineThatIsNotThere()
    {
        Trial trial;
        trial.config.docker.context = u"nosuch"_s;
        trial.run();
        QVERIFY2(trial.problem.contains(u"docker.context"_s), qPrintable(trial.problem));
    }

    void removesWhatTheDeadLeft()
    {
        const ProcessIdentity self = ProcessIdentity::current();
        ProcessIdentity dead = self, far = self;
        dead.startTime += 1;
        far.machine = u"0123456789abcdef"_s;
        const QString mark = u"proctor-test.cleanup=%1"_s.arg(self.pid);
        const QList<std::pair<QString, ProcessIdentity>> owners{
            {u"dead"_s, dead}, {u"alive"_s, self}, {u"far"_s, far}};
        for (const auto &[name, owner] : owners) {
            const ProgramEnd made =
                docker({u"run"_s, u"-d"_s, u"--network"_s, u"none"_s, u"--name"_s, nameOf(name), u"--label"_s,
                        mark, u"--label"_s, ownerLabel + u'=' + owner.toText(), testImage(u"base"_s),
                        u"sleep"_s, u"300"_s});
            QCOMPARE(made.code, 0);
        }
        const auto found = await(findLeftContainers({}, LeftContainer::Choice::OfTheDead));
        QVERIFY(namesOf(found).contains(nameOf(u"dead"_s)));
        QVERIFY(!namesOf(found).contains(nameOf(u"far"_s)) && !namesOf(found).contains(nameOf(u"alive"_s)));
        const auto all = await(findLeftContainers({}, LeftContainer::Choice::NotOfTheLiving));
        QVERIFY(namesOf(all).contains(nameOf(u"far"_s)) && !namesOf(all).contains(nameOf(u"alive"_s)));

        const auto removed = await(removeLeftContainers({}, LeftContainer::Choice::OfTheDead));
        QCOMPARE(removed.problems, QStringList());
        QStringList left = containersWith(mark);
        left.sort();
        QCOMPARE(left, (QStringList{nameOf(u"alive"_s), nameOf(u"far"_s)}));
        docker({u"rm"_s, u"-f"_s, nameOf(u"alive"_s), nameOf(u"far"_s)});
    }

private:
    static QString nameOf(const QString &kind)
    {
        return u"proctor-test-%1-%2"_s.arg(kind).arg(QCoreApplication::applicationPid());
    }

    static QStringList namesOf(const LeftContainers &left)
    {
        QStringList names;
        for (const LeftContainer &container : left.containers)
            names << container.name;
        return names;
    }
};

QTEST_GUILESS_MAIN(TestDockerSandbox)
#include "tst_dockersandbox.moc"
