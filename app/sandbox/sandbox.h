// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/bridge.h"

#include <QCoroTask>
#include <QJsonObject>
#include <QObject>

#include <memory>

namespace proctor
{

/// The place an attempt happens in. A sandbox is used once: pull, start, setUp, work through bridge(), clean.
/// clean() has to be awaited on every path, also after a failure, before the object is destroyed.
class Sandbox : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Makes the image or bundle available.
    virtual QCoro::Task<Stepped<Nothing>> pull(CancellationToken token) = 0;
    /// Brings the bridge up.
    virtual QCoro::Task<Stepped<BridgeHello>> start(CancellationToken token) = 0;
    /// Fills the sandbox and walls the agent off.
    virtual QCoro::Task<Stepped<BridgeReady>> setUp(CancellationToken token) = 0;
    /// Ends everything inside; safe to call in any state.
    virtual QCoro::Task<void> clean() = 0;

    /// The pipe into the sandbox; there from start() on.
    virtual Bridge *bridge() const = 0;
    /// What a result records of it: kind, image, limits, as far as they are known by now.
    virtual QJsonObject particulars() const = 0;
};

} // namespace proctor
