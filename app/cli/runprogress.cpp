// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runprogress.h"

#include "models/core/format.h"

using namespace std::chrono_literals;

namespace proctor
{

RunProgress::RunProgress(Style style, QObject *parent)
    : QObject(parent)
    , m_style(style)
{
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, &RunProgress::showStatus);
}

void RunProgress::begin(const ExamSpec &exam)
{
    m_status = {};
    m_runs = exam.selection.runs;
    m_planned.reset();
    m_ended = 0;
    if (m_style == Style::Json)
        return;
    printLine(QStringLiteral("%1   %2").arg(exam.title(), exam.resultsFolder()));
    if (m_line.isOnTerminal())
        m_tick.start();
}

void RunProgress::showRemark(const QString &sentence)
{
    m_line.clear();
    printRemark(sentence);
}

void RunProgress::setStatus(const RunStatus &status)
{
    if (status.secondsLeft != m_status.secondsLeft)
        m_estimated.start();
    m_status = status;
    showStatus();
}

/// The first picture holds the whole selection: what has no outcome yet is what will be done.
void RunProgress::noteSelection(const QList<AttemptUpdate> &updates)
{
    if (m_planned)
        return;
    const auto planned = std::count_if(updates.begin(), updates.end(), [](const AttemptUpdate &update) {
        return update.outcome.state == State::NotRun;
    });
    m_planned = static_cast<int>(planned);
    if (m_style == Style::Json)
        return;
    const qsizetype done = updates.size() - planned;
    m_line.clear();
    if (done > 0)
        printLine(QStringLiteral("  %1 already done, %2 to do").arg(done).arg(planned));
}

void RunProgress::showEvent(const JournalEvent &event)
{
    if (m_style == Style::Json)
        printJson(event.toJsonLine());
    else if (event.kind == JournalEvent::Kind::Outcome && event.result)
        showOutcome(*event.result);
}

void RunProgress::showOutcome(const Result &result)
{
    ++m_ended;
    QString name = result.instanceId;
    if (m_runs > 1)
        name += QStringLiteral(" (run %1)").arg(result.slot().run);
    const Outcome &outcome = result.outcome;
    QString what;
    if (outcome.state == State::Scored) {
        what = QStringLiteral(": %1 (%2)")
                   .arg(rewardText(outcome.reward.value_or(0)), clockText(qRound64(result.durationSec)));
    } else {
        const QString phase = outcome.phase ? toWord(*outcome.phase) : QStringLiteral("unknown");
        const QString fault = outcome.fault ? toWord(*outcome.fault) : QStringLiteral("unknown");
        what = QStringLiteral(" %1 at %2 (%3): %4").arg(toWord(outcome.state), phase, fault, outcome.error);
    }
    m_line.clear();
    printLine(QStringLiteral("[%1/%2] %3%4").arg(m_ended).arg(m_planned.value_or(m_ended)).arg(name, what));
    showStatus();
}

void RunProgress::showStatus()
{
    const bool isUnderWay = m_planned && m_ended < *m_planned;
    if (m_style == Style::Json || !isUnderWay)
        return;
    QString text =
        QStringLiteral("%1 of %2 done · %3 running").arg(m_ended).arg(*m_planned).arg(m_status.running);
    if (m_status.mean)
        text += QStringLiteral(" · mean ") + rewardText(*m_status.mean);
    if (m_status.activity == RunStatus::Activity::Stopping)
        text += QStringLiteral(" · stopping");
    else if (const auto left = secondsLeft())
        text += QStringLiteral(" · %1 left").arg(roughDurationText(*left));
    m_line.show(text);
}

/// Nothing is said when it takes longer than was thought.
std::optional<double> RunProgress::secondsLeft() const
{
    if (!m_status.secondsLeft)
        return std::nullopt;
    const double left = *m_status.secondsLeft - static_cast<double>(m_estimated.elapsed()) / 1000;
    return left >= 1 ? std::optional(left) : std::nullopt;
}

void RunProgress::showEnd(const RunEnd &end)
{
    m_tick.stop();
    m_line.clear();
    if (!end.problem.isEmpty())
        printError(end.problem);
    else if (m_style == Style::Lines && m_planned == 0)
        printLine(QStringLiteral("  Nothing to do: every attempt has its verdict (--retry-failed runs failed "
                                 "ones again)"));
}

} // namespace proctor
