// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "app/runner/examrun.h"

#include <QObject>

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

    /// To be called before the run starts; the run before it has ended by then.
    void follow(ExamRun *run);
    void showEnd(const RunEnd &end);

private:
    void noteSelection(const QList<AttemptUpdate> &updates);
    void showEvent(const JournalEvent &event);
    void showOutcome(const Result &result);
    void showStatus();

    Style m_style;
    TerminalLine m_line;
    RunStatus m_status;
    int m_runs = 1;
    /// Attempts that this run will make, once it is known, and how many have ended.
    std::optional<int> m_planned;
    int m_ended = 0;
};

} // namespace proctor
