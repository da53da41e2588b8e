// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"
#include "models/run/rowsnapshot.h"

#include <QAbstractTableModel>
#include <QHash>

#include <memory>
#include <set>

namespace proctor
{

/// The live table of a run, one row a slot. Rows appear in the order in which slots are first heard of and
/// stay until clear(): updates are merged by slot, so selection and scroll position survive. To be used on
/// the GUI thread.
class RunModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Instance, Domain, Run, State, Progress, Elapsed, ToolCalls, Reward, Message, ColumnCount };
    enum Role {
        /// Raw numbers and words without translation, for sorting.
        SortRole = Qt::UserRole + 1,
        /// The whole AttemptUpdate.
        UpdateRole,
    };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Of equal slots in one batch the last counts.
    void apply(const QList<AttemptUpdate> &updates);
    /// Moves the clock that the elapsed time of running rows is read from.
    void tick(const QDateTime &now = QDateTime::currentDateTimeUtc());
    void clear();
    /// Tells the views that words have changed, after another language was chosen.
    void retranslate();

    const AttemptUpdate &update(int row) const { return *m_rows.at(row); }
    /// -1 when the slot has no row.
    int rowOf(const Slot &slot) const { return m_rowOf.value(slot, -1); }
    const QDateTime &now() const { return m_now; }

    /// Takes constant time; the next apply() copies the list of rows but not the rows.
    std::shared_ptr<const RowSnapshot> snapshot() const;

private:
    using Row = std::shared_ptr<const AttemptUpdate>;
    class Snapshot;

    void replace(int row, const AttemptUpdate &update);
    void append(const QList<AttemptUpdate> &updates);
    void noteRunning(int row);
    QString text(const AttemptUpdate &update, int column) const;
    QString elapsedText(const AttemptUpdate &update) const;
    QVariant sortKey(const AttemptUpdate &update, int column) const;

    QList<Row> m_rows;
    QHash<Slot, int> m_rowOf;
    std::set<int> m_running;
    QDateTime m_now = QDateTime::currentDateTimeUtc();
};

} // namespace proctor
