// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/examspec.h"
#include "models/run/attemptupdate.h"
#include "models/run/slotfolders.h"

#include <QCoreApplication>

namespace proctor
{

/// What the user has opened: exams that can be run, or a results folder to look at.
struct OpenedExam {
    Q_DECLARE_TR_FUNCTIONS(proctor::OpenedExam)

public:
    /// Empty for a results folder.
    QList<ExamSpec> exams;
    /// What is already known of each slot, for the table.
    QList<AttemptUpdate> updates;
    RunStatus status;
    SlotFolders folders;
    /// Remarks that do not keep the exam from being run.
    QStringList warnings;

    /// A configuration file or a results folder. What keeps it from being opened is in status.problem.
    static OpenedExam fromPath(const QString &path);
    /// The demo exam, its results in the user's folder for data of programs.
    static OpenedExam fromDemo();
    /// The first of these exams is what is shown before they run.
    static OpenedExam fromExams(const QList<ExamSpec> &exams);
};

} // namespace proctor
