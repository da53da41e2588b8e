// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/runprogress.h"
#include "app/runner/examspec.h"

namespace proctor
{

/// An exam and how it ended; nothing if it was not begun because the user stopped.
struct EndedExam {
    ExamSpec spec;
    std::optional<RunEnd> end;
};

/// Runs exams one after another and returns when all is over and said. They run on a thread of their own,
/// which also takes the signals to stop: this thread may wait for a terminal or a pipe that nobody reads. A
/// signal to stop ends what runs and begins nothing more.
QList<EndedExam> runExams(const QList<ExamSpec> &exams, RunProgress::Style style);

/// The worst of all ends as an exit code.
int exitCodeOf(const QList<EndedExam> &exams);

} // namespace proctor
