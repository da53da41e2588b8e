// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/localsandbox.h"

#include "app/sandbox/bridgeprogram.h"
#include "app/sandbox/bubblewrap.h"

#include <QStandardPaths>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr auto startLimit = 60s;
/// Room in /app beyond the bundle itself: what the agent and the tools may write.
static constexpr qint64 writableSize = 256LL << 20;

static QString bubblewrapProgram()
{
    return QStandardPaths::findExecutable(QStringLiteral("bwrap"));
}

static ProcessSpec bridgeProcess(const LocalSandboxSpec &spec, qint64 bundleSize, const AttemptUser *user)
{
    OuterWall wall;
    wall.appSize = bundleSize * 2 + writableSize;
    wall.command = {QStringLiteral("/usr/bin/python3"),
                    QStringLiteral("-I"),
                    QStringLiteral("-S"),
                    QStringLiteral("-u"),
                    QStringLiteral("-c"),
                    bridgeBoot()};
    ProcessSpec process;
    process.program = bubblewrapProgram();
    process.arguments = bubblewrapArguments(wall);
    process.resultsFolder = spec.resultsFolder;
    process.workingDirectory = QStringLiteral("/");
    process.keepInputOpen = true;
    if (user)
        process.dropTo = Credentials{user->id(), user->id()};
    return process;
}

LocalSandbox::LocalSandbox(LocalSandboxSpec spec, QObject *parent)
    : Sandbox(parent)
    , m_spec(std::move(spec))
{
    if (AttemptUser::isWithinReach())
        m_user = std::make_unique<AttemptUser>();
}

/// Runs `true` as an agent behind both walls; empty if that works, else the reason.
static QCoro::Task<QString> tryOut(LocalSandbox *sandbox, CancellationToken token)
{
    const auto started = co_await sandbox->start(token);
    if (!started)
        co_return started.error().message;
    // Any executable will do as the one tool that a set-up asks for.
    const auto tool = co_await sandbox->bridge()->put(QStringLiteral("/usr/bin/true"),
                                                      QStringLiteral("/app/tools/true"), 0755, token);
    if (!tool)
        co_return tool.error().message;
    const auto ready = co_await sandbox->setUp(token);
    if (!ready)
        co_return ready.error().message;
    SandboxCommand command;
    command.arguments = QStringList(QStringLiteral("true"));
    command.limit = 30;
    const auto ended = co_await sandbox->bridge()->run(command, token);
    if (!ended)
        co_return ended.error().message;
    co_return ended->code == 0 ? QString() : describe(*ended);
}

QCoro::Task<std::optional<QString>> LocalSandbox::problem(CancellationToken token)
{
    if (bubblewrapProgram().isEmpty())
        co_return tr(
            "The local sandbox needs bubblewrap. Install it (apt install bubblewrap) and try again.");
    LocalSandboxSpec spec;
    spec.setup.wall = bubblewrapWall;
    LocalSandbox trial(spec);
    const QString reason = co_await tryOut(&trial, token);
    co_await trial.clean();
    if (reason.isEmpty() || token.isCancelled())
        co_return std::nullopt;
    co_return tr(
        "The local sandbox cannot work on this machine, and nothing is run without it: %1. bubblewrap needs "
        "unprivileged user namespaces, which a plain chroot and some containers forbid.")
        .arg(reason.endsWith(QLatin1Char('.')) ? reason.chopped(1) : reason);
}

QCoro::Task<Stepped<Nothing>> LocalSandbox::pull(CancellationToken)
{
    Expected<Bundle> bundle = readBundle(m_spec.bundle);
    if (!bundle) {
        const StepFailure failure{StepFailure::Kind::Failed, bundle.error().message};
        co_return failure;
    }
    m_bundle = std::move(*bundle);
    co_return Nothing{};
}

QCoro::Task<Stepped<BridgeHello>> LocalSandbox::start(CancellationToken token)
{
    m_bridge = std::make_unique<Bridge>(bridgeProcess(m_spec, m_bundle.size, m_user.get()));
    co_return co_await m_bridge->start(startLimit, token);
}

QCoro::Task<Stepped<BridgeReady>> LocalSandbox::setUp(CancellationToken token)
{
    for (const BundleFile &file : m_bundle.files) {
        const auto put = co_await m_bridge->put(file.hostPath, file.path, file.mode, token);
        if (!put)
            co_return put.error();
    }
    co_return co_await wallOff(m_bridge.get(), m_spec.setup, token);
}

QCoro::Task<SandboxLoss> LocalSandbox::inquire()
{
    SandboxLoss loss;
    loss.cause = m_bridge->brokeByItself() ? SandboxLoss::Cause::Inside : SandboxLoss::Cause::Harness;
    loss.sentence = m_bridge->lossReason();
    co_return loss;
}

QJsonObject LocalSandbox::particulars() const
{
    return {{QStringLiteral("kind"), QStringLiteral("local")},
            {QStringLiteral("network"), QStringLiteral("none")}};
}

QCoro::Task<void> LocalSandbox::clean()
{
    if (m_bridge)
        co_await m_bridge->leave();
}

} // namespace proctor
