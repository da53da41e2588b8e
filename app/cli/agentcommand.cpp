// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/functionagent.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exitcode.h"

#include <CLI/CLI.hpp>
#include <QDir>

#include <algorithm>

namespace proctor
{

namespace
{

struct AgentOptions {
    std::string context;
    int maxTurns = FunctionAgentOptions().maxTurns;
};

/// The exit code, once the event loop is to end.
QCoro::Task<> work(FunctionAgent *agent)
{
    const Expected<Nothing> end = co_await agent->run();
    if (!end)
        printError(QStringLiteral("There is no answer. %1").arg(end.error().text()));
    QCoreApplication::exit(end ? exitAllWell : exitSomethingFailed);
}

} // namespace

/// The key that the variable holds. None: it could not be sent in a header.
static std::optional<QString> keyIn(const QString &variable)
{
    const QString key = qEnvironmentVariable(variable.toLocal8Bit().constData()).trimmed();
    const bool isSound =
        std::all_of(key.begin(), key.end(), [](QChar sign) { return sign > u' ' && sign < u'\x7f'; });
    return isSound ? std::optional(key) : std::nullopt;
}

static int runAgent(const AgentOptions &options)
{
    if (options.maxTurns <= 0) {
        printError(QStringLiteral("--max-turns must be greater than 0"));
        return exitWrongInput;
    }
    const QString path =
        options.context.empty() ? qEnvironmentVariable("FLYAI_BENCH_CONTEXT") : fromArgument(options.context);
    if (path.isEmpty()) {
        printError(QStringLiteral("Say which attempt it is: --context FILE, or the variable "
                                  "FLYAI_BENCH_CONTEXT with the path of its manifest"));
        return exitWrongInput;
    }
    const auto manifest = HostManifest::read(path);
    if (!manifest) {
        printError(manifest.error().text());
        return exitWrongInput;
    }
    const auto key = keyIn(manifest->keyVariable);
    if (!key) {
        printError(QStringLiteral("The key in the variable %1 holds signs that no key has")
                       .arg(manifest->keyVariable));
        return exitWrongInput;
    }
    FunctionAgentOptions agentOptions;
    agentOptions.maxTurns = options.maxTurns;
    FunctionAgent agent(*manifest, *key, agentOptions);
    QObject::connect(&agent, &FunctionAgent::progressed, &agent, &printLine);
    QObject::connect(&agent, &FunctionAgent::warned, &agent, &printRemark);
    const auto prepared = agent.prepare();
    if (!prepared) {
        printError(prepared.error().text());
        return exitWrongInput;
    }
    if (key->isEmpty())
        printRemark(QStringLiteral("The variable %1 holds no key: none is sent").arg(manifest->keyVariable));
    const QCoro::Task<> task = work(&agent);
    return QCoreApplication::exec();
}

void addAgentCommand(CLI::App &app, CommandAction &action)
{
    CLI::App *command = app.add_subcommand(
        "agent",
        "Sit an instance as the reference agent, for\nregistrations: calls the tools through a model");
    command->description(
        "Sits one instance as the reference agent: lets the model of the manifest call the tools by function "
        "calling over an OpenAI-compatible endpoint, and writes answer.json and answer.md. It is what a "
        "registration names:\n\n"
        "  agents:\n"
        "    reference:\n"
        "      command: proctor agent --context {context} --max-turns 30\n\n"
        "Exit code: 0 answered, 1 no answer could be got, 2 wrong usage or manifest.");
    const auto options = std::make_shared<AgentOptions>();
    command
        ->add_option("--context", options->context,
                     "The manifest of the attempt (agent_context.json).\nWithout it the variable "
                     "FLYAI_BENCH_CONTEXT names it")
        ->type_name("FILE");
    command
        ->add_option(
            "--max-turns", options->maxTurns,
            "Answers of the model with which it may call\ntools (30); then it is asked for its answer")
        ->type_name("N");
    command->final_callback([&action, options] { action = [options] { return runAgent(*options); }; });
}

} // namespace proctor
