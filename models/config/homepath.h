// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// The path with a leading "~" or "~/" replaced by the user's home folder; anything else as it is.
QString withHome(const QString &path);

} // namespace proctor
