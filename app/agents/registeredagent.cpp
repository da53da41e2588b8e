// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/registeredagent.h"

#include "app/agents/agentmanifest.h"
#include "app/agents/hostcommand.h"
#include "app/agents/hostenvironment.h"
#include "app/agents/hostwall.h"
#include "app/process/process.h"
#include "app/proxy/toolproxy.h"
#include "models/config/outputpaths.h"
#include "models/core/savefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <csignal>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr qint64 promptBound = 16LL << 20;
static constexpr int outputMode = 0644;
/// Time between SIGTERM and SIGKILL, for an agent to write down what it has.
static constexpr auto graceTime = 2s;
/// How soon an agent is ended whose sandbox is gone.
static constexpr auto lossInterval = 500ms;

RegisteredAgent::RegisteredAgent(EvalConfig config, QObject *parent)
    : Agent(parent)
    , m_config(std::move(config))
{
}

RegisteredAgent::~RegisteredAgent() = default;

static StepFailure failed(const QString &message)
{
    return {StepFailure::Kind::Failed, message};
}

/// Links resolved, so that the agent sees the same path wherever it looks from.
static QString resolvedFolder(const AgentPlace &place)
{
    const QString folder = QFileInfo(place.folder).canonicalFilePath();
    return folder.isEmpty() ? place.folder : folder;
}

static QString workspaceOf(const QString &folder)
{
    return folder + QStringLiteral("/.agent");
}

QCoro::Task<Stepped<CommandEnd>> RegisteredAgent::work(AgentPlace place, CancellationToken token)
{
    const auto cleared = outputsIn(resolvedFolder(place)).clear();
    if (!cleared)
        co_return failed(cleared.error().message);
    const auto fetched = co_await fetchPrompts(place, token);
    if (!fetched)
        co_return fetched.error();

    ToolProxy tools(place.bridge, place.ready.tools);
    connect(&tools, &ToolProxy::called, this, &Agent::toolCalled);
    const auto opened = tools.open();
    if (!opened)
        co_return failed(opened.error().message);
    const auto end = co_await workWithTools(place, tools.url(), token);
    co_await tools.close();
    co_return end;
}

QCoro::Task<Stepped<CommandEnd>> RegisteredAgent::workWithTools(AgentPlace place, QString toolUrl,
                                                                CancellationToken token)
{
    const QString folder = resolvedFolder(place);
    const auto written = writeManifest(place, folder, toolUrl);
    if (!written)
        co_return failed(written.error().message);
    const auto spec = processOf(place, folder, toolUrl);
    if (!spec)
        co_return failed(spec.error().message);
    const auto end = co_await execute(place, *spec, token);
    const AgentOutputs outputs = outputsIn(folder);
    if (isWalled()) {
        outputs.takeFrom(workspaceOf(folder));
        QDir(workspaceOf(folder)).removeRecursively();
    }
    outputs.removeObstacles();
    co_return end;
}

/// Each prompt from either of the two places that a task may have it in; one that is in neither is none.
QCoro::Task<Stepped<Nothing>> RegisteredAgent::fetchPrompts(AgentPlace place, CancellationToken token)
{
    const PromptFiles prompts(place.folder);
    if (!QDir().mkpath(prompts.folder))
        co_return failed(tr("Cannot make the folder %1").arg(prompts.folder));
    for (const QString &target :
         {prompts.system, prompts.instruction, prompts.toolDefinitions, prompts.taskContext}) {
        const QString name = QFileInfo(target).fileName();
        for (const QString &source : {QStringLiteral("/app/"), QStringLiteral("/app/environment/")}) {
            const auto saved = co_await place.bridge->save(source + name, target, promptBound);
            if (!saved && saved.error().kind != StepFailure::Kind::Failed)
                co_return saved.error();
            if (saved && *saved)
                co_return failed(tr("The task's %1 is larger than %2 MB").arg(name).arg(promptBound >> 20));
            if (saved)
                break;
        }
        if (token.isCancelled()) {
            const StepFailure stopped{StepFailure::Kind::Cancelled, token.reason()};
            co_return stopped;
        }
    }
    co_return Nothing{};
}

static QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Expected<Nothing> RegisteredAgent::writeManifest(const AgentPlace &place, const QString &folder,
                                                 const QString &toolUrl)
{
    const PromptFiles prompts(folder);
    if (!QFileInfo::exists(prompts.toolDefinitions))
        return Error(tr("The task has no tool_defs.json, in /app or /app/environment, which an agent on the "
                        "host needs"));
    AgentManifest manifest;
    manifest.instanceId = place.instance.id;
    manifest.system = QString::fromUtf8(contentOf(prompts.system));
    manifest.user = QString::fromUtf8(contentOf(prompts.instruction));
    manifest.toolUrl = toolUrl;
    manifest.toolDefinitions = contentOf(prompts.toolDefinitions);
    manifest.taskContext = contentOf(prompts.taskContext);
    manifest.outputFolder = folder;
    manifest.outputPaths = declaredOutputs(m_config.agent.outputPaths);
    manifest.modelUrl = hostModelUrl(m_config.agent.llmBaseUrl);
    manifest.model = m_config.agent.llmModel;
    const auto json = manifest.toJson();
    if (!json)
        return json.error();
    return saveFile(prompts.manifest, *json);
}

Expected<ProcessSpec> RegisteredAgent::processOf(const AgentPlace &place, const QString &folder,
                                                 const QString &toolUrl)
{
    auto command = hostCommand(m_config, placeholderValues(m_config, place.instance.id, folder, toolUrl));
    if (!command)
        return Error(
            QStringLiteral("agents.%1.command: %2").arg(m_config.agent.name, command.error().message));
    ProcessSpec spec;
    spec.workingDirectory = workingFolderOf(m_config);
    if (!QFileInfo(spec.workingDirectory).isDir())
        return Error(tr("The working folder of agent “%1” does not exist: %2")
                         .arg(m_config.agent.name, spec.workingDirectory));
    QProcessEnvironment environment = hostEnvironment(m_config, QProcessEnvironment::systemEnvironment());
    if (isWalled()) {
        QDir().mkpath(workspaceOf(folder));
        const HostWall wall{m_config, folder, workspaceOf(folder), place.instance.bundle};
        const auto walled = wall.arguments(*command);
        if (!walled)
            return walled.error();
        *command = QStringList(HostWall::program()) + *walled;
        HostWall::adapt(environment);
    }
    spec.program = command->takeFirst();
    spec.arguments = *command;
    spec.environment = environment;
    spec.timeLimit = std::chrono::milliseconds(static_cast<qint64>(m_config.agent.timeoutSec * 1000));
    spec.grace = graceTime;
    spec.memoryBound = 0;
    spec.endDaemons = true;
    spec.resultsFolder =
        QFileInfo(m_config.runner.outputDir).absoluteFilePath() + u'/' + m_config.dataset.config;
    return spec;
}

static CommandEnd commandEndOf(const ProcessEnd &end)
{
    CommandEnd command;
    command.timedOut = end.kind == ProcessEnd::Kind::TimedOut;
    command.wall = static_cast<double>(end.duration.count()) / 1000.0;
    if (end.exitCode >= 0)
        command.code = end.exitCode;
    else
        command.signal = end.signal > 0 ? end.signal : SIGKILL;
    if (end.kind == ProcessEnd::Kind::Finished && end.leftSomething)
        command.leftovers = 1;
    return command;
}

QCoro::Task<Stepped<CommandEnd>> RegisteredAgent::execute(AgentPlace place, ProcessSpec spec,
                                                          CancellationToken token)
{
    Process process(std::move(spec));
    connect(&process, &Process::standardOutput, this,
            [this](const QByteArray &bytes) { emit output(1, bytes); });
    connect(&process, &Process::standardError, this,
            [this](const QByteArray &bytes) { emit output(2, bytes); });
    QTimer loss;
    connect(&loss, &QTimer::timeout, &process, [&process, &place] {
        if (!place.bridge->isOpen())
            process.stop(place.bridge->lossReason());
    });
    loss.start(lossInterval);
    const ProcessEnd end = co_await process.run(token);
    if (end.kind == ProcessEnd::Kind::FailedToStart)
        co_return failed(end.sentence());
    if (!place.bridge->isOpen()) {
        const StepFailure lost{StepFailure::Kind::Lost, place.bridge->lossReason()};
        co_return lost;
    }
    CommandEnd command = commandEndOf(end);
    // What is in the wall ends with it; what is still seen of that is no leftover.
    if (isWalled())
        command.leftovers = 0;
    co_return command;
}

QCoro::Task<Stepped<QString>> RegisteredAgent::deliver(AgentPlace place, CancellationToken token)
{
    const auto opened = outputsIn(resolvedFolder(place)).open();
    if (!opened && opened.error().kind == Error::Kind::Machine)
        co_return failed(opened.error().message);
    if (!opened)
        co_return opened.error().message;
    for (const OpenedOutput &file : *opened) {
        const auto put = co_await place.bridge->put(file.readablePath(),
                                                    QStringLiteral("/app/") + file.path(), outputMode, token);
        if (!put)
            co_return put.error();
    }
    co_return QString();
}

bool RegisteredAgent::isWalled() const
{
    return m_config.agent.registration->wall == AgentRegistration::Wall::Bubblewrap;
}

AgentOutputs RegisteredAgent::outputsIn(const QString &folder) const
{
    return {folder, declaredOutputs(m_config.agent.outputPaths)};
}

} // namespace proctor
