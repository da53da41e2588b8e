// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/agent.h"
#include "app/agents/agentoutputs.h"
#include "models/config/evalconfig.h"

namespace proctor
{

/// An agent of the user's own that runs on the host, protocol manifest-v1: it is told what to do by a
/// manifest in the attempt's folder, calls the task's tools over HTTP, and leaves its answers in that folder,
/// from where they go to the verifier.
class RegisteredAgent : public Agent
{
    Q_OBJECT

public:
    /// `config` selects a registration.
    explicit RegisteredAgent(EvalConfig config, QObject *parent = nullptr);
    ~RegisteredAgent() override;

    QCoro::Task<Stepped<CommandEnd>> work(AgentPlace place, CancellationToken token) override;
    QCoro::Task<Stepped<QString>> deliver(AgentPlace place, CancellationToken token) override;
    bool worksInSandbox() const override { return false; }

private:
    QCoro::Task<Stepped<Nothing>> fetchPrompts(AgentPlace place, CancellationToken token);
    QCoro::Task<Stepped<CommandEnd>> workWithTools(AgentPlace place, QString toolUrl,
                                                   CancellationToken token);
    Expected<Nothing> writeManifest(const AgentPlace &place, const QString &folder, const QString &toolUrl);
    Expected<ProcessSpec> processOf(const AgentPlace &place, const QString &folder, const QString &toolUrl);
    QCoro::Task<Stepped<CommandEnd>> execute(AgentPlace place, ProcessSpec spec, CancellationToken token);
    bool isWalled() const;
    AgentOutputs outputsIn(const QString &folder) const;

    EvalConfig m_config;
};

} // namespace proctor
