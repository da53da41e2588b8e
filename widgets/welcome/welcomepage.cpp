// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/welcomepage.h"

#include "widgets/parts/fonts.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/measure.h"
#include "widgets/welcome/door.h"

#include <QBoxLayout>
#include <QEvent>
#include <QIcon>
#include <QLabel>

namespace proctor
{

static constexpr int logoSide = 56;
static constexpr int widest = 560;

WelcomePage::WelcomePage(QWidget *parent)
    : Page(parent)
    , m_logo(new QLabel)
    , m_heading(new QLabel)
    , m_sentence(new QLabel)
    , m_demo(new Door(themedIcon(QStringLiteral("flask"))))
    , m_configuration(new Door(themedIcon(QStringLiteral("document"))))
    , m_results(new Door(themedIcon(QStringLiteral("folder"))))
    , m_hint(new QLabel)
{
    setObjectName(QStringLiteral("welcomePage"));
    m_demo->setObjectName(QStringLiteral("demoDoor"));
    m_configuration->setObjectName(QStringLiteral("configurationDoor"));
    m_results->setObjectName(QStringLiteral("resultsDoor"));
    m_logo->setPixmap(QIcon(QStringLiteral(":/icons/proctor.svg")).pixmap(logoSide));
    m_heading->setFont(scaled(font(), measure::titleScale, true));
    m_sentence->setWordWrap(true);
    m_sentence->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setWordWrap(true);
    connect(m_demo, &Door::clicked, this, &WelcomePage::demoChosen);
    connect(m_configuration, &Door::clicked, this, &WelcomePage::configurationChosen);
    connect(m_results, &Door::clicked, this, &WelcomePage::resultsChosen);

    auto *words = new QVBoxLayout;
    words->setSpacing(measure::inside);
    words->addWidget(m_heading);
    words->addWidget(m_sentence);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(measure::group);
    heading->addWidget(m_logo, 0, Qt::AlignTop);
    heading->addLayout(words, 1);

    auto *column = new QWidget;
    column->setMaximumWidth(widest);
    auto *inner = new QVBoxLayout(column);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(measure::related);
    inner->addLayout(heading);
    inner->addSpacing(measure::group);
    for (Door *door : {m_demo, m_configuration, m_results})
        inner->addWidget(door);
    inner->addSpacing(measure::related);
    inner->addWidget(m_hint);

    auto *centre = new QHBoxLayout;
    centre->addStretch(1);
    centre->addWidget(column, 10);
    centre->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(measure::edge, measure::edge, measure::edge, measure::edge);
    layout->addStretch(2);
    layout->addLayout(centre);
    layout->addStretch(3);
    setFocusProxy(m_demo);
    retranslate();
}

QString WelcomePage::title() const
{
    return tr("Home");
}

void WelcomePage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    Page::changeEvent(event);
}

void WelcomePage::retranslate()
{
    m_logo->setAccessibleName(tr("Proctor"));
    m_heading->setText(tr("Proctor"));
    m_sentence->setText(
        tr("Sets an exam for an agent, watches it at work in a sandbox, marks it and shows the result."));
    m_demo->setWords(tr("Try the demo exam"),
                     tr("Twelve small tasks and two agents. No network, no key, half a minute."));
    m_configuration->setWords(tr("Open a configuration"),
                              tr("A YAML file that says which exam, which agent and how."));
    m_results->setWords(tr("Open results"),
                        tr("The folder of an earlier run, to look at it or to go on with it."));
    m_hint->setText(tr("A file or a folder can also be dropped anywhere in this window."));
}

} // namespace proctor
