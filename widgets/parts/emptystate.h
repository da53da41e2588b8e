// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace proctor
{

/// What is shown where there is nothing to show: what that means and what to do next.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);

    void setWords(const QString &title, const QString &advice);
    void addButton(QWidget *button);

private:
    QLabel *m_title;
    QLabel *m_advice;
    QHBoxLayout *m_buttons;
};

} // namespace proctor
