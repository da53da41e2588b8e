// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/examsession.h"

#include "app/cli/exitcode.h"
#include "app/cli/stopsignals.h"
#include "app/runner/runqueue.h"

#include <QEventLoop>

namespace proctor
{

QList<EndedExam> runExams(const QList<ExamSpec> &exams, RunProgress::Style style)
{
    QList<EndedExam> outcome;
    RunProgress progress(style);
    RunQueue queue;
    StopSignals stopSignals;
    QEventLoop loop;
    for (const ExamSpec &exam : exams) {
        outcome << EndedExam{exam, {}};
        queue.add(exam);
    }
    qsizetype next = 0;
    QObject::connect(&queue, &RunQueue::beginning, &progress, &RunProgress::follow);
    QObject::connect(&queue, &RunQueue::ended, &progress, [&](ExamRun *, const RunEnd &end) {
        outcome[next++].end = end;
        progress.showEnd(end);
    });
    QObject::connect(&queue, &RunQueue::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    QObject::connect(&stopSignals, &StopSignals::stopRequested, &queue, [&] {
        printRemark(QStringLiteral("Stopping; once more ends it at once"));
        queue.stop();
    });
    queue.start();
    loop.exec();
    return outcome;
}

int exitCodeOf(const QList<EndedExam> &exams)
{
    int code = exitAllWell;
    for (const EndedExam &exam : exams) {
        const auto kind = exam.end ? exam.end->kind : RunEnd::Kind::SomeNotScored;
        switch (kind) {
        case RunEnd::Kind::AllScored:
            break;
        case RunEnd::Kind::SomeNotScored:
            code = std::max<int>(code, exitSomethingFailed);
            break;
        case RunEnd::Kind::Refused:
            code = std::max<int>(code, exitWrongInput);
            break;
        case RunEnd::Kind::Broken:
            code = std::max<int>(code, exitBroken);
            break;
        }
    }
    return code;
}

} // namespace proctor
