// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// A text from outside (an id, what an agent reported) fit for one line of a terminal or of a table: line
/// ends and tabs become spaces; other control characters (C0, DEL, C1), which a terminal would obey, and
/// those that turn the direction of text are spelled out as "\x1b". Reentrant.
QString printable(QString text);

} // namespace proctor
