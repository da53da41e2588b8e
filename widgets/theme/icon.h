// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace proctor
{

/// An icon of ours by name ("start"), drawn in the application's current text colour: it changes with the
/// theme by itself. State On is drawn in the accent colour, mode Selected with state On in the colour for
/// text on the accent.
QIcon themedIcon(const QString &name);

} // namespace proctor
