// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/dockersandbox.h"

#include "app/sandbox/enginecall.h"
#include "app/sandbox/enginefacts.h"
#include "app/sandbox/enginewords.h"

#include <QJsonArray>

using namespace std::chrono_literals;

namespace proctor
{

/// An engine that starts many containers at once on a small machine takes long for each.
static constexpr auto startLimit = 120s;
static constexpr auto removeLimit = 30s;
/// Of a container with its own entrypoint: how much longer it may live than the bridge in it.
static constexpr double entrypointMargin = 60;

/// Of a container whose main process was ended by SIGKILL.
static constexpr int killedExitCode = 137;

/// Whether the end is the client's (of `run` and of `exec`), and not that of what ran in the container.
static bool isClientsOwn(const ProcessEnd &end)
{
    static constexpr int runFailed = 125, execFailed = 255;
    return end.exitCode == runFailed || end.exitCode == execFailed ||
           isConnectionBroken(engineWords(end.errors));
}

DockerSandbox::DockerSandbox(DockerSandboxSpec spec, ImagePulls *pulls, QObject *parent)
    : Sandbox(parent)
    , m_container(std::move(spec.container))
    , m_setup(std::move(spec.setup))
    , m_engine(std::move(spec.engine))
    , m_pulls(pulls)
{
    m_setup.wall = userWall;
    m_setup.user = m_user.id();
    m_container.deadline = m_setup.deadline + entrypointMargin;
}

bool DockerSandbox::keepsEntrypoint() const
{
    return m_container.docker.entrypoint == EvalConfig::Entrypoint::Keep;
}

QCoro::Task<Stepped<Nothing>> DockerSandbox::pull(CancellationToken token)
{
    if (const auto problem = imageProblem(m_container.image)) {
        const StepFailure refused{StepFailure::Kind::Failed, *problem};
        co_return refused;
    }
    connect(m_pulls, &ImagePulls::progress, this, [this](const QString &image, const QString &text) {
        const QString sentence = tr("Pulling %1").arg(image);
        if (image == m_container.image)
            emit pulling(text.isEmpty() ? sentence : QStringLiteral("%1: %2").arg(sentence, text));
    });
    const auto image = co_await m_pulls->provide(m_container.image, token);
    m_pulls->disconnect(this);
    if (!image)
        co_return image.error();
    m_image = *image;
    co_return Nothing{};
}

QCoro::Task<Stepped<BridgeHello>> DockerSandbox::start(CancellationToken token)
{
    m_begun = true;
    if (keepsEntrypoint()) {
        const auto begun = co_await startEntrypoint(token);
        if (!begun)
            co_return begun.error();
    }
    const QStringList arguments = keepsEntrypoint() ? joinArguments(m_container) : runArguments(m_container);
    m_bridge = std::make_unique<Bridge>(engineProcess(m_container.docker, arguments));
    const auto greeted = co_await m_bridge->start(startLimit, token);
    m_greeted = greeted.hasValue();
    if (!greeted)
        co_return startFailed(greeted.error());
    co_return *greeted;
}

QCoro::Task<Stepped<Nothing>> DockerSandbox::startEntrypoint(CancellationToken token)
{
    ProcessSpec spec = engineProcess(m_container.docker, keepArguments(m_container));
    spec.timeLimit = startLimit;
    Process process(spec);
    const ProcessEnd end = co_await process.run(token);
    if (end.succeeded())
        co_return Nothing{};
    if (token.isCancelled()) {
        const StepFailure cancelled{StepFailure::Kind::Cancelled, token.reason()};
        co_return cancelled;
    }
    const bool isLate = end.kind == ProcessEnd::Kind::TimedOut;
    const StepFailure failure{isLate ? StepFailure::Kind::TimedOut : StepFailure::Kind::Failed,
                              startFailure(m_container.image, end)};
    co_return failure;
}

/// The bridge knows that its process ended; what the engine meant by that is for here.
StepFailure DockerSandbox::startFailed(const StepFailure &failure)
{
    const auto &end = m_bridge->processEnd();
    if (failure.kind != StepFailure::Kind::Lost || !end)
        return failure;
    if (isImageMissing(engineWords(end->errors)))
        m_pulls->forget(m_container.image);
    return {StepFailure::Kind::Failed, startFailure(m_container.image, *end)};
}

QCoro::Task<Stepped<BridgeReady>> DockerSandbox::setUp(CancellationToken token)
{
    co_return co_await wallOff(m_bridge.get(), m_setup, token);
}

QCoro::Task<void> DockerSandbox::clean()
{
    if (m_bridge)
        co_await m_bridge->leave();
    if (m_begun && mayBeLeft()) {
        const QStringList command = removeCommand(QStringList(m_container.name));
        co_await askEngine(m_container.docker, command, removeLimit);
    }
}

/// A container whose client saw it end has been removed by the engine, and nobody asks again: that is one
/// command less an attempt.
bool DockerSandbox::mayBeLeft() const
{
    if (keepsEntrypoint() || !m_bridge || !m_greeted)
        return true;
    const auto &end = m_bridge->processEnd();
    return !end || !end->succeeded();
}

QCoro::Task<SandboxLoss> DockerSandbox::inquire()
{
    SandboxLoss loss;
    loss.sentence = m_bridge->lossReason();
    const auto end = m_bridge->processEnd();
    const bool clientKnows = m_bridge->brokeByItself() && end && end->signal == 0;
    if (!clientKnows)
        co_return loss;
    const auto events = co_await eventsOf(m_container.docker, m_container.name);
    if (!events) {
        loss.sentence = tr("The engine does not answer any more: %1").arg(events.error().message);
        co_return loss;
    }
    const bool wasKilled = end->exitCode == killedExitCode;
    if (events->contains(QLatin1String("kill"))) {
        loss.sentence = tr("Somebody outside ended the container (%1)").arg(loss.sentence);
    } else if (events->contains(QLatin1String("oom")) || (wasKilled && m_bridge->outOfMemoryKills() > 0)) {
        loss.cause = SandboxLoss::Cause::OutOfMemory;
        loss.sentence =
            tr("The container was ended because its memory (%1) ran out").arg(m_container.docker.memory);
    } else if (!wasKilled && !isClientsOwn(*end)) {
        loss.cause = SandboxLoss::Cause::Inside;
    }
    co_return loss;
}

QJsonObject DockerSandbox::particulars() const
{
    const EvalConfig::Docker &docker = m_container.docker;
    QJsonObject limits{{QStringLiteral("pids"), docker.pids}};
    if (!docker.memory.isEmpty())
        limits.insert(QStringLiteral("memory"), docker.memory);
    if (docker.cpus)
        limits.insert(QStringLiteral("cpus"), *docker.cpus);
    if (!docker.disk.isEmpty())
        limits.insert(QStringLiteral("disk"), docker.disk);
    QJsonObject said{{QStringLiteral("kind"), QStringLiteral("docker")},
                     {QStringLiteral("engine"), m_engine},
                     {QStringLiteral("image"), m_container.image},
                     {QStringLiteral("platform"), docker.platform},
                     {QStringLiteral("network"), docker.network},
                     {QStringLiteral("entrypoint"),
                      keepsEntrypoint() ? QStringLiteral("keep") : QStringLiteral("replace")},
                     {QStringLiteral("limits"), limits},
                     {QStringLiteral("capabilities"), QJsonArray::fromStringList(keptCapabilities())},
                     {QStringLiteral("no_new_privileges"), true},
                     {QStringLiteral("uid"), static_cast<qint64>(m_user.id())},
                     {QStringLiteral("container"), m_container.name}};
    if (m_image) {
        said.insert(QStringLiteral("image_id"), m_image->id);
        said.insert(QStringLiteral("image_platform"), m_image->platform);
        if (!m_image->digest.isEmpty())
            said.insert(QStringLiteral("image_digest"), m_image->digest);
    }
    return said;
}

} // namespace proctor
