// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>
#include <QFile>
#include <QJsonObject>
#include <QString>

namespace proctor
{

/// What happened to an agent, one JSON line an event: "turn" (from 1), "event" and what belongs to it. The
/// events are those of flyai-bench's example agent.
class Trajectory
{
public:
    /// Records nothing.
    Trajectory() = default;
    /// Begins the file `path` anew, in a folder that is made if need be.
    Expected<Nothing> open(const QString &path);

    void assistant(int turn, const QJsonObject &message) { write(turn, "assistant", message); }
    void finalAssistant(int turn, const QJsonObject &message) { write(turn, "final_assistant", message); }
    void llmError(int turn, const QString &sentence) { write(turn, "llm_error", sentence); }
    void finalError(int turn, const QString &sentence) { write(turn, "final_error", sentence); }
    /// `arguments` and `result` are kept as written where they are JSON.
    void tool(int turn, const QString &callId, const QString &name, const QString &arguments,
              const QByteArray &result);

private:
    void write(int turn, const char *event, const QJsonObject &message);
    void write(int turn, const char *event, const QString &error);
    void writeLine(int turn, const char *event, const QByteArray &members);

    QFile m_file;
};

} // namespace proctor
