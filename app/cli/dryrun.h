// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/examspec.h"

namespace proctor
{

/// Says what running these exams would do, and touches nothing. Returns the exit code.
int showDryRun(const QList<ExamSpec> &exams);

} // namespace proctor
