// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/attempttable.h"

#include "models/run/runmodel.h"
#include "models/run/standing.h"
#include "widgets/run/attemptdelegate.h"
#include "widgets/theme/measure.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace proctor
{

static const char *const columnsKey = "run/columns";

AttemptTable::AttemptTable(QWidget *parent)
    : QTableView(parent)
{
    setItemDelegate(new AttemptDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setSortingEnabled(true);
    setCornerButtonEnabled(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setMouseTracking(true);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(measure::rowHeight);
    verticalHeader()->setDefaultSectionSize(measure::rowHeight);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setMinimumSectionSize(measure::edge);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, &AttemptTable::offerColumns);
}

void AttemptTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    sizeColumns();
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->restoreState(QSettings().value(QLatin1String(columnsKey)).toByteArray());
}

void AttemptTable::rememberColumns() const
{
    QSettings().setValue(QLatin1String(columnsKey), horizontalHeader()->saveState());
}

/// Wide enough for the header and the widest value that is to be expected, in the language of now.
void AttemptTable::sizeColumns()
{
    QString widestState;
    for (int i = 0; i < standingCount; ++i) {
        const QString word = standingText(static_cast<Standing>(i));
        if (fontMetrics().horizontalAdvance(word) > fontMetrics().horizontalAdvance(widestState))
            widestState = word;
    }
    const QHash<int, QString> samples{
        {RunModel::Instance, QStringLiteral("attraction_auckland_rain")},
        {RunModel::Domain, QStringLiteral("electronicsM")},
        {RunModel::Run, QStringLiteral("10")},
        {RunModel::State, widestState + QStringLiteral("MM")},
        {RunModel::Progress, QStringLiteral("MMMMMMM")},
        {RunModel::Elapsed, QStringLiteral("59 m 59 s")},
        {RunModel::ToolCalls, QStringLiteral("1000")},
        {RunModel::Reward, QStringLiteral("0.000")},
    };
    const int sortArrow = measure::group;
    for (auto sample = samples.cbegin(); sample != samples.cend(); ++sample) {
        const QString header = model()->headerData(sample.key(), Qt::Horizontal).toString();
        const int content = fontMetrics().horizontalAdvance(sample.value());
        const int title = horizontalHeader()->fontMetrics().horizontalAdvance(header) + sortArrow;
        setColumnWidth(sample.key(), std::max(content, title) + 2 * measure::related);
    }
}

void AttemptTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && model())
        sizeColumns();
}

void AttemptTable::offerColumns(const QPoint &place)
{
    QMenu menu;
    for (int column = 0; column < model()->columnCount(); ++column) {
        QAction *action = menu.addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        // The column that says what a row is stays.
        action->setEnabled(column != RunModel::Instance);
        connect(action, &QAction::toggled, this, [this, column](bool on) { setColumnHidden(column, !on); });
    }
    menu.exec(horizontalHeader()->mapToGlobal(place));
}

QString AttemptTable::selectionAsText() const
{
    QModelIndexList rows = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
    if (rows.isEmpty())
        return {};
    std::sort(rows.begin(), rows.end());
    QList<int> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(column))
            columns << column;
    }
    QStringList fields;
    for (const int column : columns)
        fields << model()->headerData(column, Qt::Horizontal).toString();
    QStringList lines{fields.join(QLatin1Char('\t'))};
    for (const QModelIndex &row : rows) {
        fields.clear();
        for (const int column : columns)
            fields << row.siblingAtColumn(column).data().toString().simplified();
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace proctor
