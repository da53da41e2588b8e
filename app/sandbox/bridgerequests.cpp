// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bridgerequests.h"

#include "app/sandbox/bridgemessages.h"

#include <QJsonArray>

namespace proctor
{

static QString word(SandboxCommand::Who who)
{
    return who == SandboxCommand::Who::Agent ? QStringLiteral("agent") : QStringLiteral("verifier");
}

QJsonObject runMessage(const SandboxCommand &command)
{
    QJsonObject environment;
    for (auto it = command.environment.begin(); it != command.environment.end(); ++it)
        environment.insert(it.key(), it.value());
    QJsonObject message{{QStringLiteral("t"), QStringLiteral("run")},
                        {QStringLiteral("who"), word(command.who)},
                        {QStringLiteral("argv"), QJsonArray::fromStringList(command.arguments)},
                        {QStringLiteral("env"), environment},
                        {QStringLiteral("cwd"), command.workingDirectory},
                        {QStringLiteral("limit"), command.limit},
                        {QStringLiteral("cap"), command.outputCap},
                        {QStringLiteral("nice"), command.nice}};
    if (command.processLimit > 0)
        message.insert(QStringLiteral("rlimits"),
                       QJsonObject{{QStringLiteral("NPROC"), command.processLimit}});
    return message;
}

QJsonObject initMessage(const BridgeSetup &setup)
{
    const QJsonObject ports{{QStringLiteral("tools"), 9999}, {QStringLiteral("models"), 9998}};
    QJsonObject message{{QStringLiteral("t"), QStringLiteral("init")},
                        {QStringLiteral("v"), bridgeProtocolVersion},
                        {QStringLiteral("wall"), setup.wall},
                        {QStringLiteral("ports"), ports},
                        {QStringLiteral("hide"), QJsonArray::fromStringList(setup.hide)},
                        {QStringLiteral("tool_limit"), setup.toolLimit},
                        {QStringLiteral("tool_parallel"), setup.toolParallel},
                        {QStringLiteral("heartbeat"), setup.heartbeat},
                        {QStringLiteral("deadline"), setup.deadline}};
    if (setup.user)
        message.insert(QStringLiteral("uid"), static_cast<qint64>(*setup.user));
    return message;
}

QJsonObject getMessage(const QString &path, qint64 maximum)
{
    return {{QStringLiteral("t"), QStringLiteral("get")},
            {QStringLiteral("path"), path},
            {QStringLiteral("max"), maximum}};
}

QJsonObject listMessage(const QString &path, int maximum)
{
    return {{QStringLiteral("t"), QStringLiteral("list")},
            {QStringLiteral("path"), path},
            {QStringLiteral("max"), maximum}};
}

QJsonObject putMessage(qint64 id, const QString &path, int mode, const QByteArray &chunk, bool last)
{
    return {{QStringLiteral("t"), QStringLiteral("put")},
            {QStringLiteral("id"), id},
            {QStringLiteral("path"), path},
            {QStringLiteral("mode"), mode},
            {QStringLiteral("d"), toBase64(chunk)},
            {QStringLiteral("eof"), last}};
}

/// As a JSON string of ASCII alone.
static void appendString(QByteArray &out, QStringView text)
{
    out += '"';
    for (const QChar unit : text) {
        const bool isPlain = unit.unicode() >= 0x20 && unit.unicode() < 0x7f && unit != u'"' && unit != u'\\';
        if (isPlain)
            out += static_cast<char>(unit.unicode());
        else
            out += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    }
    out += '"';
}

QByteArray toolLine(qint64 id, const ToolRequest &request)
{
    QByteArray line = "{\"t\":\"tool\",\"id\":" + QByteArray::number(id) + ",\"name\":";
    appendString(line, request.name);
    line += ",\"argv\":[";
    for (const QString &argument : request.arguments) {
        if (!line.endsWith('['))
            line += ',';
        appendString(line, argument);
    }
    return line + "]}\n";
}

QList<QJsonObject> modelRefusal(const QJsonValue &id)
{
    const QByteArray body = R"({"error":{"message":"This exam runs without a model","type":"proctor"}})";
    const QJsonArray header{QStringLiteral("content-type"), QStringLiteral("application/json")};
    return {{{QStringLiteral("t"), QStringLiteral("http_head")},
             {QStringLiteral("id"), id},
             {QStringLiteral("status"), 503},
             {QStringLiteral("headers"), QJsonArray{QJsonValue(header)}}},
            {{QStringLiteral("t"), QStringLiteral("http_data")},
             {QStringLiteral("id"), id},
             {QStringLiteral("d"), toBase64(body)}},
            {{QStringLiteral("t"), QStringLiteral("http_end")}, {QStringLiteral("id"), id}}};
}

} // namespace proctor
