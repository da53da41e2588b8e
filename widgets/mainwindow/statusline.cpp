// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mainwindow/statusline.h"

#include "models/core/format.h"
#include "widgets/parts/badge.h"
#include "widgets/theme/measure.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QProgressBar>

namespace proctor
{

StatusLine::StatusLine(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_scored(new Badge)
    , m_agentFailed(new Badge)
    , m_harnessFailed(new Badge)
    , m_notRun(new Badge)
    , m_mean(new QLabel)
    , m_left(new QLabel)
    , m_progress(new QProgressBar)
{
    m_title->setObjectName(QStringLiteral("statusTitle"));
    m_title->setTextFormat(Qt::PlainText);
    // A long title gives way before any number does.
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_mean->setObjectName(QStringLiteral("statusMean"));
    m_left->setObjectName(QStringLiteral("statusLeft"));
    m_progress->setObjectName(QStringLiteral("statusProgress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(120);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(measure::group, measure::inside, measure::group, measure::inside);
    layout->setSpacing(measure::group);
    layout->addWidget(m_title, 1);
    for (Badge *badge : {m_scored, m_agentFailed, m_harnessFailed, m_notRun})
        layout->addWidget(badge);
    layout->addWidget(m_mean);
    layout->addWidget(m_left);
    layout->addWidget(m_progress);
    retranslate();
}

QString meanText(const RunStatus &status)
{
    if (!status.mean)
        return {};
    if (!status.halfWidth)
        return StatusLine::tr("mean %1").arg(rewardText(*status.mean));
    return StatusLine::tr("mean %1 ± %2").arg(rewardText(*status.mean), rewardText(*status.halfWidth));
}

void StatusLine::setStatus(const RunStatus &status)
{
    m_status = status;
    retranslate();
}

void StatusLine::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void StatusLine::retranslate()
{
    const bool open = m_status.total > 0;
    m_title->setText(open ? m_status.title : tr("No exam is open"));
    m_title->setToolTip(m_status.title);
    m_title->setAccessibleName(tr("Exam"));
    m_scored->display(Standing::Scored, tr("%1 scored").arg(m_status.scored));
    m_agentFailed->display(Standing::AgentFailed, tr("%1 agent failed").arg(m_status.agentFailed));
    m_harnessFailed->display(Standing::HarnessFailed, tr("%1 harness failed").arg(m_status.harnessFailed));
    m_notRun->display(Standing::Waiting,
                      m_status.notRun ? tr("%1 not run").arg(*m_status.notRun) : tr("not run: unknown"));
    for (Badge *badge : {m_scored, m_agentFailed, m_harnessFailed, m_notRun})
        badge->setVisible(open);
    m_mean->setText(meanText(m_status));
    m_mean->setAccessibleName(tr("Mean reward with its 95 % interval"));
    m_mean->setToolTip(tr("Failures of the agent count as 0, failures of the harness are left out"));
    m_mean->setVisible(!m_mean->text().isEmpty());
    m_left->setText(m_status.secondsLeft ? tr("%1 left").arg(roughDurationText(*m_status.secondsLeft))
                                         : QString());
    m_left->setAccessibleName(tr("Time left"));
    m_left->setVisible(m_status.secondsLeft.has_value());
    m_progress->setRange(0, qMax(1, m_status.total));
    m_progress->setValue(m_status.scored + m_status.agentFailed + m_status.harnessFailed);
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setVisible(open);
}

} // namespace proctor
