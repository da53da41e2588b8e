// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registered agents on the host, against the real local sandbox: what they are told, what they may leave
// behind, and how they are ended.
#include "app/agents/hostwall.h"
#include "app/agents/registeredagent.h"
#include "app/runner/attemptrun.h"
#include "app/sandbox/localsandbox.h"
#include "tests/support/trialbundle.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/stat.h>

using namespace proctor;
using proctor::test::TrialBundle;

namespace
{

/// What most agents end with.
const QString answers = QStringLiteral("echo '{}' > answer.json; echo '# A' > answer.md");

struct Trial {
    /// For bash, in the attempt's folder; $1 is the tools' address, $2 the manifest.
    QString script = answers;
    QByteArray verifier = "echo 0.45 > /app/reward.txt";
    double limit = 30;
    EvalConfig::OnTimeout onTimeout = EvalConfig::OnTimeout::Fail;
    QStringList outputPaths;
    std::function<void(EvalConfig &)> configure;
    std::function<void(TrialBundle &)> furnish;
    std::function<void(AttemptRun *)> watch;
    /// Name of the attempt's folder.
    QString folderName = QStringLiteral("attempt");
    CancellationToken token;
};

struct Left {
    Outcome outcome;
    QTemporaryDir root;
    QString folder;
    double seconds = 0;

    QByteArray file(const QString &name) const
    {
        QFile file(folder + u'/' + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }
    QJsonObject manifest() const
    {
        return QJsonDocument::fromJson(file(QStringLiteral(".prompt/agent_context.json"))).object();
    }
};

const QString key = QStringLiteral("llm-key-4711-secret");

} // namespace

class TestHostAgent : public QObject
{
    Q_OBJECT

private:
    static std::unique_ptr<Left> attempt(const Trial &trial)
    {
        TrialBundle bundle;
        bundle.setVerifier(trial.verifier);
        if (trial.furnish)
            trial.furnish(bundle);

        auto left = std::make_unique<Left>();
        left->folder = left->root.filePath(QStringLiteral("results/travel/") + trial.folderName);
        QDir().mkpath(left->folder);
        QDir().mkpath(left->root.filePath(QStringLiteral("work")));

        AttemptSpec spec;
        spec.instance.id = QStringLiteral("trial");
        spec.instance.bundle = bundle.path();
        spec.slot = {QStringLiteral("trial"), 1};
        spec.folder = left->folder;
        EvalConfig &config = spec.config;
        config.configDir = left->root.filePath(QStringLiteral("work"));
        config.runner.outputDir = left->root.filePath(QStringLiteral("results"));
        config.runner.onTimeout = trial.onTimeout;
        config.agent.name = QStringLiteral("mine");
        config.agent.timeoutSec = trial.limit;
        config.agent.llmApiKey = key;
        config.agent.outputPaths = trial.outputPaths;
        AgentRegistration registration;
        registration.name = config.agent.name;
        registration.command = {
            QStringLiteral("bash"),
            QStringLiteral("-c"),
            QStringLiteral("cd \"$0\"; ") +
                QString(trial.script).replace(u'{', QStringLiteral("{{")).replace(u'}', QStringLiteral("}}")),
            QStringLiteral("{output_dir}"),
            QStringLiteral("{tool_server_url}"),
            QStringLiteral("{context}")};
        config.agent.registration = registration;
        if (trial.configure)
            trial.configure(config);

        LocalSandboxSpec sandbox;
        sandbox.bundle = bundle.path();
        sandbox.setup.wall = bubblewrapWall;
        AttemptRun run(spec, std::make_unique<LocalSandbox>(sandbox),
                       std::make_unique<RegisteredAgent>(config), trial.token);
        if (trial.watch)
            trial.watch(&run);
        int judged = 0;
        connect(&run, &AttemptRun::judged, &run, [&](const Outcome &outcome) {
            left->outcome = outcome;
            ++judged;
        });
        QCoro::waitFor(run.run());
        if (judged != 1)
            qFatal("judged %d times", judged);
        left->seconds = run.elapsedSeconds();
        return left;
    }

    static std::unique_ptr<Left> attempt(const QString &script)
    {
        Trial trial;
        trial.script = script;
        return attempt(trial);
    }

    static void walled(EvalConfig &config)
    {
        config.agent.registration->wall = AgentRegistration::Wall::Bubblewrap;
    }

    static void compareFailure(const Outcome &outcome, FailurePhase phase, Fault fault, const QString &part)
    {
        QVERIFY2(outcome.state == State::Failed, qPrintable(outcome.error));
        QVERIFY2(outcome.phase == phase, qPrintable(outcome.error));
        QVERIFY2(outcome.fault == fault, qPrintable(outcome.error));
        QVERIFY2(outcome.error.contains(part), qPrintable(outcome.error));
        QVERIFY(!outcome.reward);
    }

    /// Processes whose command line holds the word.
    static bool isAlive(const QByteArray &word)
    {
        for (const QString &pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
            if (pid.toInt() > 0 && file.open(QIODevice::ReadOnly) && file.readAll().contains(word))
                return true;
        }
        return false;
    }

private slots:
    void goodAgentIsScored()
    {
        Trial trial;
        trial.script = QStringLiteral("echo '{\"v\": 1}' > answer.json; echo '# A' > answer.md; "
                                      "mkdir -p artifacts/deep; echo x > artifacts/deep/x.txt; "
                                      "echo thinking; echo oops >&2");
        trial.outputPaths = {QStringLiteral("artifacts/deep/x.txt")};
        trial.verifier = "cd /app; grep -q v answer.json && grep -q A answer.md && "
                         "grep -q x artifacts/deep/x.txt && echo 1 > reward.txt";
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(1), qPrintable(left->outcome.error));
        QCOMPARE(left->outcome.flags, QStringList());
        QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")), QByteArray("thinking\n"));
        QCOMPARE(left->file(QStringLiteral("agent_stderr.txt")), QByteArray("oops\n"));
        QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("{\"v\": 1}\n"));
        QCOMPARE(left->file(QStringLiteral("artifacts/deep/x.txt")), QByteArray("x\n"));
    }

    void toolsAreCalledAndRecorded()
    {
        Trial trial;
        trial.script =
            QStringLiteral("python3 - \"$1\" <<'END'\n"
                           "import sys, urllib.request\n"
                           "open_ = urllib.request.build_opener(urllib.request.ProxyHandler({})).open\n"
                           "ask = lambda path, body=None: open_(sys.argv[1] + path, body).read()\n"
                           "print(ask('/health'), ask('/tools'), ask('/call/look', b'{\"for\": \"it\"}'))\n"
                           "END\n") +
            answers;
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QVERIFY2(left->file(QStringLiteral("agent_stdout.txt")).contains("\"found\": 3"),
                 left->file(QStringLiteral("agent_stderr.txt")));
        QCOMPARE(left->file(QStringLiteral("tool_calls.jsonl")), QByteArray("{\"tool\":\"look\"}\n"));
        const QByteArray trace = left->file(QStringLiteral("tool_trace.jsonl"));
        QVERIFY2(trace.contains("\"who\":\"host\"") && trace.contains("\"for\": \"it\""), trace);
        const QString url = left->manifest()[QStringLiteral("tools")][QStringLiteral("url")].toString();
        static const QRegularExpression form(
            QStringLiteral("\\Ahttp://127\\.0\\.0\\.1:[0-9]+/[A-Za-z0-9_-]{20,}\\z"));
        QVERIFY2(form.match(url).hasMatch(), qPrintable(url));
    }

    void failures_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<FailurePhase>("phase");
        QTest::addColumn<QString>("part");
        const auto outputs = [](const char *name, const QString &script, const char *part) {
            QTest::newRow(name) << script << FailurePhase::Outputs << QString::fromLatin1(part);
        };
        QTest::newRow("exit 1") << QStringLiteral("echo '{}' > answer.json; echo I give up >&2; exit 1")
                                << FailurePhase::Agent << QStringLiteral("exit code 1: I give up");
        QTest::newRow("killed by a signal")
            << QStringLiteral("kill -9 $$") << FailurePhase::Agent << QStringLiteral("signal 9");
        outputs("nothing", QStringLiteral("true"), "answer.json is missing; answer.md is missing");
        outputs("one missing", QStringLiteral("echo x > answer.json"), ": answer.md is missing");
        outputs("a link out", answers + QStringLiteral("; rm answer.md; ln -s /etc/passwd answer.md"),
                "answer.md is a symbolic link");
        outputs("a link inside",
                answers + QStringLiteral("; mv answer.md artifacts.md; ln -s artifacts.md answer.md"),
                "answer.md is a symbolic link");
        outputs("a dangling link", answers + QStringLiteral("; rm answer.md; ln -s nowhere answer.md"),
                "answer.md is a symbolic link");
        outputs("a folder", QStringLiteral("echo x > answer.md; mkdir answer.json"),
                "answer.json is a folder");
        outputs("a pipe", QStringLiteral("echo x > answer.md; mkfifo answer.json"),
                "answer.json is no regular file");
        outputs("huge", answers + QStringLiteral("; truncate -s 65M answer.json"),
                "answer.json is larger than 64 MB");
    }

    void failures()
    {
        QFETCH(QString, script);
        QFETCH(FailurePhase, phase);
        QFETCH(QString, part);
        const auto left = attempt(script);
        compareFailure(left->outcome, phase, Fault::Agent, part);
        QCOMPARE(left->file(QStringLiteral("verifier_stdout.txt")), QByteArray());
        QVERIFY(left->seconds < 20);
    }

    void artifactBelowALinkIsRefused_data()
    {
        QTest::addColumn<QString>("target");
        QTest::newRow("absolute") << QStringLiteral("/etc");
        QTest::newRow("by ..") << QStringLiteral("../../../../../../../../etc");
        QTest::newRow("inside") << QStringLiteral("other");
    }

    void artifactBelowALinkIsRefused()
    {
        QFETCH(QString, target);
        Trial trial;
        trial.script = answers + QStringLiteral("; mkdir other; echo x > other/passwd; ln -s ") + target +
                       QStringLiteral(" artifacts");
        trial.outputPaths = {QStringLiteral("artifacts/passwd")};
        const auto left = attempt(trial);
        compareFailure(left->outcome, FailurePhase::Outputs, Fault::Agent,
                       QStringLiteral("artifacts/passwd lies below a link"));
        QVERIFY(QFileInfo(left->folder + QStringLiteral("/artifacts")).isSymLink());
    }

    void staleOutputsAreNotAnswers()
    {
        Trial trial;
        trial.script = QStringLiteral("echo x > answer.md; ls -A artifacts 2>&1; true");
        trial.watch = [](AttemptRun *run) {
            const QString folder = run->spec().folder;
            QVERIFY(QDir().mkpath(folder + QStringLiteral("/artifacts/old")));
            QFile stale(folder + QStringLiteral("/answer.json"));
            QVERIFY(stale.open(QIODevice::WriteOnly));
            QVERIFY(QDir().mkpath(folder + QStringLiteral("/answer.md")));
        };
        const auto left = attempt(trial);
        compareFailure(left->outcome, FailurePhase::Outputs, Fault::Agent,
                       QStringLiteral(": answer.json is missing"));
        QVERIFY(left->file(QStringLiteral("agent_stdout.txt")).contains("No such file"));
    }

    /// What an earlier attempt left as a link is taken away, and not what the link leads to.
    void staleLinksAreNotFollowed()
    {
        QTemporaryDir elsewhere;
        QFile treasure(elsewhere.filePath(QStringLiteral("treasure")));
        QVERIFY(treasure.open(QIODevice::WriteOnly));
        Trial trial;
        trial.watch = [&](AttemptRun *run) {
            QVERIFY(QFile::link(elsewhere.path(), run->spec().folder + QStringLiteral("/artifacts")));
            QVERIFY(QFile::link(treasure.fileName(), run->spec().folder + QStringLiteral("/answer.json")));
        };
        const auto left = attempt(trial);
        QCOMPARE(left->outcome.reward, std::optional<double>(0.45));
        QCOMPARE(treasure.size(), 0);
        QVERIFY(treasure.exists());
        QVERIFY(!QFileInfo(left->folder + QStringLiteral("/answer.json")).isSymLink());
    }

    void proctorsOwnFilesAreNotLedElsewhere()
    {
        QTemporaryDir elsewhere;
        const QString target = elsewhere.filePath(QStringLiteral("target"));
        const auto left = attempt(answers + QStringLiteral("; ln -s %1 tool_calls.jsonl; mkdir state.tar; "
                                                           "mkdir -p result.json/x")
                                                .arg(target));
        QCOMPARE(left->outcome.reward, std::optional<double>(0.45));
        QVERIFY(!QFileInfo::exists(target));
        QVERIFY(QFileInfo(left->folder + QStringLiteral("/state.tar")).isFile());
        QVERIFY(!QFileInfo::exists(left->folder + QStringLiteral("/result.json")));
    }

    void bytesAreLeftAsTheyAre()
    {
        Trial trial;
        trial.script = QStringLiteral("printf '\\377\\000\\376' > answer.json; : > answer.md; "
                                      "printf '\\377 out\\n'; printf '\\376 err\\n' >&2");
        trial.verifier =
            "test \"$(od -An -tx1 /app/answer.json)\" = ' ff 00 fe' && test -e /app/answer.md && "
            "echo 1 > /app/reward.txt";
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(1), qPrintable(left->outcome.error));
        QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")), QByteArray("\377 out\n"));
    }

    void manifestSaysWhatIsToBeDone()
    {
        Trial trial;
        trial.outputPaths = {QStringLiteral("artifacts/log")};
        trial.script = answers + QStringLiteral("; mkdir artifacts; cp \"$2\" artifacts/log");
        trial.folderName = QStringLiteral("with blanks, 中文 & 'quotes'");
        trial.furnish = [](TrialBundle &bundle) {
            bundle.write(QStringLiteral("instruction.md"), "找到 “it”\n");
            bundle.write(QStringLiteral("context.json"), "{\"z\": 1.10, \"a\": 1e3}");
            QFile::remove(bundle.path() + QStringLiteral("/system.md"));
        };
        trial.configure = [](EvalConfig &config) {
            config.agent.llmBaseUrl = QStringLiteral("http://host.docker.internal:4000/v1");
        };
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        const QByteArray text = left->file(QStringLiteral(".prompt/agent_context.json"));
        QCOMPARE(left->file(QStringLiteral("artifacts/log")), text);
        QVERIFY2(text.contains("\"task_context\": {\n    \"z\": 1.10,\n    \"a\": 1e3\n  },\n"), text);
        QVERIFY2(text.contains("\"user\": \"找到 “it”\\n\""), text);
        QVERIFY(!text.contains(key.toUtf8()));

        const QJsonObject manifest = left->manifest();
        QCOMPARE(manifest.keys().size(), 7);
        QCOMPARE(manifest[QStringLiteral("protocol_version")].toString(), QStringLiteral("1.0"));
        QCOMPARE(manifest[QStringLiteral("instance_id")].toString(), QStringLiteral("trial"));
        QCOMPARE(manifest[QStringLiteral("prompts")][QStringLiteral("system")].toString(), QString());
        QCOMPARE(manifest[QStringLiteral("tools")][QStringLiteral("definitions")].toArray().size(), 1);
        QCOMPARE(manifest[QStringLiteral("output")][QStringLiteral("directory")].toString(),
                 QFileInfo(left->folder).canonicalFilePath());
        const QJsonArray paths{QStringLiteral("answer.json"), QStringLiteral("answer.md"),
                               QStringLiteral("artifacts/log")};
        QCOMPARE(manifest[QStringLiteral("output")][QStringLiteral("paths")].toArray(), paths);
        const QJsonObject llm{{QStringLiteral("base_url"), QStringLiteral("http://127.0.0.1:4000/v1")},
                              {QStringLiteral("model"), QStringLiteral("qwen3.7-plus")},
                              {QStringLiteral("api_key_env"), QStringLiteral("LLM_API_KEY")}};
        QCOMPARE(manifest[QStringLiteral("llm")].toObject(), llm);
    }

    void taskWithoutWhatAHostAgentNeeds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("part");
        const QString defs = QStringLiteral("tool_defs.json");
        QTest::newRow("no tool_defs") << defs << QByteArray() << QStringLiteral("has no tool_defs.json");
        QTest::newRow("empty list") << defs << QByteArray("[]") << QStringLiteral("list with at least one");
        QTest::newRow("an object") << defs << QByteArray("{\"a\": [1]}") << QStringLiteral("list with at");
        QTest::newRow("no JSON") << defs << QByteArray("[{]")
                                 << QStringLiteral("tool_defs.json is not valid");
        QTest::newRow("context no JSON") << QStringLiteral("context.json") << QByteArray("{'a'}")
                                         << QStringLiteral("context.json is not valid");
        QTest::newRow("far too large") << QStringLiteral("system.md") << QByteArray(17 << 20, 'x')
                                       << QStringLiteral("system.md is larger than");
    }

    void taskWithoutWhatAHostAgentNeeds()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, part);
        Trial trial;
        trial.script = QStringLiteral("touch ran; ") + answers;
        trial.furnish = [&](TrialBundle &bundle) {
            if (content.isEmpty())
                QFile::remove(bundle.path() + u'/' + name);
            else
                bundle.write(name, content);
        };
        const auto left = attempt(trial);
        compareFailure(left->outcome, FailurePhase::Setup, Fault::Harness, part);
        QCOMPARE(left->file(QStringLiteral("ran")), QByteArray("(missing)"));
    }

    void secondLayoutIsReadToo()
    {
        Trial trial;
        trial.furnish = [](TrialBundle &bundle) {
            QDir folder(bundle.path());
            QVERIFY(folder.mkdir(QStringLiteral("environment")));
            for (const char *name : {"tools", "tool_defs.json", "context.json"})
                QVERIFY(
                    folder.rename(QLatin1String(name), QStringLiteral("environment/") + QLatin1String(name)));
        };
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QVERIFY(left->manifest()[QStringLiteral("task_context")].isObject());
    }

    void environmentIsAllowListed()
    {
        qputenv("PROBE_SECRET_TOKEN", "probe-token-99");
        qputenv("PROBE_HIDDEN", "hidden");
        qputenv("LLM_MODEL", "of the parent");
        qputenv("LC_ALL", "C.UTF-8");
        Trial trial;
        trial.script = answers + QStringLiteral("; env -0 > env.bin; echo $PROBE_SECRET_TOKEN $LLM_API_KEY");
        trial.configure = [](EvalConfig &config) {
            config.agent.llmModel.clear();
            config.agent.registration->passEnv = {QStringLiteral("PROBE_SECRET_TOKEN"),
                                                  QStringLiteral("LLM_MODEL"), QStringLiteral("ABSENT")};
        };
        const auto left = attempt(trial);
        QCOMPARE(left->outcome.reward, std::optional<double>(0.45));
        QStringList names;
        QHash<QString, QString> values;
        for (const QByteArray &entry : left->file(QStringLiteral("env.bin")).split('\0')) {
            const QString name = QString::fromUtf8(entry).section(u'=', 0, 0);
            values.insert(name, QString::fromUtf8(entry).section(u'=', 1));
            if (!name.isEmpty())
                names << name;
        }
        const QStringList allowed =
            QStringLiteral("PATH HOME USER LOGNAME TMPDIR TMP TEMP LANG LC_ALL LLM_BASE_URL LLM_API_KEY "
                           "LLM_MODEL PYTHONUNBUFFERED PYTHONUTF8 PROBE_SECRET_TOKEN PROCTOR_OWNER "
                           "PROCTOR_RUN PROCTOR_STEP PWD OLDPWD SHLVL _")
                .split(u' ');
        for (const QString &name : std::as_const(names))
            QVERIFY2(allowed.contains(name), qPrintable(name));
        QCOMPARE(values.value(QStringLiteral("LLM_API_KEY")), key);
        QCOMPARE(values.value(QStringLiteral("LLM_MODEL")), QString());
        QVERIFY(values.contains(QStringLiteral("LLM_MODEL")));
        QCOMPARE(values.value(QStringLiteral("LLM_BASE_URL")), QStringLiteral("http://127.0.0.1:4000"));
        QCOMPARE(values.value(QStringLiteral("PROBE_SECRET_TOKEN")), QStringLiteral("probe-token-99"));
        QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")), QByteArray("*** ***\n"));
        qunsetenv("LLM_MODEL");
    }

    void keyIsInNoFile()
    {
        qputenv("LLM_API_KEY", "parents-key-0815");
        Trial trial;
        trial.script = QStringLiteral("test \"$LLM_API_KEY\" = parents-key-0815 || exit 3; "
                                      "echo $LLM_API_KEY; echo $LLM_API_KEY >&2; exit 1");
        trial.configure = [](EvalConfig &config) { config.agent.llmApiKey.clear(); };
        const auto left = attempt(trial);
        qunsetenv("LLM_API_KEY");
        compareFailure(left->outcome, FailurePhase::Agent, Fault::Agent, QStringLiteral("exit code 1: ***"));
        int files = 0;
        QDirIterator entries(left->root.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (entries.hasNext()) {
            QFile file(entries.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains("parents-key"), qPrintable(file.fileName()));
            ++files;
        }
        QVERIFY(files > 5);
    }

    void commandIsFilledAndRunWithoutAShell()
    {
        Trial trial;
        trial.folderName = QStringLiteral("blank 中文 $HOME; `id`");
        trial.configure = [](EvalConfig &config) {
            QDir(config.configDir).mkpath(QStringLiteral("in here"));
            QFile script(config.configDir + QStringLiteral("/in here/agent"));
            QVERIFY(script.open(QIODevice::WriteOnly));
            script.write("#!/bin/bash\npwd; for a in \"$@\"; do echo \"[$a]\"; done\n"
                         "cd \"$1\"; echo x > answer.json; echo x > answer.md\n");
            script.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
            config.agent.registration->cwd = QStringLiteral("in here");
            config.agent.registration->command = QStringList{QStringLiteral("./agent"),
                                                             QStringLiteral("{output_dir}"),
                                                             QStringLiteral("--id={instance_id}"),
                                                             QStringLiteral("{{{context}}}"),
                                                             QStringLiteral("{system_prompt_path}"),
                                                             QStringLiteral("{instruction_path}"),
                                                             QStringLiteral("{tool_defs_path}"),
                                                             QStringLiteral("{task_context_path}"),
                                                             QStringLiteral("{config_dir}"),
                                                             QStringLiteral("$HOME * ; `id`"),
                                                             QString()};
        };
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        const QString folder = QFileInfo(left->folder).canonicalFilePath();
        const QString work = QFileInfo(left->root.filePath(QStringLiteral("work"))).canonicalFilePath();
        QStringList expected{folder, QStringLiteral("--id=trial"),
                             u'{' + folder + QStringLiteral("/.prompt/agent_context.json}")};
        for (const char *name : {"system.md", "instruction.md", "tool_defs.json", "context.json"})
            expected << folder + QStringLiteral("/.prompt/") + QLatin1String(name);
        expected << work << QStringLiteral("$HOME * ; `id`") << QString();
        QString text = work + QStringLiteral("/in here\n");
        for (const QString &word : std::as_const(expected))
            text += u'[' + word + QStringLiteral("]\n");
        QCOMPARE(QString::fromUtf8(left->file(QStringLiteral("agent_stdout.txt"))), text);
    }

    void programThatCannotRun_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("part");
        QTest::newRow("not in PATH") << QStringLiteral("no-such-agent")
                                     << QStringLiteral("“no-such-agent” is not in the PATH");
        QTest::newRow("no such file") << QStringLiteral("./agent") << QStringLiteral("does not exist");
        QTest::newRow("a folder") << QStringLiteral("/etc") << QStringLiteral("not an executable");
        QTest::newRow("no interpreter")
            << QStringLiteral("./broken") << QStringLiteral("could not be started");
    }

    void programThatCannotRun()
    {
        QFETCH(QString, program);
        QFETCH(QString, part);
        Trial trial;
        trial.configure = [&](EvalConfig &config) {
            QFile script(config.configDir + QStringLiteral("/broken"));
            QVERIFY(script.open(QIODevice::WriteOnly));
            script.write("#!/nowhere/python\n");
            script.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
            config.agent.registration->command = {program};
        };
        compareFailure(attempt(trial)->outcome, FailurePhase::Setup, Fault::Harness, part);
    }

    void timeLimitEndsEverything()
    {
        Trial trial;
        trial.limit = 1;
        trial.script = QStringLiteral("echo '{\"half\": 1}' > answer.json; trap '' TERM; "
                                      "bash -c 'trap \"\" TERM; exec -a grandchild-4711 sleep 300' & "
                                      "setsid bash -c 'trap \"\" TERM; exec -a daemon-4711 sleep 300' & "
                                      "echo begun; while true; do sleep 0.1; done");
        const auto left = attempt(trial);
        compareFailure(left->outcome, FailurePhase::Timeout, Fault::Agent, QStringLiteral("longer than"));
        QCOMPARE(left->outcome.step, std::optional<Phase>(Phase::Agent));
        QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")), QByteArray("begun\n"));
        QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("{\"half\": 1}\n"));
        QVERIFY(QFileInfo::exists(left->folder + QStringLiteral("/tool_calls.jsonl")));
        QVERIFY(!isAlive("grandchild-4711"));
        QVERIFY(!isAlive("daemon-4711"));
        QVERIFY(left->seconds < 15);
    }

    void timedOutAnswersMayBeVerified()
    {
        Trial trial;
        trial.limit = 1;
        trial.onTimeout = EvalConfig::OnTimeout::Verify;
        trial.script = answers + QStringLiteral("; sleep 60");
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QCOMPARE(left->outcome.flags, QStringList(QStringLiteral("timed_out")));
    }

    void childThatHoldsTheOutputIsNotWaitedFor()
    {
        const auto left =
            attempt(answers + QStringLiteral("; setsid bash -c 'exec -a holder-4711 sleep 300' & "
                                             "exit 0"));
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QCOMPARE(left->outcome.flags, QStringList(QStringLiteral("leftovers")));
        QVERIFY(left->seconds < 15);
        QVERIFY(!isAlive("holder-4711"));
    }

    /// What left the agent's session and cleared its environment cannot change an answer after its end.
    void wallEndsWhatHides()
    {
        Trial trial;
        trial.configure = walled;
        trial.script =
            answers + QStringLiteral("; setsid env -i bash -c '(setsid bash -c \"exec -a hidden-4711 sleep "
                                     "300\" &)' < /dev/null > /dev/null 2>&1; exit 0");
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QTRY_VERIFY(!isAlive("hidden-4711"));
        QVERIFY(left->seconds < 15);
    }

    void killersHitThemselvesAlone_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("part");
        QTest::newRow("at once") << QStringLiteral("kill -9 0") << QStringLiteral("signal 9");
        QTest::newRow("politely") << QStringLiteral("kill -15 0; sleep 60") << QStringLiteral("signal 15");
    }

    /// Proctor is in no group of its agents.
    void killersHitThemselvesAlone()
    {
        QFETCH(QString, script);
        QFETCH(QString, part);
        const auto left = attempt(answers + QStringLiteral("; ") + script);
        compareFailure(left->outcome, FailurePhase::Agent, Fault::Agent, part);
    }

    void floodIsCutInTheMiddle()
    {
        const auto left = attempt(QStringLiteral("echo first; yes | head -c 150M; echo last; ") + answers);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QCOMPARE(left->outcome.flags, QStringList(QStringLiteral("truncated")));
        const QByteArray kept = left->file(QStringLiteral("agent_stdout.txt"));
        QVERIFY(kept.size() < (51 << 20));
        QVERIFY(kept.startsWith("first\n") && kept.endsWith("last\n"));
    }

    void manyFilesAreLeftWhereTheyAre_data()
    {
        QTest::addColumn<bool>("isWalled");
        QTest::newRow("plain") << false;
        QTest::newRow("walled") << true;
    }

    void manyFilesAreLeftWhereTheyAre()
    {
        QFETCH(bool, isWalled);
        Trial trial;
        if (isWalled)
            trial.configure = walled;
        trial.script =
            answers + QStringLiteral("; mkdir artifacts other; python3 -c 'for i in range(20000):\n"
                                     " for d in (\"artifacts\", \"other\"): open(f\"{d}/{i}\", "
                                     "\"w\")'");
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QVERIFY(QFileInfo::exists(left->folder + QStringLiteral("/artifacts/19999")));
        QCOMPARE(QFileInfo::exists(left->folder + QStringLiteral("/other")), !isWalled);
        QVERIFY(left->seconds < 60);
    }

    void folderThatIsTakenAway_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("removed") << QStringLiteral("rm -rf \"$0\"");
        QTest::newRow("a file") << QStringLiteral("rm -rf \"$0\"; echo x > \"$0\"");
        QTest::newRow("a link elsewhere")
            << QStringLiteral("mv \"$0\" \"$0.other\"; ln -s \"$0.other\" \"$0\"");
    }

    void folderThatIsTakenAway()
    {
        QFETCH(QString, script);
        const auto left = attempt(answers + QStringLiteral("; cd /; ") + script);
        compareFailure(left->outcome, FailurePhase::Outputs, Fault::Agent,
                       QStringLiteral(": answer.json is missing"));
        QVERIFY(!QFileInfo(left->folder).isSymLink());
        QVERIFY(QFileInfo::exists(left->folder + QStringLiteral("/tool_calls.jsonl")));
    }

    /// Proctor was killed while an agent behind a wall worked.
    void staleWorkspaceHoldsNoAnswers()
    {
        Trial trial;
        trial.script = QStringLiteral("echo x > answer.md");
        trial.configure = walled;
        trial.watch = [](AttemptRun *run) {
            const QString workspace = run->spec().folder + QStringLiteral("/.agent");
            QVERIFY(QDir().mkpath(workspace));
            QFile stale(workspace + QStringLiteral("/answer.json"));
            QVERIFY(stale.open(QIODevice::WriteOnly));
        };
        const auto left = attempt(trial);
        compareFailure(left->outcome, FailurePhase::Outputs, Fault::Agent,
                       QStringLiteral(": answer.json is missing"));
    }

    void userStops()
    {
        CancellationSource source;
        Trial trial;
        trial.token = source.token();
        trial.script = QStringLiteral("echo half > answer.json; echo so far; exec -a stopped-4711 sleep 300");
        trial.watch = [&](AttemptRun *run) {
            connect(run, &AttemptRun::logged, run,
                    [&] { source.cancel(QStringLiteral("Stopped by the user")); });
        };
        const auto left = attempt(trial);
        QCOMPARE(left->outcome.state, State::Cancelled);
        QCOMPARE(left->outcome.fault, std::optional<Fault>(Fault::Harness));
        QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("half\n"));
        QVERIFY(QFileInfo::exists(left->folder + QStringLiteral("/tool_calls.jsonl")));
        QVERIFY(!isAlive("stopped-4711"));
        QVERIFY(left->seconds < 15);
    }

    void wallLeavesTheAgentItsWork()
    {
        Trial trial;
        trial.configure = walled;
        trial.outputPaths = {QStringLiteral("artifacts/a/b")};
        trial.script =
            answers + QStringLiteral("; mkdir -p artifacts/a; cat .prompt/tool_defs.json > artifacts/a/b; "
                                     "touch \"$HOME/cache\" /tmp/x && ls -A > artifacts/seen; "
                                     "touch undeclared; pwd");
        const auto left = attempt(trial);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QCOMPARE(left->outcome.flags, QStringList());
        QCOMPARE(left->file(QStringLiteral("artifacts/seen")),
                 QByteArray(".prompt\nanswer.json\nanswer.md\nartifacts\n"));
        QVERIFY(left->file(QStringLiteral("artifacts/a/b")).contains("look"));
        QCOMPARE(left->file(QStringLiteral("agent_stdout.txt")).trimmed(),
                 QFileInfo(left->folder).canonicalFilePath().toUtf8());
        QVERIFY(!QFileInfo::exists(left->folder + QStringLiteral("/.agent")));
    }

    void wallHides_data()
    {
        QTest::addColumn<QString>("attack");
        QTest::newRow("home") << QStringLiteral("cat %home/.ssh/id");
        QTest::newRow("a home by its name") << QStringLiteral("ls -A /root /home | grep -v : | grep .");
        QTest::newRow("other attempts") << QStringLiteral("cat %results/travel/other/answer.json");
        QTest::newRow("journal") << QStringLiteral("cat %results/travel/events.jsonl");
        QTest::newRow("own traces") << QStringLiteral("cat %folder/tool_trace.jsonl");
        QTest::newRow("own trace for writing") << QStringLiteral(
            "echo x >> %folder/tool_trace.jsonl; grep -q '\"attempt\"' %folder/tool_trace.jsonl");
        QTest::newRow("manifest for writing") << QStringLiteral("echo x >> .prompt/agent_context.json");
        QTest::newRow("configuration with its keys") << QStringLiteral("cat %work/eval_config.yaml");
        QTest::newRow("working folder for writing") << QStringLiteral("touch %work/x");
        QTest::newRow("bundle") << QStringLiteral("cat %bundle/tests/test.sh");
        QTest::newRow("system for writing") << QStringLiteral("touch /usr/x /etc/x");
        QTest::newRow("passwords") << QStringLiteral("cat /etc/shadow | grep .");
        QTest::newRow("processes outside") << QStringLiteral("ls -d /proc/%pid");
        QTest::newRow("memory of processes")
            << QStringLiteral("grep -az judge-key-12345 /proc/[0-9]*/environ");
        QTest::newRow("mount") << QStringLiteral("mount -t tmpfs none /mnt");
        QTest::newRow("kernel settings") << QStringLiteral("test -w /proc/sys/kernel/core_pattern");
    }

    void wallHides()
    {
        QFETCH(QString, attack);
        QTemporaryDir home;
        QVERIFY(QDir(home.path()).mkpath(QStringLiteral(".ssh")));
        const QByteArray realHome = qgetenv("HOME");
        qputenv("HOME", home.path().toUtf8());
        Trial trial;
        trial.configure = [&](EvalConfig &config) {
            walled(config);
            const QString results = config.runner.outputDir + QStringLiteral("/travel/");
            QVERIFY(QDir().mkpath(results + QStringLiteral("other")));
            config.file = config.configDir + QStringLiteral("/eval_config.yaml");
            for (const QString &path :
                 {config.file, results + QStringLiteral("other/answer.json"),
                  results + QStringLiteral("events.jsonl"), home.filePath(QStringLiteral(".ssh/id"))}) {
                QFile file(path);
                QVERIFY(file.open(QIODevice::WriteOnly) && file.write("secret\n") > 0);
            }
            attack.replace(QStringLiteral("%home"), home.path())
                .replace(QStringLiteral("%results"), config.runner.outputDir)
                .replace(QStringLiteral("%work"), config.configDir)
                .replace(QStringLiteral("%pid"), QString::number(QCoreApplication::applicationPid()))
                .replace(QStringLiteral("%folder"), results + QStringLiteral("attempt"));
            QString &script = config.agent.registration->command[2];
            script = QStringLiteral("cd \"$0\"; if { %1; } 2>/dev/null; then echo BROKEN-IN; fi; ")
                         .arg(attack)
                         .replace(u'{', QStringLiteral("{{"))
                         .replace(u'}', QStringLiteral("}}")) +
                     QString(answers).replace(u'{', QStringLiteral("{{")).replace(u'}', QStringLiteral("}}"));
        };
        trial.furnish = [&](TrialBundle &bundle) {
            attack.replace(QStringLiteral("%bundle"), bundle.path());
        };
        const auto left = attempt(trial);
        qputenv("HOME", realHome);
        QVERIFY2(left->outcome.reward == std::optional<double>(0.45), qPrintable(left->outcome.error));
        QVERIFY2(!left->file(QStringLiteral("agent_stdout.txt")).contains("BROKEN-IN"), qPrintable(attack));
    }

    void wallFallsWithItsTime()
    {
        Trial trial;
        trial.configure = walled;
        trial.limit = 1;
        trial.script = QStringLiteral("echo half > answer.json; trap '' TERM; "
                                      "setsid env -i bash -c 'exec -a walled-4711 sleep 300' & "
                                      "while true; do sleep 0.1; done");
        const auto left = attempt(trial);
        compareFailure(left->outcome, FailurePhase::Timeout, Fault::Agent, QStringLiteral("longer than"));
        QCOMPARE(left->file(QStringLiteral("answer.json")), QByteArray("half\n"));
        QTRY_VERIFY(!isAlive("walled-4711"));
    }
};

QTEST_GUILESS_MAIN(TestHostAgent)
#include "tst_hostagent.moc"
