// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor::test;

/// The demo exam from the command line, with real sandboxes. Rewards are those of
/// resources/demo/expected.json.
class TestDemo : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void givesTheExpectedRewards();
    void runsAgainInAnotherFolder();
    void doesNothingTwice();
    void printsOnlyJson();
    void retriesOnlyWhatFailed();
    void takesChosenInstances();
    void takesLimitAndRuns();
    void runsAMatrix();
    void saysWhatADryRunWouldDo();
    void refusesAnotherAgentInTheFolder();
    void recordsAStopAndGoesOn();

private:
    ProgramEnd run(const QStringList &more, const QString &config = QStringLiteral("travel"));
    QHash<QString, QJsonObject> scores(const QString &folder) const;
    /// A copy of the demo's configuration `config` with another agent command.
    bool writeConfiguration(const QString &name, const QByteArray &agent,
                            const QByteArray &family = "travel");

    QString m_demo;
    QJsonObject m_expected;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestDemo::initTestCase()
{
    m_demo = QStringLiteral(PROCTOR_BUILD_DIR "/share/proctor/demo");
    QVERIFY(QDir(m_demo).exists());
    m_expected =
        QJsonDocument::fromJson(contentOf(QStringLiteral(PROCTOR_SOURCE_DIR "/resources/demo/expected.json")))
            .object();
    QVERIFY(!m_expected.isEmpty());
}

void TestDemo::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

bool TestDemo::writeConfiguration(const QString &name, const QByteArray &agent, const QByteArray &family)
{
    const QByteArray text = "dataset:\n  config: " + family + "\n  path: " + m_demo.toUtf8() + '/' + family +
                            ".jsonl\nagent:\n  cmd: " + agent +
                            "\n  timeout_sec: 60\nrunner:\n  sandbox: local\n  concurrency: 2\n";
    return writeFile(m_folder->filePath(name + QStringLiteral(".yaml")), text);
}

ProgramEnd TestDemo::run(const QStringList &more, const QString &config)
{
    return runProctor(
        QStringList{QStringLiteral("run"), QStringLiteral("--config"), config + QStringLiteral(".yaml")} +
            more,
        m_folder->path());
}

/// The records of a results folder by instance and run ("id#1").
QHash<QString, QJsonObject> TestDemo::scores(const QString &folder) const
{
    QHash<QString, QJsonObject> scores;
    for (const QByteArray &line :
         contentOf(m_folder->filePath(folder + QStringLiteral("/scores.jsonl"))).trimmed().split('\n')) {
        const QJsonObject score = QJsonDocument::fromJson(line).object();
        scores.insert(score.value(QLatin1String("instance_id")).toString() + u'#' +
                          QString::number(score.value(QLatin1String("run_id")).toInt(1)),
                      score);
    }
    return scores;
}

void TestDemo::givesTheExpectedRewards()
{
    QElapsedTimer clock;
    clock.start();
    const ProgramEnd end = runProctor({QStringLiteral("demo")}, m_folder->path());
    qInfo("the demo took %.1f s", static_cast<double>(clock.elapsed()) / 1000);
    QVERIFY2(end.code == 0, end.out + end.err);

    int compared = 0;
    for (const QString &family : m_expected.keys()) {
        const QJsonObject agents = m_expected.value(family).toObject();
        for (const QString &agent : agents.keys()) {
            const QJsonObject rewards = agents.value(agent).toObject();
            const auto found = scores(QStringLiteral("proctor-demo/%1/%2").arg(agent, family));
            QCOMPARE(found.size(), rewards.size());
            for (const QString &id : rewards.keys()) {
                const QJsonValue reward =
                    found.value(id + QStringLiteral("#1")).value(QLatin1String("reward"));
                QVERIFY2(reward == rewards.value(id), qPrintable(agent + u' ' + id));
                ++compared;
            }
        }
    }
    QCOMPARE(compared, 24);
    QVERIFY2(end.out.contains("\ncareful\n  Completed: 12/12 (failed: 0)\n"), end.out);
    QVERIFY2(end.out.contains("\nhasty\n  Completed: 11/12 (failed: 1)\n"), end.out);
    QVERIFY2(end.out.contains("    lifestyle: 0.4767 (n=1)\n"), end.out);
    QVERIFY2(end.out.contains("food_olive_oil_004 failed at agent (agent): "), end.out);
}

void TestDemo::runsAgainInAnotherFolder()
{
    const QStringList demo{QStringLiteral("demo")};
    QCOMPARE(runProctor(demo, m_folder->path()).code, 0);
    const QByteArray before =
        contentOf(m_folder->filePath(QStringLiteral("proctor-demo/careful/travel/events.jsonl")));
    QVERIFY(!before.isEmpty());
    const ProgramEnd end = runProctor(demo, m_folder->path());
    QCOMPARE(end.code, 0);
    QVERIFY2(end.out.contains("proctor-demo-2"), end.out);
    QCOMPARE(scores(QStringLiteral("proctor-demo-2/hasty/e_commerce")).size(), 6);
    QCOMPARE(contentOf(m_folder->filePath(QStringLiteral("proctor-demo/careful/travel/events.jsonl"))),
             before);
}

void TestDemo::doesNothingTwice()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "python3 /app/agent/careful.py"));
    QCOMPARE(run({}).code, 0);
    const auto first = scores(QStringLiteral("eval_results/travel"));
    const ProgramEnd again = run({QStringLiteral("--json")});
    QCOMPARE(again.code, 0);
    QVERIFY2(!again.out.contains("\"started\""), again.out);
    QCOMPARE(scores(QStringLiteral("eval_results/travel")), first);
}

void TestDemo::printsOnlyJson()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "python3 /app/agent/careful.py"));
    const ProgramEnd end = run({QStringLiteral("--json"), QStringLiteral("--limit"), QStringLiteral("2")});
    QCOMPARE(end.code, 0);
    QHash<QString, int> events;
    for (const QByteArray &line : end.outLines()) {
        QJsonParseError error;
        const QJsonObject event = QJsonDocument::fromJson(line, &error).object();
        QVERIFY2(error.error == QJsonParseError::NoError, line);
        QVERIFY2(!event.value(QLatin1String("at")).toString().isEmpty(), line);
        ++events[event.value(QLatin1String("event")).toString()];
    }
    QCOMPARE(events.value(QStringLiteral("started")), 2);
    QCOMPARE(events.value(QStringLiteral("outcome")), 2);
    QVERIFY(events.value(QStringLiteral("phase")) >= 2 * 6);
}

void TestDemo::retriesOnlyWhatFailed()
{
    QVERIFY(writeConfiguration(QStringLiteral("shop"), "python3 /app/agent/hasty.py", "e_commerce"));
    QCOMPARE(run({}, QStringLiteral("shop")).code, 1);
    // A failure of the agent is a verdict: a plain run leaves it.
    const ProgramEnd plain = run({QStringLiteral("--json")}, QStringLiteral("shop"));
    QCOMPARE(plain.code, 1);
    QVERIFY2(!plain.out.contains("\"started\""), plain.out);

    const ProgramEnd harness =
        run({QStringLiteral("--json"), QStringLiteral("--retry-failed=harness")}, QStringLiteral("shop"));
    QVERIFY2(!harness.out.contains("\"started\""), harness.out);

    const ProgramEnd agent =
        run({QStringLiteral("--json"), QStringLiteral("--retry-failed=agent")}, QStringLiteral("shop"));
    QCOMPARE(agent.code, 1);
    QCOMPARE(agent.out.count("\"started\""), 1);
    QVERIFY2(agent.out.contains("\"slot\": \"food_olive_oil_004#1\"") ||
                 agent.out.contains("\"slot\":\"food_olive_oil_004#1\""),
             agent.out);
    const QJsonObject score =
        scores(QStringLiteral("eval_results/e_commerce")).value(QStringLiteral("food_olive_oil_004#1"));
    QCOMPARE(score.value(QLatin1String("attempt")).toInt(), 2);

    const ProgramEnd all =
        run({QStringLiteral("--retry-failed"), QStringLiteral("--dry-run")}, QStringLiteral("shop"));
    QVERIFY2(all.out.contains("1 of 6 attempts would run"), all.out);

    const ProgramEnd wrong = run({QStringLiteral("--retry-failed=judge")}, QStringLiteral("shop"));
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("--retry-failed"), wrong.err);
}

void TestDemo::takesChosenInstances()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "python3 /app/agent/careful.py"));
    QVERIFY(
        writeFile(m_folder->filePath(QStringLiteral("ids.txt")), "# chosen\nattraction_xian_monday_005\n\n"));
    const ProgramEnd end = run({QStringLiteral("--only"), QStringLiteral("hotel_lisbon*,@ids.txt"),
                                QStringLiteral("--only"), QStringLiteral("transport_london_edinburgh_004")});
    QVERIFY2(end.code == 0, end.out + end.err);
    QStringList ids = scores(QStringLiteral("eval_results/travel")).keys();
    ids.sort();
    const QStringList expected{QStringLiteral("attraction_xian_monday_005#1"),
                               QStringLiteral("hotel_lisbon_budget_002#1"),
                               QStringLiteral("transport_london_edinburgh_004#1")};
    QCOMPARE(ids, expected);

    const ProgramEnd nothing = run({QStringLiteral("--only"), QStringLiteral("hotel_lisbom")});
    QCOMPARE(nothing.code, 2);
    QVERIFY2(nothing.err.contains("hotel_lisbom"), nothing.err);
    QCOMPARE(run({QStringLiteral("--only"), QStringLiteral("@none.txt")}).code, 2);
}

void TestDemo::takesLimitAndRuns()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "python3 /app/agent/careful.py"));
    const ProgramEnd end =
        run({QStringLiteral("--limit"), QStringLiteral("2"), QStringLiteral("--runs"), QStringLiteral("2")});
    QVERIFY2(end.code == 0, end.out + end.err);
    const auto found = scores(QStringLiteral("eval_results/travel"));
    QCOMPARE(found.size(), 4);
    QVERIFY(found.contains(QStringLiteral("hotel_hangzhou_lake_001#2")));
    QVERIFY(QFileInfo::exists(
        m_folder->filePath(QStringLiteral("eval_results/travel/hotel_hangzhou_lake_001/run_2/result.json"))));
    QVERIFY2(end.out.contains("Per run: 0.9750, 0.9750"), end.out);
}

void TestDemo::runsAMatrix()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "unused"));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("m.yaml")),
                      "configs: [travel]\n"
                      "agents:\n"
                      "  - {name: careful, cmd: python3 /app/agent/careful.py}\n"
                      "  - {name: hasty, cmd: python3 /app/agent/hasty.py}\n"
                      "models: [m1, m2]\n"));
    const ProgramEnd end =
        runProctor({QStringLiteral("run"), QStringLiteral("--matrix"), QStringLiteral("m.yaml"),
                    QStringLiteral("--limit"), QStringLiteral("1")},
                   m_folder->path());
    QVERIFY2(end.code == 0, end.out + end.err);
    for (const char *name : {"m1_careful", "m1_hasty", "m2_careful", "m2_hasty"}) {
        const QString folder = QStringLiteral("eval_results/%1/travel").arg(QLatin1String(name));
        QCOMPARE(scores(folder).size(), 1);
        const QJsonObject identity =
            QJsonDocument::fromJson(contentOf(m_folder->filePath(folder + QStringLiteral("/run.json"))))
                .object();
        const QJsonObject agent = identity.value(QLatin1String("agent")).toObject();
        QCOMPARE(agent.value(QLatin1String("model")).toString() + u'_' +
                     agent.value(QLatin1String("name")).toString(),
                 QLatin1String(name));
    }
}

void TestDemo::saysWhatADryRunWouldDo()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "python3 /app/agent/careful.py"));
    const ProgramEnd end = run({QStringLiteral("--dry-run"), QStringLiteral("--runs"), QStringLiteral("2")});
    QCOMPARE(end.code, 0);
    QVERIFY2(end.out.contains("12 of 12 attempts would run (0 already done, 2 at a time)"), end.out);
    QVERIFY2(end.out.contains("  hotel_hangzhou_lake_001 run_1 [hotel] → "), end.out);
    QVERIFY2(end.out.contains("  ... and 7 more"), end.out);
    QVERIFY(!QDir(m_folder->filePath(QStringLiteral("eval_results"))).exists());
}

void TestDemo::refusesAnotherAgentInTheFolder()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "python3 /app/agent/careful.py"));
    QVERIFY(writeConfiguration(QStringLiteral("other"), "python3 /app/agent/hasty.py"));
    const QStringList one{QStringLiteral("--limit"), QStringLiteral("1")};
    QCOMPARE(run(one).code, 0);
    const ProgramEnd refused = run(one, QStringLiteral("other"));
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("agent"), refused.err);
    QCOMPARE(run(one + QStringList{QStringLiteral("--mix")}, QStringLiteral("other")).code, 0);
}

void TestDemo::recordsAStopAndGoesOn()
{
    QVERIFY(writeConfiguration(QStringLiteral("travel"), "\"sleep 60; true\""));
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(proctorProgram(),
                  {QStringLiteral("run"), QStringLiteral("--config"), QStringLiteral("travel.yaml"),
                   QStringLiteral("--json"), QStringLiteral("--limit"), QStringLiteral("3")});
    QByteArray seen;
    QTRY_VERIFY_WITH_TIMEOUT(
        (process.waitForReadyRead(50), seen += process.readAllStandardOutput(), seen.count("\"agent\"") >= 2),
        30'000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
    const ProgramEnd end = endOf(process, 20'000);
    QCOMPARE(end.code, 1);
    QVERIFY2(end.out.contains("\"stopped\""), end.out);
    const auto found = scores(QStringLiteral("eval_results/travel"));
    QCOMPARE(
        found.value(QStringLiteral("hotel_hangzhou_lake_001#1")).value(QLatin1String("state")).toString(),
        QStringLiteral("cancelled"));
    QVERIFY(!found.contains(QStringLiteral("transport_shanghai_beijing_003#1")));

    QVERIFY(writeConfiguration(QStringLiteral("careful"), "python3 /app/agent/careful.py"));
    const ProgramEnd again = run({QStringLiteral("--limit"), QStringLiteral("3"), QStringLiteral("--mix")},
                                 QStringLiteral("careful"));
    QVERIFY2(again.code == 0, again.out + again.err);
    QCOMPARE(scores(QStringLiteral("eval_results/travel")).size(), 3);
}

QTEST_GUILESS_MAIN(TestDemo)
#include "tst_demo.moc"
