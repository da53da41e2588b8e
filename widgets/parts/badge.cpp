// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/badge.h"

#include "widgets/theme/colours.h"
#include "widgets/theme/mark.h"
#include "widgets/theme/measure.h"

#include <QPainter>

namespace proctor
{

Badge::Badge(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::display(Standing standing, const QString &text)
{
    if (standing == m_standing && text == m_text)
        return;
    m_standing = standing;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

int Badge::markSide() const
{
    return fontMetrics().ascent();
}

QSize Badge::sizeHint() const
{
    return {markSide() + measure::inside + fontMetrics().horizontalAdvance(m_text), fontMetrics().height()};
}

void Badge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int side = markSide();
    paintMark(&painter, QRectF(0, (height() - side) / 2.0, side, side), m_standing,
              Colours::of(palette()).of(m_standing));
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect().adjusted(side + measure::inside, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     m_text);
}

} // namespace proctor
