// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/actionbutton.h"

#include <QAction>
#include <QRegularExpression>

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

/// An action's text as in a menu, without the mark of its mnemonic: "S&top", and "停止(&T)" where no letter
/// can be marked.
static QString withoutMnemonic(QString text)
{
    static const QRegularExpression appended(QStringLiteral("\\s*\\(&\\w\\)"));
    return text.remove(appended).remove(QLatin1Char('&'));
}

void ActionButton::follow()
{
    const QString shortcut = m_action->shortcut().toString(QKeySequence::NativeText);
    const QString plain = withoutMnemonic(m_action->text());
    setText(plain);
    setIcon(m_action->icon());
    setEnabled(m_action->isEnabled());
    setAccessibleName(plain);
    setAccessibleDescription(m_action->statusTip());
    setToolTip(shortcut.isEmpty() ? m_action->statusTip()
                                  : QStringLiteral("%1 (%2)").arg(m_action->statusTip(), shortcut));
}

} // namespace proctor
