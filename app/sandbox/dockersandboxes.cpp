// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/dockersandboxes.h"

#include "app/process/delay.h"
#include "app/sandbox/dockersandbox.h"
#include "app/sandbox/leftcontainers.h"

#include <QDeadlineTimer>

using namespace std::chrono_literals;

namespace proctor
{

/// An engine that is being started again has come back by then.
static constexpr auto restartPatience = 20s;
static constexpr auto restartInterval = 1s;

DockerSandboxes::DockerSandboxes(const EvalConfig &config, const QString &resultsFolder)
    : m_docker(config.docker)
    , m_setup(bridgeSetupOf(config))
    , m_owner(OwnerMark::current(resultsFolder))
    , m_pulls(config.docker)
{
}

QCoro::Task<std::optional<QString>> DockerSandboxes::problem(CancellationToken token)
{
    const auto facts = co_await askForFacts(m_docker, token);
    if (!facts) {
        if (token.isCancelled())
            co_return std::nullopt;
        co_return facts.error().message;
    }
    m_facts = *facts;
    m_warnings = engineWarnings(m_facts, m_docker);
    const auto removed = co_await removeLeftContainers(m_docker, LeftContainer::Choice::OfTheDead, token);
    if (!removed.containers.isEmpty())
        m_warnings << DockerSandbox::tr(
            "Removed %n container(s) that a Proctor left which ended unexpectedly", nullptr,
            static_cast<int>(removed.containers.size()));
    m_warnings += removed.problems;
    co_return std::nullopt;
}

QCoro::Task<std::optional<QString>> DockerSandboxes::lapse(CancellationToken token)
{
    const QDeadlineTimer patience(restartPatience);
    for (;;) {
        const auto facts = co_await askForFacts(m_docker, token);
        if (facts || token.isCancelled())
            co_return std::nullopt;
        if (patience.hasExpired())
            co_return facts.error().message;
        co_await delay(restartInterval, token);
    }
}

QStringList DockerSandboxes::warnings() const
{
    return m_warnings;
}

std::unique_ptr<Sandbox> DockerSandboxes::make(const Instance &instance)
{
    DockerSandboxSpec spec;
    spec.container.docker = m_docker;
    spec.container.image = imageWithRegistry(instance.image, m_docker.registry);
    spec.container.owner = m_owner;
    spec.container.name = containerName(m_owner, instance.id);
    spec.container.hasHostGateway = m_facts.hasHostGateway;
    spec.setup = m_setup;
    spec.engine = m_facts.toJson();
    spec.engine.insert(QStringLiteral("client"), engineProgram(m_docker));
    if (!m_docker.context.isEmpty())
        spec.engine.insert(QStringLiteral("context"), m_docker.context);
    return std::make_unique<DockerSandbox>(std::move(spec), &m_pulls);
}

} // namespace proctor
