// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace proctor
{

/// The table of attempts: selection by row, columns that can be moved and hidden and are remembered.
class AttemptTable : public QTableView
{
    Q_OBJECT

public:
    explicit AttemptTable(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    /// The selected rows as tab separated values with the headers of the visible columns first; "" without
    /// selection.
    QString selectionAsText() const;
    void rememberColumns() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void sizeColumns();
    void offerColumns(const QPoint &place);
};

} // namespace proctor
