// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/runpage.h"

#include "models/run/rowfilter.h"
#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "widgets/parts/actionbutton.h"
#include "widgets/parts/emptystate.h"
#include "widgets/parts/fonts.h"
#include "widgets/run/attempttable.h"
#include "widgets/run/logpane.h"
#include "widgets/run/runheader.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/measure.h"

#include <QAction>
#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>

namespace proctor
{

using Activity = RunStatus::Activity;

static constexpr int clockMs = 1000;
static constexpr int mostAtATime = 64;
static const char *const splitterKey = "run/splitter";

static bool isActive(Activity activity)
{
    return activity == Activity::Running || activity == Activity::Pausing || activity == Activity::Stopping;
}

RunPage::RunPage(RunRequests *requests, RunModel *model, QWidget *parent)
    : Page(parent)
    , m_requests(requests)
    , m_model(model)
    , m_filter(new RowFilter(this))
    , m_header(new RunHeader)
    , m_middle(new QStackedWidget)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_table(new AttemptTable)
    , m_nothingOpen(new EmptyState)
    , m_nothingFound(new EmptyState)
    , m_demo(new QPushButton)
    , m_clearFilter(new QPushButton)
    , m_log(new LogPane)
{
    setObjectName(QStringLiteral("runPage"));
    createActions();
    createRetryMenu();
    createTable(model);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(measure::edge, 0, measure::edge, measure::group);
    layout->setSpacing(measure::related);
    layout->addWidget(m_header);
    layout->addWidget(createControls());
    layout->addSpacing(measure::inside);
    layout->addWidget(m_splitter, 1);

    connectModel();
    m_clock.setInterval(clockMs);
    connect(&m_clock, &QTimer::timeout, this, [this] { m_model->tick(); });
    setFocusProxy(m_table);
    retranslate();
    setStatus({});
    onRowsChanged();
}

RunPage::~RunPage()
{
    QSettings().setValue(QLatin1String(splitterKey), m_splitter->saveState());
    m_table->rememberColumns();
}

QString RunPage::title() const
{
    return tr("Run");
}

QAction *RunPage::addAction(const char *name, const char *icon, const QKeySequence &shortcut,
                            void (RunPage::*does)())
{
    auto *action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    if (icon)
        action->setIcon(themedIcon(QLatin1String(icon)));
    action->setShortcut(shortcut);
    if (does)
        connect(action, &QAction::triggered, this, does);
    return action;
}

void RunPage::createActions()
{
    m_start = addAction("start", "start", Qt::Key_F5, nullptr);
    connect(m_start, &QAction::triggered, m_requests, &RunRequests::startRequested);
    m_pause = addAction("pause", "pause", Qt::Key_F6, &RunPage::pauseOrResume);
    m_stop = addAction("stop", "stop", Qt::SHIFT | Qt::Key_F5, nullptr);
    connect(m_stop, &QAction::triggered, m_requests, &RunRequests::stopRequested);
    m_find = addAction("find", "search", QKeySequence::Find, &RunPage::focusFilter);
    m_stopAttempt = addAction("stopAttempt", "stop", Qt::CTRL | Qt::Key_Period, &RunPage::stopSelected);
    m_copy = addAction("copyRows", "copy", QKeySequence::Copy, &RunPage::copyRows);
    m_openFolder = addAction("openFolder", "folder", {}, &RunPage::openFolder);
    // In a log, Ctrl+C copies what is selected there.
    m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_table->addAction(m_copy);
}

void RunPage::createRetryMenu()
{
    m_retryMenu = new QMenu(this);
    m_retryMenu->setObjectName(QStringLiteral("retryMenu"));
    const auto add = [this](const char *name, const QStringList &faults) {
        QAction *action = m_retryMenu->addAction(QString());
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this,
                [this, faults] { emit m_requests->retryFailedRequested(faults); });
        return action;
    };
    const QString agent = QStringLiteral("agent");
    const QString harness = QStringLiteral("harness");
    m_retryAll = add("retryAll", {agent, harness, QStringLiteral("lost"), QStringLiteral("cancelled")});
    m_retryAgent = add("retryAgent", {agent});
    m_retryHarness = add("retryHarness", {harness});
}

QWidget *RunPage::createControls()
{
    auto *start = new ActionButton(m_start);
    start->setProperty("primary", true);
    m_retry = new QPushButton(themedIcon(QStringLiteral("retry")), {});
    m_retry->setObjectName(QStringLiteral("retryButton"));
    m_retry->setMenu(m_retryMenu);

    m_concurrency = new QSpinBox;
    m_concurrency->setObjectName(QStringLiteral("concurrency"));
    m_concurrency->setRange(1, mostAtATime);
    m_concurrency->setKeyboardTracking(false);
    connect(m_concurrency, &QSpinBox::valueChanged, m_requests, &RunRequests::concurrencyRequested);
    m_concurrencyLabel = new QLabel;
    m_concurrencyLabel->setBuddy(m_concurrency);

    m_text = new QLineEdit;
    m_text->setObjectName(QStringLiteral("filter"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_text->setMaximumWidth(280);
    connect(m_text, &QLineEdit::textChanged, m_filter,
            [this](const QString &text) { m_filter->setText(text.trimmed()); });

    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(measure::related);
    layout->addWidget(start);
    layout->addWidget(new ActionButton(m_pause));
    layout->addWidget(new ActionButton(m_stop));
    layout->addWidget(m_retry);
    layout->addSpacing(measure::related);
    layout->addWidget(m_concurrencyLabel);
    layout->addWidget(m_concurrency);
    layout->addStretch(1);
    layout->addWidget(m_text, 2);
    return row;
}

void RunPage::createTable(RunModel *model)
{
    m_table->setObjectName(QStringLiteral("attempts"));
    m_filter->setSource(model, [model] { return model->snapshot(); });
    m_table->setModel(m_filter);
    m_demo->setObjectName(QStringLiteral("emptyDemo"));
    m_demo->setIcon(themedIcon(QStringLiteral("flask")));
    connect(m_demo, &QPushButton::clicked, m_requests, &RunRequests::demoRequested);
    m_nothingOpen->addButton(m_demo);
    m_clearFilter->setObjectName(QStringLiteral("clearFilter"));
    connect(m_clearFilter, &QPushButton::clicked, this, [this] { m_text->clear(); });
    m_nothingFound->addButton(m_clearFilter);

    m_middle->addWidget(m_table);
    m_middle->addWidget(m_nothingOpen);
    m_middle->addWidget(m_nothingFound);
    m_splitter->addWidget(m_middle);
    m_splitter->addWidget(m_log);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setSizes({3000, 2000});
    m_splitter->restoreState(QSettings().value(QLatin1String(splitterKey)).toByteArray());
}

void RunPage::connectModel()
{
    connect(m_table, &QWidget::customContextMenuRequested, this, &RunPage::offerAttemptMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RunPage::onSelectionChanged);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunPage::onSelectionChanged);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_filter, signal, this, &RunPage::onRowsChanged);
    connect(m_filter, &QAbstractItemModel::layoutChanged, this, &RunPage::onRowsChanged);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &RunPage::onRowsChanged);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RunPage::forgetSelected);
    connect(m_model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex &first, const QModelIndex &last) {
                const int row = m_selected ? m_model->rowOf(*m_selected) : -1;
                if (row >= first.row() && row <= last.row())
                    refreshSelected();
            });
}

void RunPage::pauseOrResume()
{
    if (m_status.activity == Activity::Running)
        emit m_requests->pauseRequested();
    else
        emit m_requests->resumeRequested();
}

void RunPage::focusFilter()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void RunPage::copyRows()
{
    const QString text = m_table->selectionAsText();
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

void RunPage::stopSelected()
{
    if (m_selected)
        emit m_requests->stopAttemptRequested(*m_selected);
}

void RunPage::openFolder()
{
    if (m_selected)
        emit m_requests->openFolderRequested(*m_selected);
}

void RunPage::onSelectionChanged()
{
    updateActions();
    // A table that gets the focus has a current row, but the user has chosen none yet.
    const QModelIndex current = m_table->currentIndex();
    const QModelIndex row = m_filter->mapToSource(current);
    if (!row.isValid() || !m_table->selectionModel()->isSelected(current))
        return;
    const Slot slot = m_model->update(row.row()).slot;
    if (m_selected == slot)
        return;
    m_selected = slot;
    m_log->clearLogs();
    refreshSelected();
    emit m_requests->logRequested(slot);
}

void RunPage::onRowsChanged()
{
    if (m_model->rowCount() == 0)
        m_middle->setCurrentWidget(m_nothingOpen);
    else if (m_filter->rowCount() == 0 && !m_filter->isBusy())
        m_middle->setCurrentWidget(m_nothingFound);
    else
        m_middle->setCurrentWidget(m_table);
    m_log->setVisible(m_model->rowCount() > 0);
    m_nothingFound->setWords(tr("Nothing matches “%1”").arg(m_filter->text()),
                             tr("The filter looks at instance, domain and state."));
}

void RunPage::refreshSelected()
{
    const int row = m_selected ? m_model->rowOf(*m_selected) : -1;
    if (row >= 0)
        m_log->showAttempt(m_model->update(row), m_model->now());
    updateActions();
}

void RunPage::forgetSelected()
{
    if (!m_selected)
        return;
    m_selected.reset();
    m_log->showNothing();
    updateActions();
    emit m_requests->logRequested({});
}

void RunPage::offerAttemptMenu(const QPoint &place)
{
    QMenu menu;
    menu.addActions({m_stopAttempt, m_copy, m_openFolder});
    menu.exec(m_table->viewport()->mapToGlobal(place));
}

void RunPage::setLog(const Slot &slot, LogKind kind, const QString &text)
{
    if (m_selected == slot)
        m_log->setLog(kind, text);
}

void RunPage::appendLog(const Slot &slot, LogKind kind, const QString &text)
{
    if (m_selected == slot)
        m_log->appendLog(kind, text);
}

void RunPage::setStatus(const RunStatus &status)
{
    const bool otherSubject = status.title != m_status.title;
    m_status = status;
    if (isActive(status.activity) && !m_clock.isActive())
        m_clock.start();
    else if (!isActive(status.activity))
        m_clock.stop();
    // Not while the user is typing a number there.
    if (!m_concurrency->hasFocus()) {
        const QSignalBlocker quiet(m_concurrency);
        m_concurrency->setValue(status.concurrency);
    }
    m_header->setStatus(status);
    updateActions();
    if (otherSubject)
        emit subjectChanged();
}

void RunPage::updateActions()
{
    const Activity activity = m_status.activity;
    const bool active = isActive(activity);
    const bool resumes = activity == Activity::Paused || activity == Activity::Pausing;
    m_start->setEnabled(m_status.total > 0 && (activity == Activity::Idle || activity == Activity::Finished));
    m_pause->setEnabled(activity == Activity::Running || resumes);
    m_pause->setIcon(themedIcon(resumes ? QStringLiteral("start") : QStringLiteral("pause")));
    m_pause->setText(resumes ? tr("&Resume") : tr("&Pause"));
    m_pause->setStatusTip(resumes ? tr("Start new attempts again")
                                  : tr("Start no new attempt and let running ones end"));
    m_stop->setEnabled(activity == Activity::Running || resumes);
    m_retryAgent->setEnabled(m_status.agentFailed > 0);
    m_retryHarness->setEnabled(m_status.harnessFailed > 0);
    m_retryAll->setEnabled(m_status.agentFailed + m_status.harnessFailed > 0);
    m_retryMenu->menuAction()->setEnabled(!active && m_retryAll->isEnabled());
    m_retry->setEnabled(m_retryMenu->menuAction()->isEnabled());

    const int row = m_selected ? m_model->rowOf(*m_selected) : -1;
    m_stopAttempt->setEnabled(row >= 0 && m_model->update(row).phase && active);
    m_openFolder->setEnabled(row >= 0 && m_model->update(row).attempt > 0);
    m_copy->setEnabled(m_table->selectionModel()->hasSelection());
}

void RunPage::setRemarks(const QStringList &remarks)
{
    m_header->setRemarks(remarks);
}

QList<QAction *> RunPage::menuActions() const
{
    return {m_start, m_pause, m_stop, m_retryMenu->menuAction(), nullptr, m_stopAttempt, m_openFolder,
            nullptr, m_copy,  m_find};
}

void RunPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    Page::changeEvent(event);
}

void RunPage::retranslateActions()
{
    m_start->setText(tr("&Start"));
    m_start->setStatusTip(tr("Run what has not been run"));
    m_stop->setText(tr("S&top"));
    m_stop->setStatusTip(tr("End what is running; it can be started again later"));
    m_find->setText(tr("&Filter attempts"));
    m_find->setStatusTip(tr("Go to the filter"));
    m_stopAttempt->setText(tr("Stop this &attempt"));
    m_stopAttempt->setStatusTip(tr("End the selected attempt and let the others go on"));
    m_copy->setText(tr("&Copy rows"));
    m_copy->setStatusTip(tr("Copy the selected rows as a table"));
    m_openFolder->setText(tr("&Open folder"));
    m_openFolder->setStatusTip(tr("Show the files of the selected attempt"));
    m_retryMenu->setTitle(tr("&Retry failed"));
    m_retryAll->setText(tr("&All without a reward"));
    m_retryAgent->setText(tr("Failures of the a&gent"));
    m_retryHarness->setText(tr("Failures of the &harness"));
}

void RunPage::retranslate()
{
    retranslateActions();
    m_retry->setText(tr("Retry failed"));
    m_retry->setAccessibleName(tr("Retry failed"));
    m_retry->setToolTip(tr("Run attempts again that ended without a reward"));
    m_concurrencyLabel->setText(tr("At a ti&me"));
    m_concurrency->setAccessibleName(tr("Attempts at a time"));
    m_concurrency->setToolTip(tr("How many attempts run side by side; may be changed during a run"));
    m_text->setPlaceholderText(tr("Filter attempts"));
    m_text->setAccessibleName(tr("Filter attempts"));
    m_table->setAccessibleName(tr("Attempts"));
    m_table->horizontalHeader()->setAccessibleName(tr("Columns of the attempts"));
    m_nothingOpen->setWords(tr("Nothing to run yet"),
                            tr("Open a configuration (Ctrl+O), drop one here, or try the demo exam."));
    m_demo->setText(tr("Try the demo exam"));
    m_demo->setAccessibleName(m_demo->text());
    m_clearFilter->setText(tr("Clear the filter"));
    m_clearFilter->setAccessibleName(m_clearFilter->text());
    onRowsChanged();
    refreshSelected();
}

} // namespace proctor
