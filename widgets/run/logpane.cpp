// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/logpane.h"

#include "models/core/printable.h"
#include "widgets/parts/badge.h"
#include "widgets/parts/fonts.h"
#include "widgets/parts/logview.h"
#include "widgets/theme/measure.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QTabWidget>

namespace proctor
{

static QLabel *selectableLabel(const QString &name)
{
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

LogPane::LogPane(QWidget *parent)
    : QWidget(parent)
    , m_badge(new Badge)
    , m_name(selectableLabel(QStringLiteral("attemptName")))
    , m_sentence(selectableLabel(QStringLiteral("attemptSentence")))
    , m_tabs(new QTabWidget)
    , m_follow(new QCheckBox)
{
    static constexpr std::array names{"agentOutput", "agentErrors", "verifierOutput", "answer"};
    m_name->setFont(scaled(font(), 1, true));
    m_sentence->setWordWrap(true);
    m_tabs->setObjectName(QStringLiteral("logTabs"));
    m_tabs->setDocumentMode(true);
    for (size_t i = 0; i < m_views.size(); ++i) {
        m_views[i] = new LogView;
        m_views[i]->setObjectName(QLatin1String(names[i]));
        m_tabs->addTab(m_views[i], QString());
    }
    m_follow->setObjectName(QStringLiteral("follow"));
    m_follow->setChecked(true);
    m_tabs->setCornerWidget(m_follow);
    setMinimumHeight(160);
    connect(m_follow, &QCheckBox::toggled, this, [this](bool on) {
        for (LogView *view : m_views)
            view->setFollowing(on);
    });

    auto *heading = new QHBoxLayout;
    heading->setSpacing(measure::group);
    heading->addWidget(m_badge);
    heading->addWidget(m_name, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(measure::inside);
    layout->addLayout(heading);
    layout->addWidget(m_sentence);
    layout->addWidget(m_tabs, 1);
    m_tabs->setEnabled(false);
    retranslate();
}

void LogPane::showNothing()
{
    m_badge->hide();
    m_name->setText(tr("No attempt is selected"));
    m_sentence->setText(tr("Select a row above to see how it went and what was written."));
    m_tabs->setEnabled(false);
    clearLogs();
    updateHints();
}

void LogPane::showAttempt(const AttemptUpdate &update, const QDateTime &now)
{
    const Standing standing = standingOf(update);
    m_badge->setVisible(true);
    m_badge->display(standing, standingText(standing));
    m_name->setText(tr("%1, run %2").arg(printable(update.slot.instanceId)).arg(update.slot.run));
    m_sentence->setText(outcomeText(update, now));
    if (!m_tabs->isEnabled()) {
        m_tabs->setEnabled(true);
        updateHints();
    }
}

void LogPane::setLog(LogKind kind, const QString &text)
{
    view(kind)->setLog(text);
}

void LogPane::appendLog(LogKind kind, const QString &text)
{
    view(kind)->appendLog(text);
}

void LogPane::clearLogs()
{
    for (LogView *view : m_views)
        view->setLog({});
}

void LogPane::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void LogPane::updateHints()
{
    const std::array hints{tr("The agent has printed nothing."), tr("The agent has reported no errors."),
                           tr("The verifier has printed nothing."), tr("There is no answer yet.")};
    for (size_t i = 0; i < m_views.size(); ++i)
        m_views[i]->setPlaceholderText(m_tabs->isEnabled() ? hints[i] : QString());
}

void LogPane::retranslate()
{
    const std::array titles{tr("Agent output"), tr("Agent errors"), tr("Verifier"), tr("Answer")};
    for (size_t i = 0; i < m_views.size(); ++i) {
        m_tabs->setTabText(static_cast<int>(i), titles[i]);
        m_views[i]->setAccessibleName(titles[i]);
    }
    updateHints();
    if (!m_tabs->isEnabled())
        showNothing();
    m_tabs->setAccessibleName(tr("Texts of the selected attempt"));
    m_follow->setText(tr("Follow"));
    m_follow->setAccessibleName(tr("Follow new output"));
    m_follow->setToolTip(tr("Scroll to new output as it comes"));
    m_name->setAccessibleName(tr("Selected attempt"));
    m_sentence->setAccessibleName(tr("How the selected attempt went"));
}

} // namespace proctor
