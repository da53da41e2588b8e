// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/door.h"

#include "widgets/parts/fonts.h"
#include "widgets/theme/colours.h"
#include "widgets/theme/measure.h"

#include <QPainter>

namespace proctor
{

static constexpr int iconSide = 28;
static constexpr int textLeft = measure::group + iconSide + measure::group;

Door::Door(const QIcon &icon, QWidget *parent)
    : QAbstractButton(parent)
{
    setIcon(icon);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Door::setWords(const QString &title, const QString &sentence)
{
    setText(title);
    m_sentence = sentence;
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    updateGeometry();
    update();
}

QSize Door::sizeHint() const
{
    const QFontMetrics title(scaled(font(), measure::sectionScale, true));
    const int width = qMax(title.horizontalAdvance(text()), fontMetrics().horizontalAdvance(m_sentence));
    return {textLeft + width + measure::group,
            2 * measure::group + title.height() + measure::inside + fontMetrics().height()};
}

void Door::paintEvent(QPaintEvent *)
{
    const Colours colours = Colours::of(palette());
    const bool focused = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(focused || underMouse() ? colours.accent : colours.border, focused ? 2 : 1));
    painter.setBrush(isDown() ? colours.accentTint : palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), measure::radius, measure::radius);

    icon().paint(&painter, QRect(measure::group, (height() - iconSide) / 2, iconSide, iconSide),
                 Qt::AlignCenter, QIcon::Normal, QIcon::On);
    const QFont titleFont = scaled(font(), measure::sectionScale, true);
    const int titleHeight = QFontMetrics(titleFont).height();
    const int width = rect().width() - textLeft - measure::group;
    painter.setFont(titleFont);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(textLeft, measure::group, width, titleHeight), Qt::AlignVCenter | Qt::AlignLeft,
                     text());
    painter.setFont(font());
    painter.setPen(colours.quiet);
    painter.drawText(
        QRect(textLeft, measure::group + titleHeight + measure::inside, width, fontMetrics().height()),
        Qt::AlignVCenter | Qt::AlignLeft, m_sentence);
}

} // namespace proctor
