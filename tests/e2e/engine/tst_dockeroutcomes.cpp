// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every end that an attempt can have, in containers of a real engine: the rows of all sandboxes, and those
// that only containers have. What an engine does to a whole exam is in tst_dockerengine.cpp.
#include "app/sandbox/dockercommand.h"
#include "app/sandbox/dockersandboxes.h"
#include "tests/support/await.h"
#include "tests/support/engine.h"
#include "tests/support/outcometable.h"

#include <QCryptographicHash>
#include <QDirIterator>

#include <csignal>

using namespace proctor;
using namespace proctor::test;
using namespace Qt::StringLiterals;

class TestDockerOutcomes : public OutcomeTable
{
    Q_OBJECT

protected:
    std::unique_ptr<Sandbox> makeSandbox(AttemptSpec &spec, const TrialBundle &bundle) override
    {
        if (spec.instance.image.isEmpty())
            spec.instance.image = imageOf(bundle);
        m_sandboxes = std::make_unique<DockerSandboxes>(spec.config, spec.folder);
        if (const auto problem = await(m_sandboxes->problem({})))
            qFatal("%s", qPrintable(*problem));
        m_mark = runLabel + u'=' + OwnerMark::current(spec.folder).run;
        return m_sandboxes->make(spec.instance);
    }

    void addOwnRows() override
    {
        Row hungry = agentFails(u"echo '{}' > /app/answer.json; exec python3 -c 'x = bytearray(300 << 20)'"_s,
                                u"memory"_s);
        hungry.docker.memory = u"64m"_s;
        hungry.flags = {u"oom"_s};
        QTest::newRow("agent killed for memory") << hungry;
        Row lastCommand = hungry;
        lastCommand.agent = u"echo '{}' > /app/answer.json; python3 -c 'x = bytearray(300 << 20)'"_s;
        QTest::newRow("agent's last command killed for memory") << lastCommand;
        Row survivor = scored(lastCommand.agent + u"; true"_s, 0.45);
        survivor.docker.memory = u"64m"_s;
        QTest::newRow("agent lives on without its child") << survivor;
        QTest::newRow("agent crashes") << agentFails(u"kill -SEGV $$"_s, u"signal 11"_s);

        Row hungryVerifier =
            verifierFails("exec python3 -c 'x = bytearray(300 << 20)'", FailurePhase::Verifier, u"memory"_s);
        hungryVerifier.docker.memory = u"64m"_s;
        hungryVerifier.flags = {u"oom"_s};
        QTest::newRow("verifier killed for memory") << hungryVerifier;

        Row missing = harnessFails(FailurePhase::Pull, u"docker.pull is never"_s);
        missing.image = u"proctor-test/nosuch:1"_s;
        QTest::newRow("missing image") << missing;
        Row noPython = harnessFails(FailurePhase::Start, u"has no python3"_s);
        noPython.image = testImage(u"nopython"_s);
        QTest::newRow("image without python3") << noPython;
        Row noBundle = harnessFails(FailurePhase::Setup, u"tools"_s);
        noBundle.image = testImage(u"base"_s);
        QTest::newRow("image without a bundle") << noBundle;
        Row noStart = harnessFails(FailurePhase::Start, u"no-such-network"_s);
        noStart.docker.network = u"no-such-network"_s;
        QTest::newRow("container does not start") << noStart;
    }

private slots:
    void initTestCase() { PROCTOR_NEEDS_ENGINE(); }

    void cleanup()
    {
        if (!m_mark.isEmpty())
            QTRY_COMPARE(containersWith(m_mark), QStringList());
    }

    void cleanupTestCase()
    {
        if (!m_images.isEmpty())
            docker(QStringList{u"rmi"_s} + m_images.values());
    }

    void pullFails_data()
    {
        QTest::addColumn<QString>("repository");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("not found") << u"missing"_s << u"has no such image"_s;
        QTest::newRow("not allowed") << u"private"_s << u"log in"_s;
        QTest::newRow("hub") << u"hub"_s << u"log in"_s;
        QTest::newRow("rate limit") << u"limited"_s << u"rate limit"_s;
        QTest::newRow("other processor") << u"otherplatform"_s << u"docker.platform"_s;
    }

    void pullFails()
    {
        QFETCH(QString, repository);
        QFETCH(QString, sentence);
        FakeRegistry registry;
        QVERIFY(registry.isReady());
        Row row = harnessFails(FailurePhase::Pull, sentence);
        row.image = registry.address() + u'/' + repository + u"/a:1"_s;
        row.docker.pull = EvalConfig::Pull::Missing;
        const auto left = attempt(row);
        compare(left->outcome, row);
        QVERIFY2(left->outcome.error.contains(row.image), qPrintable(left->outcome.error));
    }

    void pullFailsForLackOfSpace()
    {
        PrivateEngine small({u"--data-size"_s, u"24m"_s});
        QVERIFY2(small.isReady(), qPrintable(small.error()));
        FakeRegistry registry;
        Row row = harnessFails(FailurePhase::Pull, u"disk is full"_s);
        row.image = registry.address() + u"/huge/a:1"_s;
        row.docker.pull = EvalConfig::Pull::Missing;
        qputenv("DOCKER_HOST", small.address().toUtf8());
        const auto left = attempt(row);
        useEngine();
        m_mark.clear();
        compare(left->outcome, row);
    }

    void pullFindsNoEngine()
    {
        Row row = harnessFails(FailurePhase::Pull, u"Cannot connect to the Docker daemon"_s);
        row.image = u"proctor-test/nosuch:1"_s;
        row.docker.pull = EvalConfig::Pull::Missing;
        const auto left =
            attempt(row, {}, [](AttemptRun *) { qputenv("DOCKER_HOST", "unix:///nonexistent.sock"); });
        useEngine();
        compare(left->outcome, row);
    }

    void startFindsNoEngine()
    {
        Row row = harnessFails(FailurePhase::Start, u"does not answer"_s);
        const auto left = attempt(row, {}, [](AttemptRun *run) {
            connect(run, &AttemptRun::phaseEntered, run, [](Phase phase) {
                if (phase == Phase::Start)
                    qputenv("DOCKER_HOST", "unix:///nonexistent.sock");
            });
        });
        useEngine();
        compare(left->outcome, row);
    }

    /// A lost client says nothing about the agent, however it went, and whatever exit code it had.
    void clientEnds_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<proctor::Phase>("in");
        QTest::newRow("SIGKILL") << SIGKILL << Phase::Agent;
        QTest::newRow("SIGTERM") << SIGTERM << Phase::Agent;
        QTest::newRow("SIGINT") << SIGINT << Phase::Agent;
        QTest::newRow("SIGHUP") << SIGHUP << Phase::Agent;
        QTest::newRow("SIGKILL, verifier") << SIGKILL << Phase::Verifier;
        QTest::newRow("SIGTERM, verifier") << SIGTERM << Phase::Verifier;
    }

    void clientEnds()
    {
        QFETCH(int, signal);
        QFETCH(proctor::Phase, in);
        lose(in, [this, signal] { signalClient(signal); });
    }

    void containerIsKilled_data()
    {
        QTest::addColumn<proctor::Phase>("in");
        QTest::newRow("agent") << Phase::Agent;
        QTest::newRow("verifier") << Phase::Verifier;
    }

    void containerIsKilled()
    {
        QFETCH(proctor::Phase, in);
        lose(in, [this] { QCOMPARE(docker({u"kill"_s, containersWith(m_mark).value(0)}).code, 0); });
    }

    void containerIsRemoved()
    {
        lose(Phase::Agent, [this] {
            QCOMPARE(docker({u"rm"_s, u"-f"_s, containersWith(m_mark).value(0)}).code, 0);
        });
    }

    /// Its own disk: an engine with little of it.
    void agentFillsItsDisk()
    {
        PrivateEngine small({u"--data-size"_s, u"400m"_s});
        QVERIFY2(small.isReady(), qPrintable(small.error()));
        qputenv("DOCKER_HOST", small.address().toUtf8());
        const auto ours = std::exchange(m_images, {});
        Row row = agentFails(u"head -c 1G /dev/zero > /tmp/big"_s, u"No space left"_s);
        QVERIFY(small.makeImages());
        const auto left = attempt(row);
        m_images = ours;
        m_mark.clear();
        useEngine();
        row.flags = {u"no_answer"_s};
        compare(left->outcome, row);
    }

private:
    /// Where the agent or the verifier is at work, `blow` takes its sandbox away.
    void lose(Phase in, const std::function<void()> &blow)
    {
        Row row = lost(u"echo '{}' > /app/answer.json; echo at work"_s, {});
        row.phase = failureIn(in);
        if (in == Phase::Agent)
            row.agent += u"; sleep 60"_s;
        row.verifier = "echo 1.0 > /app/reward.txt; echo at work; sleep 60";
        const auto left = attempt(row, {}, [&](AttemptRun *run) {
            const auto blown = std::make_shared<bool>(false);
            const LogKind kind = in == Phase::Agent ? LogKind::AgentOutput : LogKind::Verifier;
            connect(run, &AttemptRun::logged, run, [=](LogKind logged) {
                if (logged == kind && !std::exchange(*blown, true))
                    blow();
            });
        });
        compare(left->outcome, row);
        QVERIFY2(left->seconds < 30, qPrintable(QString::number(left->seconds)));
        if (in == Phase::Agent)
            QCOMPARE(left->file(u"agent_stdout.txt"_s), QByteArray("at work\n"));
    }

    void signalClient(int signal)
    {
        const QByteArray container = containersWith(m_mark).value(0).toUtf8();
        QVERIFY(!container.isEmpty());
        int signalled = 0;
        QDirIterator processes(u"/proc"_s, QDir::Dirs);
        while (processes.hasNext()) {
            const QString path = processes.next();
            const QList<QByteArray> words = contentOf(path + u"/cmdline"_s).split('\0');
            if (words.first().endsWith("docker") && words.contains(container)) {
                ::kill(static_cast<pid_t>(path.section(u'/', -1).toLongLong()), signal);
                ++signalled;
            }
        }
        QCOMPARE(signalled, 1);
    }

    /// One image for all trials with the same bundle.
    QString imageOf(const TrialBundle &bundle)
    {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        QMap<QString, QByteArray> files;
        QDirIterator all(bundle.path(), QDir::Files, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            const QString path = all.next();
            files.insert(path.mid(bundle.path().size()), contentOf(path));
        }
        for (const auto &[name, content] : files.asKeyValueRange()) {
            hash.addData(name.toUtf8() + '\0' + QByteArray::number(content.size()) + '\0');
            hash.addData(content);
        }
        const QString name = u"trial-"_s + QString::fromLatin1(hash.result().toHex().left(16));
        if (!m_images.contains(name)) {
            const QString problem = makeTestImage(name, bundle.path());
            if (!problem.isEmpty())
                qFatal("%s", qPrintable(problem));
            m_images.insert(name, testImage(name));
        }
        return testImage(name);
    }

    std::unique_ptr<DockerSandboxes> m_sandboxes;
    QString m_mark;
    QHash<QString, QString> m_images;
};

QTEST_GUILESS_MAIN(TestDockerOutcomes)
#include "tst_dockeroutcomes.moc"
