// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTranslator>

namespace proctor
{

/// The language of the window: the system's, or the one the user wants. Remembered in the user's settings.
/// Changing it sends LanguageChange to every widget.
class Language : public QObject
{
    Q_OBJECT

public:
    enum class Choice { System, English, Chinese };

    /// Installs the translations. One for the whole program.
    explicit Language(QObject *parent = nullptr);

    Choice choice() const { return m_choice; }
    void choose(Choice choice);

private:
    void apply();

    Choice m_choice = Choice::System;
    QTranslator m_ours;
    QTranslator m_qts;
};

} // namespace proctor
