// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole runs of the program on an engine that does not stay: stopped, killed, hanging; and a program that is
// killed.
#include "tests/support/engine.h"

#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace proctor::test;
using namespace Qt::StringLiterals;

class TestDockerRun : public QObject
{
    Q_OBJECT

private:
    static constexpr int instances = 6;

    /// A configuration whose agents sleep, in a folder of its own.
    static void write(const QTemporaryDir &folder, const QByteArray &docker)
    {
        QByteArray rows;
        const QStringList demo = demoInstances();
        for (int i = 0; i < instances; ++i)
            rows += "{\"instance_id\":\"i" + QByteArray::number(i) + "\",\"docker_image\":\"" +
                    testImage(demo.at(i)).toUtf8() + "\"}\n";
        QVERIFY(writeFile(folder.filePath(u"tasks.jsonl"_s), rows));
        QVERIFY(
            writeFile(folder.filePath(u"exam.yaml"_s), "dataset: {path: tasks.jsonl}\n"
                                                       "docker: {pull: never, network: none" +
                                                           docker +
                                                           "}\n"
                                                           "agent: {cmd: \"sleep 600\", timeout_sec: 600}\n"
                                                           "runner: {concurrency: 2, output_dir: out}\n"));
    }

    static std::unique_ptr<QProcess> startRun(const QTemporaryDir &folder, const QString &engine)
    {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"DOCKER_HOST"_s, engine);
        process->setProcessEnvironment(environment);
        process->setWorkingDirectory(folder.path());
        process->start(proctorProgram(), {u"--config"_s, u"exam.yaml"_s, u"run"_s});
        return process;
    }

    static qsizetype agentsAtWork(const QTemporaryDir &folder)
    {
        return contentOf(folder.filePath(u"out/travel/events.jsonl"_s)).count("\"agent\"");
    }

private slots:
    void initTestCase() { PROCTOR_NEEDS_ENGINE(); }

    void engineGoes_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("killed") << SIGKILL << QByteArray("No engine can be used through docker");
        QTest::newRow("stopped") << SIGTERM << QByteArray("No engine can be used through docker");
        QTest::newRow("hangs") << SIGSTOP << QByteArray("has not answered for 15 s");
    }
    void engineGoes()
    {
        QFETCH(int, signal);
        QFETCH(QByteArray, sentence);
        PrivateEngine engine;
        QVERIFY2(engine.isReady(), qPrintable(engine.error()));
        QVERIFY2(engine.makeImages(), qPrintable(engine.error()));
        const QTemporaryDir folder;
        write(folder, {});
        const auto run = startRun(folder, engine.address());
        QTRY_VERIFY_WITH_TIMEOUT(agentsAtWork(folder) >= 2, 60'000);
        QVERIFY(engine.signalDaemon(signal));
        // Less than the agents' time limit: the loss is noticed, not waited for.
        const ProgramEnd end = endOf(*run, 240'000);
        engine.signalDaemon(SIGCONT);
        QVERIFY2(end.err.contains(sentence), end.err + end.out);
        QCOMPARE(end.code, 3);
        // Those at work are lost; the others wait for a better time.
        const QList<QByteArray> scores =
            contentOf(folder.filePath(u"out/travel/scores.jsonl"_s)).trimmed().split('\n');
        QCOMPARE(scores.size(), 2);
        for (const QByteArray &line : scores)
            QCOMPARE(QJsonDocument::fromJson(line).object().value(u"state"_s).toString(), u"lost"_s);
    }

    void programKilled_data()
    {
        QTest::addColumn<QByteArray>("docker");
        QTest::addColumn<bool>("endsAlone");
        QTest::newRow("replace") << QByteArray() << true;
        QTest::newRow("keep") << QByteArray(", entrypoint: keep") << false;
    }
    void programKilled()
    {
        QFETCH(QByteArray, docker);
        QFETCH(bool, endsAlone);
        const QTemporaryDir folder;
        write(folder, docker);
        const auto run = startRun(folder, engineAddress());
        const QString owner = u":%1:"_s.arg(run->processId());
        const auto left = [&owner] {
            const ProgramEnd listed =
                proctor::test::docker({u"ps"_s, u"-a"_s, u"--format"_s, u"{{.Label \"proctor.owner\"}}"_s});
            return listed.out.count(owner.toUtf8());
        };
        QTRY_VERIFY_WITH_TIMEOUT(agentsAtWork(folder) >= 2, 60'000);
        QCOMPARE(left(), 2);
        run->kill();
        QVERIFY(run->waitForFinished());
        if (endsAlone)
            QTRY_COMPARE_WITH_TIMEOUT(left(), 0, 20'000);
        const ProgramEnd cleaned = runProctor({u"cleanup"_s}, folder.path());
        QCOMPARE(cleaned.code, 0);
        QTRY_COMPARE_WITH_TIMEOUT(left(), 0, 20'000);
    }
};

QTEST_GUILESS_MAIN(TestDockerRun)
#include "tst_dockerrun.moc"
