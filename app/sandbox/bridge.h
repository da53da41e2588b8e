// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/process/completion.h"
#include "app/process/linesplitter.h"
#include "app/process/process.h"
#include "app/sandbox/bridgemessages.h"
#include "app/sandbox/bridgerequests.h"
#include "app/sandbox/bridgetoolcalls.h"
#include "app/sandbox/step.h"

#include <QCoroTask>
#include <QDeadlineTimer>
#include <QHash>
#include <QObject>
#include <QSaveFile>
#include <QTimer>

#include <chrono>
#include <memory>

namespace proctor
{

/// A file taken out of the sandbox.
struct FetchedFile {
    QByteArray content;
    /// The file was larger than asked for.
    bool truncated = false;
};

/// The host's end of the one pipe into a sandbox. Owns the sandbox's process; when that ends, or says
/// something that is not the protocol, every step under way ends as Lost with the reason. Lives on the
/// engine's thread.
class Bridge : public QObject
{
    Q_OBJECT

public:
    /// `sandbox` is the command whose standard streams are the bridge's.
    explicit Bridge(ProcessSpec sandbox, QObject *parent = nullptr);
    ~Bridge() override;

    /// Starts the sandbox, sends the bridge's program and waits for its hello.
    QCoro::Task<Stepped<BridgeHello>> start(std::chrono::milliseconds limit, CancellationToken token);
    QCoro::Task<Stepped<BridgeReady>> setUp(BridgeSetup setup, CancellationToken token);
    /// Copies a host file to an absolute path in the sandbox, making its folders.
    QCoro::Task<Stepped<Nothing>> put(QString hostFile, QString path, int mode, CancellationToken token);
    QCoro::Task<Stepped<FetchedFile>> get(QString path, qint64 maximum);
    QCoro::Task<Stepped<QList<BridgeEntry>>> list(QString path, int maximum);
    /// Ends with the process, which is killed when `token` is cancelled: a Stepped value is still its true
    /// end.
    QCoro::Task<Stepped<CommandEnd>> run(SandboxCommand command, CancellationToken token);
    /// Has a tool run as the bridge runs it for callers inside, in the same queue. Ends with the tool, which
    /// is killed when `token` is cancelled (status 499). Every refusal is a result with its status; a failure
    /// is only a lost sandbox.
    QCoro::Task<Stepped<ToolCallEnd>> callTool(ToolRequest request, CancellationToken token);
    /// Remembers all files below /app; the next saveChanges() is against it.
    QCoro::Task<Stepped<Nothing>> snapshot();
    /// Copies a regular file in the sandbox to a host file, `maximum` bytes of it at the most; whether it was
    /// more.
    QCoro::Task<Stepped<bool>> save(QString path, QString hostFile, qint64 maximum);
    /// Writes a tar archive of what changed below /app since the snapshot to a host file; whether it was
    /// more.
    QCoro::Task<Stepped<bool>> saveChanges(QString hostFile, qint64 maximum);
    /// Closes the ports that the agent used.
    QCoro::Task<Stepped<Nothing>> closePorts();
    /// Asks the bridge to leave, and sees to it that the sandbox's process ends in any case.
    QCoro::Task<void> leave();

    bool isOpen() const { return m_open; }
    /// Why the pipe is broken; empty while it is not.
    QString lossReason() const { return m_lossReason; }
    /// Whether the sandbox ended although the host wanted it to live: something in it brought it down.
    bool brokeByItself() const { return m_brokeByItself; }
    /// How the sandbox's process ended, once it has.
    const std::optional<ProcessEnd> &processEnd() const { return m_end; }
    /// Processes in the sandbox that the kernel killed for memory, by the bridge's last word on it.
    qint64 outOfMemoryKills() const { return m_outOfMemoryKills; }

signals:
    void output(proctor::SandboxCommand::Who who, int stream, const QByteArray &bytes);
    /// Calls from inside; the host's own are not among them.
    void toolStarted(const proctor::BridgeToolCall &call);
    void toolFinished(const proctor::BridgeToolCall &call);
    /// A step of an agent that tells its trajectory: a line of trajectory.jsonl. One that is too large is
    /// {"cut":{"text","size","sha256"}}.
    void stepTaken(const QJsonObject &step);

private:
    struct Answer {
        QJsonObject message;
        QByteArray data;
    };
    struct Question {
        Completion<Stepped<Answer>> answer{StepFailure{StepFailure::Kind::Lost, {}}};
        /// What came in `data` messages, unless it goes to a file.
        QByteArray data;
        std::unique_ptr<QSaveFile> sink;
        /// Restarted by every piece that comes, so that a slow file is no silent bridge.
        QDeadlineTimer patience{QDeadlineTimer::Forever};
        /// Of a run: whose output it is.
        std::optional<SandboxCommand::Who> who;
        bool killed = false;
    };
    using QuestionPointer = std::shared_ptr<Question>;

    QuestionPointer ask(QJsonObject message);
    QCoro::Task<Stepped<Answer>> askAndWait(QJsonObject message, std::chrono::milliseconds limit);
    /// For hello and ready, which answer what was asked without an id.
    QCoro::Task<Stepped<Answer>> answerWithoutId(QuestionPointer question, std::chrono::milliseconds limit,
                                                 CancellationToken token, QString late);
    QCoro::Task<Stepped<bool>> saveTo(QString hostFile, QJsonObject message);
    void send(const QJsonObject &message);
    QCoro::Task<void> roomToSend(CancellationToken token);

    void readLine(const LineSplitter::Line &line);
    void receive(const QJsonObject &message, const QByteArray &line);
    void answer(qint64 id, Stepped<Answer> value);
    /// Ends a question as TimedOut when nothing of its answer has come for so long.
    void answerInTime(qint64 id, std::chrono::milliseconds limit);
    void ping();
    void lose(const QString &reason);
    void processEnded(const ProcessEnd &end);

    Process m_process;
    LineSplitter m_lines;
    QTimer m_ping;
    /// Pings since the bridge was last heard.
    int m_unheardPings = 0;
    qint64 m_lastId = 0;
    bool m_open = false;
    QString m_lossReason;
    bool m_brokeByItself = false;
    std::optional<ProcessEnd> m_end;
    qint64 m_outOfMemoryKills = 0;
    QHash<qint64, QuestionPointer> m_questions;
    BridgeToolCalls m_toolCalls;
    /// Of the two answers that carry no id.
    QuestionPointer m_hello, m_ready;
    /// Awaited while the pipe is full, and until the sandbox's process has ended.
    std::shared_ptr<Completion<Nothing>> m_room;
    Completion<Nothing> m_gone;
};

} // namespace proctor

Q_DECLARE_METATYPE(proctor::BridgeToolCall)
