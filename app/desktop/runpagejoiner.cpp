// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runpagejoiner.h"

#include "app/desktop/engine.h"
#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "widgets/mainwindow/mainwindow.h"
#include "widgets/run/runpage.h"

#include <QDesktopServices>
#include <QMessageBox>
#include <QUrl>

namespace proctor
{

RunPageJoiner::RunPageJoiner(Engine *engine, RunRequests *requests, RunModel *model, MainWindow *window,
                             QObject *parent)
    : QObject(parent)
    , m_engine(engine)
    , m_model(model)
    , m_window(window)
{
    passOnRequests(requests);
    showWhatHappens();
    connect(window, &MainWindow::closeRequested, this, &RunPageJoiner::closeWindow);
    connect(this, &RunPageJoiner::stopRequested, engine, &Engine::stop);
}

void RunPageJoiner::passOnRequests(RunRequests *requests)
{
    connect(requests, &RunRequests::openRequested, m_engine, &Engine::open);
    connect(requests, &RunRequests::demoRequested, m_engine, &Engine::openDemo);
    connect(requests, &RunRequests::startRequested, m_engine, &Engine::start);
    connect(requests, &RunRequests::pauseRequested, m_engine, &Engine::pause);
    connect(requests, &RunRequests::resumeRequested, m_engine, &Engine::resume);
    connect(requests, &RunRequests::stopRequested, m_engine, &Engine::stop);
    connect(requests, &RunRequests::stopAttemptRequested, m_engine, &Engine::stopAttempt);
    connect(requests, &RunRequests::retryFailedRequested, m_engine, &Engine::retryFailed);
    connect(requests, &RunRequests::concurrencyRequested, m_engine, &Engine::setConcurrency);
    connect(requests, &RunRequests::logRequested, m_engine, &Engine::watchLog);
    connect(requests, &RunRequests::openFolderRequested, m_engine, &Engine::findFolder);
}

void RunPageJoiner::showWhatHappens()
{
    connect(m_engine, &Engine::opened, this, &RunPageJoiner::showOpened);
    connect(m_engine, &Engine::updated, m_model, &RunModel::apply);
    connect(m_engine, &Engine::statusChanged, this, &RunPageJoiner::setStatus);
    connect(m_engine, &Engine::logLoaded, m_window->runPage(), &RunPage::setLog);
    connect(m_engine, &Engine::logAppended, m_window->runPage(), &RunPage::appendLog);
    connect(m_engine, &Engine::remarksChanged, m_window->runPage(), &RunPage::setRemarks);
    connect(m_engine, &Engine::leftoversRemoved, this, &RunPageJoiner::tellLeftovers);
    connect(m_engine, &Engine::folderFound, this,
            [](const QString &folder) { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
}

void RunPageJoiner::showOpened(const QList<AttemptUpdate> &updates)
{
    m_model->clear();
    m_model->apply(updates);
    m_window->showRun();
}

void RunPageJoiner::setStatus(const RunStatus &status)
{
    m_activity = status.activity;
    m_window->setStatus(status);
    const bool isOver =
        m_activity == RunStatus::Activity::Finished || m_activity == RunStatus::Activity::Idle;
    if (m_isClosing && isOver)
        m_window->closeNow();
}

void RunPageJoiner::closeWindow()
{
    const bool isOver =
        m_activity == RunStatus::Activity::Finished || m_activity == RunStatus::Activity::Idle;
    if (isOver)
        return m_window->closeNow();
    m_isClosing = true;
    emit stopRequested();
}

void RunPageJoiner::tellLeftovers(const QStringList &lines)
{
    auto *box = new QMessageBox(QMessageBox::Information, tr("Cleaned up"),
                                tr("An earlier Proctor ended unexpectedly. What it had left was removed."),
                                QMessageBox::Ok, m_window);
    box->setObjectName(QStringLiteral("leftovers"));
    box->setDetailedText(lines.join(u'\n'));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace proctor
