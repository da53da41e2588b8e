// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bridgemessages.h"

#include "models/core/jsonmembers.h"
#include "models/core/pythonjson.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace proctor
{

static QStringList stringsFrom(const QJsonValue &value)
{
    QStringList strings;
    for (const QJsonValue &item : value.toArray())
        strings << item.toString();
    return strings;
}

static std::optional<int> optionalInt(const QJsonValue &value)
{
    if (!value.isDouble())
        return std::nullopt;
    return value.toInt();
}

static BridgeEntry::Type entryType(const QString &word)
{
    if (word == QLatin1String("file"))
        return BridgeEntry::Type::File;
    if (word == QLatin1String("dir"))
        return BridgeEntry::Type::Folder;
    if (word == QLatin1String("link"))
        return BridgeEntry::Type::Link;
    return BridgeEntry::Type::Other;
}

/// QJsonDocument writes UTF-8; the bridge wants ASCII so that no locale can come between.
static QByteArray escapeNonAscii(const QByteArray &utf8)
{
    QByteArray ascii;
    const QString text = QString::fromUtf8(utf8);
    ascii.reserve(text.size());
    for (const QChar unit : text) {
        if (unit.unicode() < 0x80)
            ascii += static_cast<char>(unit.unicode());
        else
            ascii += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    }
    return ascii;
}

static bool isAscii(const QByteArray &bytes)
{
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

QString describe(const CommandEnd &end)
{
    if (end.signal)
        return QCoreApplication::translate("proctor::Bridge", "signal %1").arg(*end.signal);
    return QCoreApplication::translate("proctor::Bridge", "exit code %1").arg(end.code.value_or(-1));
}

QByteArray encodeMessage(const QJsonObject &message)
{
    const QByteArray json = QJsonDocument(message).toJson(QJsonDocument::Compact);
    return (isAscii(json) ? json : escapeNonAscii(json)) + '\n';
}

Expected<QJsonObject> decodeMessage(const QByteArray &line)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(line, &problem);
    if (problem.error != QJsonParseError::NoError)
        return Error{
            QStringLiteral("The sandbox sent a line that is no JSON: %1").arg(problem.errorString())};
    const QJsonObject message = document.object();
    if (!message.value(QLatin1String("t")).isString())
        return Error{QStringLiteral("The sandbox sent a message without a name")};
    return message;
}

QString toBase64(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray payloadOf(const QJsonObject &message)
{
    return QByteArray::fromBase64(message.value(QLatin1String("d")).toString().toLatin1());
}

BridgeHello helloFrom(const QJsonObject &message)
{
    BridgeHello hello;
    hello.version = message.value(QLatin1String("v")).toInt();
    hello.python = message.value(QLatin1String("python")).toString();
    hello.workingDirectory = message.value(QLatin1String("cwd")).toString(QStringLiteral("/app"));
    return hello;
}

BridgeReady readyFrom(const QJsonObject &message)
{
    BridgeReady ready;
    ready.layout = message.value(QLatin1String("layout")).toString();
    ready.tools = stringsFrom(message.value(QLatin1String("tools")));
    ready.hasToolDefinitions = message.value(QLatin1String("tool_defs")).toBool();
    ready.prompts = stringsFrom(message.value(QLatin1String("prompts")));
    ready.staleRewards = stringsFrom(message.value(QLatin1String("reward_files")));
    return ready;
}

CommandEnd commandEndFrom(const QJsonObject &message)
{
    CommandEnd end;
    end.code = optionalInt(message.value(QLatin1String("code")));
    end.signal = optionalInt(message.value(QLatin1String("signal")));
    end.timedOut = message.value(QLatin1String("timed_out")).toBool();
    end.outOfMemory = message.value(QLatin1String("oom")).toBool();
    end.wall = message.value(QLatin1String("wall")).toDouble();
    end.cpu = message.value(QLatin1String("cpu")).toDouble();
    end.dropped = message.value(QLatin1String("dropped")).toInteger();
    end.leftovers = message.value(QLatin1String("leftovers")).toInt();
    return end;
}

QJsonObject stepFrom(const QJsonObject &message)
{
    const QJsonValue step = message.value(QLatin1String("d"));
    if (step.isObject())
        return step.toObject();
    return {{QStringLiteral("cut"), message.value(QLatin1String("cut"))}};
}

qint64 outOfMemoryKillsIn(const QJsonObject &pong)
{
    const QJsonObject events = pong.value(QLatin1String("memory_events")).toObject();
    return events.value(QLatin1String("oom_kill")).toInteger();
}

QList<BridgeEntry> entriesFrom(const QJsonObject &message)
{
    QList<BridgeEntry> entries;
    for (const QJsonValue &value : message.value(QLatin1String("list")).toArray()) {
        const QJsonObject item = value.toObject();
        BridgeEntry entry;
        entry.path = item.value(QLatin1String("path")).toString();
        entry.type = entryType(item.value(QLatin1String("type")).toString());
        entry.size = item.value(QLatin1String("size")).toInteger();
        entries << entry;
    }
    return entries;
}

/// The member of `line` as it was sent: QJsonObject sorts keys and rounds numbers.
static QByteArray memberText(const QByteArray &line, QLatin1String key)
{
    const Expected<QList<JsonMember>> members = jsonMembers(line);
    if (!members)
        return {};
    for (const JsonMember &member : *members) {
        if (member.key != key)
            continue;
        const auto value = readPythonJson(member.raw.toByteArray());
        return value ? value->value.dumped : QByteArray();
    }
    return {};
}

static QByteArray argumentsFrom(const QJsonObject &start, const QByteArray &line)
{
    for (const char *special : {"cut", "argv"}) {
        if (start.contains(QLatin1String(special)))
            return QByteArray("{\"") + special + "\": " + memberText(line, QLatin1String(special)) + '}';
    }
    const QByteArray named = memberText(line, QLatin1String("args"));
    return named.startsWith('{') ? named : QByteArrayLiteral("{}");
}

BridgeToolCall toolCallFrom(const QJsonObject &start, const QByteArray &line)
{
    BridgeToolCall call;
    call.id = start.value(QLatin1String("id")).toString();
    call.name = start.value(QLatin1String("name")).toString();
    call.who = start.value(QLatin1String("who")).toString();
    call.arguments = argumentsFrom(start, line);
    call.at = start.value(QLatin1String("at")).toDouble();
    return call;
}

void complete(BridgeToolCall &call, const QJsonObject &result)
{
    call.queued = result.value(QLatin1String("queued")).toDouble();
    call.milliseconds = result.value(QLatin1String("ms")).toDouble();
    call.status = result.value(QLatin1String("status")).toInt();
    call.code = optionalInt(result.value(QLatin1String("code")));
    call.bytes = result.value(QLatin1String("bytes")).toArray().at(0).toInteger();
    call.truncated = result.value(QLatin1String("truncated")).toBool();
}

void complete(ToolCallEnd &call, const QJsonObject &result)
{
    call.status = result.value(QLatin1String("status")).toInt();
    call.code = optionalInt(result.value(QLatin1String("code")));
    call.signal = optionalInt(result.value(QLatin1String("signal")));
    call.timedOut = result.value(QLatin1String("timed_out")).toBool();
    call.truncated = result.value(QLatin1String("truncated")).toBool();
    call.bytes = result.value(QLatin1String("bytes")).toArray().at(0).toInteger();
    call.queued = result.value(QLatin1String("queued")).toDouble();
    call.milliseconds = result.value(QLatin1String("ms")).toDouble();
    call.error = result.value(QLatin1String("error")).toString();
}

} // namespace proctor
