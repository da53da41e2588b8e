// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mainwindow/railbutton.h"

#include "widgets/parts/fonts.h"
#include "widgets/theme/colours.h"
#include "widgets/theme/measure.h"

#include <QAction>
#include <QPainter>

namespace proctor
{

static constexpr int iconSide = 22;
static constexpr int narrowest = 64;

RailButton::RailButton(QAction *action, QWidget *parent)
    : QToolButton(parent)
{
    setDefaultAction(action);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QFont RailButton::wordFont() const
{
    return scaled(font(), measure::smallScale);
}

QSize RailButton::sizeHint() const
{
    const QFontMetrics words(wordFont());
    const int width = words.horizontalAdvance(defaultAction()->iconText()) + 2 * measure::related;
    return {qMax(narrowest, width),
            measure::related + iconSide + measure::inside + words.height() + measure::related};
}

void RailButton::paintEvent(QPaintEvent *)
{
    const Colours colours = Colours::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
    painter.setPen(focused ? QPen(colours.accent, 1.5) : QPen(Qt::NoPen));
    if (isChecked() || isDown())
        painter.setBrush(colours.accentTint);
    else if (underMouse())
        painter.setBrush(palette().color(QPalette::Midlight));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), measure::radius, measure::radius);
    const QRect iconPlace((width() - iconSide) / 2, measure::related, iconSide, iconSide);
    icon().paint(&painter, iconPlace, Qt::AlignCenter, QIcon::Normal, isChecked() ? QIcon::On : QIcon::Off);
    painter.setFont(wordFont());
    painter.setPen(palette().color(isChecked() ? QPalette::WindowText : QPalette::PlaceholderText));
    const int top = iconPlace.bottom() + measure::inside;
    painter.drawText(QRect(0, top, width(), height() - top - measure::related / 2),
                     Qt::AlignHCenter | Qt::AlignTop, defaultAction()->iconText());
}

} // namespace proctor
