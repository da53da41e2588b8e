// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/toolproxy.h"

#include "app/proxy/toolarguments.h"
#include "models/core/pythonjson.h"
#include "models/core/pythontext.h"

#include <QRandomGenerator>

#include <array>

namespace proctor
{

/// A longer command line would not fit into a message to the sandbox.
static constexpr qint64 bodyLimit = 1 << 20;
/// Beginning of a tool's output that is kept with the record of the call.
static constexpr qsizetype recordLimit = 1 << 20;
static constexpr qsizetype recordedNameLimit = 200;

static HttpServerLimits serverLimits()
{
    HttpServerLimits limits;
    limits.request.body = bodyLimit;
    return limits;
}

static QByteArray randomPrefix()
{
    std::array<quint32, 4> words;
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    const QByteArrayView bytes(reinterpret_cast<const char *>(words.data()), sizeof(words));
    return '/' + bytes.toByteArray().toHex();
}

static QByteArray quoted(QStringView text)
{
    QByteArray json;
    appendPythonString(json, text);
    return json;
}

static QByteArray errorBody(QStringView sentence)
{
    return "{\"error\": " + quoted(sentence) + '}';
}

/// The tool's own text when it is JSON, so that numbers stay as they were written.
static QByteArray outputBody(const ToolCallEnd &result)
{
    if (!result.truncated && isJson(result.output))
        return result.output.trimmed();
    return "{\"raw\": " + quoted(QString::fromUtf8(result.output)) +
           (result.truncated ? ", \"truncated\": true}" : "}");
}

static QByteArray failureBody(const ToolCallEnd &result)
{
    const int code = result.signal ? -*result.signal : result.code.value_or(-1);
    return "{\"error\": " + quoted(result.error) + ", \"returncode\": " + QByteArray::number(code) + '}';
}

static void respond(const HttpResponder &responder, const Stepped<ToolCallEnd> &result)
{
    if (!result)
        responder.respond(503, errorBody(QStringLiteral("the sandbox is gone")));
    else if (result->status == 200)
        responder.respond(200, outputBody(*result));
    else if (result->status == 500)
        responder.respond(500, failureBody(*result));
    else
        responder.respond(result->status, errorBody(result->error));
}

static QString withoutSlashes(QStringView path)
{
    while (path.startsWith(u'/'))
        path = path.sliced(1);
    while (path.endsWith(u'/'))
        path.chop(1);
    return path.toString();
}

ToolProxy::ToolProxy(Bridge *bridge, const QStringList &tools, QObject *parent)
    : QObject(parent)
    , m_bridge(bridge)
    , m_tools(tools)
    , m_prefix(randomPrefix())
    , m_server(
          [this](const HttpRequest &request, const HttpResponder &responder) { answer(request, responder); },
          serverLimits())
{
}

Expected<Nothing> ToolProxy::open()
{
    m_clock.start();
    return m_server.listen();
}

QString ToolProxy::url() const
{
    return QStringLiteral("http://127.0.0.1:%1%2").arg(m_server.port()).arg(QString::fromLatin1(m_prefix));
}

QCoro::Task<void> ToolProxy::close()
{
    // Every caller is told that it is gone, and that cancels its call.
    m_server.close();
    if (m_open == 0)
        co_return;
    m_quiet = std::make_shared<Completion<Nothing>>();
    const auto quiet = m_quiet;
    co_await *quiet;
}

void ToolProxy::answer(const HttpRequest &request, const HttpResponder &responder)
{
    const QByteArray &target = request.target;
    if (!target.startsWith(m_prefix + '/'))
        return responder.respond(404, errorBody(QStringLiteral("not found")));
    const QString path = QString::fromUtf8(target.sliced(m_prefix.size()));
    if (request.method == "POST")
        return answerPost(withoutSlashes(path), request.body, responder);
    if (request.method != "GET")
        return responder.respond(501, "<html><body><h1>501 Not Implemented</h1></body></html>\n",
                                 "text/html; charset=utf-8");
    if (path == QLatin1String("/health"))
        return responder.respond(200, R"({"status": "ok"})");
    if (path != QLatin1String("/tools"))
        return responder.respond(404, errorBody(QStringLiteral("not found")));
    QByteArrayList names;
    for (const QString &tool : m_tools)
        names << quoted(tool);
    responder.respond(200, "{\"tools\": [" + names.join(", ") + "]}");
}

void ToolProxy::answerPost(const QString &path, const QByteArray &body, const HttpResponder &responder)
{
    static constexpr QLatin1String calls("call/");
    if (path.startsWith(calls))
        call(path.sliced(calls.size()), body, responder);
    else
        responder.respond(400, errorBody(QStringLiteral("use POST /call/<tool_name>")));
}

void ToolProxy::call(const QString &name, const QByteArray &body, const HttpResponder &responder)
{
    BridgeToolCall record;
    record.id = QStringLiteral("h%1").arg(++m_count);
    record.who = QStringLiteral("host");
    record.name = name.left(recordedNameLimit);
    record.at = static_cast<double>(m_clock.elapsed()) / 1000;
    const auto refuse = [&](const QString &why) {
        record.status = 400;
        emit called(record);
        responder.respond(400, errorBody(why));
    };
    if (!isToolName(name))
        return refuse(QStringLiteral("invalid tool name: '%1'").arg(name));
    const auto arguments = toolArguments(body);
    if (!arguments)
        return refuse(arguments.error());
    record.arguments = arguments->record;
    carryOut(this, record, {name, arguments->commandLine}, responder);
}

/// Touches the proxy only while it is there: nobody can be made to wait for calls that are cut off.
QCoro::Task<void> ToolProxy::carryOut(QPointer<ToolProxy> proxy, BridgeToolCall record, ToolRequest request,
                                      HttpResponder responder)
{
    ++proxy->m_open;
    Stepped<ToolCallEnd> result(StepFailure{StepFailure::Kind::Lost, {}});
    if (Bridge *bridge = proxy->m_bridge) {
        result = co_await bridge->callTool(request, responder.gone());
    }
    if (proxy)
        proxy->ended(record, result);
    respond(responder, result);
}

void ToolProxy::ended(BridgeToolCall record, const Stepped<ToolCallEnd> &result)
{
    record.status = 503;
    if (result) {
        record.status = result->status;
        record.code = result->code;
        record.queued = result->queued;
        record.milliseconds = result->milliseconds;
        record.bytes = result->bytes;
        record.truncated = result->truncated;
        record.response = result->output.left(recordLimit);
    }
    emit called(record);
    if (--m_open == 0 && m_quiet)
        m_quiet->complete({});
}

} // namespace proctor
