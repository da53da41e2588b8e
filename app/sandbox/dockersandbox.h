// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/dockercommand.h"
#include "app/sandbox/imagepulls.h"
#include "app/sandbox/sandbox.h"
#include "app/sandbox/userpool.h"

#include <QDateTime>

namespace proctor
{

/// The wall that the bridge builds around an agent in a container, as `init` names it.
inline const QString userWall = QStringLiteral("uid");

/// What a container sandbox is made with; the rest of `container` is the sandbox's own.
struct DockerSandboxSpec {
    ContainerSpec container;
    BridgeSetup setup;
    /// What a result says of the engine.
    QJsonObject engine;
};

/// An instance's image in a container of its own, through the engine's client. The bridge is the container's
/// main process, so the container ends when the pipe does, however that comes about; or, for an image that
/// needs its own entrypoint, the bridge joins it and the container is removed at the end. The wall between
/// agent and the rest is a user of its own.
class DockerSandbox : public Sandbox
{
    Q_OBJECT

public:
    /// `pulls` is shared by the sandboxes of an exam and outlives them.
    DockerSandbox(DockerSandboxSpec spec, ImagePulls *pulls, QObject *parent = nullptr);

    QCoro::Task<Stepped<Nothing>> pull(CancellationToken token) override;
    QCoro::Task<Stepped<BridgeHello>> start(CancellationToken token) override;
    QCoro::Task<Stepped<BridgeReady>> setUp(CancellationToken token) override;
    QCoro::Task<void> clean() override;
    QCoro::Task<SandboxLoss> inquire() override;
    Bridge *bridge() const override { return m_bridge.get(); }
    QJsonObject particulars() const override;

    QString containerName() const { return m_container.name; }

private:
    bool keepsEntrypoint() const;
    QCoro::Task<Stepped<Nothing>> startEntrypoint(CancellationToken token);
    StepFailure startFailed(const StepFailure &failure);
    bool mayBeLeft() const;

    ContainerSpec m_container;
    BridgeSetup m_setup;
    QJsonObject m_engine;
    ImagePulls *m_pulls;
    AttemptUser m_user;
    std::optional<PresentImage> m_image;
    std::unique_ptr<Bridge> m_bridge;
    /// A container of this name may be there.
    bool m_begun = false;
    bool m_greeted = false;
};

} // namespace proctor
