// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace proctor
{

/// Qt and we read and write UTF-8. In an environment with another character encoding (a fresh system has none
/// set) this chooses C.UTF-8 for it, also for child programs. To be called before anything of Qt.
void useUtf8Locale();

} // namespace proctor
