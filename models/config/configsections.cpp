// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/configsections.h"

#include "models/config/homepath.h"
#include "models/config/outputpaths.h"
#include "models/exam/instanceid.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>

#include <limits>

namespace proctor
{

using Empty = ConfigSection::Empty;

namespace
{
struct Sections {
    Q_DECLARE_TR_FUNCTIONS(proctor::ConfigSections)
};
} // namespace

static constexpr int noLimit = std::numeric_limits<int>::max();

static constexpr WordTable<EvalConfig::Engine, 2> engineWords{{
    {EvalConfig::Engine::Docker, "docker"},
    {EvalConfig::Engine::Podman, "podman"},
}};

static constexpr WordTable<EvalConfig::Pull, 3> pullWords{{
    {EvalConfig::Pull::Missing, "missing"},
    {EvalConfig::Pull::Always, "always"},
    {EvalConfig::Pull::Never, "never"},
}};

static constexpr WordTable<EvalConfig::Entrypoint, 2> entrypointWords{{
    {EvalConfig::Entrypoint::Replace, "replace"},
    {EvalConfig::Entrypoint::Keep, "keep"},
}};

static constexpr WordTable<EvalConfig::SandboxKind, 2> sandboxWords{{
    {EvalConfig::SandboxKind::Docker, "docker"},
    {EvalConfig::SandboxKind::Local, "local"},
}};

static constexpr WordTable<EvalConfig::OnTimeout, 2> onTimeoutWords{{
    {EvalConfig::OnTimeout::Fail, "fail"},
    {EvalConfig::OnTimeout::Verify, "verify"},
}};

QString toWord(EvalConfig::SandboxKind kind)
{
    return wordOf(sandboxWords, kind);
}

std::optional<EvalConfig::SandboxKind> sandboxKindFromWord(const QString &word)
{
    return valueOf(sandboxWords, word);
}

void readDataset(const ConfigSection &section, const QString &configDir, EvalConfig::Dataset &target)
{
    const QString configKey = QStringLiteral("config");
    section.text(QStringLiteral("repo_id"), target.repoId);
    section.text(configKey, target.config);
    section.text(QStringLiteral("split"), target.split);
    section.text(QStringLiteral("path"), target.path, Empty::Allowed);
    if (!target.path.isEmpty())
        target.path = QDir::cleanPath(QDir(configDir).absoluteFilePath(withHome(target.path)));
    if (const auto problem = idProblem(target.config)) {
        section.error(configKey, Sections::tr("%1 '%2' cannot name a results folder: %3")
                                     .arg(section.pathOf(configKey), target.config.left(80), *problem));
    }
}

static void readNetwork(const ConfigSection &section, QString &target)
{
    const QString key = QStringLiteral("network");
    static const QRegularExpression name(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9_.-]*\\z"));
    section.text(key, target);
    if (!name.match(target).hasMatch())
        section.error(
            key, Sections::tr("%1 must be bridge, none or the name of a network").arg(section.pathOf(key)));
}

/// Bytes of "4g", "512m", "1.5g"; nothing for any other form.
static std::optional<double> bytesOf(const QString &size)
{
    static const QRegularExpression form(QStringLiteral("\\A([0-9]+(?:\\.[0-9]+)?)([bkmg])\\z"),
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(size);
    if (!match.hasMatch())
        return std::nullopt;
    const qsizetype power = QStringLiteral("bkmg").indexOf(match.captured(2).toLower());
    return match.captured(1).toDouble() * double(1LL << (10 * power));
}

/// A size, or nothing for null.
static void readSize(const ConfigSection &section, const QString &key, QString &target)
{
    // No engine starts a container with less memory.
    static constexpr double leastBytes = 6 * 1024 * 1024;
    const YamlNode *node = section.value(key);
    if (!node)
        return;
    const QString expected = Sections::tr("a size with its unit, like 512m or 4g");
    const bool isBareNumber = node->isScalar() && node->scalar.kind == YamlScalar::Kind::Int;
    if (!node->isText() && !node->isNull() && !isBareNumber) {
        section.wrongType(*node, key, expected);
        return;
    }
    const QString size = node->isNull() ? QString() : node->scalar.text;
    const auto bytes = bytesOf(size);
    if (size.isEmpty() || (bytes && *bytes >= leastBytes))
        target = size;
    else if (bytes)
        section.error(key,
                      Sections::tr("%1 is less than the 6m that a container needs").arg(section.pathOf(key)));
    else
        section.error(
            key,
            Sections::tr("%1 must be %2, but it is '%3'").arg(section.pathOf(key), expected, size.left(40)));
}

static void readCpus(const ConfigSection &section, std::optional<double> &target)
{
    const QString key = QStringLiteral("cpus");
    const YamlNode *node = section.value(key);
    if (!node || node->isNull())
        return;
    double cpus = 0;
    section.positive(key, cpus);
    if (cpus > 0)
        target = cpus;
}

static void readHide(const ConfigSection &section, QStringList &target)
{
    const QString key = QStringLiteral("hide");
    section.texts(key, target);
    for (const QString &glob : std::as_const(target)) {
        const bool leaves = glob.startsWith(u'/') || glob.split(u'/').contains(QLatin1String(".."));
        if (glob.isEmpty() || leaves || glob.contains(QChar(u'\0')))
            section.error(
                key, Sections::tr("'%1' in %2 is no pattern for paths below /app; write it without a leading "
                                  "'/' and without '..'")
                         .arg(glob, section.pathOf(key)));
    }
}

void readDocker(const ConfigSection &section, EvalConfig::Docker &target)
{
    section.text(QStringLiteral("registry"), target.registry, Empty::Allowed);
    section.text(QStringLiteral("platform"), target.platform);
    section.word(QStringLiteral("engine"), engineWords, target.engine);
    section.text(QStringLiteral("context"), target.context, Empty::Allowed);
    section.word(QStringLiteral("pull"), pullWords, target.pull);
    readNetwork(section, target.network);
    readSize(section, QStringLiteral("memory"), target.memory);
    readCpus(section, target.cpus);
    section.wholeNumber(QStringLiteral("pids"), target.pids, target.leastPids, target.mostPids);
    readSize(section, QStringLiteral("disk"), target.disk);
    section.word(QStringLiteral("entrypoint"), entrypointWords, target.entrypoint);
    readHide(section, target.hide);
}

std::optional<QStringList> readOutputPaths(const ConfigSection &section, const QString &key)
{
    const YamlNode *node = section.value(key);
    if (!node || node->isNull())
        return std::nullopt;
    QStringList written;
    if (node->isText() && !node->scalar.text.isEmpty())
        written << node->scalar.text;
    else if (node->isSequence())
        section.texts(key, written);
    else if (!node->isText())
        section.wrongType(*node, key, Sections::tr("a text or a list of texts"));

    QStringList paths;
    for (const QString &path : std::as_const(written)) {
        const auto normalised = normalisedOutputPath(path);
        if (normalised)
            paths << *normalised;
        else
            section.error(key, QStringLiteral("%1: %2").arg(section.pathOf(key), normalised.error().message));
    }
    paths.removeDuplicates();
    return paths;
}

const QStringList &legacyAgentKeys()
{
    static const QStringList keys{QStringLiteral("mode"), QStringLiteral("external_cmd")};
    return keys;
}

void readAgent(const ConfigSection &section, EvalConfig::Agent &target)
{
    section.text(QStringLiteral("name"), target.name, Empty::Allowed);
    section.text(QStringLiteral("cmd"), target.cmd);
    target.outputPaths = readOutputPaths(section, QStringLiteral("output_paths")).value_or(QStringList());
    if (target.outputPaths.isEmpty())
        target.outputPaths = readOutputPaths(section, QStringLiteral("output_path")).value_or(QStringList());
    section.seconds(QStringLiteral("timeout_sec"), target.timeoutSec);
    section.text(QStringLiteral("llm_base_url"), target.llmBaseUrl, Empty::Allowed);
    section.text(QStringLiteral("llm_api_key"), target.llmApiKey, Empty::Allowed);
    section.text(QStringLiteral("llm_model"), target.llmModel, Empty::Allowed);
    for (const QString &key : legacyAgentKeys()) {
        if (section.value(key))
            section.error(
                key, Sections::tr("%1 is no longer supported; register your agent under 'agents' and select "
                                  "it with agent.name or --agent")
                         .arg(section.pathOf(key)));
    }
}

void readVerifier(const ConfigSection &section, EvalConfig::Verifier &target)
{
    section.seconds(QStringLiteral("timeout_sec"), target.timeoutSec);
    section.text(QStringLiteral("judge_base_url"), target.judgeBaseUrl, Empty::Allowed);
    section.text(QStringLiteral("judge_api_key"), target.judgeApiKey, Empty::Allowed);
    section.text(QStringLiteral("judge_model"), target.judgeModel, Empty::Allowed);
}

static void readLimit(const ConfigSection &section, std::optional<int> &target)
{
    const QString key = QStringLiteral("limit");
    const YamlNode *node = section.value(key);
    if (!node || node->isNull())
        return;
    int limit = 0;
    section.wholeNumber(key, limit, 0, noLimit);
    if (limit > 0)
        target = limit;
}

void readRunner(const ConfigSection &section, EvalConfig::Runner &target)
{
    static constexpr int mostParallelTools = 8;
    // The peer takes 0 for one at a time.
    section.wholeNumber(QStringLiteral("concurrency"), target.concurrency, 0, target.mostConcurrency);
    target.concurrency = std::max(target.concurrency, 1);
    section.text(QStringLiteral("output_dir"), target.outputDir);
    readLimit(section, target.limit);
    section.flag(QStringLiteral("skip_done"), target.skipDone);
    section.word(QStringLiteral("sandbox"), sandboxWords, target.sandbox);
    section.wholeNumber(QStringLiteral("runs"), target.runs, 1, target.mostRuns);
    section.word(QStringLiteral("on_timeout"), onTimeoutWords, target.onTimeout);
    section.seconds(QStringLiteral("tool_timeout_sec"), target.toolTimeoutSec);
    section.wholeNumber(QStringLiteral("tool_parallel"), target.toolParallel, 1, mostParallelTools);
}

} // namespace proctor
