// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bridgetoolcalls.h"

#include <QTimer>

#include <utility>

namespace proctor
{

/// Beginning of a tool's output that is kept with the record of the call.
static constexpr qsizetype recordLimit = 1 << 20;
/// What the bridge sends of one stream at the most.
static constexpr qsizetype outputLimit = 4 << 20;

static void append(QByteArray &kept, const QJsonObject &message, qsizetype limit)
{
    if (kept.size() < limit)
        kept += payloadOf(message).left(limit - kept.size());
}

static bool isStandardOutput(const QJsonObject &message)
{
    return message.value(QLatin1String("s")).toInt() == 1;
}

BridgeToolCalls::BridgeToolCalls(std::function<void(const QByteArray &)> write,
                                 std::function<void(const QString &)> lose)
    : m_write(std::move(write))
    , m_lose(std::move(lose))
{
}

QCoro::Task<Stepped<ToolCallEnd>> BridgeToolCalls::call(qint64 id, ToolRequest request,
                                                        CancellationToken token)
{
    const QByteArray line = toolLine(id, request);
    if (line.size() > bridgeLineLimit) {
        ToolCallEnd refused;
        refused.status = 413;
        refused.error = QStringLiteral("the arguments are too large");
        co_return refused;
    }
    const auto end = std::make_shared<End>(StepFailure{StepFailure::Kind::Lost, {}});
    m_own.insert(id, {{}, end});
    m_write(line);
    const auto cancelling = token.onCancelled(this, [this, id] { cancel(id); });
    co_return co_await *end;
}

void BridgeToolCalls::cancel(qint64 id)
{
    if (!isOpen(id))
        return;
    m_write(
        encodeMessage({{QStringLiteral("t"), QStringLiteral("tool_cancel")}, {QStringLiteral("id"), id}}));
    QTimer::singleShot(killGrace, this, [this, id] {
        if (isOpen(id))
            m_lose(tr("A tool in the sandbox could not be ended"));
    });
}

void BridgeToolCalls::end(qint64 id, Stepped<ToolCallEnd> result)
{
    const auto own = m_own.take(id);
    if (own.end)
        own.end->complete(std::move(result));
}

void BridgeToolCalls::endAll(const StepFailure &failure)
{
    const auto all = std::exchange(m_own, {});
    for (const Own &own : all)
        own.end->complete(failure);
}

void BridgeToolCalls::receive(const QJsonObject &message, const QByteArray &line)
{
    const QString name = message.value(QLatin1String("t")).toString();
    const QJsonValue id = message.value(QLatin1String("id"));
    if (id.isDouble()) {
        receiveOwn(name, id.toInteger(), message);
    } else if (name == QLatin1String("tool_start")) {
        const BridgeToolCall call = toolCallFrom(message, line);
        m_inside.insert(call.id, call);
        emit started(call);
    } else {
        receiveFromInside(name, id.toString(), message);
    }
}

void BridgeToolCalls::receiveFromInside(const QString &name, const QString &id, const QJsonObject &message)
{
    const auto call = m_inside.find(id);
    if (call == m_inside.end())
        return;
    if (name == QLatin1String("tool_out")) {
        if (isStandardOutput(message))
            append(call->response, message, recordLimit);
    } else if (name == QLatin1String("tool_res")) {
        complete(*call, message);
        emit finished(m_inside.take(id));
    }
}

void BridgeToolCalls::receiveOwn(const QString &name, qint64 id, const QJsonObject &message)
{
    const auto call = m_own.find(id);
    if (call == m_own.end())
        return;
    ToolCallEnd &result = call->result;
    if (name == QLatin1String("tool_out")) {
        append(isStandardOutput(message) ? result.output : result.errors, message, outputLimit);
    } else if (name == QLatin1String("tool_res")) {
        complete(result, message);
        end(id, result);
    }
}

} // namespace proctor
