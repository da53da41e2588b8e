// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

namespace proctor
{

/// What runs or will run, and how far it is, in one sentence in the window's language.
QString statusSentence(const RunStatus &status);

} // namespace proctor
