// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/processend.h"

#include <cstring>

namespace proctor
{

static QString finishedSentence(const ProcessEnd &end)
{
    if (end.signal != 0) {
        return ProcessEnd::tr("%1 was killed by signal %2 (%3).")
            .arg(end.program)
            .arg(end.signal)
            .arg(QString::fromLocal8Bit(strsignal(end.signal)));
    }
    if (end.exitCode == 0)
        return ProcessEnd::tr("%1 finished.").arg(end.program);
    return ProcessEnd::tr("%1 finished with exit code %2.").arg(end.program).arg(end.exitCode);
}

QString ProcessEnd::sentence() const
{
    if (stillRuns)
        return tr("%1 could not be ended and still runs.").arg(program);
    switch (kind) {
    case Kind::Finished:
        return finishedSentence(*this);
    case Kind::FailedToStart:
        return tr("%1 could not be started: %2").arg(program, reason);
    case Kind::Cancelled:
        return reason.isEmpty() ? tr("%1 was stopped.").arg(program)
                                : tr("%1 was stopped: %2").arg(program, reason);
    case Kind::TimedOut:
        return tr("%1 was stopped at its time limit, after %2 s.")
            .arg(program)
            .arg(static_cast<double>(duration.count()) / 1000.0, 0, 'f', 1);
    }
    return {};
}

} // namespace proctor
