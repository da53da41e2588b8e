// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace proctor
{

/// `font` at another size, kept relative so that it follows the system's font.
inline QFont scaled(QFont font, double scale, bool strong = false)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * scale);
    else
        font.setPixelSize(qRound(font.pixelSize() * scale));
    if (strong)
        font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace proctor
