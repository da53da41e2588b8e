// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/actionbutton.h"

#include <QAction>

namespace proctor
{

ActionButton::ActionButton(QAction *action, QWidget *parent)
    : QPushButton(parent)
    , m_action(action)
{
    setObjectName(action->objectName() + QStringLiteral("Button"));
    connect(action, &QAction::changed, this, &ActionButton::follow);
    connect(this, &QPushButton::clicked, action, &QAction::trigger);
    follow();
}

void ActionButton::follow()
{
    const QString shortcut = m_action->shortcut().toString(QKeySequence::NativeText);
    QString plain = m_action->text();
    plain.remove(QLatin1Char('&'));
    setText(m_action->iconText());
    setIcon(m_action->icon());
    setEnabled(m_action->isEnabled());
    setAccessibleName(plain);
    setAccessibleDescription(m_action->statusTip());
    setToolTip(shortcut.isEmpty() ? m_action->statusTip()
                                  : QStringLiteral("%1 (%2)").arg(m_action->statusTip(), shortcut));
}

} // namespace proctor
