// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/colours.h"
#include "widgets/theme/instrumentstyle.h"

#include <QApplication>
#include <QEvent>
#include <QSettings>

namespace proctor
{

static const QString settingsKey = QStringLiteral("window/theme");

Theme::Theme(QObject *parent)
    : QObject(parent)
{
    const int saved = QSettings().value(settingsKey, 0).toInt();
    if (saved >= 0 && saved <= static_cast<int>(Choice::Dark))
        m_choice = static_cast<Choice>(saved);
    QApplication::setStyle(new InstrumentStyle);
    qApp->installEventFilter(this);
    apply();
}

void Theme::choose(Choice choice)
{
    if (choice == m_choice)
        return;
    m_choice = choice;
    QSettings().setValue(settingsKey, static_cast<int>(choice));
    apply();
}

/// Qt 6.4 does not tell whether the system is dark, but its palette does: a default-made palette puts it
/// back.
static bool systemIsDark()
{
    QApplication::setPalette(QPalette());
    return Colours::isDark(QGuiApplication::palette());
}

void Theme::apply()
{
    const bool dark = m_choice == Choice::System ? systemIsDark() : m_choice == Choice::Dark;
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ThemeChange && m_choice == Choice::System)
        apply();
    return QObject::eventFilter(watched, event);
}

} // namespace proctor
