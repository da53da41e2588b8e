// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace proctor
{

/// Light or dark: as the system has it, or as the user wants it. Remembered in the user's settings.
class Theme : public QObject
{
    Q_OBJECT

public:
    enum class Choice { System, Light, Dark };

    /// Gives the application its style and palette. One for the whole program.
    explicit Theme(QObject *parent = nullptr);

    Choice choice() const { return m_choice; }
    void choose(Choice choice);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void apply();

    Choice m_choice = Choice::System;
};

} // namespace proctor
