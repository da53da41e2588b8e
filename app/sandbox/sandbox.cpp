// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/sandbox.h"

namespace proctor
{

QCoro::Task<Stepped<BridgeReady>> Sandbox::wallOff(Bridge *bridge, BridgeSetup setup, CancellationToken token)
{
    const auto ready = co_await bridge->setUp(std::move(setup), token);
    if (!ready)
        co_return ready.error();
    const auto remembered = co_await bridge->snapshot();
    if (!remembered)
        co_return remembered.error();
    co_return *ready;
}

} // namespace proctor
