// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agent.h"

namespace proctor
{

QCoro::Task<Stepped<Nothing>> Agent::bring(Bridge *, CancellationToken)
{
    co_return Nothing{};
}

QCoro::Task<Stepped<QString>> Agent::deliver(AgentPlace, CancellationToken)
{
    co_return QString();
}

} // namespace proctor
