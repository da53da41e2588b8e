// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/attemptdelegate.h"

#include "models/core/printable.h"
#include "models/run/runmodel.h"
#include "models/run/standing.h"
#include "widgets/theme/colours.h"
#include "widgets/theme/mark.h"
#include "widgets/theme/measure.h"

#include <QApplication>
#include <QPainter>

#include <array>

namespace proctor
{

/// How much of each of the three segments is filled, in 0..1.
static std::array<double, 3> fillOf(const AttemptUpdate &update)
{
    const Standing standing = standingOf(update);
    if (standing == Standing::Scored)
        return {1, 1, 1};
    const std::optional<Phase> place = placeOf(update);
    if (!place)
        return {0, 0, 0};
    switch (*place) {
    case Phase::Pull:
        return {0.25, 0, 0};
    case Phase::Start:
        return {0.5, 0, 0};
    case Phase::Setup:
        return {0.8, 0, 0};
    case Phase::Agent:
        return {1, 0.5, 0};
    case Phase::Outputs:
        return {1, 0.9, 0};
    case Phase::Verifier:
        return {1, 1, 0.5};
    case Phase::Reward:
    case Phase::Clean:
        return {1, 1, 0.9};
    }
    return {0, 0, 0};
}

static void paintSegments(QPainter *painter, const QRect &cell, const AttemptUpdate &update,
                          const Colours &colours)
{
    static constexpr double gap = 3;
    static constexpr double height = 6;
    const QRectF bar(cell.left() + measure::related, cell.center().y() + 0.5 - height / 2,
                     cell.width() - 2 * measure::related, height);
    const double width = (bar.width() - 2 * gap) / 3;
    const std::array<double, 3> fill = fillOf(update);
    const Standing standing = standingOf(update);
    const std::optional<Stage> stage = stageOf(update);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    for (int i = 0; i < 3; ++i) {
        const QRectF segment(bar.left() + i * (width + gap), bar.top(), width, height);
        const bool here = stage && static_cast<int>(*stage) == i;
        painter->setBrush(colours.border);
        painter->drawRoundedRect(segment, 2, 2);
        QRectF filled = segment;
        filled.setWidth(width * fill[static_cast<size_t>(i)]);
        if (filled.width() <= 0)
            continue;
        // Only the segment where it ended takes the colour of a failure.
        painter->setBrush(here || standing == Standing::Scored
                              ? colours.of(standing)
                              : (standing == Standing::Running ? colours.accent : colours.quiet));
        painter->drawRoundedRect(filled, 2, 2);
    }
    painter->restore();
}

static void paintState(QPainter *painter, const QStyleOptionViewItem &option, const AttemptUpdate &update)
{
    const Standing standing = standingOf(update);
    const QColor colour = Colours::of(option.palette).of(standing);
    const int side = option.fontMetrics.ascent();
    const QRect cell = option.rect.adjusted(measure::related, 0, -measure::inside, 0);
    paintMark(painter, QRectF(cell.left(), cell.top() + (cell.height() - side) / 2.0, side, side), standing,
              colour);
    // On the tint of a selected row the colours of states have too little contrast for words.
    const bool selected = option.state & QStyle::State_Selected;
    painter->setPen(selected ? option.palette.color(QPalette::HighlightedText) : colour);
    painter->setFont(option.font);
    const QRect words = cell.adjusted(side + measure::related - 2, 0, 0, 0);
    painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                      option.fontMetrics.elidedText(standingText(standing), Qt::ElideRight, words.width()));
}

void AttemptDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text = printable(option->text);
    // Selection is by row: a frame around one cell would say otherwise.
    option->state &= ~QStyle::State_HasFocus;
    if (index.column() == RunModel::Message || index.column() == RunModel::Domain)
        option->palette.setColor(QPalette::Text, Colours::of(option->palette).quiet);
    if (index.column() == RunModel::Instance)
        option->textElideMode = Qt::ElideMiddle;
    if (index.column() == RunModel::State || index.column() == RunModel::Progress)
        option->text.clear();
}

void AttemptDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
    if (index.column() == RunModel::State) {
        paintState(painter, cell, index.data(RunModel::UpdateRole).value<AttemptUpdate>());
    } else if (index.column() == RunModel::Progress) {
        paintSegments(painter, cell.rect, index.data(RunModel::UpdateRole).value<AttemptUpdate>(),
                      Colours::of(cell.palette));
    } else {
        const QRect words = cell.rect.adjusted(measure::related, 0, -measure::related, 0);
        const bool selected = cell.state & QStyle::State_Selected;
        painter->setFont(cell.font);
        painter->setPen(cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(words, static_cast<int>(cell.displayAlignment) | Qt::TextSingleLine,
                          cell.fontMetrics.elidedText(cell.text, cell.textElideMode, words.width()));
    }
}

} // namespace proctor
