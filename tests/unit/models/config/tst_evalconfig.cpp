// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/evalconfig.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;

static QStringList said(const LoadedConfig &loaded)
{
    QStringList lines;
    for (const Diagnostic &diagnostic : loaded.diagnostics)
        lines << toText(diagnostic);
    return lines;
}

static LoadedConfig parse(const QByteArray &yaml, const ConfigOverrides &overrides = {})
{
    return parseEvalConfig(yaml, QStringLiteral("f"), overrides);
}

class TestEvalConfig : public QObject
{
    Q_OBJECT

private slots:
    void hasTheDefaultsOfThePeer();
    void readsEveryKey();
    void acceptsWhatThePeerAccepts_data();
    void acceptsWhatThePeerAccepts();
    void readsScalarsAsYaml11();
    void lastOfEqualKeysCounts();
    void mergesSections();
    void selectsRegistration();
    void overrides();
    void checksOverrides();
    void loadsFiles();
    void refusesFilesThatAreNone();
    void resolvesPathsAgainstTheFile();
};

void TestEvalConfig::hasTheDefaultsOfThePeer()
{
    const LoadedConfig loaded = loadEvalConfig({});
    QCOMPARE(said(loaded), QStringList());
    const EvalConfig &config = loaded.config;
    QCOMPARE(config.dataset.repoId, QStringLiteral("FlyaiLab/ecommerce_last_exam"));
    QCOMPARE(config.dataset.config, QStringLiteral("travel"));
    QCOMPARE(config.dataset.split, QStringLiteral("test"));
    QCOMPARE(config.docker.platform, QStringLiteral("linux/amd64"));
    QCOMPARE(config.docker.registry, QString());
    QCOMPARE(config.agent.timeoutSec, 1800.0);
    QCOMPARE(config.agent.llmModel, QStringLiteral("qwen3.7-plus"));
    QVERIFY(config.usesBuiltInAgent());
    QCOMPARE(config.verifier.timeoutSec, 1200.0);
    QCOMPARE(config.runner.concurrency, 1);
    QCOMPARE(config.runner.outputDir, QStringLiteral("./eval_results"));
    QVERIFY(!config.runner.limit);
    QVERIFY(config.runner.skipDone);
    QCOMPARE(config.runner.toolTimeoutSec, 60.0);
    QCOMPARE(config.runner.toolParallel, 1);
    QCOMPARE(config.docker.pull, EvalConfig::Pull::Missing);
    QCOMPARE(config.docker.pids, 512);
    QCOMPARE(config.docker.disk, QString());
    QCOMPARE(config.docker.entrypoint, EvalConfig::Entrypoint::Replace);
    QCOMPARE(config.configDir, QDir::currentPath());
    QCOMPARE(config.file, QString());
}

void TestEvalConfig::readsEveryKey()
{
    const LoadedConfig loaded = parse(R"(
dataset: {repo_id: a/b, config: e_commerce, split: dev, path: /data/tasks.jsonl}
docker:
  registry: reg.example
  platform: linux/arm64
  engine: podman
  context: far
  pull: always
  network: none
  memory: 1.5G
  cpus: 2
  pids: 100
  disk: 2g
  entrypoint: keep
  hide: ["*.csv", data/**/gold.json]
agent:
  name: mine
  cmd: run me
  output_paths: artifacts/log.txt
  timeout_sec: 12.5
  llm_base_url: http://a
  llm_api_key: key
  llm_model: m
verifier: {timeout_sec: 7, judge_base_url: http://j, judge_api_key: k, judge_model: jm}
runner:
  concurrency: 3
  output_dir: out
  limit: 4
  skip_done: no
  sandbox: local
  runs: 5
  on_timeout: verify
  tool_timeout_sec: 0.5
  tool_parallel: 8
agents:
  mine:
    protocol: manifest-v1
    command: python3 'my agent.py' --context {context}
    cwd: /
    timeout_sec: 60
    output_paths: [./artifacts//a, answer.json, artifacts/a]
    pass_env: [HTTP_PROXY, _x1]
)");
    QCOMPARE(said(loaded), QStringList());
    const EvalConfig &c = loaded.config;
    QCOMPARE(c.dataset.repoId + c.dataset.config + c.dataset.split + c.dataset.path,
             QStringLiteral("a/be_commercedev/data/tasks.jsonl"));
    QCOMPARE(c.docker.registry + c.docker.platform + c.docker.context + c.docker.network + c.docker.memory,
             QStringLiteral("reg.examplelinux/arm64farnone1.5G"));
    QCOMPARE(c.docker.engine, EvalConfig::Engine::Podman);
    QCOMPARE(c.docker.pull, EvalConfig::Pull::Always);
    QCOMPARE(c.docker.cpus, std::optional(2.0));
    QCOMPARE(c.docker.pids, 100);
    QCOMPARE(c.docker.disk, QStringLiteral("2g"));
    QCOMPARE(c.docker.entrypoint, EvalConfig::Entrypoint::Keep);
    QCOMPARE(c.docker.hide, (QStringList{QStringLiteral("*.csv"), QStringLiteral("data/**/gold.json")}));
    QCOMPARE(c.agent.cmd + c.agent.llmBaseUrl + c.agent.llmApiKey + c.agent.llmModel,
             QStringLiteral("run mehttp://akeym"));
    QCOMPARE(c.agent.timeoutSec, 60.0); // the registration's
    QCOMPARE(c.agent.outputPaths,
             (QStringList{QStringLiteral("artifacts/a"), QStringLiteral("answer.json")}));
    QCOMPARE(c.verifier.timeoutSec, 7.0);
    QCOMPARE(c.verifier.judgeBaseUrl + c.verifier.judgeApiKey + c.verifier.judgeModel,
             QStringLiteral("http://jkjm"));
    QCOMPARE(c.runner.concurrency, 3);
    QCOMPARE(c.runner.outputDir, QStringLiteral("out"));
    QCOMPARE(c.runner.limit, std::optional(4));
    QVERIFY(!c.runner.skipDone);
    QCOMPARE(c.runner.sandbox, EvalConfig::SandboxKind::Local);
    QCOMPARE(c.runner.runs, 5);
    QCOMPARE(c.runner.onTimeout, EvalConfig::OnTimeout::Verify);
    QCOMPARE(c.runner.toolTimeoutSec, 0.5);
    QCOMPARE(c.runner.toolParallel, 8);
    const AgentRegistration mine = c.agent.registration.value();
    QCOMPARE(mine.command, (QStringList{QStringLiteral("python3"), QStringLiteral("my agent.py"),
                                        QStringLiteral("--context"), QStringLiteral("{context}")}));
    QCOMPARE(mine.passEnv, (QStringList{QStringLiteral("HTTP_PROXY"), QStringLiteral("_x1")}));
    QCOMPARE(mine.workingFolder(c.configDir), QStringLiteral("/"));
}

void TestEvalConfig::acceptsWhatThePeerAccepts_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("empty document") << QByteArray("---\n");
    QTest::newRow("null sections") << QByteArray("dataset:\nrunner: null\n");
    QTest::newRow("falsy document") << QByteArray("[]");
    QTest::newRow("limit 0 is all") << QByteArray("runner: {limit: 0}");
    QTest::newRow("limit null is all") << QByteArray("runner: {limit: null}");
    QTest::newRow("concurrency 0 is 1") << QByteArray("runner: {concurrency: 0}");
    QTest::newRow("null key") << QByteArray("agent: {llm_api_key: , name: null, output_paths: }");
    QTest::newRow("null registration limits")
        << QByteArray("agent: {name: a}\nagents: {a: {command: x, timeout_sec: null, output_paths: null}}");
    QTest::newRow("no outputs") << QByteArray("agent: {output_paths: ''}");
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "agent: {}");
    QTest::newRow("unknown keys") << QByteArray("agent: {colour: red}\n.templates: [1]\n1: 2");
}

void TestEvalConfig::acceptsWhatThePeerAccepts()
{
    QFETCH(QByteArray, yaml);
    const LoadedConfig loaded = parse(yaml);
    QVERIFY2(loaded.isUsable(), qPrintable(said(loaded).join(u'\n')));
    QVERIFY(!loaded.config.runner.limit);
    QCOMPARE(loaded.config.runner.concurrency, 1);
    QCOMPARE(loaded.config.agent.timeoutSec, 1800.0);
    QCOMPARE(loaded.config.agent.outputPaths, QStringList());
}

void TestEvalConfig::readsScalarsAsYaml11()
{
    const LoadedConfig loaded = parse("agent: {timeout_sec: 1_800, llm_model: 'yes'}\n"
                                      "verifier: {timeout_sec: 1:30}\n"
                                      "runner: {skip_done: off, concurrency: 0x10, limit: 010}\n");
    QCOMPARE(said(loaded), QStringList());
    QCOMPARE(loaded.config.agent.timeoutSec, 1800.0);
    QCOMPARE(loaded.config.agent.llmModel, QStringLiteral("yes"));
    QCOMPARE(loaded.config.verifier.timeoutSec, 90.0);
    QVERIFY(!loaded.config.runner.skipDone);
    QCOMPARE(loaded.config.runner.concurrency, 16);
    QCOMPARE(loaded.config.runner.limit, std::optional(8));
}

void TestEvalConfig::lastOfEqualKeysCounts()
{
    const LoadedConfig loaded = parse("runner: {runs: 2}\nrunner: {limit: 3, limit: 4}\n");
    QCOMPARE(loaded.config.runner.runs, 1);
    QCOMPARE(loaded.config.runner.limit, std::optional(4));
    QCOMPARE(loaded.diagnostics.size(), 2);
    QVERIFY(loaded.isUsable());
}

void TestEvalConfig::mergesSections()
{
    const LoadedConfig loaded =
        parse("agent: &limits {timeout_sec: 30}\nverifier:\n  <<: *limits\n  judge_model: j\n");
    QCOMPARE(said(loaded), QStringList());
    QCOMPARE(loaded.config.verifier.timeoutSec, 30.0);
    QCOMPARE(loaded.config.verifier.judgeModel, QStringLiteral("j"));
}

void TestEvalConfig::selectsRegistration()
{
    const QByteArray yaml =
        "agent: {name: a, timeout_sec: 9, output_paths: artifacts/x}\n"
        "agents:\n  a: {command: run}\n  b: {command: [go, '{context}'], timeout_sec: 5, output_paths: []}\n";
    const LoadedConfig a = parse(yaml);
    QCOMPARE(a.config.agent.registration->command, QStringList{QStringLiteral("run")});
    QCOMPARE(a.config.agent.timeoutSec, 9.0);
    QCOMPARE(a.config.agent.outputPaths, QStringList{QStringLiteral("artifacts/x")});
    QVERIFY(!a.config.usesBuiltInAgent());

    ConfigOverrides overrides;
    overrides.agent = QStringLiteral("b");
    const LoadedConfig b = parse(yaml, overrides);
    QCOMPARE(b.config.agent.name, QStringLiteral("b"));
    QCOMPARE(b.config.agent.timeoutSec, 5.0);
    QCOMPARE(b.config.agent.outputPaths, QStringList());
    QCOMPARE(b.config.agents.keys(), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
}

void TestEvalConfig::overrides()
{
    const QByteArray yaml = "dataset: {config: travel}\ndocker: {registry: r}\nagent: {name: gone}\n"
                            "runner: {limit: 5, concurrency: 2, runs: 2, output_dir: o, sandbox: local}\n"
                            "agents: {there: {command: x}}\n";
    ConfigOverrides all;
    all.datasetConfig = QStringLiteral("e_commerce");
    all.outputDir = QStringLiteral("elsewhere");
    all.registry = QStringLiteral("other");
    all.agent = QStringLiteral("there");
    all.limit = 0;
    all.concurrency = 7;
    all.runs = 3;
    all.sandbox = EvalConfig::SandboxKind::Docker;
    const LoadedConfig changed = parse(yaml, all);
    QCOMPARE(said(changed), QStringList());
    QCOMPARE(changed.config.dataset.config, QStringLiteral("e_commerce"));
    QCOMPARE(changed.config.runner.outputDir, QStringLiteral("elsewhere"));
    QCOMPARE(changed.config.docker.registry, QStringLiteral("other"));
    QVERIFY(changed.config.agent.registration.has_value());
    QVERIFY(!changed.config.runner.limit);
    QCOMPARE(changed.config.runner.concurrency, 7);
    QCOMPARE(changed.config.runner.runs, 3);
    QCOMPARE(changed.config.runner.sandbox, EvalConfig::SandboxKind::Docker);

    ConfigOverrides empty;
    empty.datasetConfig = empty.outputDir = empty.registry = QString();
    empty.agent = QStringLiteral("there");
    const LoadedConfig same = parse(yaml, empty);
    QCOMPARE(same.config.dataset.config, QStringLiteral("travel"));
    QCOMPARE(same.config.runner.outputDir, QStringLiteral("o"));
    QCOMPARE(same.config.docker.registry, QStringLiteral("r"));
    QCOMPARE(same.config.runner.limit, std::optional(5));
}

void TestEvalConfig::checksOverrides()
{
    ConfigOverrides bad;
    bad.limit = -1;
    bad.concurrency = -2;
    bad.runs = -3;
    bad.datasetConfig = QStringLiteral("../x");
    bad.agent = QStringLiteral("gone");
    const QString lines = said(parse({}, bad)).join(u'\n');
    for (const char *part :
         {"--limit must not be negative, but it is -1", "--concurrency must not be negative",
          "--runs must not be negative", "--dataset-config cannot", "unknown agent 'gone'"})
        QVERIFY2(lines.contains(QLatin1String(part)), qPrintable(lines));
    QCOMPARE(lines.count(u'\n'), 4);

    ConfigOverrides tooMuch;
    tooMuch.concurrency = 1025;
    tooMuch.runs = 1001;
    const LoadedConfig refused = parse({}, tooMuch);
    QVERIFY(!refused.isUsable());
    const QString sentences = said(refused).join(u'\n');
    QVERIFY(sentences.contains(QStringLiteral("--concurrency must be at most 1024, but it is 1025")));
    QVERIFY(sentences.contains(QStringLiteral("--runs must be at most 1000, but it is 1001")));
}

void TestEvalConfig::loadsFiles()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("eval_config.yaml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("runner: {limit: two}\n");
    file.close();
    const LoadedConfig loaded = loadEvalConfig(path);
    QCOMPARE(loaded.config.file, QFileInfo(path).canonicalFilePath());
    QCOMPARE(loaded.config.configDir, QFileInfo(folder.path()).canonicalFilePath());
    QCOMPARE(loaded.diagnostics.size(), 1);
    QCOMPARE(loaded.diagnostics.first().where.file, path);
}

void TestEvalConfig::refusesFilesThatAreNone()
{
    QTemporaryDir folder;
    const LoadedConfig missing = loadEvalConfig(folder.filePath(QStringLiteral("eval_confg.yaml")));
    QVERIFY(!missing.isUsable());
    QVERIFY(said(missing).first().contains(QLatin1String("eval_confg.yaml")));
    QVERIFY(!loadEvalConfig(folder.path()).isUsable());
    QVERIFY(!parse("a: \xff").isUsable());
    QVERIFY(!parse("agent: {}\n---\nagent: {}\n").isUsable());
}

void TestEvalConfig::resolvesPathsAgainstTheFile()
{
    QTemporaryDir folder;
    const QString root = QFileInfo(folder.path()).canonicalFilePath();
    QVERIFY(QDir(root).mkpath(QStringLiteral("exam/agent")));
    QFile file(root + QStringLiteral("/exam/c.yaml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("dataset: {path: ../data/t.csv}\nagent: {name: a}\nagents: {a: {command: x, cwd: agent}}\n");
    file.close();
    QVERIFY(QFile::link(file.fileName(), root + QStringLiteral("/link.yaml")));
    const LoadedConfig loaded = loadEvalConfig(root + QStringLiteral("/link.yaml"));
    QCOMPARE(said(loaded), QStringList());
    QCOMPARE(loaded.config.dataset.path, root + QStringLiteral("/data/t.csv"));
    QCOMPARE(loaded.config.agent.registration->workingFolder(loaded.config.configDir),
             root + QStringLiteral("/exam/agent"));

    AgentRegistration home;
    home.cwd = QStringLiteral("~/x");
    QCOMPARE(home.workingFolder(root), QDir::homePath() + QStringLiteral("/x"));
}

QTEST_GUILESS_MAIN(TestEvalConfig)
#include "tst_evalconfig.moc"
