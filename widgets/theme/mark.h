// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/standing.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace proctor
{

/// Draws the shape that stands for how a slot stands, so that colour never carries the meaning alone:
/// ● scored, ■ agent failed, ▲ harness failed, ◐ running, ○ not run, – stopped, ◇ lost.
void paintMark(QPainter *painter, const QRectF &place, Standing standing, const QColor &colour);

} // namespace proctor
