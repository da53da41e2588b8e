// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/trajectory.h"

#include "models/core/jsonmembers.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

namespace proctor
{

/// A text as JSON.
static QByteArray quoted(const QString &text)
{
    const QJsonArray array{text};
    const QByteArray json = QJsonDocument(array).toJson(QJsonDocument::Compact);
    return json.sliced(1, json.size() - 2);
}

/// JSON on one line; what is no JSON object becomes a text.
static QByteArray jsonOrText(const QByteArray &bytes)
{
    if (!jsonMembers(bytes))
        return quoted(QString::fromUtf8(bytes));
    // Within strings there are none: they would have to be escaped.
    return QByteArray(bytes).replace('\n', ' ').replace('\r', ' ');
}

Expected<Nothing> Trajectory::open(const QString &path)
{
    m_file.setFileName(path);
    if (QDir().mkpath(QFileInfo(path).path()) &&
        m_file.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return Nothing{};
    return Error::ofMachine(QStringLiteral("The trajectory cannot be written: %1").arg(m_file.errorString()),
                            path);
}

void Trajectory::tool(int turn, const QString &callId, const QString &name, const QString &arguments,
                      const QByteArray &result)
{
    writeLine(turn, "tool",
              "\"tool_call_id\": " + quoted(callId) + ", \"name\": " + quoted(name) + ", \"arguments\": " +
                  jsonOrText(arguments.toUtf8()) + ", \"result\": " + jsonOrText(result));
}

void Trajectory::write(int turn, const char *event, const QJsonObject &message)
{
    writeLine(turn, event, "\"message\": " + QJsonDocument(message).toJson(QJsonDocument::Compact));
}

void Trajectory::write(int turn, const char *event, const QString &error)
{
    writeLine(turn, event, "\"error\": " + quoted(error));
}

void Trajectory::writeLine(int turn, const char *event, const QByteArray &members)
{
    if (m_file.isOpen())
        m_file.write("{\"turn\": " + QByteArray::number(turn) + ", \"event\": \"" + event + "\", " + members +
                     "}\n");
}

} // namespace proctor
