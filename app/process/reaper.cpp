// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/reaper.h"

#include "app/process/ownedfolder.h"
#include "app/process/ownermark.h"
#include "app/process/processtable.h"

#include <QCoreApplication>
#include <QDir>
#include <QSet>

namespace proctor
{

namespace
{

using Table = QHash<qint64, ProcessEntry>;

Leftovers::LeftProcess describe(const ProcessEntry &entry)
{
    constexpr int longest = 200;
    QFile file(QStringLiteral("/proc/%1/cmdline").arg(entry.pid));
    QByteArray command = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    command.replace('\0', ' ');
    return {entry.pid, QString::fromUtf8(command).trimmed().left(longest)};
}

/// Sorts what carries a mark by what became of the owner.
struct MarkedProcesses {
    QSet<qint64> ofTheDead;
    QSet<qint64> ofTheLiving;

    explicit MarkedProcesses(const Table &table)
    {
        const QString boot = ProcessIdentity::current().boot;
        QHash<QString, bool> lives;
        for (const ProcessEntry &entry : table) {
            const auto mark = OwnerMark::fromEnvironment(environmentOf(entry.pid));
            if (!mark || mark->owner.boot != boot) // no process survives a boot: such a mark is not ours
                continue;
            const QString owner = mark->owner.toText();
            if (!lives.contains(owner))
                lives.insert(owner, mark->isAlive());
            (lives.value(owner) ? ofTheLiving : ofTheDead).insert(entry.pid);
        }
    }
};

/// Each child was started as the leader of a session of its own, so nobody else's process shares one with it.
QSet<qint64> sessionsOf(const QSet<qint64> &pids, const Table &table)
{
    QSet<qint64> sessions;
    for (const qint64 pid : pids)
        sessions.insert(table.value(pid).session);
    sessions.remove(0);
    return sessions;
}

} // namespace

Reaper::Reaper(const QString &temporaryFolder)
    : m_temporaryFolder(temporaryFolder.isEmpty() ? OwnedFolder::defaultParent() : temporaryFolder)
{
}

QList<ProcessEntry> Reaper::leftProcesses(const Table &table)
{
    const MarkedProcesses marked(table);
    const QSet<qint64> sessions = sessionsOf(marked.ofTheDead, table) -
                                  sessionsOf(marked.ofTheLiving, table) -
                                  sessionsOf({QCoreApplication::applicationPid()}, table);
    QSet<qint64> left = marked.ofTheDead;
    // A program may have cleared its environment and begun a session: then its parents still tell whose it
    // is.
    for (bool grew = true; grew;) {
        grew = false;
        for (const ProcessEntry &entry : table) {
            if (left.contains(entry.pid) || marked.ofTheLiving.contains(entry.pid))
                continue;
            if (left.contains(entry.parent) || sessions.contains(entry.session)) {
                left.insert(entry.pid);
                grew = true;
            }
        }
    }
    QList<ProcessEntry> entries;
    for (const qint64 pid : left) {
        if (!table.value(pid).hasEnded())
            entries.append(table.value(pid));
    }
    return entries;
}

QStringList Reaper::leftFolders() const
{
    QStringList folders;
    const QDir parent(m_temporaryFolder);
    const auto names =
        parent.entryList({OwnedFolder::namePattern()}, QDir::Dirs | QDir::Hidden | QDir::NoSymLinks);
    for (const QString &name : names) {
        const auto mark = OwnedFolder::ownerOf(parent.filePath(name));
        if (mark && !mark->isAlive())
            folders.append(parent.filePath(name));
    }
    return folders;
}

Leftovers Reaper::find() const
{
    Leftovers leftovers;
    for (const ProcessEntry &entry : leftProcesses(processTable()))
        leftovers.processes.append(describe(entry));
    leftovers.folders = leftFolders();
    return leftovers;
}

Leftovers Reaper::remove() const
{
    Leftovers removed;
    QHash<qint64, Leftovers::LeftProcess> described;
    const QList<ProcessEntry> killed = killAll([&described](const Table &table) {
        const QList<ProcessEntry> left = leftProcesses(table);
        for (const ProcessEntry &entry : left) {
            if (!described.contains(entry.pid))
                described.insert(entry.pid, describe(entry));
        }
        return left;
    });
    for (const ProcessEntry &entry : killed)
        removed.processes.append(described.value(entry.pid));
    for (const QString &folder : leftFolders()) {
        if (QDir(folder).removeRecursively())
            removed.folders.append(folder);
        else
            removed.problems.append(
                QCoreApplication::translate("Reaper", "%1 was left by an earlier run and cannot be removed.")
                    .arg(folder));
    }
    return removed;
}

} // namespace proctor
