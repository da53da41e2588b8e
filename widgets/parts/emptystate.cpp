// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/emptystate.h"

#include "widgets/parts/fonts.h"
#include "widgets/theme/measure.h"

#include <QBoxLayout>
#include <QLabel>

namespace proctor
{

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_advice(new QLabel)
    , m_buttons(new QHBoxLayout)
{
    m_title->setFont(scaled(font(), measure::sectionScale, true));
    m_title->setAlignment(Qt::AlignCenter);
    m_advice->setAlignment(Qt::AlignCenter);
    m_advice->setWordWrap(true);
    m_advice->setForegroundRole(QPalette::PlaceholderText);
    m_buttons->setSpacing(measure::related);
    m_buttons->addStretch();
    m_buttons->addStretch();

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(measure::related);
    layout->addStretch();
    layout->addWidget(m_title);
    layout->addWidget(m_advice);
    layout->addSpacing(measure::related);
    layout->addLayout(m_buttons);
    layout->addStretch();
}

void EmptyState::setWords(const QString &title, const QString &advice)
{
    m_title->setText(title);
    m_advice->setText(advice);
    setAccessibleName(title);
    setAccessibleDescription(advice);
}

void EmptyState::addButton(QWidget *button)
{
    m_buttons->insertWidget(m_buttons->count() - 1, button);
}

} // namespace proctor
