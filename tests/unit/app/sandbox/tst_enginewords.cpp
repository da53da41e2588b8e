// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is made of the words of an engine's client.
#include "app/sandbox/enginefacts.h"
#include "app/sandbox/enginewords.h"
#include "app/sandbox/pullprogress.h"

#include <QFile>
#include <QTest>

using namespace proctor;
using namespace Qt::StringLiterals;
using Cause = PullFailure::Cause;

class TestEngineWords : public QObject
{
    Q_OBJECT

private:
    static ProcessEnd ended(int code, const QByteArray &errors)
    {
        ProcessEnd end;
        end.kind = ProcessEnd::Kind::Finished;
        end.program = u"docker"_s;
        end.exitCode = code;
        end.errors = errors;
        return end;
    }

private slots:
    void keepsWhatMatters()
    {
        QCOMPARE(engineWords("docker: Error response from daemon: No such image: a:1\n\n"
                             "Run 'docker run --help' for more information\n"),
                 u"No such image: a:1"_s);
        QCOMPARE(engineWords("Error: reading manifest\n"), u"reading manifest"_s);
        QCOMPARE(engineWords({}), QString());
        QCOMPARE(engineWords(QByteArray(1000, 'x')).size(), 400);
    }

    void findsTheCauseOfAPull_data()
    {
        static const QHash<QByteArray, Cause> causes{{"notFound", Cause::NotFound},
                                                     {"notAllowed", Cause::NotAllowed},
                                                     {"rateLimit", Cause::RateLimit},
                                                     {"noSpace", Cause::NoSpace},
                                                     {"registryFails", Cause::RegistryFails},
                                                     {"platform", Cause::Platform},
                                                     {"noConnection", Cause::NoConnection},
                                                     {"badName", Cause::BadName},
                                                     {"noEngine", Cause::NoEngine}};
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<int>("cause");
        QFile table(QStringLiteral(PROCTOR_TEST_DATA "/docker/pull_errors.tsv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        int row = 0;
        for (const QByteArray &line : table.readAll().split('\n')) {
            const QList<QByteArray> fields = line.split('\t');
            if (fields.size() < 3)
                continue;
            QVERIFY2(causes.contains(fields.at(0)), fields.at(0).constData());
            QTest::addRow("%d %s", ++row, fields.at(1).constData())
                << fields.at(2) << static_cast<int>(causes.value(fields.at(0)));
        }
        const auto other = [&row](const char *words, Cause cause) {
            QTest::addRow("%d of other versions", ++row) << QByteArray(words) << static_cast<int>(cause);
        };
        other("failed to resolve reference \"docker.io/library/x:1\": docker.io/library/x:1: not found",
              Cause::NotFound);
        other("pull access denied, repository does not exist or may require authorization: server message: "
              "insufficient_scope: authorization failed",
              Cause::NotAllowed);
        other("unexpected status from HEAD request to https://h/v2/x/manifests/1: 429 Too Many Requests",
              Cause::RateLimit);
        other("unexpected status from HEAD request to https://h/v2/x/manifests/1: 403 Forbidden",
              Cause::NotAllowed);
        other("Error: initializing source docker://h/x:1: reading manifest 1 in h/x: manifest unknown",
              Cause::NotFound);
        other("writing blob: storing blob to file: write /var/tmp/x: no space left on device",
              Cause::NoSpace);
        other("Get \"https://h/v2/\": net/http: TLS handshake timeout", Cause::NoConnection);
        other("read tcp 10.0.0.1:1->10.0.0.2:443: read: connection reset by peer", Cause::NoConnection);
        other("something nobody has ever said", Cause::Unknown);
    }
    void findsTheCauseOfAPull()
    {
        QFETCH(QByteArray, words);
        QFETCH(int, cause);
        const PullFailure failure = pullFailure(u"a/b:1"_s, engineWords(words));
        QCOMPARE(static_cast<int>(failure.cause), cause);
        QVERIFY(failure.sentence.contains(u"a/b:1"_s));
        QVERIFY(failure.sentence.endsWith(engineWords(words)));
        const bool helps = failure.cause == Cause::RateLimit || failure.cause == Cause::NoConnection ||
                           failure.cause == Cause::RegistryFails;
        QCOMPARE(failure.isPassing(), helps);
    }

    void saysWhyNothingStarted_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QString>("part");
        QTest::newRow("no python")
            << 127
            << QByteArray("docker: Error response from daemon: OCI runtime create failed: exec: "
                          "\"python3\": executable file not found in $PATH: unknown.\n")
            << u"has no python3"_s;
        QTest::newRow("no python by exec") << 126
                                           << QByteArray("OCI runtime exec failed: exec failed: exec: "
                                                         "\"python3\": executable file not found in $PATH")
                                           << u"has no python3"_s;
        QTest::newRow("no image") << 125
                                  << QByteArray(
                                         "docker: Error response from daemon: No such image: demo/one:1.\n")
                                  << u"has no image demo/one:1"_s;
        QTest::newRow("engine gone")
            << 125
            << QByteArray("docker: Cannot connect to the Docker daemon at unix:///x. Is the "
                          "docker daemon running?.\n")
            << u"does not answer"_s;
        QTest::newRow("other processor")
            << 1 << QByteArray("exec /usr/bin/python3: exec format error\n") << u"another processor"_s;
        QTest::newRow("small python")
            << 1 << QByteArray("ModuleNotFoundError: No module named 'json'\n") << u"incomplete"_s;
        QTest::newRow("refused") << 125 << QByteArray("docker: Error response from daemon: Conflict.\n")
                                 << u"exit code 125 before it was ready: Conflict."_s;
    }
    void saysWhyNothingStarted()
    {
        QFETCH(int, code);
        QFETCH(QByteArray, errors);
        QFETCH(QString, part);
        const QString sentence = startFailure(u"demo/one:1"_s, ended(code, errors));
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
    }

    void readsDockersFacts()
    {
        const auto facts = engineFactsFrom(
            R"({"ServerVersion":"20.10.24+dfsg1","Driver":"overlay2","DriverStatus":[["Backing Filesystem","extfs"]],
                "MemoryLimit":false,"PidsLimit":true,"CpuCfsQuota":true,"OSType":"linux","Architecture":"x86_64"})",
            EvalConfig::Engine::Docker);
        QVERIFY(facts);
        QCOMPARE(facts->architecture, u"amd64"_s);
        QVERIFY(facts->hasHostGateway);
        EvalConfig::Docker docker;
        docker.disk = u"1g"_s;
        docker.platform = u"linux/arm64"_s;
        const QStringList warnings = engineWarnings(*facts, docker);
        QCOMPARE(warnings.size(), 3);
        QVERIFY(warnings.at(0).contains(u"linux/arm64"_s) && warnings.at(0).contains(u"amd64"_s));
        QVERIFY(warnings.at(1).contains(u"docker.memory"_s));
        QVERIFY(warnings.at(2).contains(u"docker.disk"_s));
        QCOMPARE(engineWarnings(*facts, EvalConfig::Docker()).size(), 1);
    }

    void readsPodmansFacts()
    {
        const auto facts = engineFactsFrom(
            R"({"host":{"arch":"arm64","os":"linux","cgroupControllers":["memory","pids"]},
                "store":{"graphDriverName":"overlay","graphStatus":{"Backing Filesystem":"xfs"}},
                "version":{"Version":"4.3.1"}})",
            EvalConfig::Engine::Podman);
        QVERIFY(facts);
        QCOMPARE(facts->version, u"4.3.1"_s);
        QVERIFY(!facts->hasHostGateway);
        QVERIFY(facts->limitsMemory && facts->limitsPids && !facts->limitsCpus);
    }

    void refusesOtherEngines()
    {
        const auto none = engineFactsFrom(R"({"ServerVersion":"","ServerErrors":["Cannot connect"]})",
                                          EvalConfig::Engine::Docker);
        QVERIFY(!none);
        QCOMPARE(none.error().text(), u"Cannot connect"_s);
        QVERIFY(!engineFactsFrom("nonsense", EvalConfig::Engine::Docker));
        const auto windows =
            engineFactsFrom(R"({"ServerVersion":"28.0","OSType":"windows"})", EvalConfig::Engine::Docker);
        QVERIFY(!windows);
        QVERIFY(windows.error().text().contains(u"windows"_s));
    }

    void countsLayers()
    {
        PullProgress progress;
        QCOMPARE(progress.text(), QString());
        QVERIFY(!progress.add(u"latest: Pulling from a/b"_s));
        QVERIFY(progress.add(u"0123456789ab: Pulling fs layer"_s));
        QVERIFY(progress.add(u"ba9876543210: Already exists"_s));
        QCOMPARE(progress.text(), u"1 of 2 layers"_s);
        QVERIFY(!progress.add(u"0123456789ab: Download complete"_s));
        QVERIFY(progress.add(u"0123456789ab: Pull complete"_s));
        QVERIFY(!progress.add(u"0123456789ab: Pull complete"_s));
        QVERIFY(!progress.add(u"Status: Downloaded newer image for a/b:1"_s));
        QCOMPARE(progress.text(), u"2 of 2 layers"_s);
    }
};

QTEST_GUILESS_MAIN(TestEngineWords)
#include "tst_enginewords.moc"
