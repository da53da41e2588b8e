// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor::test;

/// Registered agents from the command line: the demo's own one, and everything that is refused before an
/// exam begins.
class TestRegisteredAgents : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void runsTheDemosAgent();
    void refusesAnUnknownAgent();
    void refusesBeforeAnythingStarts_data();
    void refusesBeforeAnythingStarts();
    void runsAMatrixOfRegisteredAgents();
    void refusesAMatrixWithAnUnknownAgent();
    void goesOnWhereAnAgentRemovesItsFolder();

private:
    /// A configuration whose agent `mine` is registered with these lines.
    bool writeConfiguration(const QByteArray &registration);
    ProgramEnd run(const QStringList &more, const QString &config = QStringLiteral("exam.yaml"));
    QHash<QString, QJsonValue> rewards(const QString &folder) const;
    void compareWithExpected(const QHash<QString, QJsonValue> &rewards, const QString &family, int count);

    QString m_demo;
    QJsonObject m_expected;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestRegisteredAgents::initTestCase()
{
    m_demo = QStringLiteral(PROCTOR_BUILD_DIR "/share/proctor/demo");
    m_expected =
        QJsonDocument::fromJson(contentOf(QStringLiteral(PROCTOR_SOURCE_DIR "/resources/demo/expected.json")))
            .object();
    QVERIFY(!m_expected.isEmpty());
}

void TestRegisteredAgents::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

bool TestRegisteredAgents::writeConfiguration(const QByteArray &registration)
{
    return writeFile(m_folder->filePath(QStringLiteral("exam.yaml")),
                     "dataset: {config: travel, path: " + m_demo.toUtf8() +
                         "/travel.jsonl}\n"
                         "runner: {sandbox: local}\n"
                         "agents:\n"
                         "  mine:\n" +
                         registration);
}

ProgramEnd TestRegisteredAgents::run(const QStringList &more, const QString &config)
{
    return runProctor(QStringList{QStringLiteral("run"), QStringLiteral("--config"), config} + more,
                      m_folder->path());
}

QHash<QString, QJsonValue> TestRegisteredAgents::rewards(const QString &folder) const
{
    QHash<QString, QJsonValue> rewards;
    for (const QByteArray &line :
         contentOf(m_folder->filePath(folder + QStringLiteral("/scores.jsonl"))).trimmed().split('\n')) {
        const QJsonObject score = QJsonDocument::fromJson(line).object();
        rewards.insert(score.value(QLatin1String("instance_id")).toString(),
                       score.value(QLatin1String("reward")));
    }
    return rewards;
}

/// With the careful agent's plan the same rewards come out, wherever it runs.
void TestRegisteredAgents::compareWithExpected(const QHash<QString, QJsonValue> &rewards,
                                               const QString &family, int count)
{
    const QJsonObject expected =
        m_expected.value(family).toObject().value(QLatin1String("careful")).toObject();
    QCOMPARE(rewards.size(), count);
    for (const QString &id : rewards.keys())
        QVERIFY2(rewards.value(id) == expected.value(id), qPrintable(id));
}

void TestRegisteredAgents::runsTheDemosAgent()
{
    const ProgramEnd end = run({QStringLiteral("--agent"), QStringLiteral("host-careful"),
                                QStringLiteral("--output-dir"), QStringLiteral("out")},
                               m_demo + QStringLiteral("/travel.yaml"));
    QVERIFY2(end.code == 0, end.out + end.err);
    compareWithExpected(rewards(QStringLiteral("out/travel")), QStringLiteral("travel"), 6);
    const QDir slot(m_folder->filePath(QStringLiteral("out/travel/hotel_hangzhou_lake_001")));
    for (const char *name : {"answer.json", "answer.md", "artifacts/trajectory.jsonl", "tool_calls.jsonl",
                             "tool_trace.jsonl", ".prompt/agent_context.json"})
        QVERIFY2(QFileInfo(slot.filePath(QLatin1String(name))).size() > 0, name);
}

void TestRegisteredAgents::refusesAnUnknownAgent()
{
    const ProgramEnd end = run({QStringLiteral("--agent"), QStringLiteral("host-carefull"),
                                QStringLiteral("--output-dir"), QStringLiteral("out")},
                               m_demo + QStringLiteral("/travel.yaml"));
    QCOMPARE(end.code, 2);
    QVERIFY2(end.err.contains("unknown agent 'host-carefull'; registered agents: host-careful, host-model"),
             end.err);
    QVERIFY2(end.err.contains("did you mean 'host-careful'?"), end.err);
    QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("out"))));
}

void TestRegisteredAgents::refusesBeforeAnythingStarts_data()
{
    QTest::addColumn<QByteArray>("registration");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char *name, const char *registration, const char *sentence) {
        QTest::newRow(name) << QByteArray(registration) << QByteArray(sentence);
    };
    row("no such program", "    command: [no-such-agent-4711, x]\n",
        "exam.yaml:5:14: error: agents.mine.command: the program “no-such-agent-4711” is not in the PATH");
    row("no such file", "    command: ./agent --context {context}\n",
        "exam.yaml:5:14: error: agents.mine.command: the program ");
    row("not executable", "    command: '{config_dir}/exam.yaml'\n", "exam.yaml is not an executable file");
    row("no working folder", "    command: 'true'\n    cwd: nowhere\n",
        "exam.yaml:6:10: error: agents.mine.cwd");
    row("unknown placeholder", "    command: [env, '{contxt}']\n", "exam.yaml:5:");
    row("no such module", "    command: python3 -m no_such_module_4711.agent\n",
        "exam.yaml:5:14: agents.mine.command: ");
    row("the peer's own agent", "    command: python3 -m flyai_bench.external_agent --context {context}\n",
        "Proctor's own agent does the same: command: proctor agent --context {context}");
    row("output outside", "    command: 'true'\n    output_paths: [../x]\n", "exam.yaml:6:");
    row("unknown wall", "    command: 'true'\n    sandbox: chroot\n", "exam.yaml:6:");
    row("working folder that the wall hides", "    command: 'true'\n    cwd: /tmp\n    sandbox: bubblewrap\n",
        "agents.mine: the folder /tmp is what sandbox: bubblewrap is there to hide");
}

void TestRegisteredAgents::refusesBeforeAnythingStarts()
{
    QFETCH(QByteArray, registration);
    QFETCH(QByteArray, sentence);
    QVERIFY(writeConfiguration(registration));
    const ProgramEnd end = run({QStringLiteral("--agent"), QStringLiteral("mine")});
    QVERIFY2(end.code == 2, end.out + end.err);
    QVERIFY2(end.err.contains(sentence), end.err);
    QVERIFY2(end.err.contains("agents.mine"), end.err);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList(QStringLiteral("exam.yaml")));
}

void TestRegisteredAgents::runsAMatrixOfRegisteredAgents()
{
    const QByteArray demo = m_demo.toUtf8();
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("m.yaml")),
                      "configs: [" + demo + "/travel.yaml, " + demo +
                          "/e_commerce.yaml]\n"
                          "agents: [host-careful, {name: hasty, cmd: python3 /app/agent/hasty.py}]\n"));
    const ProgramEnd end =
        runProctor({QStringLiteral("run"), QStringLiteral("--matrix"), QStringLiteral("m.yaml"),
                    QStringLiteral("--limit"), QStringLiteral("1"), QStringLiteral("--output-dir"),
                    QStringLiteral("out")},
                   m_folder->path());
    QVERIFY2(end.code == 0, end.out + end.err);
    for (const char *family : {"travel", "e_commerce"}) {
        const QString name = QLatin1String(family);
        const QString folder = QStringLiteral("out/host-careful/") + name;
        compareWithExpected(rewards(folder), name, 1);
        const QJsonObject identity =
            QJsonDocument::fromJson(contentOf(m_folder->filePath(folder + QStringLiteral("/run.json"))))
                .object();
        QCOMPARE(identity.value(QLatin1String("agent")).toObject().value(QLatin1String("kind")).toString(),
                 QStringLiteral("host"));
        QCOMPARE(rewards(QStringLiteral("out/hasty/") + name).size(), 1);
    }
}

void TestRegisteredAgents::refusesAMatrixWithAnUnknownAgent()
{
    QVERIFY(
        writeFile(m_folder->filePath(QStringLiteral("m.yaml")), "configs: [" + m_demo.toUtf8() +
                                                                    "/travel.yaml]\n"
                                                                    "agents: [host-careful, host-modell]\n"));
    const ProgramEnd end =
        runProctor({QStringLiteral("run"), QStringLiteral("--matrix"), QStringLiteral("m.yaml"),
                    QStringLiteral("--output-dir"), QStringLiteral("out")},
                   m_folder->path());
    QCOMPARE(end.code, 2);
    QVERIFY2(end.err.contains("m.yaml:2:24: error: "), end.err);
    QVERIFY2(end.err.contains("do you mean “host-model”?"), end.err);
    QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("out"))));
}

void TestRegisteredAgents::goesOnWhereAnAgentRemovesItsFolder()
{
    QVERIFY(writeConfiguration("    command: [bash, -c, 'rm -rf \"$0\"; touch \"$0\"', '{output_dir}']\n"));
    const ProgramEnd end = run(
        {QStringLiteral("--agent"), QStringLiteral("mine"), QStringLiteral("--limit"), QStringLiteral("2")});
    QVERIFY2(end.code == 1, end.out + end.err);
    QVERIFY2(end.out.contains("Scored 0 · agent failed 2 · harness failed 0"), end.out);
    QCOMPARE(rewards(QStringLiteral("eval_results/travel")).size(), 2);
}

QTEST_GUILESS_MAIN(TestRegisteredAgents)
#include "tst_registeredagents.moc"
