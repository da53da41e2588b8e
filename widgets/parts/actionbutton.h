// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QAction;

namespace proctor
{

/// A push button that looks and does as its action says, with its shortcut in the tool tip.
class ActionButton : public QPushButton
{
    Q_OBJECT

public:
    explicit ActionButton(QAction *action, QWidget *parent = nullptr);

private:
    void follow();

    QAction *m_action;
};

} // namespace proctor
