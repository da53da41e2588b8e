// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several Proctors on one machine, and one of another machine on the same file system: none touches the
// others' things.
#include "models/run/resultstore.h"
#include "tests/support/trialbundle.h"

#include <QProcess>
#include <QTest>

#include <csignal>
#include <memory>

using namespace proctor;
using proctor::test::TrialBundle;

class TestSideBySide : public QObject
{
    Q_OBJECT

private:
    TrialBundle m_bundle;

    struct Run {
        QTemporaryDir folder;
        QProcess process;

        QString results() const { return folder.filePath(QStringLiteral("out/trial")); }
    };

    std::unique_ptr<Run> prepare(const QByteArray &agent)
    {
        auto run = std::make_unique<Run>();
        write(run->folder.filePath(QStringLiteral("tasks.jsonl")),
              "{\"instance_id\":\"one\",\"domain\":\"d\",\"bundle\":\"" + m_bundle.path().toUtf8() + "\"}\n");
        write(run->folder.filePath(QStringLiteral("exam.yaml")),
              "dataset: {config: trial, path: ./tasks.jsonl}\nrunner: {sandbox: local}\nagent:\n  "
              "timeout_sec: 60\n  cmd: " +
                  agent + "\n");
        return run;
    }

    static void start(QProcess *process, const Run &run, const QString &machine = {},
                      const QStringList &arguments = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (!machine.isEmpty())
            environment.insert(QStringLiteral("PROCTOR_MACHINE_ID"), machine);
        process->setProcessEnvironment(environment);
        QStringList all{QStringLiteral("run"),          QStringLiteral("--json"),
                        QStringLiteral("--config"),     run.folder.filePath(QStringLiteral("exam.yaml")),
                        QStringLiteral("--output-dir"), run.folder.filePath(QStringLiteral("out"))};
        process->start(QStringLiteral(PROCTOR_BUILD_DIR "/bin/proctor"), all + arguments);
    }

    /// Waits until the run says that its agent is at work.
    static bool agentRuns(QProcess *process)
    {
        QByteArray said;
        while (!said.contains("\"phase\":\"agent\"") && !said.contains("\"phase\": \"agent\"")) {
            if (!process->waitForReadyRead(20'000))
                return false;
            said += process->readAllStandardOutput();
        }
        return true;
    }

    static void write(const QString &path, const QByteArray &content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

private slots:
    void othersAreLeftAlone()
    {
        const auto first = prepare("sleep 5");
        const auto foreign = prepare("sleep 5");
        start(&first->process, *first);
        start(&foreign->process, *foreign, QStringLiteral("another-machine"));
        QVERIFY(agentRuns(&first->process));
        QVERIFY(agentRuns(&foreign->process));

        // A third one starts, which looks for what dead ones left, and one is killed meanwhile.
        const auto killed = prepare("sleep 60");
        start(&killed->process, *killed);
        QVERIFY(agentRuns(&killed->process));
        ::kill(static_cast<pid_t>(killed->process.processId()), SIGKILL);
        QVERIFY(killed->process.waitForFinished());
        const auto third = prepare("'true'");
        start(&third->process, *third);
        QVERIFY(third->process.waitForFinished(30'000));
        QCOMPARE(third->process.exitCode(), 0);

        QVERIFY(first->process.waitForFinished(30'000));
        QVERIFY(foreign->process.waitForFinished(30'000));
        QCOMPARE(first->process.exitCode(), 0);
        QCOMPARE(foreign->process.exitCode(), 0);
    }

    void secondWriterIsTold_data()
    {
        QTest::addColumn<QString>("machine");
        QTest::newRow("same machine") << QString();
        QTest::newRow("another machine") << QStringLiteral("another-machine");
    }

    void secondWriterIsTold()
    {
        QFETCH(QString, machine);
        const auto run = prepare("sleep 3");
        start(&run->process, *run);
        QVERIFY(agentRuns(&run->process));
        QProcess second;
        start(&second, *run, machine);
        QVERIFY(second.waitForFinished(20'000));
        QVERIFY(second.exitCode() == 2 || second.exitCode() == 3);
        const QByteArray said = second.readAllStandardError();
        QVERIFY2(said.contains(QByteArray::number(run->process.processId())), said);
        QVERIFY(run->process.waitForFinished(30'000));
        QCOMPARE(run->process.exitCode(), 0);
        const auto store = ResultStore::openReadOnly(run->results());
        QVERIFY(store.hasValue());
        QCOMPARE((*store)->results().size(), 1);
    }

    void anotherAgentIsRefusedUntilTold()
    {
        const auto run = prepare("'true'");
        start(&run->process, *run);
        QVERIFY(run->process.waitForFinished(30'000));
        QCOMPARE(run->process.exitCode(), 0);
        write(run->folder.filePath(QStringLiteral("exam.yaml")),
              "dataset: {config: trial, path: ./tasks.jsonl}\nrunner: {sandbox: local}\nagent: {timeout_sec: "
              "60, cmd: 'sleep 0'}\n");
        QProcess refused;
        start(&refused, *run);
        QVERIFY(refused.waitForFinished(20'000));
        QCOMPARE(refused.exitCode(), 2);
        const QByteArray said = refused.readAllStandardError();
        QVERIFY2(said.contains("sleep 0") && said.contains("--mix"), said);
        QProcess mixed;
        start(&mixed, *run, {}, {QStringLiteral("--mix")});
        QVERIFY(mixed.waitForFinished(20'000));
        QCOMPARE(mixed.exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(TestSideBySide)
#include "tst_sidebyside.moc"
