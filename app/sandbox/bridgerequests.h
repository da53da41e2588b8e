// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace proctor
{

/// What a sandbox is set up with. Times in seconds.
struct BridgeSetup {
    /// How the agent is walled off: "bwrap" (a bubblewrap within the sandbox's own) or "uid" (a user of its
    /// own).
    QString wall;
    /// Of the wall "uid": whom the agent runs as.
    std::optional<uint> user;
    QStringList hide;
    double toolLimit = 60;
    int toolParallel = 1;
    /// Silence of the host after which the bridge ends everything.
    double heartbeat = 30;
    /// Age at which the bridge ends everything, whatever happens.
    double deadline = 3600;
};

/// A process to run in the sandbox.
struct SandboxCommand {
    enum class Who { Agent, Verifier };

    Who who = Who::Agent;
    QStringList arguments;
    QHash<QString, QString> environment;
    QString workingDirectory = QStringLiteral("/app");
    /// Seconds.
    double limit = 0;
    /// Bytes of output after which the rest is only counted.
    qint64 outputCap = 0;
    int nice = 0;
    /// Processes of the sandbox at a time; 0 = unlimited.
    int processLimit = 0;
};

/// A call of a tool by the host.
struct ToolRequest {
    QString name;
    QStringList arguments;
};

/// The messages that ask the bridge for something, without the id that ties the answer to them.
QJsonObject initMessage(const BridgeSetup &setup);
QJsonObject runMessage(const SandboxCommand &command);
QJsonObject getMessage(const QString &path, qint64 maximum);
QJsonObject listMessage(const QString &path, int maximum);
/// One of several with the same id for a large file; `last` ends it.
QJsonObject putMessage(qint64 id, const QString &path, int mode, const QByteArray &chunk, bool last);
/// The line that asks for a call of a tool. Half surrogates in the arguments are kept, as Python has them.
QByteArray toolLine(qint64 id, const ToolRequest &request);
/// The whole answer to a model request of the agent that nobody here can answer: status 503 and a sentence.
QList<QJsonObject> modelRefusal(const QJsonValue &id);

} // namespace proctor
