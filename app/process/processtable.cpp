// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/processtable.h"

#include <QDir>
#include <QFile>
#include <QSet>

#include <csignal>
#include <unistd.h>

namespace proctor
{

namespace
{

QByteArray content(qint64 pid, const char *name)
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(pid).arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// An entry with pid 0 if there is no such process.
ProcessEntry entryOf(qint64 pid)
{
    const QByteArray line = content(pid, "stat");
    // The second field is the program's name in brackets and may itself hold blanks and brackets.
    const auto nameEnd = line.lastIndexOf(')');
    const QList<QByteArray> fields = line.mid(nameEnd + 2).split(' ');
    constexpr int startTimeField = 22 - 3;
    if (nameEnd < 0 || fields.size() <= startTimeField || fields.first().isEmpty())
        return {};
    return {pid,
            fields.at(1).toLongLong(),
            fields.at(2).toLongLong(),
            fields.at(3).toLongLong(),
            fields.first().front(),
            fields.at(startTimeField).toULongLong()};
}

QSet<qint64> selfAndAncestors(const QHash<qint64, ProcessEntry> &table)
{
    QSet<qint64> spared{1};
    for (qint64 pid = getpid(); pid > 0 && !spared.contains(pid); pid = table.value(pid).parent)
        spared.insert(pid);
    return spared;
}

bool isStillThere(const ProcessEntry &entry)
{
    const ProcessEntry now = entryOf(entry.pid);
    return now.pid == entry.pid && now.startTime == entry.startTime && !now.hasEnded();
}

} // namespace

QHash<qint64, ProcessEntry> processTable()
{
    QHash<qint64, ProcessEntry> table;
    const QStringList names = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        bool isPid = false;
        const qint64 pid = name.toLongLong(&isPid);
        if (!isPid)
            continue;
        const ProcessEntry entry = entryOf(pid);
        if (entry.pid > 0)
            table.insert(pid, entry);
    }
    return table;
}

QByteArray environmentOf(qint64 pid)
{
    return content(pid, "environ");
}

QByteArray environmentValue(const QByteArray &environment, const QByteArray &name)
{
    const QByteArray start = name + '=';
    qsizetype at = 0;
    while (at < environment.size()) {
        qsizetype end = environment.indexOf('\0', at);
        if (end < 0)
            end = environment.size();
        const QByteArrayView entry = QByteArrayView(environment).sliced(at, end - at);
        if (entry.startsWith(start))
            return entry.sliced(start.size()).toByteArray();
        at = end + 1;
    }
    return {};
}

QList<ProcessEntry> killAll(const ChooseProcesses &choose)
{
    constexpr int mostRounds = 20;
    QList<ProcessEntry> killed;
    QSet<qint64> signalled;
    for (int round = 0; round < mostRounds; ++round) {
        const auto table = processTable();
        const auto spared = selfAndAncestors(table);
        bool foundOne = false;
        for (const ProcessEntry &entry : choose(table)) {
            if (entry.hasEnded() || spared.contains(entry.pid) || !isStillThere(entry))
                continue;
            if (::kill(static_cast<pid_t>(entry.pid), SIGKILL) != 0 || signalled.contains(entry.pid))
                continue;
            signalled.insert(entry.pid);
            killed.append(entry);
            foundOne = true;
        }
        if (!foundOne)
            break;
    }
    return killed;
}

} // namespace proctor
