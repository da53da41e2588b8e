// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/boundedlog.h"
#include "app/sandbox/bridgemessages.h"
#include "app/sandbox/bridgerequests.h"
#include "app/secrets/scrubber.h"

#include <QFile>
#include <QString>

#include <array>
#include <memory>

namespace proctor
{

/// What an attempt leaves in its folder while it goes on: the logs of agent and verifier and the trace of
/// tool calls. Known secrets do not get into them.
class AttemptFiles
{
public:
    AttemptFiles(const QString &folder, int attempt, const QStringList &secrets);

    QString path(const QString &name) const;

    /// Writes a piece of output (`stream` 1 or 2) to its log and returns it as it was written.
    QByteArray keep(SandboxCommand::Who who, int stream, const QByteArray &bytes);
    /// Writes what is held back, counts bytes that the sandbox did not send, and says whether anything is
    /// left out.
    bool endOutput(SandboxCommand::Who who, qint64 dropped);
    /// Last line or so of the standard error, in one line without control characters; may be empty.
    QString lastWords(SandboxCommand::Who who) const;

    /// One line of tool_trace.jsonl, on disk when this returns.
    void trace(const BridgeToolCall &call);
    /// One line of trajectory.jsonl, which an agent in the sandbox tells; on disk when this returns.
    void step(const QJsonObject &step);
    /// Takes known secrets out of a file that was copied from the sandbox. The verifier reads the original.
    void scrubFile(const QString &name);
    void close();

    QString scrubbed(const QString &text) const { return m_scrubber.scrubbed(text); }
    /// The first error of the disk, empty while there is none.
    QString problem() const;

private:
    struct Log {
        std::unique_ptr<BoundedLog> file;
        Scrubber scrubber;
    };

    Log &log(SandboxCommand::Who who, int stream);
    void writeLine(QFile *file, const QByteArray &line);
    /// `furtherMembers` is JSON text, each of them with a comma before it.
    void writeTraceLine(const QJsonObject &line, const QByteArray &furtherMembers = {});

    QString m_folder;
    Scrubber m_scrubber;
    /// Agent's output and errors, verifier's output and errors.
    std::array<Log, 4> m_logs;
    QFile m_trace;
    QFile m_trajectory;
    /// Of either.
    QString m_traceProblem;
};

} // namespace proctor
