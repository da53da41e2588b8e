// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/examoptions.h"

#include "app/cli/console.h"

#include <CLI/CLI.hpp>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <limits>

namespace proctor
{

static const QString defaultConfigFile = QStringLiteral("eval_config.yaml");

QString fromArgument(const std::string &text)
{
    return QFile::decodeName(QByteArray::fromStdString(text));
}

static std::optional<QString> fromArgument(const std::optional<std::string> &text)
{
    if (!text)
        return std::nullopt;
    return fromArgument(*text);
}

void ExamOptions::addConfig(CLI::App &command)
{
    command
        .add_option("--config", config,
                    "Configuration file; without it ./eval_config.yaml\nif it is there, else the defaults")
        ->type_name("FILE");
}

void ExamOptions::addFolder(CLI::App &command)
{
    addConfig(command);
    command.add_option("--dataset-config", datasetConfig, "Part of the benchmark: travel, e_commerce, ...")
        ->type_name("NAME");
    command.add_option("--output-dir", outputDir, "Folder of all results; each part has its own below it")
        ->type_name("DIR");
}

void ExamOptions::addAll(CLI::App &command)
{
    addFolder(command);
    command.add_option("--agent", agent, "Agent to examine, by its name in the configuration's agents")
        ->type_name("NAME");
    command.add_option("--registry", registry, "Registry that images are taken from")->type_name("HOST");
    command.add_option("--sandbox", sandbox, "Where attempts run; local needs no Docker")
        ->check(CLI::IsMember({"docker", "local"}).description(""))
        ->type_name("docker|local");
    command.add_option("--concurrency", concurrency, "Attempts at a time")
        ->check(CLI::Range(1, EvalConfig::Runner::mostConcurrency).description(""))
        ->type_name("N");
    command.add_option("--limit", limit, "Only the first N instances; 0 means all")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""))
        ->type_name("N");
    command.add_option("--runs", runs, "How often each instance is attempted")
        ->check(CLI::Range(1, EvalConfig::Runner::mostRuns).description(""))
        ->type_name("N");
}

ConfigOverrides ExamOptions::overrides() const
{
    ConfigOverrides overrides;
    overrides.datasetConfig = fromArgument(datasetConfig);
    overrides.outputDir = fromArgument(outputDir);
    overrides.registry = fromArgument(registry);
    overrides.agent = fromArgument(agent);
    overrides.limit = limit;
    overrides.concurrency = concurrency;
    overrides.runs = runs;
    if (sandbox)
        overrides.sandbox = sandboxKindFromWord(fromArgument(*sandbox));
    return overrides;
}

QString ExamOptions::chooseFile() const
{
    if (config)
        return fromArgument(*config);
    if (QFileInfo::exists(defaultConfigFile)) {
        printRemark(QStringLiteral("Configuration: ./%1").arg(defaultConfigFile));
        return defaultConfigFile;
    }
    printRemark(
        QStringLiteral("Configuration: the defaults (no --config, and no ./%1 here)").arg(defaultConfigFile));
    return {};
}

std::optional<EvalConfig> ExamOptions::load() const
{
    LoadedConfig loaded = loadEvalConfig(chooseFile(), overrides());
    printDiagnostics(loaded.diagnostics);
    if (!loaded.isUsable())
        return std::nullopt;
    return std::move(loaded.config);
}

void SelectionOptions::addTo(CLI::App &command)
{
    command
        .add_option("--only", only,
                    "Instances to run: ids or globs, separated by\ncommas or in several --only; "
                    "@FILE reads them\nfrom a file, one a line")
        ->delimiter(',')
        ->type_size(1)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("LIST");
    retryOption =
        command
            .add_option("--retry-failed", retryFailed,
                        "Run again what failed: all, or by fault (agent,\nharness, lost, cancelled; "
                        "--retry-failed=agent,lost)")
            ->expected(0, 1)
            ->type_name("[LIST]");
}

/// The lines of a file that names instances; blank ones and those that begin with # are left out.
static Expected<QStringList> linesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error(QStringLiteral("--only @%1: %2").arg(path, file.errorString()));
    QStringList lines;
    for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n')) {
        const QString trimmed = line.trimmed();
        if (!trimmed.isEmpty() && !trimmed.startsWith(u'#'))
            lines << trimmed;
    }
    if (lines.isEmpty())
        return Error(QStringLiteral("--only @%1: the file names no instance").arg(path));
    return lines;
}

Expected<RunSelection> SelectionOptions::selection(const EvalConfig &config) const
{
    RunSelection selection;
    selection.limit = config.runner.limit;
    selection.runs = config.runner.runs;
    selection.skipDone = config.runner.skipDone;
    for (const std::string &entry : only) {
        const QString text = fromArgument(entry).trimmed();
        if (!text.startsWith(u'@')) {
            selection.only << text;
            continue;
        }
        const auto lines = linesOf(text.mid(1));
        if (!lines)
            return lines.error();
        selection.only << *lines;
    }
    if (retryOption->count() > 0) {
        const auto choice =
            RetryChoice::fromWords(retryFailed.empty() ? QString() : fromArgument(retryFailed.front()));
        if (!choice)
            return Error(QStringLiteral("--retry-failed: ") + choice.error().message);
        selection.retry = *choice;
    }
    return selection;
}

} // namespace proctor
