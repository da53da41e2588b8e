// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/process/completion.h"
#include "app/sandbox/bridgemessages.h"
#include "app/sandbox/bridgerequests.h"
#include "app/sandbox/step.h"

#include <QCoroTask>
#include <QHash>
#include <QObject>

#include <functional>
#include <memory>

namespace proctor
{

/// The calls of tools that are under way in a sandbox, put together from the messages about them: those from
/// inside, of which the host is told, and those that the host asked for.
class BridgeToolCalls : public QObject
{
    Q_OBJECT

public:
    /// `write` sends a line into the sandbox, `lose` gives the sandbox up.
    BridgeToolCalls(std::function<void(const QByteArray &)> write, std::function<void(const QString &)> lose);

    /// A call by the host: see Bridge::callTool().
    QCoro::Task<Stepped<ToolCallEnd>> call(qint64 id, ToolRequest request, CancellationToken token);
    bool isOpen(qint64 id) const { return m_own.contains(id); }
    void end(qint64 id, Stepped<ToolCallEnd> result);
    void endAll(const StepFailure &failure);

    /// A tool_start, tool_out or tool_res and the line it came in.
    void receive(const QJsonObject &message, const QByteArray &line);

signals:
    void started(const proctor::BridgeToolCall &call);
    void finished(const proctor::BridgeToolCall &call);

private:
    using End = Completion<Stepped<ToolCallEnd>>;
    struct Own {
        ToolCallEnd result;
        std::shared_ptr<End> end;
    };

    void receiveFromInside(const QString &name, const QString &id, const QJsonObject &message);
    void receiveOwn(const QString &name, qint64 id, const QJsonObject &message);

    void cancel(qint64 id);

    std::function<void(const QByteArray &)> m_write;
    std::function<void(const QString &)> m_lose;
    QHash<QString, BridgeToolCall> m_inside;
    QHash<qint64, Own> m_own;
};

} // namespace proctor
