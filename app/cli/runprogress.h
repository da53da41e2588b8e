// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "app/runner/examrun.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace proctor
{

/// Says on the command line how a run goes: the events as JSON lines, or a line for each attempt that ends
/// and, on a terminal, a last one with the time left.
class RunProgress : public QObject
{
    Q_OBJECT

public:
    enum class Style { Lines, Json };

    explicit RunProgress(Style style, QObject *parent = nullptr);

    /// What follows is about this exam.
    void begin(const ExamSpec &exam);
    void noteSelection(const QList<AttemptUpdate> &updates);
    void showEvent(const JournalEvent &event);
    void setStatus(const RunStatus &status);
    void showRemark(const QString &sentence);
    void showEnd(const RunEnd &end);

private:
    void showOutcome(const Result &result);
    void showStatus();
    std::optional<double> secondsLeft() const;

    Style m_style;
    TerminalLine m_line;
    RunStatus m_status;
    int m_runs = 1;
    /// Attempts that this run will make, once it is known, and how many have ended.
    std::optional<int> m_planned;
    int m_ended = 0;
    /// The estimate counts down from when it was made.
    QElapsedTimer m_estimated;
    QTimer m_tick;
};

} // namespace proctor
