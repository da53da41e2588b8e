// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "models/core/version.h"
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;
using namespace proctor::test;

class TestCommandLine : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void tellsCommandsFromPaths_data();
    void tellsCommandsFromPaths();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
    void helps_data();
    void helps();
    void tellsItsVersion();
    void saysWhichConfigurationItTakes();
    void takesConfigOnEitherSide();
    void placesErrorsOfTheConfiguration();
    void printsTheStatusOfAPeersFolder();
    void reportsAPeersFolder();
    void printsRunsAndFailures();
    void saysWhichFolderIsMissing();
    void spellsOutWhatATerminalWouldObey();
    void needsAFolderToStandIn();
    void needsNoLocale();
    void saysThatAWindowNeedsADisplay();

private:
    QString copyOfSamples() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCommandLine::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestCommandLine::tellsCommandsFromPaths_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<bool>("isCommandLine");
    const auto row = [](const char *words, bool isCommandLine) {
        QTest::newRow(*words ? words : "nothing")
            << QString::fromUtf8(words).split(u' ', Qt::SkipEmptyParts) << isCommandLine;
    };
    row("", false);
    row("/no/such/config.yaml", false);
    row("./results", false);
    row("/", false);
    row("-platform offscreen", false);
    row("run", true);
    row("status --output-dir /tmp", true);
    row("--config x.yaml run", true);
    row("--help", true);
    row("-h", true);
    row("rnu", true);
}

void TestCommandLine::tellsCommandsFromPaths()
{
    QFETCH(QStringList, words);
    QTEST(isCommand(words), "isCommandLine");
}

void TestCommandLine::refusesWrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("remark");
    const auto row = [](const char *arguments, const char *remark) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments).split(u' ') << QByteArray(remark);
    };
    row("rnu", "do you mean “run”?");
    row("--config x.yaml", "subcommand is required");
    row("run --limt 3", "--limt");
    row("run --limit three", "--limit");
    row("run --limit -1", "--limit");
    row("run --concurrency 0", "--concurrency");
    row("run --runs 0", "--runs");
    row("run --sandbox chroot", "--sandbox");
    row("run --json --dry-run", "--dry-run");
    row("status --dry-run", "--dry-run");
    row("status extra", "extra");
    row("--config no.yaml status", "no.yaml: error:");
    row("run --matrix no.yaml", "no.yaml: error:");
    row("run --sandbox local", "The built-in agent calls a model, and the local sandbox has no network");
}

void TestCommandLine::refusesWrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, remark);
    const ProgramEnd end = runProctor(arguments, m_folder->path());
    QCOMPARE(end.code, 2);
    QCOMPARE(end.out, QByteArray());
    QVERIFY2(end.err.contains(remark), end.err);
}

void TestCommandLine::helps_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QList<QByteArray>>("mentions");
    QTest::newRow("all") << QStringList{QStringLiteral("--help")}
                         << QList<QByteArray>{"run", "status", "report", "demo", "cleanup", "Exit code"};
    QTest::newRow("run") << QStringList{QStringLiteral("run"), QStringLiteral("--help")}
                         << QList<QByteArray>{
                                "--config",     "--dataset-config", "--limit",    "--concurrency", "--agent",
                                "--output-dir", "--runs",           "--registry", "--dry-run",     "--only",
                                "--sandbox",    "--retry-failed",   "--matrix",   "--mix",         "--adopt",
                                "--json"};
    QTest::newRow("demo") << QStringList{QStringLiteral("demo"), QStringLiteral("--help")}
                          << QList<QByteArray>{"--output-dir", "--json"};
}

void TestCommandLine::helps()
{
    QFETCH(QStringList, arguments);
    QFETCH(QList<QByteArray>, mentions);
    const ProgramEnd end = runProctor(arguments, m_folder->path());
    QCOMPARE(end.code, 0);
    QCOMPARE(end.err, QByteArray());
    for (const QByteArray &word : mentions)
        QVERIFY2(end.out.contains(word), word);
}

void TestCommandLine::tellsItsVersion()
{
    const ProgramEnd end = runProctor({QStringLiteral("--version")}, m_folder->path());
    QCOMPARE(end.code, 0);
    QCOMPARE(end.out, "proctor " + proctorVersion().toUtf8() + '\n');
}

void TestCommandLine::saysWhichConfigurationItTakes()
{
    const QStringList status{QStringLiteral("status")};
    QVERIFY(runProctor(status, m_folder->path()).err.contains("the defaults"));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("eval_config.yaml")), "dataset: {config: here}\n"));
    const ProgramEnd end = runProctor(status, m_folder->path());
    QVERIFY2(end.err.contains("Configuration: ./eval_config.yaml"), end.err);
    QVERIFY2(end.err.contains("eval_results/here"), end.err);
}

void TestCommandLine::takesConfigOnEitherSide()
{
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("x.yaml")), "dataset: {config: elsewhere}\n"));
    const QStringList config{QStringLiteral("--config"), QStringLiteral("x.yaml")};
    const QStringList status{QStringLiteral("status")};
    const ProgramEnd before = runProctor(config + status, m_folder->path());
    const ProgramEnd behind = runProctor(status + config, m_folder->path());
    QVERIFY2(before.err.contains("eval_results/elsewhere"), before.err);
    QCOMPARE(behind.err, before.err);
}

void TestCommandLine::placesErrorsOfTheConfiguration()
{
    QVERIFY(
        writeFile(m_folder->filePath(QStringLiteral("x.yaml")), "runner:\n  concurrency: many\nagent: 3\n"));
    const ProgramEnd end = runProctor(
        {QStringLiteral("run"), QStringLiteral("--config"), QStringLiteral("x.yaml")}, m_folder->path());
    QCOMPARE(end.code, 2);
    QVERIFY2(end.err.contains("x.yaml:2:16: error: "), end.err);
    QVERIFY2(end.err.contains("x.yaml:3:8: error: "), end.err);
}

/// Samples are read-only, a report writes beside them.
QString TestCommandLine::copyOfSamples() const
{
    const QDir samples(QStringLiteral(PROCTOR_TEST_DATA "/exam"));
    for (const char *name : {"eval_results", "eval_results_retried"}) {
        const QString folder = QLatin1String(name) + QStringLiteral("/travel");
        QDir(m_folder->path()).mkpath(folder);
        QFile::copy(samples.filePath(folder + QStringLiteral("/scores.jsonl")),
                    m_folder->filePath(folder + QStringLiteral("/scores.jsonl")));
    }
    return m_folder->path();
}

void TestCommandLine::printsTheStatusOfAPeersFolder()
{
    const QString folder = copyOfSamples();
    const ProgramEnd end = runProctor({QStringLiteral("status")}, folder);
    QCOMPARE(end.code, 0);
    const QByteArray expected = "travel   " + folder.toUtf8() +
                                "/eval_results/travel\n"
                                "  Completed: 2/2 (failed: 0)\n"
                                "  Scored 2 · agent failed 0 · harness failed 0 · not run unknown\n"
                                "  Average reward: 1.0000\n"
                                "  Means: headline 1.0000 ± 0.0000 (agent failures count 0) · scored only "
                                "1.0000 · strict 1.0000 (all failures count 0)\n"
                                "  By domain:\n"
                                "    consume: 1.0000 (n=1)\n"
                                "    hotel: 1.0000 (n=1)\n";
    QCOMPARE(end.out, expected);
}

void TestCommandLine::reportsAPeersFolder()
{
    const QString folder = copyOfSamples();
    const ProgramEnd end = runProctor(
        {QStringLiteral("report"), QStringLiteral("--output-dir"), QStringLiteral("eval_results_retried")},
        folder);
    QCOMPARE(end.code, 0);
    // The slot failed first and was scored then: the last verdict counts.
    QVERIFY2(end.out.contains("Completed: 1/1 (failed: 0)"), end.out);
    QVERIFY2(end.out.contains("hotel: 0.7000 (n=1)   lowest 0.7000, highest 0.7000"), end.out);
    const QByteArray summary =
        contentOf(folder + QStringLiteral("/eval_results_retried/travel/summary.json"));
    QVERIFY2(summary.startsWith("{\n  \"config\": \"travel\",\n  \"total\": 1,\n  \"completed\": 1,\n  "
                                "\"failed\": 0,\n  \"avg_reward\": 0.7,\n  \"runs\": 1,\n  \"std\": 0.0,\n  "
                                "\"run_scores\": [],\n"),
             summary);
    QVERIFY(summary.endsWith('}'));
    QCOMPARE(QJsonDocument::fromJson(summary).object().value(QLatin1String("headline_mean")).toDouble(), 0.7);
}

/// The worked example of two runs over three instances.
void TestCommandLine::printsRunsAndFailures()
{
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("eval_results/travel")));
    QByteArray lines;
    const auto add = [&lines](const char *id, const char *domain, int run, const char *rest) {
        lines += "{\"instance_id\": \"" + QByteArray(id) + "\", \"domain\": \"" + domain +
                 "\", \"run_id\": " + QByteArray::number(run) + ", " + rest + ", \"duration_sec\": 1.0}\n";
    };
    add("h1", "hotel", 1, "\"reward\": 0.8, \"error\": null");
    add("h2", "hotel", 1, "\"reward\": 0.4, \"error\": null");
    add("a1", "attraction", 1, "\"reward\": 1.0, \"error\": null");
    add("h1", "hotel", 2, "\"reward\": 0.6, \"error\": null");
    add("h2", "hotel", 2, "\"reward\": null, \"error\": \"agent exit 1: \", \"phase\": \"agent\"");
    add("a1", "attraction", 2, "\"reward\": 0.5, \"error\": null");
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("eval_results/travel/scores.jsonl")), lines));
    const ProgramEnd end = runProctor({QStringLiteral("report")}, m_folder->path());
    QCOMPARE(end.code, 0);
    for (const char *line :
         {"Completed: 5/6 (failed: 1)", "Scored 5 · agent failed 1 · harness failed 0",
          "Average reward: 0.6167", "Runs: 2   standard deviation: ±0.1296", "Per run: 0.7333, 0.5500",
          "Means: headline 0.5500", "attraction: 0.7500 (n=2)   lowest 0.5000, highest 1.0000",
          "hotel: 0.6000 (n=3)   lowest 0.4000, highest 0.8000", "Failed at:\n    agent: 1\n"})
        QVERIFY2(end.out.contains(line), (line + QByteArray("\nis missing in\n") + end.out).constData());
}

void TestCommandLine::saysWhichFolderIsMissing()
{
    for (const char *command : {"status", "report"}) {
        const ProgramEnd end = runProctor({QLatin1String(command)}, m_folder->path());
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains("eval_results/travel does not exist"), end.err);
        QVERIFY(!QDir(m_folder->filePath(QStringLiteral("eval_results"))).exists());
    }
}

static ProgramEnd runWithoutEnvironment(const QStringList &arguments)
{
    QProcess process;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
    process.setProcessEnvironment(environment);
    process.start(proctorProgram(), arguments);
    return endOf(process, 30'000);
}

/// A fresh system has no locale set; then nobody should be told about character encodings.
void TestCommandLine::spellsOutWhatATerminalWouldObey()
{
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("eval_results/travel")));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("eval_results/travel/scores.jsonl")),
                      R"({"instance_id": "a", "domain": "hotel\u001b[2J\r\u009b", "reward": 1.0})"));
    const ProgramEnd end = runProctor({QStringLiteral("status")}, m_folder->path());
    QCOMPARE(end.code, 0);
    QVERIFY2(end.out.contains(R"(hotel\x1b[2J\x0d\x9b: 1.0000)"), end.out.constData());
    QVERIFY(!end.out.contains('\x1b'));
}

/// Without one, paths relative to it would be taken as relative to the root.
void TestCommandLine::needsAFolderToStandIn()
{
    QProcess shell;
    shell.start(QStringLiteral("sh"),
                {QStringLiteral("-c"), QStringLiteral("cd \"$1\" && rmdir \"$1\" && \"$2\" demo"),
                 QStringLiteral("sh"), m_folder->path(), proctorProgram()});
    const ProgramEnd end = endOf(shell, 60'000);
    QCOMPARE(end.code, 2);
    QVERIFY2(end.err.contains("current folder does not exist"), end.err.constData());
}

void TestCommandLine::needsNoLocale()
{
    const ProgramEnd end = runWithoutEnvironment({QStringLiteral("--version")});
    QCOMPARE(end.code, 0);
    QCOMPARE(end.err, QByteArray());
}

void TestCommandLine::saysThatAWindowNeedsADisplay()
{
    const ProgramEnd end = runWithoutEnvironment({});
    QCOMPARE(end.code, 3);
    QVERIFY2(end.err.contains("proctor --help"), end.err);
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
