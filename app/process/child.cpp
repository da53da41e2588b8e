// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/child.h"

#include "app/process/ownermark.h"
#include "app/process/processtable.h"

#include <QAbstractEventDispatcher>
#include <QThread>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace proctor
{

namespace
{

std::atomic<int> liveChildren = 0;
std::atomic<quint64> startedChildren = 0;

constexpr auto stepVariable = "PROCTOR_STEP";
constexpr auto patience = std::chrono::seconds(2);

/// No other child of any Proctor of this machine has it.
QByteArray newStep()
{
    return QByteArray::number(getpid()) + '-' + QByteArray::number(++startedChildren);
}

QProcessEnvironment markedEnvironment(const ProcessSpec &spec, const QByteArray &step)
{
    QProcessEnvironment environment = spec.environment.value_or(QProcessEnvironment::systemEnvironment());
    OwnerMark::current(spec.resultsFolder).addTo(&environment);
    environment.insert(QLatin1String(stepVariable), QString::fromLatin1(step));
    return environment;
}

bool killMarked(const QByteArray &step)
{
    const QByteArray owner = ProcessIdentity::current().toText().toLatin1();
    const auto killed = killAll([&](const QHash<qint64, ProcessEntry> &table) {
        QList<ProcessEntry> marked;
        for (const ProcessEntry &entry : table) {
            const QByteArray environment = environmentOf(entry.pid);
            if (environmentValue(environment, stepVariable) == step &&
                environmentValue(environment, "PROCTOR_OWNER") == owner)
                marked.append(entry);
        }
        return marked;
    });
    return !killed.isEmpty();
}

} // namespace

Child::Child(const ProcessSpec &spec)
    : m_setup(spec)
    , m_endsGroup(spec.endGroup)
    , m_endsDaemons(spec.endDaemons)
    , m_step(newStep())
{
    m_process.setProgram(spec.program);
    m_process.setArguments(spec.arguments);
    m_process.setWorkingDirectory(spec.workingDirectory);
    m_process.setProcessEnvironment(markedEnvironment(spec, m_step));
    m_process.setChildProcessModifier([this] { m_setup.apply(); });
    if (spec.mergeStreams)
        m_process.setProcessChannelMode(QProcess::MergedChannels);
    if (spec.input.isEmpty() && !spec.keepInputOpen)
        m_process.setStandardInputFile(QProcess::nullDevice());

    m_grace.setSingleShot(true);
    m_grace.setInterval(spec.grace);
    connect(&m_grace, &QTimer::timeout, this, &Child::kill);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, &Child::unstoppable);
    connect(&m_process, &QProcess::finished, this, &Child::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, &Child::onError);
    connect(thread(), &QThread::finished, this, &Child::onThreadFinished, Qt::DirectConnection);
}

int Child::count()
{
    return liveChildren;
}

void Child::start()
{
    ++liveChildren;
    m_isCounted = true;
    m_process.start();
    // Now, because it is 0 again after the end. The child makes itself the leader of a group of this id.
    m_group = m_process.processId();
}

void Child::signalGroup(int number)
{
    if (m_group <= 1 || !isRunning())
        return;
    const auto group = static_cast<pid_t>(m_group);
    if (::kill(-group, number) != 0 && errno == ESRCH)
        ::kill(group, number); // it has not come to its setsid() yet
}

void Child::end()
{
    if (!isRunning() || m_grace.isActive() || m_patience.isActive())
        return;
    signalGroup(SIGTERM);
    // A stopped process would not see it before it is continued.
    signalGroup(SIGCONT);
    m_grace.start();
}

void Child::kill()
{
    if (!isRunning())
        return;
    m_grace.stop();
    signalGroup(SIGKILL);
    m_patience.start();
}

void Child::abandon()
{
    m_isAbandoned = true;
    if (!isRunning()) {
        release();
    } else if (QAbstractEventDispatcher::instance(thread()) == nullptr) {
        // Nobody will tell us of its end any more. Deleting a running QProcess would block.
        signalGroup(SIGKILL);
    } else {
        discardOutput();
        end();
    }
}

void Child::discardOutput()
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { m_process.readAllStandardOutput(); });
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_process.readAllStandardError(); });
}

void Child::onFinished()
{
    endLeftovers();
    m_grace.stop();
    m_patience.stop();
    if (m_isAbandoned)
        release();
    else
        emit ended();
}

void Child::onError(QProcess::ProcessError error)
{
    if (error != QProcess::FailedToStart)
        return; // everything else is followed by finished()
    m_grace.stop();
    m_patience.stop();
    m_group = 0;
    if (m_isAbandoned)
        release();
    else
        emit failedToStart(m_process.errorString());
}

void Child::onThreadFinished()
{
    // The only place that blocks: the thread does nothing any more, and a killed child ends within a moment.
    constexpr int mostMilliseconds = 1000;
    signalGroup(SIGKILL);
    m_process.waitForFinished(mostMilliseconds);
}

void Child::endLeftovers()
{
    // The leader is reaped, but its number is not given out again while its group has members.
    if (m_endsGroup && m_group > 1)
        m_leftSomething = ::kill(static_cast<pid_t>(-m_group), SIGKILL) == 0;
    if (m_endsDaemons && killMarked(m_step))
        m_leftSomething = true;
}

void Child::release()
{
    if (std::exchange(m_isCounted, false))
        --liveChildren;
    deleteLater();
}

} // namespace proctor
