// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/statussentence.h"

#include "models/core/format.h"

#include <QCoreApplication>

namespace proctor
{

using Activity = RunStatus::Activity;

namespace
{
struct Words {
    Q_DECLARE_TR_FUNCTIONS(proctor::StatusSentence)
};
} // namespace

static QString progressText(const RunStatus &status)
{
    const int done = status.scored + status.agentFailed + status.harnessFailed;
    QString text = Words::tr("%1 of %2 done, %3 at work").arg(done).arg(status.total).arg(status.running);
    if (status.secondsLeft)
        text += Words::tr(", about %1 left").arg(roughDurationText(*status.secondsLeft));
    return text;
}

QString statusSentence(const RunStatus &status)
{
    switch (status.activity) {
    case Activity::Idle:
        if (status.total == 0)
            return Words::tr("No exam is open.");
        return Words::tr("Ready: %1 to run, %2 at a time, %3 already done.")
            .arg(status.notRun.value_or(0))
            .arg(status.concurrency)
            .arg(status.total - status.notRun.value_or(0));
    case Activity::Running:
        return Words::tr("Running: %1.").arg(progressText(status));
    case Activity::Pausing:
        return Words::tr("Pausing: %1. No new attempt starts.").arg(progressText(status));
    case Activity::Paused:
        return Words::tr("Paused: %1. Resume to go on.").arg(progressText(status));
    case Activity::Stopping:
        return Words::tr("Stopping: what still runs is being ended.");
    case Activity::Finished:
        break;
    }
    if (status.notRun.value_or(0) > 0)
        return Words::tr("Stopped: %1 not run. Start to go on where it ended.").arg(*status.notRun);
    if (status.agentFailed + status.harnessFailed == 0)
        return Words::tr("Finished: all %1 scored.").arg(status.total);
    return Words::tr("Finished: %1 of %2 scored. Failures can be run again.")
        .arg(status.scored)
        .arg(status.total);
}

static QString endText(const EndedRun &run)
{
    if (!run.problem.isEmpty())
        return Words::tr("%1 failed").arg(run.title);
    return run.mean ? Words::tr("%1 %2").arg(run.title, rewardText(*run.mean))
                    : Words::tr("%1 without a score").arg(run.title);
}

QString endedRunsText(const RunStatus &status)
{
    QStringList texts;
    for (const EndedRun &run : status.ended)
        texts << endText(run);
    return texts.join(Words::tr(", "));
}

QString problemsText(const RunStatus &status)
{
    QStringList lines;
    for (const EndedRun &run : status.ended) {
        if (!run.problem.isEmpty())
            lines << Words::tr("%1: %2").arg(run.title, run.problem);
    }
    const bool isSaid = !status.ended.isEmpty() && status.ended.last().problem == status.problem;
    if (!status.problem.isEmpty() && !isSaid)
        lines << status.problem;
    return lines.join(u'\n');
}

} // namespace proctor
