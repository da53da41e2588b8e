// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>

namespace proctor
{

static const QString settingsKey = QStringLiteral("window/language");

Language::Language(QObject *parent)
    : QObject(parent)
{
    const int saved = QSettings().value(settingsKey, 0).toInt();
    if (saved >= 0 && saved <= static_cast<int>(Choice::Chinese))
        m_choice = static_cast<Choice>(saved);
    apply();
}

void Language::choose(Choice choice)
{
    if (choice == m_choice)
        return;
    m_choice = choice;
    QSettings().setValue(settingsKey, static_cast<int>(choice));
    apply();
}

void Language::apply()
{
    QCoreApplication::removeTranslator(&m_ours);
    QCoreApplication::removeTranslator(&m_qts);
    const bool chinese = m_choice == Choice::System ? QLocale::system().language() == QLocale::Chinese
                                                    : m_choice == Choice::Chinese;
    if (!chinese)
        return;
    // Qt's own dialogs first, so that ours are asked before them.
    if (m_qts.load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qts);
    if (m_ours.load(QStringLiteral(":/i18n/proctor_zh_CN.qm")))
        QCoreApplication::installTranslator(&m_ours);
}

} // namespace proctor
