// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mainwindow/mainwindow.h"

#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "widgets/mainwindow/railbutton.h"
#include "widgets/mainwindow/statusline.h"
#include "widgets/parts/fonts.h"
#include "widgets/run/runpage.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/language.h"
#include "widgets/theme/measure.h"
#include "widgets/theme/theme.h"
#include "widgets/welcome/welcomepage.h"

#include <QAction>
#include <QActionGroup>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>

namespace proctor
{

static const char *const geometryKey = "window/geometry";

MainWindow::MainWindow(RunRequests *requests, RunModel *model, Theme *theme, Language *language,
                       QWidget *parent)
    : QMainWindow(parent)
    , m_requests(requests)
    , m_model(model)
    , m_theme(theme)
    , m_language(language)
    , m_welcome(new WelcomePage)
    , m_run(new RunPage(requests, model))
    , m_statusLine(new StatusLine)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/proctor.svg")));
    setAcceptDrops(true);
    setCentralWidget(createCentre());
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_statusLine, 1);
    createActions();
    addPage(m_welcome, "home", Qt::CTRL | Qt::Key_0);
    // The numbers are those of the pages' order in the whole window: 1 Setup, 2 Tasks, 3 Run, 4 Results, …
    addPage(m_run, "run", Qt::CTRL | Qt::Key_3);
    m_railLayout->addStretch(1);
    createMenus();

    connect(m_welcome, &WelcomePage::demoChosen, m_demo, &QAction::trigger);
    connect(m_welcome, &WelcomePage::configurationChosen, this, &MainWindow::askConfiguration);
    connect(m_welcome, &WelcomePage::resultsChosen, this, &MainWindow::askResults);
    connect(m_requests, &RunRequests::openRequested, this, &MainWindow::showRun);
    connect(m_requests, &RunRequests::demoRequested, this, &MainWindow::showRun);
    connect(m_run, &Page::subjectChanged, this, &MainWindow::updateTitle);

    retranslate();
    showPage(m_welcome);
    resize(1200, 800);
    restoreGeometry(QSettings().value(QLatin1String(geometryKey)).toByteArray());
}

MainWindow::~MainWindow() = default;

QWidget *MainWindow::createCentre()
{
    m_rail = new QWidget;
    m_rail->setObjectName(QStringLiteral("rail"));
    m_rail->setBackgroundRole(QPalette::Base);
    m_rail->setAutoFillBackground(true);
    m_railLayout = new QVBoxLayout(m_rail);
    m_railLayout->setContentsMargins(measure::inside, measure::related, measure::inside, measure::related);
    m_railLayout->setSpacing(measure::inside);
    m_pageActions = new QActionGroup(this);

    m_title = new QLabel;
    m_title->setObjectName(QStringLiteral("pageTitle"));
    m_title->setFont(scaled(font(), measure::titleScale, true));
    m_subject = new QLabel;
    m_subject->setObjectName(QStringLiteral("pageSubject"));
    m_subject->setTextFormat(Qt::PlainText);
    m_subject->setForegroundRole(QPalette::PlaceholderText);
    m_subject->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *heading = new QHBoxLayout;
    heading->setContentsMargins(measure::edge, measure::group, measure::edge, measure::related);
    heading->setSpacing(measure::group);
    heading->addWidget(m_title, 0, Qt::AlignBaseline);
    heading->addWidget(m_subject, 1, Qt::AlignBaseline);

    m_stack = new QStackedWidget;
    m_stack->setObjectName(QStringLiteral("pages"));
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addLayout(heading);
    right->addWidget(m_stack, 1);

    auto *border = new QFrame;
    border->setFrameShape(QFrame::VLine);
    border->setFrameShadow(QFrame::Plain);
    border->setForegroundRole(QPalette::Mid);
    border->setFixedWidth(1);
    auto *centre = new QWidget;
    auto *layout = new QHBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_rail);
    layout->addWidget(border);
    layout->addLayout(right, 1);
    return centre;
}

void MainWindow::addPage(Page *page, const char *icon, const QKeySequence &shortcut)
{
    auto *action = new QAction(themedIcon(QLatin1String(icon)), {}, this);
    action->setObjectName(page->objectName() + QStringLiteral("Action"));
    action->setCheckable(true);
    action->setShortcut(shortcut);
    m_pageActions->addAction(action);
    connect(action, &QAction::triggered, this, [this, page] { showPage(page); });
    m_railLayout->addWidget(new RailButton(action));
    m_stack->addWidget(page);
    m_pages.append({page, action});
}

void MainWindow::showPage(Page *page)
{
    m_stack->setCurrentWidget(page);
    for (const Entry &entry : std::as_const(m_pages))
        entry.action->setChecked(entry.page == page);
    page->setFocus(Qt::OtherFocusReason);
    updateTitle();
}

void MainWindow::showRun()
{
    showPage(m_run);
}

void MainWindow::createActions()
{
    const auto add = [this](const char *name, const char *icon, const QKeySequence &shortcut) {
        auto *action = new QAction(this);
        action->setObjectName(QLatin1String(name));
        if (icon)
            action->setIcon(themedIcon(QLatin1String(icon)));
        action->setShortcut(shortcut);
        return action;
    };
    m_openConfiguration = add("openConfiguration", "document", QKeySequence::Open);
    connect(m_openConfiguration, &QAction::triggered, this, &MainWindow::askConfiguration);
    m_openResults = add("openResults", "folder", Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    connect(m_openResults, &QAction::triggered, this, &MainWindow::askResults);
    m_demo = add("demo", "flask", {});
    connect(m_demo, &QAction::triggered, m_requests, &RunRequests::demoRequested);
    m_quit = add("quit", nullptr, QKeySequence::Quit);
    m_quit->setMenuRole(QAction::QuitRole);
    connect(m_quit, &QAction::triggered, this, &QWidget::close);
    m_about = add("about", nullptr, {});
    m_about->setMenuRole(QAction::AboutRole);
    connect(m_about, &QAction::triggered, this, &MainWindow::showAbout);
}

/// One checked action for each of the three values of Chooser::Choice.
template<typename Chooser>
QMenu *MainWindow::createChoices(Chooser *chooser, const char *name, QList<QAction *> &actions)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(QLatin1String(name));
    auto *group = new QActionGroup(menu);
    for (int i = 0; i < 3; ++i) {
        QAction *action = menu->addAction(QString());
        action->setObjectName(QLatin1String(name) + QString::number(i));
        action->setCheckable(true);
        action->setChecked(static_cast<int>(chooser->choice()) == i);
        group->addAction(action);
        actions << action;
        connect(action, &QAction::triggered, chooser,
                [chooser, i] { chooser->choose(static_cast<typename Chooser::Choice>(i)); });
    }
    return menu;
}

void MainWindow::createMenus()
{
    m_fileMenu = menuBar()->addMenu(QString());
    m_fileMenu->addActions({m_openConfiguration, m_openResults, m_demo});
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(m_quit);
    m_runMenu = menuBar()->addMenu(QString());
    for (QAction *action : m_run->menuActions()) {
        if (action)
            m_runMenu->addAction(action);
        else
            m_runMenu->addSeparator();
    }
    m_viewMenu = menuBar()->addMenu(QString());
    for (const Entry &entry : std::as_const(m_pages))
        m_viewMenu->addAction(entry.action);
    m_viewMenu->addSeparator();
    m_themeMenu = createChoices(m_theme, "theme", m_themeActions);
    m_languageMenu = createChoices(m_language, "language", m_languageActions);
    m_viewMenu->addMenu(m_themeMenu);
    m_viewMenu->addMenu(m_languageMenu);
    m_helpMenu = menuBar()->addMenu(QString());
    m_helpMenu->addAction(m_about);
}

void MainWindow::askConfiguration()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a configuration"), {},
                                                      tr("Configurations (*.yaml *.yml);;All files (*)"));
    if (!path.isEmpty())
        emit m_requests->openRequested(path);
}

void MainWindow::askResults()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open results"));
    if (!path.isEmpty())
        emit m_requests->openRequested(path);
}

void MainWindow::showAbout()
{
    QMessageBox::about(
        this, tr("About Proctor"),
        tr("Proctor %1\n\nSets exams for agents, runs them in a sandbox, marks them and shows the "
           "result.\n\nFree software under the GNU General Public License, version 3 or later.")
            .arg(QCoreApplication::applicationVersion()));
}

void MainWindow::setStatus(const RunStatus &status)
{
    m_status = status;
    m_run->setStatus(status);
    m_statusLine->setStatus(status);
}

bool MainWindow::isBusy() const
{
    using Activity = RunStatus::Activity;
    return m_status.running > 0 || m_status.activity == Activity::Running ||
           m_status.activity == Activity::Pausing || m_status.activity == Activity::Stopping;
}

void MainWindow::closeNow()
{
    m_isCloseAgreed = true;
    close();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (isBusy() && !m_isCloseAgreed) {
        event->ignore();
        askWhetherToStop();
        return;
    }
    QSettings().setValue(QLatin1String(geometryKey), saveGeometry());
    event->accept();
}

void MainWindow::askWhetherToStop()
{
    if (findChild<QMessageBox *>(QStringLiteral("closeQuestion")))
        return;
    auto *question = new QMessageBox(QMessageBox::Question, tr("Close Proctor"), tr("A run is going on."),
                                     QMessageBox::NoButton, this);
    question->setObjectName(QStringLiteral("closeQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(
        tr("Attempts that are running will be stopped. What is done is kept, and the rest can "
           "be started again later."));
    QPushButton *stop = question->addButton(tr("Stop and close"), QMessageBox::AcceptRole);
    QPushButton *keep = question->addButton(tr("Keep running"), QMessageBox::RejectRole);
    stop->setAccessibleName(stop->text());
    keep->setAccessibleName(keep->text());
    question->setDefaultButton(keep);
    question->setEscapeButton(keep);
    connect(stop, &QPushButton::clicked, this, [this] {
        m_isCloseAgreed = true;
        emit closeRequested();
    });
    question->open();
}

static QString droppedPath(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 ? urls.first().toLocalFile() : QString();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedPath(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = droppedPath(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    emit m_requests->openRequested(path);
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_model->retranslate();
        retranslate();
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::updateTitle()
{
    const auto *page = qobject_cast<const Page *>(m_stack->currentWidget());
    const QString subject = page->subject();
    m_title->setText(page->title());
    m_subject->setText(subject);
    m_subject->setToolTip(subject);
    setWindowTitle(subject.isEmpty() ? tr("Proctor") : tr("%1 – Proctor").arg(subject));
}

void MainWindow::retranslate()
{
    m_fileMenu->setTitle(tr("&File"));
    m_runMenu->setTitle(tr("&Run"));
    m_viewMenu->setTitle(tr("&View"));
    m_helpMenu->setTitle(tr("&Help"));
    m_openConfiguration->setText(tr("&Open a configuration…"));
    m_openResults->setText(tr("Open &results…"));
    m_demo->setText(tr("Try the &demo exam"));
    m_quit->setText(tr("&Quit"));
    m_about->setText(tr("&About Proctor"));
    m_themeMenu->setTitle(tr("&Theme"));
    m_themeActions[0]->setText(tr("As the &system"));
    m_themeActions[1]->setText(tr("&Light"));
    m_themeActions[2]->setText(tr("&Dark"));
    m_languageMenu->setTitle(tr("&Language"));
    m_languageActions[0]->setText(tr("As the &system"));
    // A language is named in itself, so that it is found by those who read no other.
    m_languageActions[1]->setText(QStringLiteral("English"));
    m_languageActions[2]->setText(QStringLiteral("简体中文"));
    for (const Entry &entry : std::as_const(m_pages)) {
        entry.action->setText(entry.page->title());
        entry.action->setToolTip(tr("%1 (%2)").arg(
            entry.page->title(), entry.action->shortcut().toString(QKeySequence::NativeText)));
    }
    for (RailButton *button : m_rail->findChildren<RailButton *>()) {
        button->setAccessibleName(button->defaultAction()->text());
        button->updateGeometry();
    }
    m_rail->setAccessibleName(tr("Pages"));
    m_title->setAccessibleName(tr("Page"));
    m_subject->setAccessibleName(tr("Subject of the page"));
    menuBar()->setAccessibleName(tr("Menus"));
    updateTitle();
}

} // namespace proctor
