// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/rowfilter.h"

#include <algorithm>
#include <numeric>

namespace proctor
{

static constexpr int debounceMs = 150;

static std::vector<int> sourceOrder(int count)
{
    std::vector<int> rows(static_cast<size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

static std::vector<int> orderOf(const RowSnapshot &snapshot, const QString &text, int column,
                                Qt::SortOrder order)
{
    std::vector<int> rows;
    rows.reserve(static_cast<size_t>(snapshot.count()));
    for (int row = 0; row < snapshot.count(); ++row) {
        if (text.isEmpty() || snapshot.matches(row, text))
            rows.push_back(row);
    }
    if (column >= 0) {
        std::stable_sort(rows.begin(), rows.end(), [&](int left, int right) {
            const int compared = snapshot.compare(column, left, right);
            return order == Qt::AscendingOrder ? compared < 0 : compared > 0;
        });
    }
    return rows;
}

/// Whether `longer` begins with all of `shorter`.
static bool continues(const std::vector<int> &shorter, const std::vector<int> &longer)
{
    return longer.size() > shorter.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
}

RowFilter::RowFilter(QObject *parent)
    : QAbstractProxyModel(parent)
{
    m_worker.setMaxThreadCount(1);
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(debounceMs);
    connect(&m_debounce, &QTimer::timeout, this, &RowFilter::answer);
}

RowFilter::~RowFilter()
{
    m_worker.waitForDone();
}

void RowFilter::setSource(QAbstractItemModel *source, TakeSnapshot take)
{
    if (sourceModel())
        sourceModel()->disconnect(this);
    m_take = std::move(take);
    setSourceModel(source);
    connect(source, &QAbstractItemModel::modelReset, this, &RowFilter::onSourceReset);
    connect(source, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first, int last) { onRowsInserted(first, last); });
    connect(source, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this](const QModelIndex &, int first, int last) { onRowsAboutToBeRemoved(first, last); });
    connect(source, &QAbstractItemModel::rowsRemoved, this,
            [this](const QModelIndex &, int first, int last) { onRowsRemoved(first, last); });
    connect(source, &QAbstractItemModel::dataChanged, this, &RowFilter::onDataChanged);
    connect(source, &QAbstractItemModel::headerDataChanged, this, &RowFilter::headerDataChanged);
    onSourceReset();
}

void RowFilter::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    askAnew();
}

void RowFilter::sort(int column, Qt::SortOrder order)
{
    if (column == m_sortColumn && order == m_sortOrder)
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    askAnew();
}

bool RowFilter::isLarge() const
{
    return sourceModel() && sourceModel()->rowCount() > largeTable;
}

void RowFilter::askAnew()
{
    ++m_question;
    if (isLarge() && !isPlain())
        m_debounce.start();
    else
        answer();
}

/// A steady stream of changes must not put the answer off for ever, so a running timer is left alone.
void RowFilter::askSoon()
{
    if (!isPlain() && !m_debounce.isActive())
        m_debounce.start();
}

void RowFilter::answer()
{
    m_debounce.stop();
    if (!sourceModel())
        return;
    if (isLarge() && !isPlain()) {
        answerElsewhere();
        return;
    }
    if (isPlain())
        swapIn(sourceOrder(sourceModel()->rowCount()));
    else
        swapIn(orderOf(*m_take(), m_text, m_sortColumn, m_sortOrder));
    emit settled();
}

void RowFilter::answerElsewhere()
{
    if (m_busy) {
        m_again = true;
        return;
    }
    m_busy = true;
    const auto deliver = [this](int question, Rows rows) {
        m_busy = false;
        if (question == m_question) {
            swapIn(std::move(rows));
            emit settled();
        }
        if (std::exchange(m_again, false))
            answer();
    };
    m_worker.start([this, deliver, snapshot = m_take(), text = m_text, column = m_sortColumn,
                    order = m_sortOrder, question = m_question] {
        Rows rows = orderOf(*snapshot, text, column, order);
        QMetaObject::invokeMethod(
            this,
            [deliver, question, rows = std::move(rows)]() mutable { deliver(question, std::move(rows)); },
            Qt::QueuedConnection);
    });
}

void RowFilter::swapIn(Rows rows)
{
    const int before = static_cast<int>(m_shown.size());
    const int after = static_cast<int>(rows.size());
    if (continues(m_shown, rows)) {
        beginInsertRows({}, before, after - 1);
        m_shown = std::move(rows);
        rebuildPlaces();
        endInsertRows();
    } else if (continues(rows, m_shown)) {
        beginRemoveRows({}, after, before - 1);
        m_shown = std::move(rows);
        rebuildPlaces();
        endRemoveRows();
    } else if (rows != m_shown) {
        swapLayout(std::move(rows));
    }
}

void RowFilter::swapLayout(Rows rows)
{
    emit layoutAboutToBeChanged();
    const QModelIndexList from = persistentIndexList();
    const Rows before = std::exchange(m_shown, std::move(rows));
    rebuildPlaces();
    QModelIndexList to;
    to.reserve(from.size());
    for (const QModelIndex &old : from) {
        const int sourceRow = before[static_cast<size_t>(old.row())];
        const int row = m_placeOf[static_cast<size_t>(sourceRow)];
        to.append(row < 0 ? QModelIndex() : createIndex(row, old.column()));
    }
    changePersistentIndexList(from, to);
    emit layoutChanged();
}

void RowFilter::rebuildPlaces()
{
    m_placeOf.assign(static_cast<size_t>(sourceModel()->rowCount()), -1);
    for (size_t i = 0; i < m_shown.size(); ++i)
        m_placeOf[static_cast<size_t>(m_shown[i])] = static_cast<int>(i);
}

void RowFilter::onSourceReset()
{
    ++m_question;
    beginResetModel();
    m_shown = isPlain() ? sourceOrder(sourceModel()->rowCount()) : Rows();
    rebuildPlaces();
    endResetModel();
    if (!isPlain())
        answer();
}

void RowFilter::onRowsInserted(int first, int last)
{
    const int count = last - first + 1;
    const bool appended = last + 1 == sourceModel()->rowCount();
    if (!appended) {
        ++m_question;
        for (int &row : m_shown)
            row += row >= first ? count : 0;
    }
    m_placeOf.insert(m_placeOf.begin() + first, static_cast<size_t>(count), -1);
    if (isLarge() && !isPlain())
        askSoon();
    else
        answer();
}

/// The rows leave while the source still has them, so that every index shown stays valid throughout.
void RowFilter::onRowsAboutToBeRemoved(int first, int last)
{
    ++m_question;
    Rows rows;
    std::copy_if(m_shown.begin(), m_shown.end(), std::back_inserter(rows),
                 [first, last](int row) { return row < first || row > last; });
    swapIn(std::move(rows));
}

void RowFilter::onRowsRemoved(int first, int last)
{
    for (int &row : m_shown)
        row -= row > last ? last - first + 1 : 0;
    rebuildPlaces();
    askSoon();
}

void RowFilter::onDataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight,
                              const QList<int> &roles)
{
    // Row by row is exact, but a change of everything is cheaper to tell in one go.
    static constexpr int fewRows = 200;
    if (bottomRight.row() - topLeft.row() >= fewRows && !m_shown.empty()) {
        emit dataChanged(createIndex(0, topLeft.column()), createIndex(rowCount() - 1, bottomRight.column()),
                         roles);
    } else {
        for (int row = topLeft.row(); row <= bottomRight.row(); ++row) {
            const int place = m_placeOf[static_cast<size_t>(row)];
            if (place >= 0)
                emit dataChanged(createIndex(place, topLeft.column()),
                                 createIndex(place, bottomRight.column()), roles);
        }
    }
    const bool movesRows = m_sortColumn >= topLeft.column() && m_sortColumn <= bottomRight.column();
    const bool wordsChanged = bottomRight.column() > topLeft.column();
    if (movesRows || (wordsChanged && !m_text.isEmpty()))
        askSoon();
}

int RowFilter::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RowFilter::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !sourceModel() ? 0 : sourceModel()->columnCount();
}

QModelIndex RowFilter::index(int row, int column, const QModelIndex &parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex RowFilter::parent(const QModelIndex &) const
{
    return {};
}

QModelIndex RowFilter::mapToSource(const QModelIndex &proxyIndex) const
{
    if (!proxyIndex.isValid() || proxyIndex.row() >= rowCount())
        return {};
    return sourceModel()->index(m_shown[static_cast<size_t>(proxyIndex.row())], proxyIndex.column());
}

QModelIndex RowFilter::mapFromSource(const QModelIndex &sourceIndex) const
{
    if (!sourceIndex.isValid() || sourceIndex.row() >= static_cast<int>(m_placeOf.size()))
        return {};
    const int place = m_placeOf[static_cast<size_t>(sourceIndex.row())];
    return place < 0 ? QModelIndex() : createIndex(place, sourceIndex.column());
}

QVariant RowFilter::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && sourceModel())
        return sourceModel()->headerData(section, orientation, role);
    return QAbstractItemModel::headerData(section, orientation, role);
}

} // namespace proctor
