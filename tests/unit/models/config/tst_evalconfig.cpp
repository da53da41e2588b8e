// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/evalconfig.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;
using Severity = Diagnostic::Severity;

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
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void reportsEverythingAtOnce();
    void guessesKeys_data();
    void guessesKeys();
    void readsScalarsAsYaml11();
    void lastOfEqualKeysCounts();
    void mergesSections();
    void selectsRegistration();
    void onlyWarnsAboutOtherRegistrations();
    void overrides();
    void checksOverrides();
    void neverShowsSecrets();
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

void TestEvalConfig::saysWhatIsWrong_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("start");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *yaml, const char *start, const char *key, const char *word) {
        QTest::newRow(QByteArray(yaml).simplified()) << QByteArray(yaml) << QString::fromUtf8(start)
                                                     << QString::fromUtf8(key) << QString::fromUtf8(word);
    };
    row("a: [", "f:2:1: ", "", "not YAML");
    row("just text", "f:1:1: ", "", "mapping of sections");
    row("- a\n- b", "f:1:1: ", "", "mapping of sections");
    row("runner: 5", "f:1:9: ", "runner", "must be a mapping");
    row("docker: [a]", "f:1:9: ", "docker", "must be a mapping");
    row("agent:", "f:1:7: ", "agent", "must be a mapping");
    row("agents: ~", "f:1:9: ", "agents", "must be a mapping");
    row("agent:\n  mode: external", "f:2:9: ", "agent.mode", "no longer supported");
    row("agent:\n  external_cmd: x", "f:2:17: ", "agent.external_cmd", "--agent");
    // types
    row("dataset: {repo_id: 5}", "f:1:20: ", "dataset.repo_id", "text, here in quotes, but it is a number");
    row("dataset: {config: null}", "f:1:19: ", "dataset.config", "must be text, but it is empty");
    row("dataset: {split: ''}", "f:1:18: ", "dataset.split", "must not be empty");
    row("agent: {llm_model: 2026-09-01}", "f:1:20: ", "agent.llm_model", "a date");
    row("agent: {name: no}", "f:1:15: ", "agent.name", "a yes/no value");
    row("agent: {cmd: [a]}", "f:1:14: ", "agent.cmd", "a list");
    row("agent: {cmd: {a: b}}", "f:1:14: ", "agent.cmd", "a mapping");
    row("agent: {cmd: \"a\\0b\"}", "f:1:14: ", "agent.cmd", "NUL");
    row("agent: {timeout_sec: '60'}", "f:1:22: ", "agent.timeout_sec", "without quotes");
    row("agent: {timeout_sec: 1e3}", "f:1:22: ", "agent.timeout_sec", "1.0e+3");
    row("agent: {timeout_sec: 0}", "f:1:22: ", "agent.timeout_sec", "above 0, but it is 0");
    row("agent: {timeout_sec: yes}", "f:1:22: ", "agent.timeout_sec", "a yes/no value");
    row("verifier: {timeout_sec: .nan}", "f:1:25: ", "verifier.timeout_sec", "above 0");
    row("verifier: {timeout_sec: .inf}", "f:1:25: ", "verifier.timeout_sec", "above 0");
    row("runner: {skip_done: 1}", "f:1:21: ", "runner.skip_done", "true or false");
    row("runner: {concurrency: 2.0}", "f:1:23: ", "runner.concurrency", "a whole number");
    row("runner: {concurrency: -1}", "f:1:23: ", "runner.concurrency", "at least 0, but it is -1");
    row("runner: {limit: -3}", "f:1:17: ", "runner.limit", "at least 0, but it is -3");
    row("runner: {limit: 99999999999999999999}", "f:1:17: ", "runner.limit", "at most");
    row("runner: {runs: 0}", "f:1:16: ", "runner.runs", "at least 1");
    row("runner: {tool_parallel: 9}", "f:1:25: ", "runner.tool_parallel", "at most 8");
    row("runner: {tool_timeout_sec: -1}", "f:1:28: ", "runner.tool_timeout_sec", "above 0");
    row("runner: {sandbox: vm}", "f:1:19: ", "runner.sandbox", "docker or local, but it is 'vm'");
    row("runner: {on_timeout: off}", "f:1:22: ", "runner.on_timeout", "fail or verify");
    row("dataset: {config: ../x}", "f:1:19: ", "dataset.config", "'/'");
    row("dataset: {config: ..}", "f:1:19: ", "dataset.config", "'..'");
    row("docker: {engine: lxc}", "f:1:18: ", "docker.engine", "docker or podman");
    row("docker: {pull: no}", "f:1:16: ", "docker.pull", "missing or always or never");
    row("docker: {network: 'a b'}", "f:1:19: ", "docker.network", "name of a network");
    row("docker: {network: 'container:x'}", "f:1:19: ", "docker.network", "name of a network");
    row("docker: {memory: lots}", "f:1:18: ", "docker.memory", "'lots'");
    row("docker: {memory: 4}", "f:1:18: ", "docker.memory", "with its unit");
    row("docker: {memory: 4m}", "f:1:18: ", "docker.memory", "less than the 6m");
    row("docker: {memory: 4t}", "f:1:18: ", "docker.memory", "with its unit");
    row("docker: {cpus: 0}", "f:1:16: ", "docker.cpus", "above 0");
    row("docker: {hide: secret}", "f:1:16: ", "docker.hide", "a list of texts");
    row("docker: {hide: [a, 5]}", "f:1:20: ", "docker.hide", "a number");
    row("docker: {hide: [/etc]}", "f:1:16: ", "docker.hide", "below /app");
    row("docker: {hide: [a/../../b]}", "f:1:16: ", "docker.hide", "'..'");
    row("agent: {output_paths: 5}", "f:1:23: ", "agent.output_paths", "a text or a list");
    row("agent: {output_paths: [/etc/x]}", "f:1:23: ", "agent.output_paths", "below the output folder");
    row("agent: {output_path: notes.txt}", "f:1:22: ", "agent.output_path", "below artifacts/");
    // agents
    row("agent: {name: a}", "f:1:15: ", "agent.name", "registered agents: none");
    row("agent: {name: x}\nagents: {b: {command: y}, a: {command: y}}", "f:1:15: ", "agent.name",
        "registered agents: a, b");
    row("agent: {name: crafty}\nagents: {craftly: {command: y}}", "f:1:15: ", "agent.name", "mean 'craftly'");
    const auto agentRow = [&row](const char *yaml, const char *start, const char *key, const char *word) {
        static QList<QByteArray> kept;
        kept << QByteArray("agent: {name: a}\nagents:\n  a: ") + yaml;
        row(kept.last().constData(), start, key, word);
    };
    agentRow("5", "f:3:6: ", "agents.a", "must be a mapping");
    agentRow("{protocol: v2, command: x}", "f:3:17: ", "agents.a.protocol", "'manifest-v1'");
    agentRow("{}", "f:3:6: ", "agents.a.command", "is missing");
    agentRow("{command: }", "f:3:16: ", "agents.a.command", "a text or a list of texts");
    agentRow("{command: 'x \"y'}", "f:3:16: ", "agents.a.command", "does not end");
    agentRow("{command: ' '}", "f:3:16: ", "agents.a.command", "is empty");
    agentRow("{command: []}", "f:3:16: ", "agents.a.command", "is empty");
    agentRow("{command: [x, 5]}", "f:3:20: ", "agents.a.command", "a number");
    agentRow("{command: ['', x]}", "f:3:16: ", "agents.a.command", "names no program");
    agentRow("{command: 'x {contxt}'}", "f:3:16: ", "agents.a.command", "'{context}'");
    agentRow("{command: 'x {context!r}'}", "f:3:16: ", "agents.a.command", "formatting");
    agentRow("{command: 'x {'}", "f:3:16: ", "agents.a.command", "no partner");
    agentRow("{command: x, cwd: ''}", "f:3:24: ", "agents.a.cwd", "must not be empty");
    agentRow("{command: x, cwd: no/such/folder}", "f:3:24: ", "agents.a.cwd",
             "no/such/folder does not exist");
    agentRow("{command: x, timeout_sec: true}", "f:3:32: ", "agents.a.timeout_sec", "a number above 0");
    agentRow("{command: x, timeout_sec: -5}", "f:3:32: ", "agents.a.timeout_sec", "-5");
    agentRow("{command: x, output_paths: [..]}", "f:3:33: ", "agents.a.output_paths",
             "below the output folder");
    agentRow("{command: x, pass_env: HOME}", "f:3:29: ", "agents.a.pass_env", "a list of texts");
    agentRow("{command: x, pass_env: [1X]}", "f:3:29: ", "agents.a.pass_env", "'1X'");
}

void TestEvalConfig::saysWhatIsWrong()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, start);
    QFETCH(QString, key);
    QFETCH(QString, word);
    const LoadedConfig loaded = parse(yaml);
    QVERIFY2(loaded.diagnostics.size() == 1, qPrintable(said(loaded).join(u'\n')));
    const Diagnostic diagnostic = loaded.diagnostics.first();
    const QString line = toText(diagnostic);
    QCOMPARE(diagnostic.severity, Severity::Error);
    QVERIFY2(line.startsWith(start), qPrintable(line));
    QCOMPARE(diagnostic.key, key);
    QVERIFY2(line.contains(word), qPrintable(line));
    QVERIFY(!loaded.isUsable());
}

void TestEvalConfig::reportsEverythingAtOnce()
{
    const LoadedConfig loaded = parse("runner:\n"
                                      "  runs: -1\n"
                                      "  skip_don: true\n"
                                      "agent:\n"
                                      "  name: gone\n"
                                      "  mode: external\n"
                                      "  timeout_sec: soon\n"
                                      "docker:\n"
                                      "  memory: 4g\n"
                                      "  memory: much\n"
                                      "datset: {}\n");
    QStringList places;
    for (const Diagnostic &diagnostic : loaded.diagnostics)
        places << QStringLiteral("%1 %2").arg(diagnostic.where.line).arg(diagnostic.key);
    QCOMPARE(places.join(QStringLiteral(", ")),
             QStringLiteral(
                 "2 runner.runs, 3 runner.skip_don, 5 agent.name, 6 agent.mode, 7 agent.timeout_sec, 10 , "
                 "10 docker.memory, 11 datset"));
}

void TestEvalConfig::guessesKeys_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("said");
    QTest::newRow("slip") << QByteArray("runner: {skip_don: true}")
                          << "f:1:10: hint: the key 'runner.skip_don' is not known and has no effect; did "
                             "you mean 'skip_done'?";
    QTest::newRow("section")
        << QByteArray("runer: {}")
        << "f:1:1: hint: the key 'runer' is not known and has no effect; did you mean 'runner'?";
    QTest::newRow("wrong section")
        << QByteArray("docker: {skip_done: true}")
        << "f:1:10: hint: the key 'docker.skip_done' is not known and has no effect; "
           "there is a 'runner.skip_done'";
    QTest::newRow("no section") << QByteArray("concurrency: 5")
                                << "f:1:1: hint: the key 'concurrency' is not known and has no effect; "
                                   "there is a 'runner.concurrency'";
    QTest::newRow("registration")
        << QByteArray("agents: {a: {command: x, passenv: []}}")
        << "f:1:26: hint: the key 'agents.a.passenv' is not known and has no effect; "
           "did you mean 'pass_env'?";
    QTest::newRow("no guess") << QByteArray("runner: {zebra: 1}")
                              << "f:1:10: hint: the key 'runner.zebra' is not known and has no effect";
}

void TestEvalConfig::guessesKeys()
{
    QFETCH(QByteArray, yaml);
    const LoadedConfig loaded = parse(yaml);
    QVERIFY(loaded.isUsable());
    QTEST(said(loaded).join(u'\n'), "said");
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

void TestEvalConfig::onlyWarnsAboutOtherRegistrations()
{
    const LoadedConfig loaded = parse("agents: {a: {command: 'x {'}, b: 5}\n");
    QVERIFY(loaded.isUsable());
    QCOMPARE(loaded.diagnostics.size(), 2);
    QCOMPARE(loaded.diagnostics[0].severity, Severity::Warning);
    QCOMPARE(loaded.diagnostics[1].severity, Severity::Warning);
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
}

void TestEvalConfig::neverShowsSecrets()
{
    const LoadedConfig loaded =
        parse("agent: {llm_api_key: [sk-hidden], llm_api_kye: sk-hidden, llm_base_url: {sk-x: sk-hidden}}\n"
              "verifier: {judge_api_key: 20261301, judge_api_key: {a: sk-hidden}}\n"
              "agents: {a: {command: x, pass_env: ['OPENAI_API_KEY=sk-hidden']}}\n"
              "key: sk-hidden\n");
    const QString lines = said(loaded).join(u'\n');
    QVERIFY(loaded.diagnostics.size() >= 6);
    QVERIFY2(!lines.contains(QLatin1String("sk-hidden")) && !lines.contains(QLatin1String("20261301")),
             qPrintable(lines));
    const QString broken = said(parse("agent: {llm_api_key: 'sk-hidden\n")).join(u'\n');
    QVERIFY2(!broken.isEmpty() && !broken.contains(QLatin1String("sk-hidden")), qPrintable(broken));
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
