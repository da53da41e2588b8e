// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace proctor
{

/// What runs, in words: a sentence, what runs that have ended gave, what went wrong, and remarks on demand.
class RunHeader : public QWidget
{
    Q_OBJECT

public:
    explicit RunHeader(QWidget *parent = nullptr);

    void setStatus(const RunStatus &status);
    /// About what is open; each is shown as a line.
    void setRemarks(const QStringList &remarks);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void showStatus();
    void showRemarks();

    RunStatus m_status;
    QStringList m_remarks;
    QLabel *m_sentence, *m_ended, *m_problem;
    QPushButton *m_remarksButton;
    QPlainTextEdit *m_remarksText;
};

} // namespace proctor
