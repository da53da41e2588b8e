// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/reaper.h"

namespace proctor
{

/// Removes what Proctors of this machine that are no more left behind, and says what on standard error.
void removeLeftovers();

/// One line each: what it is, or what could not be removed.
QStringList leftoverLines(const Leftovers &leftovers);

} // namespace proctor
