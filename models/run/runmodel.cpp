// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runmodel.h"

#include "models/core/format.h"
#include "models/run/standing.h"

#include <array>

namespace proctor
{

static double elapsedSeconds(const AttemptUpdate &update, const QDateTime &now)
{
    if (standingOf(update) == Standing::Running && update.startedAt.isValid())
        return static_cast<double>(qMax<qint64>(0, update.startedAt.msecsTo(now))) / 1000;
    return update.durationSec;
}

/// Steps through an attempt for sorting: waiting, each phase in turn, ended.
static int progressRank(const AttemptUpdate &update)
{
    if (standingOf(update) == Standing::Waiting)
        return -1;
    return update.phase ? static_cast<int>(*update.phase) : static_cast<int>(allPhases().size());
}

/// Rows without a reward sort below those that scored 0.
static double rewardRank(const AttemptUpdate &update)
{
    return update.outcome.reward.value_or(-1);
}

class RunModel::Snapshot : public RowSnapshot
{
public:
    Snapshot(QList<Row> rows, const QDateTime &now)
        : m_rows(std::move(rows))
        , m_now(now)
    {
        for (int i = 0; i < standingCount; ++i)
            m_words[static_cast<size_t>(i)] = standingText(static_cast<Standing>(i));
    }

    int count() const override { return static_cast<int>(m_rows.size()); }

    bool matches(int row, const QString &text) const override
    {
        const AttemptUpdate &update = *m_rows.at(row);
        return update.slot.instanceId.contains(text, Qt::CaseInsensitive) ||
               update.domain.contains(text, Qt::CaseInsensitive) ||
               m_words[static_cast<size_t>(standingOf(update))].contains(text, Qt::CaseInsensitive);
    }

    int compare(int column, int left, int right) const override
    {
        const AttemptUpdate &a = *m_rows.at(left);
        const AttemptUpdate &b = *m_rows.at(right);
        switch (column) {
        case Instance:
            return a.slot.instanceId.compare(b.slot.instanceId, Qt::CaseInsensitive);
        case Domain:
            return a.domain.compare(b.domain, Qt::CaseInsensitive);
        case Run:
            return sign(a.slot.run, b.slot.run);
        case State:
            return sign(standingOf(a), standingOf(b));
        case Progress:
            return sign(progressRank(a), progressRank(b));
        case Elapsed:
            return sign(elapsedSeconds(a, m_now), elapsedSeconds(b, m_now));
        case ToolCalls:
            return sign(a.toolCalls, b.toolCalls);
        case Reward:
            return sign(rewardRank(a), rewardRank(b));
        case Message:
            return a.outcome.error.compare(b.outcome.error, Qt::CaseInsensitive);
        default:
            return sign(left, right);
        }
    }

private:
    template<typename T>
    static int sign(const T &a, const T &b)
    {
        return a < b ? -1 : (b < a ? 1 : 0);
    }

    const QList<Row> m_rows;
    const QDateTime m_now;
    std::array<QString, standingCount> m_words;
};

int RunModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunModel::elapsedText(const AttemptUpdate &update) const
{
    switch (standingOf(update)) {
    case Standing::Waiting:
        return {};
    case Standing::Running:
        return clockText(static_cast<qint64>(elapsedSeconds(update, m_now)));
    default:
        return durationText(update.durationSec);
    }
}

QString RunModel::text(const AttemptUpdate &update, int column) const
{
    switch (column) {
    case Instance:
        return update.slot.instanceId;
    case Domain:
        return update.domain;
    case Run:
        return QString::number(update.slot.run);
    case State:
        return standingText(standingOf(update));
    case Progress:
        return update.phase ? phaseText(*update.phase) : QString();
    case Elapsed:
        return elapsedText(update);
    case ToolCalls:
        return update.attempt > 0 ? QString::number(update.toolCalls) : QString();
    case Reward:
        return update.outcome.reward ? rewardText(*update.outcome.reward) : QString();
    case Message:
        return update.outcome.error.simplified();
    default:
        return {};
    }
}

QVariant RunModel::sortKey(const AttemptUpdate &update, int column) const
{
    switch (column) {
    case Run:
        return update.slot.run;
    case State:
        return static_cast<int>(standingOf(update));
    case Progress:
        return progressRank(update);
    case Elapsed:
        return elapsedSeconds(update, m_now);
    case ToolCalls:
        return update.toolCalls;
    case Reward:
        return rewardRank(update);
    default:
        return text(update, column);
    }
}

static bool isNumber(int column)
{
    return column == RunModel::Run || column == RunModel::Elapsed || column == RunModel::ToolCalls ||
           column == RunModel::Reward;
}

QVariant RunModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const AttemptUpdate &row = update(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::AccessibleTextRole: {
        const QString value = text(row, index.column());
        const QString header = headerData(index.column(), Qt::Horizontal).toString();
        return value.isEmpty() ? tr("%1: none").arg(header) : tr("%1: %2").arg(header, value);
    }
    case Qt::ToolTipRole:
        return index.column() == Message || index.column() == Instance ? text(row, index.column())
                                                                       : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case SortRole:
        return sortKey(row, index.column());
    case UpdateRole:
        return QVariant::fromValue(row);
    default:
        return {};
    }
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Instance:
        return tr("Instance");
    case Domain:
        return tr("Domain");
    case Run:
        return tr("Run", "the number of a run, a column");
    case State:
        return tr("State");
    case Progress:
        return tr("Progress");
    case Elapsed:
        return tr("Elapsed");
    case ToolCalls:
        return tr("Tool calls");
    case Reward:
        return tr("Reward");
    case Message:
        return tr("Message");
    default:
        return {};
    }
}

void RunModel::noteRunning(int row)
{
    if (standingOf(update(row)) == Standing::Running)
        m_running.insert(row);
    else
        m_running.erase(row);
}

void RunModel::replace(int row, const AttemptUpdate &update)
{
    m_rows[row] = std::make_shared<const AttemptUpdate>(update);
    noteRunning(row);
}

void RunModel::append(const QList<AttemptUpdate> &updates)
{
    const int first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + static_cast<int>(updates.size()) - 1);
    m_rows.reserve(first + updates.size());
    for (const AttemptUpdate &update : updates) {
        m_rows.append(std::make_shared<const AttemptUpdate>(update));
        noteRunning(static_cast<int>(m_rows.size()) - 1);
    }
    endInsertRows();
}

void RunModel::apply(const QList<AttemptUpdate> &updates)
{
    std::set<int> changed;
    QList<AttemptUpdate> added;
    const int known = static_cast<int>(m_rows.size());
    for (const AttemptUpdate &update : updates) {
        const auto found = m_rowOf.constFind(update.slot);
        if (found == m_rowOf.constEnd()) {
            m_rowOf.insert(update.slot, known + static_cast<int>(added.size()));
            added.append(update);
        } else if (*found >= known) {
            added[*found - known] = update;
        } else {
            replace(*found, update);
            changed.insert(*found);
        }
    }
    // One signal for each stretch of neighbouring rows.
    for (auto row = changed.cbegin(); row != changed.cend();) {
        const int first = *row;
        int last = first;
        while (++row != changed.cend() && *row == last + 1)
            ++last;
        emit dataChanged(index(first, 0), index(last, ColumnCount - 1));
    }
    if (!added.isEmpty())
        append(added);
}

void RunModel::tick(const QDateTime &now)
{
    m_now = now;
    for (const int row : m_running) {
        const QModelIndex cell = index(row, Elapsed);
        emit dataChanged(cell, cell, {Qt::DisplayRole, Qt::AccessibleTextRole, SortRole});
    }
}

void RunModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_rowOf.clear();
    m_running.clear();
    endResetModel();
}

void RunModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_rows.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1),
                         {Qt::DisplayRole, Qt::AccessibleTextRole});
}

std::shared_ptr<const RowSnapshot> RunModel::snapshot() const
{
    return std::make_shared<const Snapshot>(m_rows, m_now);
}

} // namespace proctor
