// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace proctor
{

/// Whom a child runs as; supplementary groups are dropped. Only root can change.
struct Credentials {
    quint32 uid = 0;
    quint32 gid = 0;
};

/// What to start and within which bounds.
struct ProcessSpec {
    /// A path, or a name that is looked for in Proctor's own PATH.
    QString program;
    QStringList arguments;
    /// Nothing: Proctor's own. PROCTOR_OWNER (and PROCTOR_RUN) are added to either, see OwnerMark.
    std::optional<QProcessEnvironment> environment;
    /// Empty: Proctor's own.
    QString workingDirectory;

    /// Counted from the start; at most 24 days. Nothing: no limit.
    std::optional<std::chrono::milliseconds> timeLimit;
    /// Time between SIGTERM and SIGKILL.
    std::chrono::milliseconds grace{500};

    /// Fed to the child, then its input is closed. Without it and without `keepInputOpen` stdin is /dev/null.
    QByteArray input;
    /// Leaves the input open for Process::write() until Process::closeInput().
    bool keepInputOpen = false;

    /// stderr goes where stdout goes.
    bool mergeStreams = false;
    /// Bytes kept of each stream for ProcessEnd: its beginning and its end. 0 keeps nothing.
    qint64 memoryBound = 1024 * 1024;
    /// Files that take everything up to `fileBound` bytes each; empty = none. They are appended to.
    QString outputFile;
    QString errorsFile;
    qint64 fileBound = 64 * 1024 * 1024;

    std::optional<Credentials> dropTo;
    std::optional<quint32> umask;
    /// The child is killed when the *thread* that started it ends, so also when Proctor is killed.
    /// Start such children only from a thread that lives as long as the program.
    bool dieWithThread = true;
    /// What is left of the child's group when the child has ended is killed.
    bool endGroup = true;
    /// What the child started and what left its group (daemons) is found by its environment and killed as
    /// well, at the end. Costs a look through /proc; unneeded where a sandbox does it.
    bool endDaemons = false;

    /// Results folder this child works for; its hash becomes PROCTOR_RUN.
    QString resultsFolder;
};

} // namespace proctor
