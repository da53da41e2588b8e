// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"
#include "models/run/logkind.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QLabel;
class QTabWidget;

namespace proctor
{

class Badge;
class LogView;

/// What is known of the selected attempt: how it ended in words, and its texts.
class LogPane : public QWidget
{
    Q_OBJECT

public:
    explicit LogPane(QWidget *parent = nullptr);

    void showNothing();
    void showAttempt(const AttemptUpdate &update, const QDateTime &now);
    void setLog(LogKind kind, const QString &text);
    void appendLog(LogKind kind, const QString &text);
    void clearLogs();

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void updateHints();
    LogView *view(LogKind kind) const { return m_views[static_cast<size_t>(kind)]; }

    Badge *m_badge;
    QLabel *m_name;
    QLabel *m_sentence;
    QTabWidget *m_tabs;
    QCheckBox *m_follow;
    std::array<LogView *, logKindCount> m_views{};
};

} // namespace proctor
