// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "models/core/nearname.h"
#include "models/core/version.h"

#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <iostream>
#include <sstream>

namespace proctor
{

static const QStringList commandNames{QStringLiteral("run"),     QStringLiteral("status"),
                                      QStringLiteral("report"),  QStringLiteral("demo"),
                                      QStringLiteral("cleanup"), QStringLiteral("agent")};

bool isCommand(const QStringList &words)
{
    if (words.isEmpty())
        return false;
    const QString &first = words.first();
    if (first.startsWith(u'-'))
        return first.startsWith(QStringLiteral("--")) || first.size() == 2;
    // A word that is no file is a slip of the pen, better answered here than by a window.
    return commandNames.contains(first) || !(first.contains(u'/') || QFileInfo::exists(first));
}

static void describe(CLI::App &app)
{
    app.description(
        "Proctor sets exams for LLM agents, runs them in a sandbox, marks them, and shows the result.\n\n"
        "  proctor                 opens the window\n"
        "  proctor PATH            opens it with a configuration or a results folder\n"
        "  proctor COMMAND ...     works here, as described below");
    app.footer("\"proctor COMMAND --help\" tells more about a command.\n\n"
               "Exit code: 0 all scored, 1 something failed, 2 wrong usage or input, 3 Proctor or the "
               "machine failed.");
    app.set_version_flag("--version", "proctor " + proctorVersion().toStdString(), "Print the version");
    app.set_help_flag("-h,--help", "Print this");
    app.get_formatter()->column_width(36);
    app.require_subcommand(1);
}

/// The word that should have been a command, if that is what is wrong.
static QString unknownCommand(const QStringList &words)
{
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words[i] == QStringLiteral("--config"))
            ++i;
        else if (!words[i].startsWith(u'-'))
            return commandNames.contains(words[i]) ? QString() : words[i];
    }
    return {};
}

static int refuse(const CLI::ParseError &error, const QStringList &words)
{
    const QString unknown = unknownCommand(words);
    if (!unknown.isEmpty()) {
        const auto guess = nearestName(unknown, commandNames);
        printError(QStringLiteral("There is no command “%1”, and no file of that name%2")
                       .arg(unknown, guess ? QStringLiteral("; do you mean “%1”?").arg(*guess) : QString()));
    } else {
        printError(QString::fromStdString(error.what()));
    }
    printRemark(QStringLiteral("“proctor --help” and “proctor COMMAND --help” tell what there is"));
    return exitWrongInput;
}

/// What CLI11 calls errors and are none: --help and --version.
static int answer(const CLI::App &app, const CLI::ParseError &error)
{
    std::ostringstream text;
    app.exit(error, text, text);
    printText(QByteArray::fromStdString(text.str()).trimmed());
    return exitAllWell;
}

int runCommandLine(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    CLI::App app;
    ExamOptions options;
    CommandAction action;
    describe(app);
    options.addConfig(app);
    addRunCommand(app, options, action);
    addStatusCommand(app, options, action);
    addReportCommand(app, options, action);
    addDemoCommand(app, action);
    addCleanupCommand(app, action);
    addAgentCommand(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &success) {
        return answer(app, success);
    } catch (const CLI::ParseError &error) {
        return refuse(error, application.arguments().mid(1));
    }
    // What is named relative to it would come to lie anywhere.
    if (QDir::currentPath().isEmpty() || !QDir(QStringLiteral(".")).exists()) {
        printError(QStringLiteral("The current folder does not exist any more: change to one that does"));
        return exitWrongInput;
    }
    return action();
}

} // namespace proctor
