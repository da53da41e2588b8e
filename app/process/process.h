// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/boundedbytes.h"
#include "app/process/cancellation.h"
#include "app/process/completion.h"
#include "app/process/outputfile.h"
#include "app/process/processend.h"
#include "app/process/processspec.h"

#include <QCoroTask>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace proctor
{

class Child;

/// One run of a child program: the only place where Proctor uses QProcess.
///
/// The child gets a session and group of its own, default signals, no descriptor but 0, 1 and 2. At its time
/// limit or when cancelled the whole group gets SIGTERM and, after the grace time, SIGKILL. The end of the
/// child itself is the end: what it left in its group is killed, a pipe held open elsewhere is not waited
/// for. It always ends in a ProcessEnd, the thread is never blocked, and a Process may be destroyed at any
/// time: the child is then ended in the background (a coroutine that waits gets Kind::Cancelled).
///
/// Lives in one thread, whose event loop runs. Output is read as it comes and handed to slots in the same
/// turn, so a child that prints faster than the (directly connected) slots work is held up by its pipe and
/// memory stays bounded.
class Process : public QObject
{
    Q_OBJECT

public:
    explicit Process(ProcessSpec spec, QObject *parent = nullptr);
    ~Process() override;

    /// Starts it and awaits its end. Once a Process. `token` is looked at for as long as the child runs.
    QCoro::Task<ProcessEnd> run(CancellationToken token = {});

    /// The same in two parts, for those who talk with the child in between. Every start(), also a failed one,
    /// leads to `ended` and lets end() resume, both from the event loop.
    void start(const CancellationToken &token = {});
    /// To be awaited once.
    QCoro::Task<ProcessEnd> end();

    bool isRunning() const;
    /// 0 before the start; stays what it was after the end, when another process may have got it. The child
    /// leads its group and session, so this is their id too.
    qint64 processId() const { return m_processId; }
    qint64 groupId() const { return processId(); }

    /// Queues `bytes` for the child (needs `keepInputOpen`); false if it takes no more. Memory grows with
    /// what is queued: wait for bytesWritten() while bytesToWrite() is large, and for the end, after which
    /// nothing is written.
    bool write(const QByteArray &bytes);
    qint64 bytesToWrite() const;
    /// Once what is queued has been written.
    void closeInput();

    /// SIGINT to the group; what the child makes of it is its end.
    void interrupt();
    /// SIGTERM, grace time, SIGKILL to the group. Ends as Cancelled.
    void stop(const QString &reason);
    /// SIGKILL to the group at once. Ends as Cancelled.
    void kill(const QString &reason);

signals:
    /// The program runs.
    void started();
    /// Bytes as they come, cut anywhere: see LineSplitter.
    void standardOutput(const QByteArray &bytes);
    void standardError(const QByteArray &bytes);
    void bytesWritten(qint64 bytes);
    /// The last signal, behind what awaits end(). The Process may be deleted by any slot or awaiter.
    void ended(const proctor::ProcessEnd &end);

private:
    void openFiles();
    void connectChild();
    void disconnectChild();
    void endEarly(ProcessEnd::Kind kind, const QString &reason);
    void readOutput();
    void readErrors();
    void onEnded();
    void onUnstoppable();
    void onFailedToStart(const QString &reason);
    void conclude(ProcessEnd end);

    ProcessSpec m_spec;
    /// Not owned: deletes itself after abandon().
    Child *m_child = nullptr;
    qint64 m_processId = 0;
    CancellationRegistration m_cancellation;
    QTimer m_limit;
    QElapsedTimer m_clock;
    BoundedBytes m_output;
    BoundedBytes m_errors;
    std::optional<OutputFile> m_outputFile;
    std::optional<OutputFile> m_errorsFile;
    /// Why it is being ended before its time; the first cause counts.
    std::optional<ProcessEnd::Kind> m_early;
    QString m_reason;
    Completion<ProcessEnd> m_completion;
};

/// Children of this program that run or are being ended in the background. 0 is a good moment to quit.
int liveProcesses();

} // namespace proctor
