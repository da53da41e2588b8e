// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostcommand.h"

#include "models/config/commandtemplate.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace proctor
{

static QString tr(const char *text)
{
    return QCoreApplication::translate("proctor", text);
}

PromptFiles::PromptFiles(const QString &attemptFolder)
    : folder(attemptFolder + QStringLiteral("/.prompt"))
    , system(folder + QStringLiteral("/system.md"))
    , instruction(folder + QStringLiteral("/instruction.md"))
    , toolDefinitions(folder + QStringLiteral("/tool_defs.json"))
    , taskContext(folder + QStringLiteral("/context.json"))
    , manifest(folder + QStringLiteral("/agent_context.json"))
{
}

QHash<QString, QString> placeholderValues(const EvalConfig &config, const QString &instanceId,
                                          const QString &attemptFolder, const QString &toolUrl)
{
    const PromptFiles prompts(attemptFolder);
    return {{QStringLiteral("context"), prompts.manifest},
            {QStringLiteral("output_dir"), attemptFolder},
            {QStringLiteral("instance_id"), instanceId},
            {QStringLiteral("tool_server_url"), toolUrl},
            {QStringLiteral("system_prompt_path"), prompts.system},
            {QStringLiteral("instruction_path"), prompts.instruction},
            {QStringLiteral("tool_defs_path"), prompts.toolDefinitions},
            {QStringLiteral("task_context_path"), prompts.taskContext},
            {QStringLiteral("config_dir"), config.configDir}};
}

QString workingFolderOf(const EvalConfig &config)
{
    const QString folder = config.agent.registration->workingFolder(config.configDir);
    const QString resolved = QFileInfo(folder).canonicalFilePath();
    return resolved.isEmpty() ? folder : resolved;
}

/// A name is looked for in PATH; a path begins at the working folder.
static Expected<QString> programPath(const QString &word, const QString &workingFolder)
{
    if (!word.contains(u'/')) {
        const QString found = QStandardPaths::findExecutable(word);
        if (found.isEmpty())
            return Error(tr("the program “%1” is not in the PATH").arg(word));
        return found;
    }
    const QString path = QDir(workingFolder).absoluteFilePath(word);
    const QFileInfo file(path);
    if (!file.exists())
        return Error(tr("the program %1 does not exist").arg(path));
    if (!file.isFile() || !file.isExecutable())
        return Error(tr("%1 is not an executable file").arg(path));
    return path;
}

Expected<QStringList> hostCommand(const EvalConfig &config, const QHash<QString, QString> &values)
{
    QStringList words;
    for (const QString &word : config.agent.registration->command) {
        const auto filled = fillPlaceholders(word, values);
        if (!filled)
            return filled.error();
        words << *filled;
    }
    const auto program = programPath(words.first(), workingFolderOf(config));
    if (!program)
        return program.error();
    words.first() = *program;
    return words;
}

Diagnostics programProblems(const EvalConfig &config)
{
    const AgentRegistration &agent = *config.agent.registration;
    const QString &word = agent.command.first();
    // Once with and once without a value: equal words hold no placeholder but config_dir.
    const QString key = QStringLiteral("config_dir");
    const auto plain = fillPlaceholders(word, {{key, config.configDir}});
    const auto other = fillPlaceholders(word, placeholderValues(config, word, word, word));
    if (!plain || !other || *plain != *other)
        return {};
    const auto program = programPath(*plain, workingFolderOf(config));
    if (program)
        return {};
    const QString path = QStringLiteral("agents.%1.command").arg(agent.name);
    const Error error(QStringLiteral("%1: %2").arg(path, program.error().message), config.file,
                      agent.commandLine, agent.commandColumn);
    return {Diagnostic{Diagnostic::Severity::Error, error, path}};
}

} // namespace proctor
