// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/agent.h"
#include "models/config/evalconfig.h"

namespace proctor
{

/// A command in the sandbox: agent.cmd, or Proctor's own terminal agent, which is put where the peer has it.
class SandboxAgent : public Agent
{
    Q_OBJECT

public:
    explicit SandboxAgent(EvalConfig config, QObject *parent = nullptr);

    QCoro::Task<Stepped<Nothing>> bring(Bridge *bridge, CancellationToken token) override;
    QCoro::Task<Stepped<CommandEnd>> work(AgentPlace place, CancellationToken token) override;
    bool worksInSandbox() const override { return true; }

private:
    EvalConfig m_config;
};

} // namespace proctor
