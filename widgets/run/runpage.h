// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"
#include "models/run/logkind.h"
#include "widgets/parts/page.h"

#include <QTimer>

#include <optional>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;

namespace proctor
{

class AttemptTable;
class EmptyState;
class LogPane;
class RowFilter;
class RunHeader;
class RunModel;
class RunRequests;

/// Watch a run happen: what will run, the buttons, a live row for each attempt, and the texts of the selected
/// one. The page asks through `requests` and shows `model`; both outlive it.
class RunPage : public Page
{
    Q_OBJECT

public:
    RunPage(RunRequests *requests, RunModel *model, QWidget *parent = nullptr);
    ~RunPage() override;

    QString title() const override;
    QString subject() const override { return m_status.title; }

    void setStatus(const RunStatus &status);
    const RunStatus &status() const { return m_status; }
    /// Remarks about what is open, shown on demand.
    void setRemarks(const QStringList &remarks);
    /// Texts of any other slot than the one last asked for by logRequested are ignored.
    void setLog(const Slot &slot, LogKind kind, const QString &text);
    void appendLog(const Slot &slot, LogKind kind, const QString &text);

    /// The page's actions in the order of a menu; null separates.
    QList<QAction *> menuActions() const;
    QMenu *retryMenu() const { return m_retryMenu; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void createActions();
    QAction *addAction(const char *name, const char *icon, const QKeySequence &shortcut,
                       void (RunPage::*does)());
    void createRetryMenu();
    QWidget *createControls();
    void createTable(RunModel *model);
    void connectModel();

    void pauseOrResume();
    void focusFilter();
    void copyRows();
    void stopSelected();
    void openFolder();

    void onSelectionChanged();
    void onRowsChanged();
    void refreshSelected();
    void forgetSelected();
    void offerAttemptMenu(const QPoint &place);
    void updateActions();
    void retranslate();
    void retranslateActions();

    RunRequests *m_requests;
    RunModel *m_model;
    RowFilter *m_filter;
    RunStatus m_status;
    std::optional<Slot> m_selected;
    QTimer m_clock;

    QAction *m_start = nullptr, *m_pause = nullptr, *m_stop = nullptr, *m_find = nullptr;
    QAction *m_stopAttempt = nullptr, *m_copy = nullptr, *m_openFolder = nullptr;
    QMenu *m_retryMenu = nullptr;
    QAction *m_retryAgent = nullptr, *m_retryHarness = nullptr, *m_retryAll = nullptr;

    RunHeader *m_header;
    QPushButton *m_retry = nullptr;
    QLabel *m_concurrencyLabel = nullptr;
    QSpinBox *m_concurrency = nullptr;
    QLineEdit *m_text = nullptr;
    QStackedWidget *m_middle;
    QSplitter *m_splitter;
    AttemptTable *m_table;
    EmptyState *m_nothingOpen, *m_nothingFound;
    QPushButton *m_demo, *m_clearFilter;
    LogPane *m_log;
};

} // namespace proctor
