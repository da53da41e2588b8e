// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

namespace proctor
{

/// What runs or will run, and how far it is, in one sentence in the window's language.
QString statusSentence(const RunStatus &status);

/// Of several runs what each gave that has ended: "travel · careful 0.875, travel · hasty 0.385"; "" for one
/// run.
QString endedRunsText(const RunStatus &status);
/// Why runs could not start or ended early, a line each; "" when all is well.
QString problemsText(const RunStatus &status);

} // namespace proctor
