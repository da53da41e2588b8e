// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/runheader.h"

#include "models/core/printable.h"
#include "widgets/run/statussentence.h"
#include "widgets/theme/measure.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace proctor
{

static constexpr int remarkLines = 5;

RunHeader::RunHeader(QWidget *parent)
    : QWidget(parent)
    , m_sentence(new QLabel)
    , m_ended(new QLabel)
    , m_problem(new QLabel)
    , m_remarksButton(new QPushButton)
    , m_remarksText(new QPlainTextEdit)
{
    m_sentence->setObjectName(QStringLiteral("runHeader"));
    m_sentence->setWordWrap(true);
    m_ended->setObjectName(QStringLiteral("runsEnded"));
    m_ended->setForegroundRole(QPalette::PlaceholderText);
    m_problem->setObjectName(QStringLiteral("runProblem"));
    m_problem->setForegroundRole(QPalette::BrightText);
    for (QLabel *label : {m_ended, m_problem}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->hide();
    }
    m_remarksButton->setObjectName(QStringLiteral("remarksButton"));
    m_remarksButton->setFlat(true);
    m_remarksButton->setCheckable(true);
    m_remarksButton->hide();
    m_remarksText->setObjectName(QStringLiteral("remarks"));
    m_remarksText->setReadOnly(true);
    m_remarksText->setTabChangesFocus(true);
    m_remarksText->setFixedHeight(remarkLines * fontMetrics().lineSpacing() + 2 * measure::related);
    m_remarksText->hide();
    connect(m_remarksButton, &QPushButton::toggled, m_remarksText, &QWidget::setVisible);

    auto *first = new QHBoxLayout;
    first->setSpacing(measure::group);
    first->addWidget(m_sentence, 1);
    first->addWidget(m_remarksButton, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(measure::related);
    layout->addLayout(first);
    layout->addWidget(m_remarksText);
    layout->addWidget(m_ended);
    layout->addWidget(m_problem);
    retranslate();
}

void RunHeader::setStatus(const RunStatus &status)
{
    m_status = status;
    showStatus();
}

void RunHeader::setRemarks(const QStringList &remarks)
{
    m_remarks = remarks;
    showRemarks();
}

void RunHeader::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void RunHeader::showStatus()
{
    m_sentence->setText(statusSentence(m_status));
    m_ended->setText(endedRunsText(m_status));
    m_ended->setVisible(!m_ended->text().isEmpty());
    const QString problems = problemsText(m_status);
    m_problem->setText(QStringLiteral("■ ") + problems);
    m_problem->setVisible(!problems.isEmpty());
}

void RunHeader::showRemarks()
{
    QStringList lines;
    for (const QString &remark : std::as_const(m_remarks))
        lines << printable(remark);
    m_remarksText->setPlainText(lines.join(u'\n'));
    m_remarksButton->setText(tr("Remarks: %1").arg(m_remarks.size()));
    m_remarksButton->setAccessibleName(m_remarksButton->text());
    m_remarksButton->setVisible(!m_remarks.isEmpty());
    if (m_remarks.isEmpty())
        m_remarksButton->setChecked(false);
}

void RunHeader::retranslate()
{
    m_sentence->setAccessibleName(tr("What runs"));
    m_ended->setAccessibleName(tr("Runs that have ended"));
    m_problem->setAccessibleName(tr("Problem"));
    m_remarksButton->setToolTip(tr("What was noticed in the configuration or the results folder"));
    m_remarksText->setAccessibleName(tr("Remarks"));
    showStatus();
    showRemarks();
}

} // namespace proctor
