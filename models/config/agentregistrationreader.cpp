// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/agentregistrationreader.h"

#include "models/config/commandtemplate.h"
#include "models/config/configkeys.h"
#include "models/config/configsections.h"
#include "models/config/shellwords.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

namespace proctor
{

namespace
{
struct Reader {
    Q_DECLARE_TR_FUNCTIONS(proctor::AgentRegistrationReader)
};
} // namespace

static constexpr WordTable<AgentRegistration::Wall, 2> wallWords{{
    {AgentRegistration::Wall::None, "none"},
    {AgentRegistration::Wall::Bubblewrap, "bubblewrap"},
}};

static void readProtocol(const ConfigSection &section, QString &target)
{
    const QString key = QStringLiteral("protocol");
    const QString supported = target;
    section.text(key, target);
    if (target == supported)
        return;
    section.error(key, Reader::tr("%1 '%2' is not supported; there is only '%3'")
                           .arg(section.pathOf(key), target.left(40), supported));
}

static QStringList commandWords(const ConfigSection &section, const QString &key)
{
    QStringList words;
    const YamlNode *node = section.value(key);
    if (!node) {
        section.error(
            key, Reader::tr("%1 is missing: the command that starts the agent").arg(section.pathOf(key)));
    } else if (node->isText()) {
        const auto split = splitShellWords(node->scalar.text);
        if (!split)
            section.error(key, Reader::tr("%1 cannot be split into words: %2")
                                   .arg(section.pathOf(key), split.error().message));
        else if (split->isEmpty())
            section.error(key, Reader::tr("%1 is empty").arg(section.pathOf(key)));
        else
            words = *split;
    } else if (node->isSequence()) {
        section.texts(key, words);
        if (node->items.isEmpty())
            section.error(key, Reader::tr("%1 is empty").arg(section.pathOf(key)));
    } else {
        section.wrongType(*node, key, Reader::tr("a text or a list of texts"));
    }
    return words;
}

static void readCommand(const ConfigSection &section, QStringList &target)
{
    const QString key = QStringLiteral("command");
    target = commandWords(section, key);
    if (!target.isEmpty() && target.first().isEmpty())
        section.error(key,
                      Reader::tr("%1 names no program: its first word is empty").arg(section.pathOf(key)));
    for (const QString &word : std::as_const(target)) {
        const auto filled = fillPlaceholders(word, {});
        if (!filled)
            section.error(key, QStringLiteral("%1: %2").arg(section.pathOf(key), filled.error().message));
        else if (word.contains(QChar(u'\0')))
            section.error(key, Reader::tr("%1 contains a NUL character").arg(section.pathOf(key)));
    }
}

static void readFolder(const ConfigSection &section, const QString &configDir, AgentRegistration &target)
{
    const QString key = QStringLiteral("cwd");
    section.text(key, target.cwd);
    const QString folder = target.workingFolder(configDir);
    if (!QFileInfo(folder).isDir())
        section.error(key, QStringLiteral("%1: %2").arg(
                               section.pathOf(key),
                               Reader::tr("the agent's working folder %1 does not exist").arg(folder)));
}

static void readPassEnv(const ConfigSection &section, QStringList &target)
{
    const QString key = QStringLiteral("pass_env");
    static const QRegularExpression name(QStringLiteral("\\A[A-Za-z_][A-Za-z0-9_]*\\z"));
    section.texts(key, target);
    for (const QString &variable : std::as_const(target)) {
        // What stands here by mistake may be NAME=secret: the value is not shown.
        if (!name.match(variable).hasMatch()) {
            section.error(key, Reader::tr("'%1' in %2 is no name of a variable (letters, digits and '_')")
                                   .arg(variable.section(u'=', 0, 0).left(40), section.pathOf(key)));
        }
    }
}

AgentRegistration readRegistration(const ConfigSection &section, const QString &name,
                                   const QString &configDir)
{
    AgentRegistration registration;
    registration.name = name;
    readProtocol(section, registration.protocol);
    readCommand(section, registration.command);
    readFolder(section, configDir, registration);
    const QString timeout = QStringLiteral("timeout_sec");
    if (const YamlNode *node = section.value(timeout); node && !node->isNull()) {
        double seconds = 0;
        section.seconds(timeout, seconds);
        if (seconds > 0)
            registration.timeoutSec = seconds;
    }
    registration.outputPaths = readOutputPaths(section, QStringLiteral("output_paths"));
    readPassEnv(section, registration.passEnv);
    section.word(QStringLiteral("sandbox"), wallWords, registration.wall);
    const YamlMark command = section.placeOf(QStringLiteral("command"));
    registration.commandLine = command.line;
    registration.commandColumn = command.column;
    section.hintAtUnknown(configKeys(QStringLiteral("agents")));
    return registration;
}

} // namespace proctor
