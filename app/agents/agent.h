// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/bridge.h"
#include "models/exam/instance.h"

#include <QCoroTask>
#include <QObject>

namespace proctor
{

/// What an agent works with.
struct AgentPlace {
    Instance instance;
    /// The attempt's folder on the host, absolute.
    QString folder;
    Bridge *bridge = nullptr;
    BridgeHello hello;
    BridgeReady ready;
};

/// Who sits the exam. Used for one attempt: bring, work, deliver. Lives on the engine's thread.
class Agent : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Puts into the sandbox what the agent needs there, before it is set up.
    virtual QCoro::Task<Stepped<Nothing>> bring(Bridge *bridge, CancellationToken token);
    /// Works until its end. Nothing of it is alive then, and nobody can call a tool in its name. A failure
    /// means that it could not begin, or that the sandbox is lost; a Stepped value is its true end, also when
    /// `token` was cancelled.
    virtual QCoro::Task<Stepped<CommandEnd>> work(AgentPlace place, CancellationToken token) = 0;
    /// Brings the answers to the verifier, when the agent ended well. The sentence says which rule its
    /// outputs break; none when all is as it should be.
    virtual QCoro::Task<Stepped<QString>> deliver(AgentPlace place, CancellationToken token);

    /// Whether its answers and artifacts are in the sandbox, and not in the attempt's folder.
    virtual bool worksInSandbox() const = 0;

signals:
    /// Of an agent on the host; what one in the sandbox prints is the bridge's to tell.
    void output(int stream, const QByteArray &bytes);
    /// A call of an agent on the host; the bridge tells those from the sandbox.
    void toolCalled(const proctor::BridgeToolCall &call);
};

} // namespace proctor
