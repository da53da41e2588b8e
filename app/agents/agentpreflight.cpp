// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentpreflight.h"

#include "app/agents/hostcommand.h"
#include "app/agents/hostenvironment.h"
#include "app/agents/hostwall.h"
#include "app/process/process.h"

#include <QFileInfo>
#include <QRegularExpression>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr auto trialLimit = 30s;
/// What the trial program says when the module is missing; any other end says nothing about it.
static constexpr int moduleMissing = 77;

namespace
{
struct Preflight {
    Q_DECLARE_TR_FUNCTIONS(proctor::AgentPreflight)
};
} // namespace

std::optional<PythonModule> pythonModuleOf(const QStringList &command)
{
    static const QRegularExpression python(QStringLiteral("\\A(python|pypy)[0-9.]*\\z"));
    if (command.isEmpty() || !python.match(QFileInfo(command.first()).fileName()).hasMatch())
        return std::nullopt;
    PythonModule module;
    for (qsizetype i = 1; i < command.size(); ++i) {
        const QString &word = command[i];
        const bool hasNext = i + 1 < command.size();
        if (word == QLatin1String("-m") && hasNext) {
            module.name = command[i + 1];
            return module;
        }
        if (word.startsWith(QLatin1String("-m")) && word.size() > 2) {
            module.name = word.mid(2);
            return module;
        }
        const bool isOption = word.size() > 1 && word.startsWith(u'-');
        if (!isOption || word.startsWith(QLatin1String("-c")))
            return std::nullopt;
        module.options << word;
        const bool takesNext = word == QLatin1String("-W") || word == QLatin1String("-X");
        if (takesNext && hasNext)
            module.options << command[++i];
    }
    return std::nullopt;
}

static ProcessSpec trial(const EvalConfig &config, const QStringList &command)
{
    ProcessSpec spec;
    spec.program = command.first();
    spec.arguments = command.mid(1);
    spec.environment = hostEnvironment(config, QProcessEnvironment::systemEnvironment());
    spec.workingDirectory = workingFolderOf(config);
    spec.timeLimit = trialLimit;
    spec.memoryBound = 2048;
    return spec;
}

/// The command behind the agent's wall, if it has one.
static Expected<QStringList> walled(const EvalConfig &config, const QStringList &command)
{
    if (config.agent.registration->wall == AgentRegistration::Wall::None)
        return command;
    const auto arguments = HostWall{config, {}, {}, {}}.arguments(command);
    if (!arguments)
        return arguments.error();
    return QStringList(HostWall::program()) + *arguments;
}

static QCoro::Task<std::optional<QString>> wallProblem(EvalConfig config, CancellationToken token)
{
    const QString key = QStringLiteral("agents.%1.sandbox").arg(config.agent.name);
    if (HostWall::program().isEmpty())
        co_return Preflight::tr("%1: bubblewrap is not installed: there is no bwrap in the PATH").arg(key);
    const QStringList nothing{QStringLiteral("/usr/bin/true")};
    const auto command = walled(config, nothing);
    if (!command)
        co_return command.error().message;
    Process process(trial(config, *command));
    const ProcessEnd end = co_await process.run(token);
    if (end.succeeded() || token.isCancelled())
        co_return std::nullopt;
    const QString words = QString::fromLocal8Bit(end.errors).simplified();
    co_return Preflight::tr("%1: bubblewrap does not work on this machine: %2")
        .arg(key, words.isEmpty() ? end.sentence() : words);
}

static QCoro::Task<std::optional<QString>> moduleProblem(EvalConfig config, QStringList command,
                                                         CancellationToken token)
{
    const auto module = pythonModuleOf(command);
    if (!module)
        co_return std::nullopt;
    // The package alone, so that nothing of it is run.
    const QString package = module->name.section(u'.', 0, 0);
    const QString program =
        QStringLiteral("import importlib.util, sys\n"
                       "sys.exit(%1 if importlib.util.find_spec(sys.argv[1]) is None else 0)")
            .arg(moduleMissing);
    QStringList words{command.first()};
    words += module->options;
    words << QStringLiteral("-c") << program << package;
    const auto whole = walled(config, words);
    if (!whole)
        co_return whole.error().message;
    Process process(trial(config, *whole));
    const ProcessEnd end = co_await process.run(token);
    if (end.kind != ProcessEnd::Kind::Finished || end.exitCode != moduleMissing)
        co_return std::nullopt;
    QString sentence = Preflight::tr("agents.%1.command: %2 has no module “%3”; install it for this Python, "
                                     "or name the Python that has it")
                           .arg(config.agent.name, command.first(), package);
    if (package == QLatin1String("flyai_bench"))
        sentence += Preflight::tr(". Proctor's own agent does the same: "
                                  "command: proctor agent --context {context}");
    const AgentRegistration &agent = *config.agent.registration;
    co_return Error(sentence, config.file, agent.commandLine, agent.commandColumn).text();
}

QCoro::Task<std::optional<QString>> registeredAgentProblem(EvalConfig config, CancellationToken token)
{
    if (!config.agent.registration)
        co_return std::nullopt;
    if (config.agent.registration->wall == AgentRegistration::Wall::Bubblewrap) {
        const auto problem = co_await wallProblem(config, token);
        if (problem)
            co_return problem;
    }
    // The program may differ from instance to instance; which it is then cannot be asked yet.
    const QString unknown = QStringLiteral("x");
    const auto command = hostCommand(config, placeholderValues(config, unknown, unknown, unknown));
    if (!command)
        co_return std::nullopt;
    co_return co_await moduleProblem(config, *command, token);
}

} // namespace proctor
