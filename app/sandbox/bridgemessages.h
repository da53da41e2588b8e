// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace proctor
{

/// Version of the protocol between the host and the bridge in a sandbox: JSON objects, one a line, LF, ASCII
/// only; `t` names the message, `id` ties an answer to its question, `d` is a payload in base64.
inline constexpr int bridgeProtocolVersion = 1;
/// A longer line, in bytes, ends the attempt.
inline constexpr qsizetype bridgeLineLimit = 1 << 20;
/// Largest payload of one message, in bytes before base64.
inline constexpr qsizetype bridgeChunkSize = 32 * 1024;

/// The bridge is up.
struct BridgeHello {
    int version = 0;
    QString python;
    /// Folder an agent starts in.
    QString workingDirectory;
};

/// The sandbox is set up.
struct BridgeReady {
    /// "app" or "environment": where the instance keeps its tools.
    QString layout;
    QStringList tools;
    bool hasToolDefinitions = false;
    QStringList prompts;
    /// Reward files that were there before anything ran; the bridge has removed them.
    QStringList staleRewards;
};

/// How a process in the sandbox ended.
struct CommandEnd {
    /// Exactly one of the two is set.
    std::optional<int> code, signal;
    bool timedOut = false;
    bool outOfMemory = false;
    /// Seconds.
    double wall = 0, cpu = 0;
    /// Bytes of output that were not sent because of the cap.
    qint64 dropped = 0;
    /// Processes that were still alive behind it and have been ended.
    int leftovers = 0;
};

/// One call of a tool as the bridge reports it.
struct BridgeToolCall {
    QString id, name, who;
    /// JSON text of an object: the named arguments in their order with their number texts; what was typed in
    /// a shell as {"argv": [...]}; what is too long for a record as {"cut": {"text", "size", "sha256"}}.
    QByteArray arguments = "{}";
    /// Seconds since the agent was started, and how long the call waited in the queue.
    double at = 0, queued = 0;
    double milliseconds = 0;
    int status = 0;
    std::optional<int> code;
    qint64 bytes = 0;
    bool truncated = false;
    /// Beginning of the tool's standard output.
    QByteArray response;
};

/// How a call of a tool that the host asked for ended.
struct ToolCallEnd {
    /// As for callers inside: 200, 500 (the tool's fault), 504 (over its limit), 499 (cut off); 400, 404, 413
    /// and 503 are refusals.
    int status = 0;
    std::optional<int> code, signal;
    bool timedOut = false;
    /// At most 4 MiB of each; more was there if `truncated`.
    QByteArray output, errors;
    bool truncated = false;
    /// Bytes the tool wrote to standard output.
    qint64 bytes = 0;
    /// Seconds in the queue, milliseconds at work.
    double queued = 0, milliseconds = 0;
    /// Why the status is not 200; of a failed tool the beginning of its standard error.
    QString error;
};

/// A file or folder below a path in the sandbox.
struct BridgeEntry {
    QString path;
    enum class Type { File, Folder, Link, Other } type = Type::File;
    qint64 size = 0;
};

/// "exit code 1" or "signal 9".
QString describe(const CommandEnd &end);

QByteArray encodeMessage(const QJsonObject &message);
/// One line without its LF. Errors: no JSON object, no "t".
Expected<QJsonObject> decodeMessage(const QByteArray &line);

QString toBase64(const QByteArray &bytes);
QByteArray payloadOf(const QJsonObject &message);

BridgeHello helloFrom(const QJsonObject &message);
BridgeReady readyFrom(const QJsonObject &message);
CommandEnd commandEndFrom(const QJsonObject &message);
/// Of an agent's trajectory.
QJsonObject stepFrom(const QJsonObject &message);
/// From a pong: how many processes of the sandbox the kernel killed for memory; 0 where it does not count.
qint64 outOfMemoryKillsIn(const QJsonObject &pong);
QList<BridgeEntry> entriesFrom(const QJsonObject &message);
/// From a tool_start and its line; the tool_res that follows completes it.
BridgeToolCall toolCallFrom(const QJsonObject &start, const QByteArray &line);
void complete(BridgeToolCall &call, const QJsonObject &result);
void complete(ToolCallEnd &call, const QJsonObject &result);

} // namespace proctor
