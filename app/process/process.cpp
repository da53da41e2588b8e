// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/process.h"

#include "app/process/child.h"

#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <csignal>

namespace proctor
{

/// QTimer counts milliseconds in an int.
static constexpr auto longestLimit = std::chrono::hours(24 * 24);

static ProcessEnd endOf(const ProcessSpec &spec, ProcessEnd::Kind kind, const QString &reason)
{
    ProcessEnd end;
    end.kind = kind;
    end.program = QFileInfo(spec.program).fileName();
    end.reason = reason;
    return end;
}

Process::Process(ProcessSpec spec, QObject *parent)
    : QObject(parent)
    , m_spec(std::move(spec))
    , m_output(m_spec.memoryBound)
    , m_errors(m_spec.memoryBound)
    , m_completion(endOf(m_spec, ProcessEnd::Kind::Cancelled, tr("it was no longer needed")))
{
    m_limit.setSingleShot(true);
    m_limit.setTimerType(Qt::PreciseTimer); // a coarse one may be 5 % early
    connect(&m_limit, &QTimer::timeout, this, [this] { endEarly(ProcessEnd::Kind::TimedOut, {}); });
}

Process::~Process()
{
    if (m_child) {
        disconnectChild();
        m_child->abandon();
    }
}

QCoro::Task<ProcessEnd> Process::run(CancellationToken token)
{
    start(token);
    // Only what the awaiter holds is used after this line: the Process may be gone by then.
    co_return co_await m_completion;
}

QCoro::Task<ProcessEnd> Process::end()
{
    co_return co_await m_completion;
}

void Process::start(const CancellationToken &token)
{
    Q_ASSERT_X(!m_clock.isValid(), "Process", "started twice");
    m_clock.start();
    if (token.isCancelled()) {
        conclude(endOf(m_spec, ProcessEnd::Kind::Cancelled, token.reason()));
        return;
    }
    openFiles();
    m_child = new Child(m_spec);
    connectChild();
    if (m_spec.timeLimit)
        m_limit.start(std::min<std::chrono::milliseconds>(*m_spec.timeLimit, longestLimit));
    m_cancellation =
        token.onCancelled(this, [this, token] { endEarly(ProcessEnd::Kind::Cancelled, token.reason()); });
    m_child->start();
    if (!m_child)
        return; // it failed to start within the call
    m_processId = m_child->group();
    if (!m_spec.input.isEmpty())
        m_child->process().write(m_spec.input);
    if (!m_spec.keepInputOpen)
        m_child->process().closeWriteChannel();
}

void Process::openFiles()
{
    if (!m_spec.outputFile.isEmpty())
        m_outputFile.emplace(m_spec.outputFile, m_spec.fileBound);
    if (!m_spec.errorsFile.isEmpty())
        m_errorsFile.emplace(m_spec.errorsFile, m_spec.fileBound);
}

void Process::connectChild()
{
    const QProcess *process = &m_child->process();
    connect(process, &QProcess::started, this, &Process::started);
    connect(process, &QProcess::readyReadStandardOutput, this, &Process::readOutput);
    connect(process, &QProcess::readyReadStandardError, this, &Process::readErrors);
    connect(process, &QProcess::bytesWritten, this, &Process::bytesWritten);
    connect(m_child, &Child::ended, this, &Process::onEnded);
    connect(m_child, &Child::unstoppable, this, &Process::onUnstoppable);
    connect(m_child, &Child::failedToStart, this, &Process::onFailedToStart);
}

void Process::disconnectChild()
{
    disconnect(&m_child->process(), nullptr, this, nullptr);
    disconnect(m_child, nullptr, this, nullptr);
}

bool Process::isRunning() const
{
    return m_child != nullptr;
}

bool Process::write(const QByteArray &bytes)
{
    return m_child && m_child->process().write(bytes) == bytes.size();
}

qint64 Process::bytesToWrite() const
{
    return m_child ? m_child->process().bytesToWrite() : 0;
}

void Process::closeInput()
{
    if (m_child)
        m_child->process().closeWriteChannel();
}

void Process::interrupt()
{
    if (m_child)
        m_child->signalGroup(SIGINT);
}

void Process::stop(const QString &reason)
{
    endEarly(ProcessEnd::Kind::Cancelled, reason);
}

void Process::kill(const QString &reason)
{
    endEarly(ProcessEnd::Kind::Cancelled, reason);
    if (m_child)
        m_child->kill();
}

void Process::endEarly(ProcessEnd::Kind kind, const QString &reason)
{
    if (!m_child)
        return;
    if (!m_early) {
        m_early = kind;
        m_reason = reason;
    }
    m_child->end();
}

void Process::readOutput()
{
    const QByteArray bytes = m_child->process().readAllStandardOutput();
    if (bytes.isEmpty())
        return;
    m_output.add(bytes);
    if (m_outputFile)
        m_outputFile->add(bytes);
    emit standardOutput(bytes);
}

void Process::readErrors()
{
    const QByteArray bytes = m_child->process().readAllStandardError();
    if (bytes.isEmpty())
        return;
    m_errors.add(bytes);
    if (m_errorsFile)
        m_errorsFile->add(bytes);
    emit standardError(bytes);
}

void Process::onEnded()
{
    // A slot may delete this.
    const QPointer<Process> self(this);
    readOutput();
    if (self && !m_spec.mergeStreams)
        readErrors();
    if (!self)
        return;
    const QString failure = m_child->setup().failure();
    if (!failure.isEmpty()) {
        conclude(endOf(m_spec, ProcessEnd::Kind::FailedToStart, failure));
        return;
    }
    ProcessEnd end = endOf(m_spec, m_early.value_or(ProcessEnd::Kind::Finished), m_reason);
    const QProcess &process = m_child->process();
    if (process.exitStatus() == QProcess::CrashExit)
        end.signal = process.exitCode(); // QProcess puts the signal's number there
    else
        end.exitCode = process.exitCode();
    end.leftSomething = m_child->leftSomething();
    conclude(std::move(end));
}

void Process::onUnstoppable()
{
    ProcessEnd end = endOf(m_spec, m_early.value_or(ProcessEnd::Kind::Cancelled), m_reason);
    end.stillRuns = true;
    conclude(std::move(end));
}

void Process::onFailedToStart(const QString &reason)
{
    conclude(endOf(m_spec, ProcessEnd::Kind::FailedToStart, reason));
}

void Process::conclude(ProcessEnd end)
{
    m_limit.stop();
    m_cancellation.remove();
    if (m_child) {
        disconnectChild();
        std::exchange(m_child, nullptr)->abandon();
    }
    end.output = m_output.bytes();
    end.outputDropped = m_output.dropped();
    end.errors = m_errors.bytes();
    end.errorsDropped = m_errors.dropped();
    end.duration = std::chrono::milliseconds(m_clock.elapsed());
    for (auto *file : {&m_outputFile, &m_errorsFile}) {
        if (!*file)
            continue;
        (*file)->finish();
        if (end.fileProblem.isEmpty())
            end.fileProblem = (*file)->problem();
    }
    m_completion.complete(end);
    QMetaObject::invokeMethod(
        this, [this, end] { emit ended(end); }, Qt::QueuedConnection);
}

int liveProcesses()
{
    return Child::count();
}

} // namespace proctor
