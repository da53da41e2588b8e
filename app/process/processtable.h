// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>

#include <functional>

namespace proctor
{

/// A process as /proc shows it, see proc(5).
struct ProcessEntry {
    qint64 pid = 0;
    qint64 parent = 0;
    qint64 group = 0;
    qint64 session = 0;
    char state = '?';
    quint64 startTime = 0;

    /// Only its exit code is left.
    bool hasEnded() const { return state == 'Z' || state == 'X'; }
};

/// Every process in sight, zombies included.
QHash<qint64, ProcessEntry> processTable();

/// The environment a process was started with, entries ended by NUL; empty if it may not be read.
QByteArray environmentOf(qint64 pid);
/// Value of `name` in such an environment; a null array if it is not there.
QByteArray environmentValue(const QByteArray &environment, const QByteArray &name);

/// Which of the processes in a table are to be killed.
using ChooseProcesses = std::function<QList<ProcessEntry>(const QHash<qint64, ProcessEntry> &)>;

/// Kills what `choose` names, looks again, and goes on until there is nothing left, since a process may fork
/// before it dies. Never kills this process or its ancestors. Returns all that were killed.
QList<ProcessEntry> killAll(const ChooseProcesses &choose);

} // namespace proctor
