// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/mark.h"

#include <QPainter>

namespace proctor
{

static QRectF squareIn(const QRectF &place)
{
    const double side = qMin(place.width(), place.height());
    QRectF square(0, 0, side, side);
    square.moveCenter(place.center());
    return square.adjusted(1, 1, -1, -1);
}

static void paintPolygon(QPainter *painter, const QPolygonF &points, bool filled, const QColor &colour)
{
    painter->setBrush(filled ? QBrush(colour) : Qt::NoBrush);
    painter->drawPolygon(points);
}

void paintMark(QPainter *painter, const QRectF &place, Standing standing, const QColor &colour)
{
    const QRectF box = squareIn(place);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    switch (standing) {
    case Standing::Scored:
        painter->setBrush(colour);
        painter->drawEllipse(box);
        break;
    case Standing::Running:
        painter->drawEllipse(box);
        painter->setBrush(colour);
        painter->drawChord(box, 90 * 16, 180 * 16);
        break;
    case Standing::Waiting:
        painter->drawEllipse(box);
        break;
    case Standing::AgentFailed:
        painter->setBrush(colour);
        painter->drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    case Standing::HarnessFailed:
        paintPolygon(painter, {QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()},
                     true, colour);
        break;
    case Standing::Cancelled:
        painter->setPen(QPen(colour, 2.5, Qt::SolidLine, Qt::RoundCap));
        painter->drawLine(QPointF(box.left() + 1, box.center().y()),
                          QPointF(box.right() - 1, box.center().y()));
        break;
    case Standing::Lost:
        paintPolygon(painter,
                     {QPointF(box.center().x(), box.top()), QPointF(box.right(), box.center().y()),
                      QPointF(box.center().x(), box.bottom()), QPointF(box.left(), box.center().y())},
                     false, colour);
        break;
    }
    painter->restore();
}

} // namespace proctor
