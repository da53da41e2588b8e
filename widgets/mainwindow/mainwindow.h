// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

#include <QMainWindow>

class QActionGroup;
class QBoxLayout;
class QLabel;
class QStackedWidget;

namespace proctor
{

class Language;
class Page;
class RunModel;
class RunPage;
class RunRequests;
class StatusLine;
class Theme;
class WelcomePage;

/// The one window: a rail of pages at the left, one page at a time, the run in a line at the bottom. It asks
/// through `requests`; everything given to it outlives it.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(RunRequests *requests, RunModel *model, Theme *theme, Language *language,
               QWidget *parent = nullptr);
    ~MainWindow() override;

    RunPage *runPage() const { return m_run; }
    void setStatus(const RunStatus &status);
    void showRun();
    /// Closes without asking: to be called when what was running has ended.
    void closeNow();

signals:
    /// The user wants to close and has agreed to end what is running: stop it, then call closeNow(). When the
    /// user closes once more the window is gone at once.
    void closeRequested();

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    struct Entry {
        Page *page;
        QAction *action;
    };

    QWidget *createCentre();
    void addPage(Page *page, const char *icon, const QKeySequence &shortcut);
    void showPage(Page *page);
    void createActions();
    void createMenus();
    template<typename Chooser>
    QMenu *createChoices(Chooser *chooser, const char *name, QList<QAction *> &actions);
    void askConfiguration();
    void askResults();
    void askWhetherToStop();
    void showAbout();
    bool isBusy() const;
    void updateTitle();
    void retranslate();

    RunRequests *m_requests;
    RunModel *m_model;
    Theme *m_theme;
    Language *m_language;
    RunStatus m_status;
    bool m_isCloseAgreed = false;

    QList<Entry> m_pages;
    WelcomePage *m_welcome;
    RunPage *m_run;
    QWidget *m_rail = nullptr;
    QBoxLayout *m_railLayout = nullptr;
    QActionGroup *m_pageActions = nullptr;
    QStackedWidget *m_stack = nullptr;
    QLabel *m_title = nullptr, *m_subject = nullptr;
    StatusLine *m_statusLine;

    QAction *m_openConfiguration = nullptr, *m_openResults = nullptr, *m_demo = nullptr, *m_quit = nullptr;
    QAction *m_about = nullptr;
    QList<QAction *> m_themeActions, m_languageActions;
    QMenu *m_fileMenu = nullptr, *m_runMenu = nullptr, *m_viewMenu = nullptr, *m_helpMenu = nullptr;
    QMenu *m_themeMenu = nullptr, *m_languageMenu = nullptr;
};

} // namespace proctor
