// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/bridge.h"

#include <QCoroTask>
#include <QJsonObject>
#include <QObject>

#include <memory>

namespace proctor
{

/// What became of a sandbox whose pipe broke before anybody wanted it to.
struct SandboxLoss {
    enum class Cause {
        /// The machine, the engine or somebody outside took it down, or nobody can tell.
        Harness,
        /// Something in it brought it down.
        Inside,
        /// It was ended because its memory ran out.
        OutOfMemory,
    };
    Cause cause = Cause::Harness;
    QString sentence;
};

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
    /// Finds out why the bridge is lost, in bounded time; before clean().
    virtual QCoro::Task<SandboxLoss> inquire() = 0;

    /// The pipe into the sandbox; there from start() on.
    virtual Bridge *bridge() const = 0;
    /// What a result records of it: kind, image, limits, as far as they are known by now.
    virtual QJsonObject particulars() const = 0;

signals:
    /// How far pull() has come where that takes long: "Pulling a/b:1", then "Pulling a/b:1: 3 of 7 layers".
    void pulling(const QString &sentence);

protected:
    /// Sets up what is in the sandbox, and remembers it so that changes can be told later.
    static QCoro::Task<Stepped<BridgeReady>> wallOff(Bridge *bridge, BridgeSetup setup,
                                                     CancellationToken token);
};

} // namespace proctor
