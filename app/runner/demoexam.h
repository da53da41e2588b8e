// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/examspec.h"

namespace proctor
{

/// The demo exam that is installed with Proctor: its folder, with matrix.yaml, a configuration for each half,
/// and the bundles. An error when the installation lacks it.
Expected<QString> demoExamFolder();

/// The four runs of the demo (both halves, agents careful and hasty), or why there are none.
struct PreparedDemo {
    QList<ExamSpec> exams;
    Diagnostics diagnostics;

    bool isUsable() const { return !hasErrors(diagnostics); }
};

/// With the results below `outputDir`, an absolute path.
PreparedDemo prepareDemo(const QString &outputDir);

/// With the results below `outputDir`, or where the demo is done there, below <outputDir>-2 and so on.
PreparedDemo prepareDemoInFreeFolder(const QString &outputDir);

/// Each of its attempts has a verdict: a reward, or a failure of the agent.
bool isDone(const ExamSpec &exam);

} // namespace proctor
