// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/rowsnapshot.h"

#include <QAbstractProxyModel>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace proctor
{

/// Filters and sorts a flat table by means of snapshots of its rows. Small tables at once; above `largeTable`
/// rows the order is computed on another thread and swapped in when ready, 150 ms after the last change of
/// the question, so the GUI thread never waits. Selection and current row follow their rows.
///
/// Without text and without sorting all rows are shown in the source's order.
class RowFilter : public QAbstractProxyModel
{
    Q_OBJECT

public:
    static constexpr int largeTable = 5000;
    using TakeSnapshot = std::function<std::shared_ptr<const RowSnapshot>()>;

    explicit RowFilter(QObject *parent = nullptr);
    ~RowFilter() override;

    /// `take` yields the rows of `source` in its order; it is called on the GUI thread only.
    void setSource(QAbstractItemModel *source, TakeSnapshot take);

    void setText(const QString &text);
    QString text() const { return m_text; }
    /// A negative column takes the source's order.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }
    /// Whether a new order is being worked out.
    bool isBusy() const { return m_busy || m_debounce.isActive(); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    QModelIndex mapToSource(const QModelIndex &proxyIndex) const override;
    QModelIndex mapFromSource(const QModelIndex &sourceIndex) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    /// A new order was worked out and swapped in.
    void settled();

private:
    using Rows = std::vector<int>;

    bool isPlain() const { return m_text.isEmpty() && m_sortColumn < 0; }
    bool isLarge() const;
    void askAnew();
    void askSoon();
    void answer();
    void answerElsewhere();
    void swapIn(Rows rows);
    void swapLayout(Rows rows);
    void rebuildPlaces();

    void onSourceReset();
    void onRowsInserted(int first, int last);
    void onRowsAboutToBeRemoved(int first, int last);
    void onRowsRemoved(int first, int last);
    void onDataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight, const QList<int> &roles);

    TakeSnapshot m_take;
    QString m_text;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;

    /// Source row of each row shown, and the reverse (-1 = not shown).
    Rows m_shown;
    Rows m_placeOf;

    QTimer m_debounce;
    bool m_busy = false;
    /// Something changed while the worker was busy.
    bool m_again = false;
    /// Answers to an older question are dropped.
    int m_question = 0;
    QThreadPool m_worker;
};

} // namespace proctor
