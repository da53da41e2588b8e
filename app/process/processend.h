// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QCoreApplication>
#include <QString>

#include <chrono>

namespace proctor
{

/// How a child ended. Every started Process ends in exactly one of these.
struct ProcessEnd {
    Q_DECLARE_TR_FUNCTIONS(ProcessEnd)

public:
    enum class Kind { Finished, FailedToStart, Cancelled, TimedOut };

    Kind kind = Kind::Cancelled;
    /// File name of the program, for sentence().
    QString program;
    /// Of FailedToStart and Cancelled: why.
    QString reason;
    /// What is missing in the output files, as a sentence; empty if nothing is.
    QString fileProblem;
    /// -1 where there is none: killed by a signal, failed to start, or could not be ended.
    int exitCode = -1;
    /// 0 if not killed by a signal.
    int signal = 0;
    /// Not even SIGKILL ended it (it hangs in the kernel, or became another user); nobody waits for it any
    /// more.
    bool stillRuns = false;
    /// Something that it had started was alive behind it and has been killed.
    bool leftSomething = false;
    /// Beginning and end, with a line between them that says what was left out (`…Dropped` bytes).
    /// With merged streams all is in `output`.
    QByteArray output;
    QByteArray errors;
    qint64 outputDropped = 0;
    qint64 errorsDropped = 0;
    std::chrono::milliseconds duration{0};

    /// It ended by itself with exit code 0.
    bool succeeded() const { return kind == Kind::Finished && signal == 0 && exitCode == 0; }
    /// What happened, for the user.
    QString sentence() const;
};

} // namespace proctor
