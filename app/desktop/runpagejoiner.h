// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

#include <QObject>

namespace proctor
{

class Engine;
class MainWindow;
class RunModel;
class RunRequests;

/// Joins what the Run page asks for to the engine, and what the engine tells to the page. Lives on the GUI
/// thread; everything given to it outlives it.
class RunPageJoiner : public QObject
{
    Q_OBJECT

public:
    RunPageJoiner(Engine *engine, RunRequests *requests, RunModel *model, MainWindow *window,
                  QObject *parent = nullptr);

    /// Ends what runs and then closes the window, without asking.
    void closeWindow();

signals:
    void stopRequested();

private:
    void passOnRequests(RunRequests *requests);
    void showWhatHappens();
    void showOpened(const QList<AttemptUpdate> &updates);
    void setStatus(const RunStatus &status);
    void tellLeftovers(const QStringList &lines);

    Engine *m_engine;
    RunModel *m_model;
    MainWindow *m_window;
    RunStatus::Activity m_activity = RunStatus::Activity::Idle;
    bool m_isClosing = false;
};

} // namespace proctor
