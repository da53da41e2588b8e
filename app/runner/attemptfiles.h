// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/boundedlog.h"
#include "app/sandbox/bridgemessages.h"

#include <QFile>
#include <QString>

namespace proctor
{

/// What an attempt leaves in its folder while it goes on: the logs of agent and verifier and the trace of
/// tool calls.
class AttemptFiles
{
public:
    AttemptFiles(const QString &folder, int attempt);

    QString path(const QString &name) const;
    BoundedLog &agentLog(int stream) { return stream == 1 ? m_agentOutput : m_agentErrors; }
    BoundedLog &verifierLog(int stream) { return stream == 1 ? m_verifierOutput : m_verifierErrors; }
    /// One line of tool_trace.jsonl, on disk when this returns.
    void trace(const BridgeToolCall &call);
    void close();

    /// Last part of the agent's or verifier's standard error, for the sentence about a failure.
    static QString lastWords(const QString &file);
    /// The first error of the disk, empty while there is none.
    QString problem() const;

private:
    void writeTraceLine(const QJsonObject &line);

    QString m_folder;
    BoundedLog m_agentOutput, m_agentErrors, m_verifierOutput, m_verifierErrors;
    QFile m_trace;
    QString m_traceProblem;
};

} // namespace proctor
