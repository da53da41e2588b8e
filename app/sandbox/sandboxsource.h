// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/sandbox.h"
#include "models/config/evalconfig.h"
#include "models/exam/instance.h"

#include <QJsonObject>

#include <memory>
#include <optional>

namespace proctor
{

/// Where the sandboxes of one exam come from, and what they share. Outlives them; lives on the engine's
/// thread.
class SandboxSource
{
public:
    SandboxSource() = default;
    virtual ~SandboxSource() = default;
    Q_DISABLE_COPY_MOVE(SandboxSource)

    /// Why no sandbox of this kind can be had on this machine, or nothing. Awaited once, before the first
    /// make().
    virtual QCoro::Task<std::optional<QString>> problem(CancellationToken token) = 0;
    /// What the user should know before anything starts, a sentence each; after problem().
    virtual QStringList warnings() const { return {}; }
    virtual std::unique_ptr<Sandbox> make(const Instance &instance) = 0;
    /// Why no more sandboxes can be had, or nothing: asked, in mid-run, after one was lost or did not start.
    virtual QCoro::Task<std::optional<QString>> lapse(CancellationToken) { co_return std::nullopt; }
};

/// The kind that the configuration names.
std::unique_ptr<SandboxSource> makeSandboxSource(const EvalConfig &config, const QString &resultsFolder);

/// What a configuration asks of any sandbox; the kind of wall is left to the sandbox.
BridgeSetup bridgeSetupOf(const EvalConfig &config);

} // namespace proctor
