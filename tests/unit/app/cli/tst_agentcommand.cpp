// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakemodel.h"
#include "tests/support/faketools.h"
#include "tests/support/hostmanifests.h"
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QTest>

#include <memory>

using namespace proctor::test;

static const QString key = QStringLiteral("sk-0123456789");

/// `proctor agent` as a program.
class TestAgentCommand : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void writesTheAnswers();
    void takesTheManifestFromTheVariable();
    void saysWhyThereIsNoAnswer();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
    void refusesAKeyThatIsNone();
    void endsAtOnceWhenTold();
    void helps();

private:
    bool play(const QByteArray &script);
    void start(const QStringList &arguments);
    ProgramEnd run(const QStringList &arguments);

    QString manifestPath() const { return m_folder->filePath(QStringLiteral("上下文.json")); }
    QString outputFolder() const { return m_folder->filePath(QStringLiteral("输出 out")); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeModel> m_model;
    std::unique_ptr<FakeTools> m_tools;
    std::unique_ptr<QProcess> m_process;
    QProcessEnvironment m_environment;
};

void TestAgentCommand::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_model = std::make_unique<FakeModel>();
    m_tools = std::make_unique<FakeTools>();
    m_process = std::make_unique<QProcess>();
    m_environment.clear();
    m_environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
    m_environment.insert(QStringLiteral("LLM_API_KEY"), key);
    // What is on this machine is reached directly.
    m_environment.insert(QStringLiteral("http_proxy"), QStringLiteral("http://127.0.0.1:1"));
}

bool TestAgentCommand::play(const QByteArray &script)
{
    if (!m_model->start(script, key))
        return false;
    ManifestFields fields;
    fields.toolsUrl = m_tools->url();
    fields.llmUrl = m_model->url();
    fields.outputFolder = outputFolder();
    return writeFile(manifestPath(), fields.json());
}

void TestAgentCommand::start(const QStringList &arguments)
{
    m_process->setProcessEnvironment(m_environment);
    m_process->start(proctorProgram(), QStringList{QStringLiteral("agent")} + arguments);
}

/// The tools answer meanwhile.
ProgramEnd TestAgentCommand::run(const QStringList &arguments)
{
    start(arguments);
    if (!QTest::qWaitFor([this] { return m_process->state() == QProcess::NotRunning; }, 60'000))
        qWarning("The program did not end");
    ProgramEnd end;
    if (m_process->state() == QProcess::NotRunning && m_process->exitStatus() == QProcess::NormalExit)
        end.code = m_process->exitCode();
    end.out = m_process->readAllStandardOutput();
    end.err = m_process->readAllStandardError();
    return end;
}

void TestAgentCommand::writesTheAnswers()
{
    const QByteArray script = R"([{"tool_calls": [{"name": "echo", "arguments": "{\"城市\": \"杭州\"}"}]},)"
                              R"({"text": "{\"酒店\": \"西湖\", \"price\": 1.10}"}])";
    QVERIFY(play(script));
    const ProgramEnd end = run({QStringLiteral("--context"), manifestPath()});
    QVERIFY2(end.code == 0, end.err);
    QCOMPARE(end.err, QByteArray());
    QCOMPARE(contentOf(outputFolder() + QStringLiteral("/answer.json")),
             QByteArray("{\"酒店\": \"西湖\", \"price\": 1.10}\n"));
    QVERIFY(contentOf(outputFolder() + QStringLiteral("/answer.md")).startsWith("# "));
    QCOMPARE(m_tools->calls().size(), 1);
    QVERIFY2(end.out.startsWith("Turn 1 of 30: the model calls echo\n  echo: 200, "), end.out);
    QVERIFY(!end.out.contains(key.toUtf8()));
    QCOMPARE(m_model->requests().size(), 2);
}

void TestAgentCommand::takesTheManifestFromTheVariable()
{
    QVERIFY(play('[' + QByteArray(R"({"tool_calls": [{"name": "echo"}]}, {"text": "ok"}])")));
    m_environment.insert(QStringLiteral("FLYAI_BENCH_CONTEXT"), manifestPath());
    const ProgramEnd end = run({QStringLiteral("--max-turns"), QStringLiteral("1")});
    QVERIFY2(end.code == 0, end.err);
    QVERIFY2(end.out.contains("The turns are used up"), end.out);
}

void TestAgentCommand::saysWhyThereIsNoAnswer()
{
    QVERIFY(play(R"([{"text": "{}"}])"));
    m_environment.insert(QStringLiteral("LLM_API_KEY"), QStringLiteral("sk-wrong-wrong"));
    const ProgramEnd end = run({QStringLiteral("--context"), manifestPath()});
    QCOMPARE(end.code, 1);
    QVERIFY2(end.err.startsWith("error: There is no answer. http://127.0.0.1:"), end.err);
    QVERIFY2(end.err.contains("answered 401"), end.err);
    QVERIFY(!end.err.contains("sk-wrong-wrong"));
}

void TestAgentCommand::refusesWrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("manifest");
    QTest::addColumn<QString>("sentence");
    const QString context = QStringLiteral("--context"), turns = QStringLiteral("--max-turns");
    const QString file = QStringLiteral("manifest.json");
    const QByteArray sound = ManifestFields{QStringLiteral("http://127.0.0.1:1"),
                                            QStringLiteral("http://127.0.0.1:1"), QStringLiteral("/tmp")}
                                 .json();
    QTest::newRow("no manifest") << QStringList() << sound << QStringLiteral("--context FILE");
    QTest::newRow("no such file") << QStringList{context, QStringLiteral("/no/such")} << sound
                                  << QStringLiteral("/no/such: ");
    QTest::newRow("no turns") << QStringList{context, file, turns, QStringLiteral("0")} << sound
                              << QStringLiteral("--max-turns must be greater than 0");
    QTest::newRow("fewer") << QStringList{context, file, turns, QStringLiteral("-1")} << sound
                           << QStringLiteral("--max-turns must be greater than 0");
    QTest::newRow("words") << QStringList{context, file, turns, QStringLiteral("many")} << sound
                           << QStringLiteral("--max-turns");
    QTest::newRow("unknown") << QStringList{QStringLiteral("--stream")} << sound
                             << QStringLiteral("--stream");
    QTest::newRow("broken field") << QStringList{context, file}
                                  << QByteArray(sound).replace("fake-1\"", "\", \"x\":1")
                                  << QStringLiteral("“llm.model” is empty");
    QTest::newRow("broken file") << QStringList{context, file} << QByteArray("{")
                                 << QStringLiteral("The manifest is broken");
}

void TestAgentCommand::refusesWrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, manifest);
    QFETCH(QString, sentence);
    m_process->setWorkingDirectory(m_folder->path());
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("manifest.json")), manifest));
    const ProgramEnd end = run(arguments);
    QCOMPARE(end.code, 2);
    QVERIFY2(end.err.startsWith("error: "), end.err);
    QVERIFY2(end.err.contains(sentence.toUtf8()), end.err);
    QCOMPARE(end.out, QByteArray());
}

void TestAgentCommand::refusesAKeyThatIsNone()
{
    QVERIFY(play(R"([{"text": "{}"}])"));
    m_environment.insert(QStringLiteral("LLM_API_KEY"), QStringLiteral("sk-a\nHost: b"));
    const ProgramEnd end = run({QStringLiteral("--context"), manifestPath()});
    QCOMPARE(end.code, 2);
    QVERIFY2(end.err.contains("LLM_API_KEY"), end.err);
    QVERIFY(!end.err.contains("Host: b"));
    QVERIFY(m_model->requests().isEmpty());
}

void TestAgentCommand::endsAtOnceWhenTold()
{
    QVERIFY(play(R"([{"text": "{}", "delay": 60}])"));
    start({QStringLiteral("--context"), manifestPath()});
    QTRY_COMPARE_WITH_TIMEOUT(m_model->requests().size(), 1, 30'000);
    m_process->terminate();
    QVERIFY(m_process->waitForFinished(5'000));
    QCOMPARE(m_process->exitStatus(), QProcess::CrashExit);
    QVERIFY(QDir(outputFolder()).isEmpty());
}

void TestAgentCommand::helps()
{
    const ProgramEnd end = run({QStringLiteral("--help")});
    QCOMPARE(end.code, 0);
    for (const char *word :
         {"--context FILE", "FLYAI_BENCH_CONTEXT", "--max-turns N", "{context}", "Exit code"})
        QVERIFY2(end.out.contains(word), end.out);
}

QTEST_GUILESS_MAIN(TestAgentCommand)
#include "tst_agentcommand.moc"
