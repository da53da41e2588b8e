// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/ownermark.h"
#include "app/sandbox/enginefacts.h"
#include "app/sandbox/imagepulls.h"
#include "app/sandbox/sandboxsource.h"

namespace proctor
{

/// Containers for the images of an exam, by the engine that the configuration names.
class DockerSandboxes : public SandboxSource
{
public:
    DockerSandboxes(const EvalConfig &config, const QString &resultsFolder);

    /// Also removes what dead Proctors of this machine left on the engine.
    QCoro::Task<std::optional<QString>> problem(CancellationToken token) override;
    QStringList warnings() const override;
    std::unique_ptr<Sandbox> make(const Instance &instance) override;
    QCoro::Task<std::optional<QString>> lapse(CancellationToken token) override;

private:
    EvalConfig::Docker m_docker;
    BridgeSetup m_setup;
    OwnerMark m_owner;
    EngineFacts m_facts;
    QStringList m_warnings;
    ImagePulls m_pulls;
};

} // namespace proctor
