// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/examsession.h"

#include "app/cli/examengine.h"
#include "app/cli/exitcode.h"
#include "app/process/processthread.h"

#include <QEventLoop>

namespace proctor
{

QList<EndedExam> runExams(const QList<ExamSpec> &exams, RunProgress::Style style)
{
    QList<EndedExam> outcome;
    for (const ExamSpec &exam : exams)
        outcome << EndedExam{exam, {}};
    qsizetype next = 0;
    RunProgress progress(style);
    QEventLoop loop;
    auto *engine = new ExamEngine(exams);
    // What the engine says before the thread ends is printed in the order in which it was said.
    QObject::connect(engine, &ExamEngine::began, &progress, [&] { progress.begin(exams[next]); });
    QObject::connect(engine, &ExamEngine::updated, &progress, &RunProgress::noteSelection);
    QObject::connect(engine, &ExamEngine::journaled, &progress, &RunProgress::showEvent);
    QObject::connect(engine, &ExamEngine::statusChanged, &progress, &RunProgress::setStatus);
    QObject::connect(engine, &ExamEngine::warned, &progress, &RunProgress::showRemark);
    QObject::connect(engine, &ExamEngine::ended, &progress, [&](const RunEnd &end) {
        outcome[next++].end = end;
        progress.showEnd(end);
    });
    QObject::connect(engine, &ExamEngine::stopping, &progress,
                     [&] { progress.showRemark(QStringLiteral("Stopping; once more ends it at once")); });
    QObject::connect(engine, &ExamEngine::finished, &loop, &QEventLoop::quit);
    const ProcessThread thread(engine);
    QMetaObject::invokeMethod(engine, &ExamEngine::start, Qt::QueuedConnection);
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
