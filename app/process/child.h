// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/childsetup.h"

#include <QProcess>
#include <QTimer>

namespace proctor
{

/// A child from start to reaping. It may outlive the Process that started it: abandon() leaves it to end, and
/// to delete itself, without anybody waiting for it. Should its thread end first, it is killed and reaped
/// there.
class Child : public QObject
{
    Q_OBJECT

public:
    explicit Child(const ProcessSpec &spec);

    /// Children started and not yet reaped, in the whole program.
    static int count();

    void start();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    QProcess &process() { return m_process; }
    /// Id of its session and group; stays what it was after the end. 0: never started.
    qint64 group() const { return m_group; }
    const ChildSetup &setup() const { return m_setup; }
    /// After its end: something of it still lived and was killed.
    bool leftSomething() const { return m_leftSomething; }

    /// To the group; does nothing once the child is reaped.
    void signalGroup(int number);
    /// SIGTERM, then SIGKILL after the grace time. If not even that ends it, `unstoppable` after two seconds.
    void end();
    /// SIGKILL at once, then as end().
    void kill();
    /// To be called by the owner last of all.
    void abandon();

signals:
    void ended();
    void failedToStart(const QString &reason);
    void unstoppable();

private:
    void onFinished();
    void onError(QProcess::ProcessError error);
    void onThreadFinished();
    void endLeftovers();
    void discardOutput();
    void release();

    // Before the process, which uses it in the child.
    ChildSetup m_setup;
    QProcess m_process;
    QTimer m_grace;
    QTimer m_patience;
    bool m_endsGroup;
    bool m_endsDaemons;
    QByteArray m_step;
    qint64 m_group = 0;
    bool m_isCounted = false;
    bool m_isAbandoned = false;
    bool m_leftSomething = false;
};

} // namespace proctor
