// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/matrix.h"

namespace proctor
{

/// The demo exam that is installed with Proctor: its folder, with matrix.yaml, a configuration for each half,
/// and the bundles. An error when the installation lacks it.
Expected<QString> demoExamFolder();

/// Its four entries (both halves, agents careful and hasty), with their results below `outputDir`.
LoadedMatrix loadDemoExam(const QString &outputDir);

} // namespace proctor
