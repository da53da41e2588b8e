// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ground that the tests on a real engine stand on: the engine, its images, the registries, and the words
// with which a pull fails.
#include "tests/support/engine.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <csignal>
#include <map>

using namespace proctor::test;
using namespace Qt::StringLiterals;

namespace
{

QStringList inImage(const QString &image, const QStringList &command)
{
    return QStringList{QStringLiteral("run"),   QStringLiteral("--rm"),      QStringLiteral("--pull"),
                       QStringLiteral("never"), QStringLiteral("--network"), QStringLiteral("none"),
                       testImage(image)} +
           command;
}

} // namespace

class TestEngine : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void imagesAreThere();
    void images_data();
    void images();
    void entrypointServes();
    void containersReachTheBridgeAlone();
    void pushAndPull();
    void pullFails_data();
    void pullFails();
    void pullFailsForLackOfSpace();
    void pullsThatWorkOnTheSecondTry_data();
    void pullsThatWorkOnTheSecondTry();
    void slowPullIsThrottled();
    void engineCanBeFrozenAndKilled();

private:
    /// One for each way to log in: "fake" needs none.
    FakeRegistry &fakeRegistry(const QString &login);

    static constexpr int quick = 20'000;
    std::map<QString, std::unique_ptr<FakeRegistry>> m_fakes;
};

void TestEngine::initTestCase()
{
    PROCTOR_NEEDS_ENGINE();
    const ProgramEnd end = docker({u"version"_s, u"--format"_s, u"{{.Server.Version}}"_s});
    QVERIFY2(end.code == 0, end.err.constData());
}

FakeRegistry &TestEngine::fakeRegistry(const QString &login)
{
    std::unique_ptr<FakeRegistry> &fake = m_fakes[login];
    if (!fake)
        fake = std::make_unique<FakeRegistry>(login == u"fake" ? QStringList()
                                                               : QStringList{u"--auth"_s, login});
    return *fake;
}

void TestEngine::imagesAreThere()
{
    QStringList names = demoInstances();
    QCOMPARE(names.size(), 12);
    names += {u"base"_s, u"nopython"_s, u"entrypoint"_s, u"stale"_s, u"oddtools"_s, u"workdir"_s};
    QStringList command{u"image"_s, u"inspect"_s, u"--format"_s, u"{{.Id}}"_s};
    for (const QString &name : names)
        command += testImage(name);
    const ProgramEnd end = docker(command);
    QVERIFY2(end.code == 0, end.err.constData());
}

void TestEngine::images_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("answer");

    QTest::newRow("python3 with its library")
        << u"base"_s
        << u"python3 -c 'import json, http.server, sqlite3, tarfile, ctypes, resource; print(1)'"_s << u"1"_s;
    QTest::newRow("no python3") << u"nopython"_s << u"command -v python3 || command -v python || echo none"_s
                                << u"none"_s;
    QTest::newRow("first layout") << u"hotel_hangzhou_lake_001"_s << u"pwd; ls tools/search_hotels"_s
                                  << u"/app\ntools/search_hotels"_s;
    QTest::newRow("second layout") << u"food_olive_oil_004"_s << u"ls environment/tools/shop.db"_s
                                   << u"environment/tools/shop.db"_s;
    QTest::newRow("stale rewards") << u"stale"_s << u"cat /app/reward.txt /logs/verifier/reward.txt"_s
                                   << u"1.0\n1.0"_s;
    QTest::newRow("WORKDIR") << u"workdir"_s << u"pwd; ls"_s << u"/srv/work\nREADME.txt"_s;
    for (const auto &[tool, answer] :
         std::map<QString, QString>{{u"absolute"_s, u"{\"linked\": \"a\"}"_s},
                                    {u"relative"_s, u"{\"linked\": \"a\"}"_s},
                                    {u"price"_s, u"{\"price\": 12.5}"_s},
                                    {u"stock"_s, u"{\"stock\": 3}"_s},
                                    {u"beside"_s, u"{\"beside\": true}"_s},
                                    {u"above"_s, u"{\"above\": \"seven words\"}"_s},
                                    {u"importing"_s, u"{\"importing\": [\"a\"]}"_s}})
        QTest::addRow("odd tool %s", qPrintable(tool))
            << u"oddtools"_s << u"environment/tools/"_s + tool + u" a"_s << answer;
}

void TestEngine::images()
{
    QFETCH(QString, image);
    QFETCH(QString, script);
    QFETCH(QString, answer);
    const ProgramEnd end = docker(inImage(image, {u"bash"_s, u"-c"_s, script}));
    QVERIFY2(end.code == 0, end.err.constData());
    QCOMPARE(QString::fromUtf8(end.out).trimmed(), answer);
}

void TestEngine::entrypointServes()
{
    const ProgramEnd end = docker(
        inImage(u"entrypoint"_s,
                {u"bash"_s, u"-c"_s,
                 u"exec 3<>/dev/tcp/127.0.0.1/8123; printf 'GET /why HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3"_s}));
    QVERIFY2(end.code == 0, end.err.constData());
    QVERIFY2(end.out.endsWith("{\"service\": \"up\", \"uid\": 65534, \"asked\": \"/why\"}"),
             end.out.constData());
}

void TestEngine::containersReachTheBridgeAlone()
{
    PROCTOR_NEEDS_BRIDGE_ADDRESS();
    const QString script =
        QStringLiteral("grep -c '^%1\\s.*host.docker.internal' /etc/hosts;"
                       "timeout 2 bash -c 'exec 3<>/dev/tcp/1.1.1.1/80' 2>/dev/null && echo outside;"
                       "timeout 2 bash -c 'exec 3<>/dev/tcp/%1/9' 2>&1 | grep -o refused | head -n 1")
            .arg(bridgeAddress());
    const ProgramEnd end =
        docker({u"run"_s, u"--rm"_s, u"--pull"_s, u"never"_s, u"--add-host"_s,
                u"host.docker.internal:host-gateway"_s, testImage(u"base"_s), u"bash"_s, u"-c"_s, script});
    QCOMPARE(end.out, QByteArray("1\nrefused\n"));
}

void TestEngine::pushAndPull()
{
    RealRegistry registry;
    QVERIFY(registry.isReady());
    QVERIFY(registry.take(testImage(u"workdir"_s), u"exam/workdir:1"_s));
    const QString image = registry.address() + u"/exam/workdir:1"_s;
    QVERIFY(docker({u"image"_s, u"inspect"_s, image}).code != 0);
    const ProgramEnd end = docker({u"pull"_s, u"-q"_s, image});
    QVERIFY2(end.code == 0, end.err.constData());
    QCOMPARE(docker({u"run"_s, u"--rm"_s, u"--network"_s, u"none"_s, image, u"pwd"_s}).out,
             QByteArray("/srv/work\n"));

    // The other registry hands out the same image under a repository that can be slow or fail at first.
    FakeRegistry throttled({u"--upstream"_s, u"http://"_s + registry.address()});
    QVERIFY(throttled.isReady());
    const QString second = throttled.address() + u"/slow/exam/workdir:1"_s;
    QCOMPARE(docker({u"pull"_s, u"-q"_s, second}).code, 0);
    QCOMPARE(throttled.requests(u"HEAD"_s, u"/manifests/"_s), 1);
    QCOMPARE(docker({u"rmi"_s, image, second}).code, 0);
}

void TestEngine::pullFails_data()
{
    QTest::addColumn<QString>("registry");
    QTest::addColumn<QString>("repository");
    QTest::addColumn<QString>("words");

    QFile file(QStringLiteral(PROCTOR_TEST_DATA "/docker/pull_errors.tsv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QByteArray &line : file.readAll().trimmed().split('\n')) {
        const QStringList fields = QString::fromUtf8(line).split(u'\t');
        const QStringList how = fields.at(1).split(u' ');
        if (how.first() == u"fake" || how.first() == u"bearer" || how.first() == u"basic")
            QTest::addRow("%s", qPrintable(fields.at(1))) << how.first() << how.last() << fields.at(2);
    }
}

// The sentences are the engine's own; another version may word them differently.
void TestEngine::pullFails()
{
    if (!docker({u"version"_s, u"--format"_s, u"{{.Server.Version}}"_s}).out.startsWith("20.10."))
        PROCTOR_SKIP_ENGINE_CASE("the table holds the words of engine 20.10");
    QFETCH(QString, registry);
    QFETCH(QString, repository);
    QFETCH(QString, words);
    FakeRegistry fake(registry == u"fake" ? QStringList() : QStringList{u"--auth"_s, registry});
    QVERIFY(fake.isReady());
    const ProgramEnd end = docker({u"pull"_s, fake.address() + u'/' + repository + u"/a:1"_s}, quick);
    QCOMPARE(end.code, 1);
    QCOMPARE(QString::fromUtf8(end.err).trimmed(), words.replace(u"HOST"_s, fake.address()));
}

void TestEngine::pullFailsForLackOfSpace()
{
    PrivateEngine small({u"--data-size"_s, u"24m"_s});
    QVERIFY2(small.isReady(), qPrintable(small.error()));
    FakeRegistry &fake = fakeRegistry(u"fake"_s);
    const ProgramEnd end = docker({u"-H"_s, small.address(), u"pull"_s, fake.address() + u"/huge/a:1"_s});
    QCOMPARE(end.code, 1);
    QVERIFY2(end.err.contains("no space left on device"), end.err.constData());
}

void TestEngine::pullsThatWorkOnTheSecondTry_data()
{
    QTest::addColumn<QString>("repository");
    QTest::newRow("limited") << u"limitedonce"_s;
    QTest::newRow("broken") << u"brokenonce"_s;
}

void TestEngine::pullsThatWorkOnTheSecondTry()
{
    QFETCH(QString, repository);
    FakeRegistry &fake = fakeRegistry(u"fake"_s);
    const QString image = fake.address() + u'/' + repository + u"/a:1"_s;
    QCOMPARE(docker({u"pull"_s, u"-q"_s, image}, quick).code, 1);
    QCOMPARE(docker({u"pull"_s, u"-q"_s, image}, quick).code, 0);
    QCOMPARE(docker({u"rmi"_s, image}).code, 0);
}

void TestEngine::slowPullIsThrottled()
{
    FakeRegistry fake({u"--rate"_s, u"200000"_s, u"--size"_s, u"400000"_s});
    QElapsedTimer timer;
    timer.start();
    const QString image = fake.address() + u"/slow/a:1"_s;
    QCOMPARE(docker({u"pull"_s, u"-q"_s, image}, quick).code, 0);
    QVERIFY(timer.elapsed() >= 1500);
    // Layer and configuration.
    QCOMPARE(fake.requests(u"GET"_s, u"/v2/slow/a/blobs/"_s), 2);
    QCOMPARE(docker({u"rmi"_s, image}).code, 0);
}

void TestEngine::engineCanBeFrozenAndKilled()
{
    PrivateEngine engine;
    QVERIFY2(engine.isReady(), qPrintable(engine.error()));
    const QStringList ask{u"-H"_s, engine.address(), u"ps"_s, u"-q"_s};
    QCOMPARE(docker(ask).code, 0);
    QVERIFY(engine.signalDaemon(SIGSTOP));
    QCOMPARE(docker(ask, 1000).code, -1);
    QVERIFY(engine.signalDaemon(SIGCONT));
    QCOMPARE(docker(ask).code, 0);
    QVERIFY(engine.signalDaemon(SIGKILL));
    QTRY_COMPARE(docker(ask).code, 1);
    // Ours is another one.
    QCOMPARE(docker({u"ps"_s, u"-q"_s}).code, 0);
}

QTEST_GUILESS_MAIN(TestEngine)
#include "tst_engine.moc"
