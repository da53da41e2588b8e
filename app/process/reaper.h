// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace proctor
{

struct ProcessEntry;

/// What Proctors of this machine that are no more left behind.
struct Leftovers {
    struct LeftProcess {
        qint64 pid = 0;
        /// Its command line, cut after 200 characters.
        QString command;
    };

    QList<LeftProcess> processes;
    QStringList folders;
    /// What could not be removed and why, a sentence each.
    QStringList problems;

    bool isEmpty() const { return processes.isEmpty() && folders.isEmpty() && problems.isEmpty(); }
};

/// Finds and removes what a Proctor that was killed could not clean away itself: processes that carry its
/// OwnerMark, with their sessions and descendants, and its OwnedFolders. Whatever belongs to a living
/// Proctor, to another machine or to nobody is left alone. Without root's rights only the user's own
/// processes are seen.
///
/// Blocks for some ten milliseconds, longer for big folders: not for the GUI thread.
class Reaper
{
public:
    /// Looks for folders in `temporaryFolder`, by default where OwnedFolder makes them.
    explicit Reaper(const QString &temporaryFolder = {});

    /// Looks only.
    Leftovers find() const;
    /// Removes; tells what was removed.
    Leftovers remove() const;

private:
    static QList<ProcessEntry> leftProcesses(const QHash<qint64, ProcessEntry> &table);
    QStringList leftFolders() const;

    QString m_temporaryFolder;
};

} // namespace proctor
