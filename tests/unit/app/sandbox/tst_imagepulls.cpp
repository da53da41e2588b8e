// SPDX-License-Identifier: GPL-3.0-or-later
//
// How an exam's images come to the engine, played by a fake one.
#include "app/process/process.h"
#include "app/sandbox/imagepulls.h"

#include "tests/support/await.h"
#include "tests/support/fakeengine.h"

#include <QSignalSpy>
#include <QTest>

using namespace proctor;
using namespace proctor::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using Kind = StepFailure::Kind;
using Pull = EvalConfig::Pull;

static const QString image = u"a/b:1"_s;
static const QString inspected =
    u"{\"Id\":\"sha256:12\",\"RepoDigests\":[\"a/b@sha256:34\"],\"Os\":\"linux\",\"Architecture\":\"amd64\"}\n"_s;
static const QString missing = u"Error response from daemon: no such image: a/b:1: No such image: a/b:1\n"_s;

/// A waiting attempt: its answer arrives some time.
struct Waiter {
    CancellationSource source;
    std::optional<Stepped<PresentImage>> answer;
    std::optional<QCoro::Task<void>> task;

    void waitFor(ImagePulls &pulls)
    {
        task = [](Waiter *self, ImagePulls *from) -> QCoro::Task<void> {
            self->answer = co_await from->provide(image, self->source.token());
        }(this, &pulls);
    }
};

class TestImagePulls : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<FakeEngine> m_engine;

    static EvalConfig::Docker docker(Pull pull = Pull::Missing)
    {
        EvalConfig::Docker made;
        made.pull = pull;
        return made;
    }

    static ImagePulls::Patience quick() { return {60s, 10ms}; }

    Stepped<PresentImage> provide(Pull pull)
    {
        ImagePulls pulls(docker(pull), quick());
        return await(pulls.provide(image, {}));
    }

private slots:
    void init() { m_engine = std::make_unique<FakeEngine>(); }
    void cleanup() { m_engine.reset(); }

    void takesWhatIsThere_data()
    {
        QTest::addColumn<int>("policy");
        QTest::newRow("missing") << static_cast<int>(Pull::Missing);
        QTest::newRow("never") << static_cast<int>(Pull::Never);
    }
    void takesWhatIsThere()
    {
        QFETCH(int, policy);
        m_engine->play(u"image inspect"_s, {said(inspected)});
        const auto found = provide(static_cast<Pull>(policy));
        QVERIFY(found);
        QCOMPARE(found->id, u"sha256:12"_s);
        QCOMPARE(found->digest, u"a/b@sha256:34"_s);
        QCOMPARE(found->platform, u"linux/amd64"_s);
        QCOMPARE(m_engine->callsWith(u"pull"_s), 0);
    }

    void pullsWhatIsMissing()
    {
        m_engine->play(u"image inspect"_s, {failed(missing), said(inspected)});
        m_engine->play(u"pull"_s, {said(u"0123456789ab: Pulling fs layer\n0123456789ab: Pull complete\n"_s)});
        ImagePulls pulls(docker(), quick());
        QSignalSpy progress(&pulls, &ImagePulls::progress);
        const auto pulled = await(pulls.provide(image, {}));
        QVERIFY2(pulled, pulled ? "" : qPrintable(pulled.error().message));
        QCOMPARE(m_engine->calls().at(1),
                 (QStringList{u"docker"_s, u"pull"_s, u"--platform"_s, u"linux/amd64"_s, image}));
        QVERIFY(!progress.isEmpty());
        QCOMPARE(progress.last().at(1).toString(), u"1 of 1 layers"_s);
    }

    void pullsForThePlatform()
    {
        QString other = inspected;
        other.replace(u"amd64"_s, u"arm64"_s);
        m_engine->play(u"image inspect"_s, {said(other), said(inspected)});
        m_engine->play(u"pull"_s, {said({})});
        QVERIFY(provide(Pull::Missing));
        QCOMPARE(m_engine->callsWith(u"pull"_s), 1);
    }

    void alwaysPulls()
    {
        m_engine->play(u"image inspect"_s, {said(inspected)});
        m_engine->play(u"pull"_s, {said({})});
        QVERIFY(provide(Pull::Always));
        QCOMPARE(m_engine->callsWith(u"pull"_s), 1);
    }

    void neverPulls()
    {
        m_engine->play(u"image inspect"_s, {failed(missing)});
        const auto found = provide(Pull::Never);
        QVERIFY(!found);
        QVERIFY(found.error().kind == Kind::Failed);
        QVERIFY(found.error().message.contains(u"docker.pull is never"_s));
    }

    void triesAgainWhatMayPass_data()
    {
        QTest::addColumn<QString>("errors");
        QTest::addColumn<int>("pulls");
        QTest::addColumn<bool>("succeeds");
        QTest::newRow("network") << u"dial tcp: lookup r on 1.1.1.1:53: no such host"_s << 3 << false;
        QTest::newRow("rate limit") << u"toomanyrequests: slow down"_s << 3 << false;
        QTest::newRow("registry") << u"received unexpected HTTP status: 503 Service Unavailable"_s << 2
                                  << true;
        QTest::newRow("not found") << u"manifest unknown"_s << 1 << false;
        QTest::newRow("not allowed") << u"unauthorized"_s << 1 << false;
        QTest::newRow("no space") << u"no space left on device"_s << 1 << false;
    }
    void triesAgainWhatMayPass()
    {
        QFETCH(QString, errors);
        QFETCH(int, pulls);
        QFETCH(bool, succeeds);
        m_engine->play(u"image inspect"_s, {failed(missing), said(inspected)});
        QList<QJsonObject> answers{failed(u"Error response from daemon: "_s + errors)};
        if (succeeds)
            answers << said({});
        m_engine->play(u"pull"_s, answers);
        const auto result = provide(Pull::Missing);
        QCOMPARE(result.hasValue(), succeeds);
        QCOMPARE(m_engine->callsWith(u"pull"_s), pulls);
        if (!succeeds)
            QVERIFY2(result.error().message.contains(errors), qPrintable(result.error().message));
    }

    void givesUpASilentPull()
    {
        m_engine->play(u"image inspect"_s, {failed(missing)});
        m_engine->play(u"pull"_s, {QJsonObject{{u"hangs"_s, true}}});
        ImagePulls pulls(docker(), {1s, 10ms});
        const auto result = await(pulls.provide(image, {}));
        QVERIFY(!result);
        QVERIFY(result.error().kind == Kind::TimedOut);
    }

    void pullsOnceForAll()
    {
        m_engine->play(u"image inspect"_s, {failed(missing), said(inspected)});
        m_engine->play(u"pull"_s, {QJsonObject{{u"seconds"_s, 0.5}}});
        ImagePulls pulls(docker(), quick());
        Waiter waiters[4];
        for (Waiter &waiter : waiters)
            waiter.waitFor(pulls);
        // One of them goes; that is nothing to the others.
        waiters[0].source.cancel(u"enough"_s);
        QTRY_VERIFY(waiters[0].answer);
        QVERIFY(waiters[0].answer->error().kind == Kind::Cancelled);
        QCOMPARE(waiters[0].answer->error().message, u"enough"_s);
        for (int i = 1; i < 4; ++i) {
            QTRY_VERIFY(waiters[i].answer);
            QVERIFY(waiters[i].answer->hasValue());
        }
        QCOMPARE(m_engine->callsWith(u"pull"_s), 1);
        // And nothing is asked again.
        const auto calls = m_engine->calls().size();
        QVERIFY(await(pulls.provide(image, {})));
        QCOMPARE(m_engine->calls().size(), calls);
        pulls.forget(image);
        QVERIFY(await(pulls.provide(image, {})));
        QVERIFY(m_engine->calls().size() > calls);
    }

    void endsThePullThatNobodyWaitsFor()
    {
        m_engine->play(u"image inspect"_s, {failed(missing), failed(missing), said(inspected)});
        m_engine->play(u"pull"_s, {QJsonObject{{u"hangs"_s, true}}, said({})});
        ImagePulls pulls(docker(), quick());
        Waiter first, second;
        first.waitFor(pulls);
        second.waitFor(pulls);
        QTRY_COMPARE(m_engine->callsWith(u"pull"_s), 1);
        first.source.cancel(u"enough"_s);
        second.source.cancel(u"enough"_s);
        QTRY_VERIFY(first.answer && second.answer);
        QTRY_COMPARE(liveProcesses(), 0);
        // Who comes later begins anew.
        const auto later = await(pulls.provide(image, {}));
        QVERIFY(later);
        QCOMPARE(m_engine->callsWith(u"pull"_s), 2);
    }

    void failsWithTheEngine()
    {
        m_engine->play(
            u"image inspect"_s,
            {failed(u"Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?"_s)});
        const auto result = provide(Pull::Missing);
        QVERIFY(!result);
        QVERIFY(result.error().message.contains(u"Cannot connect"_s));
        QCOMPARE(m_engine->callsWith(u"pull"_s), 0);
    }

    void asksPodmanAlike()
    {
        m_engine->play(
            u"image inspect"_s,
            {failed(u"Error: inspecting object: a/b:1: image not known"_s, 125),
             said(u"{\"Id\":\"12\",\"RepoDigests\":[],\"Os\":\"linux\",\"Architecture\":\"amd64\"}"_s)});
        m_engine->play(u"pull"_s, {said({})});
        EvalConfig::Docker podman = docker();
        podman.engine = EvalConfig::Engine::Podman;
        podman.context = u"far"_s;
        ImagePulls pulls(podman, quick());
        const auto result = await(pulls.provide(image, {}));
        QVERIFY(result);
        QCOMPARE(result->id, u"sha256:12"_s);
        QCOMPARE(m_engine->calls().at(1).mid(0, 4),
                 (QStringList{u"podman"_s, u"--connection"_s, u"far"_s, u"pull"_s}));
    }
};

QTEST_GUILESS_MAIN(TestImagePulls)
#include "tst_imagepulls.moc"
