// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/standing.h"

#include <QColor>
#include <QPalette>

namespace proctor
{

/// The colours that a palette has no role for. They follow from the palette, so a widget asks anew on each
/// paint.
struct Colours {
    QColor border, quiet, accent, onAccent, accentTint, good, warning, problem;

    static Colours of(const QPalette &palette);
    static bool isDark(const QPalette &palette);
    QColor of(Standing standing) const;
};

/// The palette of the whole application.
QPalette lightPalette();
QPalette darkPalette();

} // namespace proctor
