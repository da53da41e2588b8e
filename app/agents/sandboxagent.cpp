// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/sandboxagent.h"

#include "app/agents/hostenvironment.h"

namespace proctor
{

/// Far above what a log keeps, so that its end is the true end, and below what would take minutes to pass on.
static constexpr qint64 outputCap = 512LL << 20;
static constexpr int agentNice = 10;

SandboxAgent::SandboxAgent(EvalConfig config, QObject *parent)
    : Agent(parent)
    , m_config(std::move(config))
{
}

QCoro::Task<Stepped<Nothing>> SandboxAgent::bring(Bridge *bridge, CancellationToken token)
{
    if (m_config.usesBuiltInAgent())
        return bridge->put(QStringLiteral(":/sandbox/terminal_agent.py"),
                           QStringLiteral("/app/mini_swe_agent.py"), 0755, token);
    return Agent::bring(bridge, token);
}

static SandboxCommand commandOf(const EvalConfig &config, const BridgeHello &hello)
{
    SandboxCommand command;
    command.who = SandboxCommand::Who::Agent;
    command.arguments = {QStringLiteral("bash"), QStringLiteral("-c"), config.agent.cmd};
    command.workingDirectory = hello.workingDirectory;
    command.environment = {{QStringLiteral("LLM_MODEL"), config.agent.llmModel}};
    // Without a network there is nobody whom the key could be shown to, so nobody else shall see it either.
    const bool hasNetwork = config.runner.sandbox == EvalConfig::SandboxKind::Docker &&
                            config.docker.network != QLatin1String("none");
    if (hasNetwork) {
        command.environment.insert(QStringLiteral("LLM_BASE_URL"), config.agent.llmBaseUrl);
        command.environment.insert(QStringLiteral("LLM_API_KEY"),
                                   modelKey(config, QProcessEnvironment::systemEnvironment()));
    }
    command.limit = config.agent.timeoutSec;
    command.outputCap = outputCap;
    command.nice = agentNice;
    return command;
}

QCoro::Task<Stepped<CommandEnd>> SandboxAgent::work(AgentPlace place, CancellationToken token)
{
    return place.bridge->run(commandOf(m_config, place.hello), token);
}

} // namespace proctor
