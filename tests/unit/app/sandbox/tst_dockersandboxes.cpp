// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is asked of an engine before, in and after an exam, played by a fake one.
#include "app/sandbox/dockersandboxes.h"

#include "app/process/process.h"
#include "app/sandbox/dockersandbox.h"
#include "tests/support/await.h"
#include "tests/support/fakeengine.h"

#include <QElapsedTimer>
#include <QTest>

using namespace proctor;
using namespace proctor::test;
using namespace Qt::StringLiterals;

static const QString dockerInfo =
    u"{\"ServerVersion\":\"20.10.24\",\"Driver\":\"overlay2\",\"OSType\":\"linux\",\"Architecture\":\"%1\"}\n"_s;
static const QString podmanInfo =
    u"{\"host\":{\"arch\":\"amd64\",\"os\":\"linux\"},\"version\":{\"Version\":\"4.3.1\"}}\n"_s;
static const QString inspected = u"{\"Id\":\"sha256:12\",\"Os\":\"linux\",\"Architecture\":\"amd64\"}\n"_s;

class TestDockerSandboxes : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<FakeEngine> m_engine;
    EvalConfig m_config;

    static Instance instance()
    {
        Instance made;
        made.id = u"hotel_1"_s;
        made.image = u"a/b:1"_s;
        return made;
    }

    static void take(Sandbox &sandbox, StepFailure *failure)
    {
        const auto pulled = await(sandbox.pull({}));
        QVERIFY2(pulled, pulled ? "" : qPrintable(pulled.error().message));
        const auto started = await(sandbox.start({}));
        QVERIFY(!started);
        *failure = started.error();
        QCoro::waitFor(sandbox.clean());
    }

private slots:
    void init()
    {
        m_engine = std::make_unique<FakeEngine>();
        m_config = EvalConfig();
        m_engine->play(u"info"_s, {said(dockerInfo.arg(u"x86_64"_s))});
        m_engine->play(u"ps"_s, {said({})});
        m_engine->play(u"image inspect"_s, {said(inspected)});
        m_engine->play(u"rm"_s, {said({})});
    }
    void cleanup() { m_engine.reset(); }

    void isContentWithAnEngine()
    {
        DockerSandboxes sandboxes(m_config, {});
        QCOMPARE(await(sandboxes.problem({})), std::nullopt);
        QCOMPARE(sandboxes.warnings(), QStringList());
    }

    void warnsOfAnotherProcessor()
    {
        m_engine->play(u"info"_s, {said(dockerInfo.arg(u"aarch64"_s))});
        DockerSandboxes sandboxes(m_config, {});
        QCOMPARE(await(sandboxes.problem({})), std::nullopt);
        QCOMPARE(sandboxes.warnings().size(), 1);
        QVERIFY(sandboxes.warnings().first().contains(u"linux/amd64"_s));
    }

    void namesAnAbsentEngine()
    {
        m_engine->play(
            u"info"_s,
            {failed(u"Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?"_s)});
        DockerSandboxes sandboxes(m_config, {});
        const auto problem = await(sandboxes.problem({}));
        QVERIFY(problem);
        QVERIFY2(problem->contains(u"DOCKER_HOST"_s) && problem->contains(u"unix:///x"_s),
                 qPrintable(*problem));
        QCOMPARE(m_engine->callsWith(u"ps"_s), 0);
    }

    void doesNotWaitForAnEngineThatHangs()
    {
        m_engine->play(u"info"_s, {QJsonObject{{u"hangs"_s, true}}});
        DockerSandboxes sandboxes(m_config, {});
        QElapsedTimer clock;
        clock.start();
        const auto problem = await(sandboxes.problem({}));
        QVERIFY(problem);
        QVERIFY2(problem->contains(u"15 s"_s), qPrintable(*problem));
        QVERIFY(clock.elapsed() < 40'000);
    }

    void removesWhatTheDeadLeft()
    {
        ProcessIdentity dead = ProcessIdentity::current(), far = dead;
        dead.startTime += 1;
        far.machine = u"0123456789abcdef"_s;
        m_engine->play(u"ps"_s, {said(u"c1\tone\t%1\nc2\ttwo\t%2\nc3\tthree\t%3\nc4\tfour\tnonsense\n"_s.arg(
                                    dead.toText(), ProcessIdentity::current().toText(), far.toText()))});
        DockerSandboxes sandboxes(m_config, {});
        QCOMPARE(await(sandboxes.problem({})), std::nullopt);
        QCOMPARE(sandboxes.warnings().size(), 1);
        QCOMPARE(m_engine->calls().last(), (QStringList{u"docker"_s, u"rm"_s, u"-f"_s, u"-v"_s, u"c1"_s}));
    }

    void looksForTheEngineAgain()
    {
        const QString gone =
            u"Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?"_s;
        m_engine->play(u"info"_s, {failed(gone), said(dockerInfo.arg(u"x86_64"_s))});
        DockerSandboxes sandboxes(m_config, {});
        QCOMPARE(await(sandboxes.lapse({})), std::nullopt);
        QCOMPARE(m_engine->callsWith(u"info"_s), 2);
    }

    void cleansUpAfterAStartThatFailed()
    {
        m_engine->play(u"run"_s, {failed(u"docker: Error response from daemon: Conflict.\n"_s, 125)});
        DockerSandboxes sandboxes(m_config, {});
        const auto sandbox = sandboxes.make(instance());
        StepFailure failure;
        take(*sandbox, &failure);
        QVERIFY(failure.kind == StepFailure::Kind::Failed);
        QVERIFY2(failure.message.contains(u"Conflict."_s), qPrintable(failure.message));
        const QString name = sandbox->particulars().value(u"container"_s).toString();
        QCOMPARE(m_engine->calls().last(), (QStringList{u"docker"_s, u"rm"_s, u"-f"_s, u"-v"_s, name}));
    }

    void looksAgainForAnImageThatWasTakenAway()
    {
        m_engine->play(u"run"_s,
                       {failed(u"docker: Error response from daemon: No such image: a/b:1.\n"_s, 125)});
        DockerSandboxes sandboxes(m_config, {});
        for (int attempt = 1; attempt <= 2; ++attempt) {
            const auto sandbox = sandboxes.make(instance());
            StepFailure failure;
            take(*sandbox, &failure);
            QVERIFY(failure.message.contains(u"no image a/b:1"_s));
            QCOMPARE(m_engine->callsWith(u"inspect"_s), attempt);
        }
    }

    void keepsAnEntrypointWithPodman()
    {
        m_config.docker.engine = EvalConfig::Engine::Podman;
        m_config.docker.entrypoint = EvalConfig::Entrypoint::Keep;
        m_engine->play(u"info"_s, {said(podmanInfo)});
        m_engine->play(u"run -d"_s, {said(u"0123\n"_s)});
        m_engine->play(u"exec"_s,
                       {failed(u"Error: crun: executable file `python3` not found in $PATH: No such file or "
                               "directory: OCI runtime attempted to invoke a command that was not found"_s,
                               127)});
        DockerSandboxes sandboxes(m_config, {});
        QCOMPARE(await(sandboxes.problem({})), std::nullopt);
        QVERIFY(sandboxes.warnings().join(u' ').contains(u"host.docker.internal"_s));
        const auto sandbox = sandboxes.make(instance());
        StepFailure failure;
        take(*sandbox, &failure);
        QVERIFY2(failure.message.contains(u"has no python3"_s), qPrintable(failure.message));
        for (const QStringList &call : m_engine->calls())
            QCOMPARE(call.first(), u"podman"_s);
        QCOMPARE(m_engine->callsWith(u"exec"_s), 1);
        QCOMPARE(m_engine->calls().last().mid(1, 3), (QStringList{u"rm"_s, u"-f"_s, u"-v"_s}));
    }

    void everyAttemptHasItsUser()
    {
        DockerSandboxes sandboxes(m_config, {});
        const auto first = sandboxes.make(instance()), second = sandboxes.make(instance());
        const auto uid = [](const Sandbox &sandbox) { return sandbox.particulars().value(u"uid"_s).toInt(); };
        QVERIFY(uid(*first) != uid(*second));
        QVERIFY(uid(*first) >= 20'000 && uid(*first) < 40'000);
        QVERIFY(first->particulars().value(u"container"_s) != second->particulars().value(u"container"_s));
    }
};

QTEST_GUILESS_MAIN(TestDockerSandboxes)
#include "tst_dockersandboxes.moc"
