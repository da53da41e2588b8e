// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/bundle.h"
#include "app/sandbox/sandbox.h"
#include "app/sandbox/userpool.h"

namespace proctor
{

/// The wall that the bridge builds around an agent in a local sandbox, as `init` names it.
inline const QString bubblewrapWall = QStringLiteral("bwrap");

struct LocalSandboxSpec {
    QString bundle;
    BridgeSetup setup;
    /// Whose processes these are, so that a later start can find what a crash left.
    QString resultsFolder;
};

/// A bundle folder in two nested bubblewraps: the bridge, the tools and the verifier in the outer one, the
/// agent in the inner one that has neither tests nor databases nor the real tools. Needs no Docker, no
/// network and no rights; started by root it becomes an ordinary user first. There is no memory limit.
class LocalSandbox : public Sandbox
{
    Q_OBJECT

public:
    explicit LocalSandbox(LocalSandboxSpec spec, QObject *parent = nullptr);

    /// Why a local sandbox cannot work on this machine, or nothing. Tries a real one with both walls.
    static QCoro::Task<std::optional<QString>> problem(CancellationToken token);

    QCoro::Task<Stepped<Nothing>> pull(CancellationToken token) override;
    QCoro::Task<Stepped<BridgeHello>> start(CancellationToken token) override;
    QCoro::Task<Stepped<BridgeReady>> setUp(CancellationToken token) override;
    QCoro::Task<void> clean() override;
    QCoro::Task<SandboxLoss> inquire() override;
    Bridge *bridge() const override { return m_bridge.get(); }
    QJsonObject particulars() const override;

private:
    LocalSandboxSpec m_spec;
    Bundle m_bundle;
    std::unique_ptr<Bridge> m_bridge;
    /// The ordinary user this sandbox runs as when Proctor is root.
    std::unique_ptr<AttemptUser> m_user;
};

} // namespace proctor
