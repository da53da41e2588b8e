// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace proctor
{

class Badge;

/// The run in one line: what it is, what became of its slots, the mean so far, the time left.
class StatusLine : public QWidget
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget *parent = nullptr);

    void setStatus(const RunStatus &status);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    RunStatus m_status;
    QLabel *m_title;
    Badge *m_scored, *m_agentFailed, *m_harnessFailed, *m_notRun;
    QLabel *m_mean;
    QLabel *m_left;
    QProgressBar *m_progress;
};

/// "mean 0.452 ± 0.031", or "" when there is none.
QString meanText(const RunStatus &status);

} // namespace proctor
