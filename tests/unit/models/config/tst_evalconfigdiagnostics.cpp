// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/evalconfig.h"

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

static LoadedConfig parse(const QByteArray &yaml)
{
    return parseEvalConfig(yaml, QStringLiteral("f"));
}

class TestEvalConfigDiagnostics : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void reportsEverythingAtOnce();
    void guessesKeys_data();
    void guessesKeys();
    void onlyWarnsAboutOtherRegistrations();
    void neverShowsSecrets();
};

void TestEvalConfigDiagnostics::saysWhatIsWrong_data()
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
    row("runner: {concurrency: 1025}", "f:1:23: ", "runner.concurrency", "at most 1024, but it is 1025");
    row("runner: {runs: 1001}", "f:1:16: ", "runner.runs", "at most 1000, but it is 1001");
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
    row("docker: {pids: 63}", "f:1:16: ", "docker.pids", "64");
    row("docker: {pids: many}", "f:1:16: ", "docker.pids", "whole number");
    row("docker: {disk: big}", "f:1:16: ", "docker.disk", "'big'");
    row("docker: {disk: 1m}", "f:1:16: ", "docker.disk", "less than the 6m");
    row("docker: {entrypoint: own}", "f:1:22: ", "docker.entrypoint", "replace or keep");
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

void TestEvalConfigDiagnostics::saysWhatIsWrong()
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

void TestEvalConfigDiagnostics::reportsEverythingAtOnce()
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

void TestEvalConfigDiagnostics::guessesKeys_data()
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

void TestEvalConfigDiagnostics::guessesKeys()
{
    QFETCH(QByteArray, yaml);
    const LoadedConfig loaded = parse(yaml);
    QVERIFY(loaded.isUsable());
    QTEST(said(loaded).join(u'\n'), "said");
}

void TestEvalConfigDiagnostics::onlyWarnsAboutOtherRegistrations()
{
    const LoadedConfig loaded = parse("agents: {a: {command: 'x {'}, b: 5}\n");
    QVERIFY(loaded.isUsable());
    QCOMPARE(loaded.diagnostics.size(), 2);
    QCOMPARE(loaded.diagnostics[0].severity, Severity::Warning);
    QCOMPARE(loaded.diagnostics[1].severity, Severity::Warning);
}

void TestEvalConfigDiagnostics::neverShowsSecrets()
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

QTEST_GUILESS_MAIN(TestEvalConfigDiagnostics)
#include "tst_evalconfigdiagnostics.moc"
