// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "tests/support/madeuprun.h"
#include "widgets/mainwindow/mainwindow.h"
#include "widgets/parts/badge.h"
#include "widgets/parts/logview.h"
#include "widgets/parts/page.h"
#include "widgets/run/attempttable.h"
#include "widgets/run/runpage.h"
#include "widgets/theme/colours.h"
#include "widgets/theme/language.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace proctor;

/// Parts that Qt puts into its own controls and names together with them.
static bool isPartOfAControl(const QWidget *widget)
{
    for (const QWidget *outer = widget->parentWidget(); outer; outer = outer->parentWidget()) {
        if (qobject_cast<const QLineEdit *>(outer) || qobject_cast<const QAbstractSpinBox *>(outer) ||
            qobject_cast<const QTabBar *>(outer) || qobject_cast<const QAbstractItemView *>(outer) ||
            qobject_cast<const QMenuBar *>(outer))
            return true;
    }
    return false;
}

static bool isControl(const QWidget *widget)
{
    return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
           qobject_cast<const QAbstractSpinBox *>(widget) ||
           qobject_cast<const QAbstractItemView *>(widget) || qobject_cast<const QPlainTextEdit *>(widget) ||
           qobject_cast<const QTabWidget *>(widget) || qobject_cast<const QProgressBar *>(widget) ||
           widget->focusPolicy() & Qt::TabFocus;
}

/// What a screen reader would find no name for.
static QStringList controlsWithoutName(const QWidget &root)
{
    QStringList nameless;
    for (QWidget *widget : root.findChildren<QWidget *>()) {
        if (!isControl(widget) || isPartOfAControl(widget) || qobject_cast<QTabBar *>(widget))
            continue;
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
        if (!interface || interface->text(QAccessible::Name).trimmed().isEmpty())
            nameless << QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') +
                            widget->objectName();
    }
    return nameless;
}

/// Visible texts that have less room than they need.
static QStringList textsCutOff(const QWidget &root)
{
    QStringList cut;
    const auto check = [&cut](const QWidget *widget, const QString &text, QSize needed) {
        if (needed.width() > widget->width() || needed.height() > widget->height())
            cut << QStringLiteral("%1: needs %2x%3, has %4x%5")
                       .arg(text)
                       .arg(needed.width())
                       .arg(needed.height())
                       .arg(widget->width())
                       .arg(widget->height());
    };
    for (const QLabel *label : root.findChildren<QLabel *>()) {
        // A label that may shrink shows its text in a tool tip.
        if (!label->isVisible() || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
            continue;
        if (label->wordWrap())
            check(label, label->text(), {0, label->heightForWidth(label->width())});
        else
            check(label, label->text(), label->sizeHint());
    }
    for (const QAbstractButton *button : root.findChildren<QAbstractButton *>()) {
        if (button->isVisible() && !isPartOfAControl(button))
            check(button, button->text(), button->minimumSizeHint());
    }
    for (const Badge *badge : root.findChildren<Badge *>()) {
        if (badge->isVisible())
            check(badge, badge->text(), badge->sizeHint());
    }
    for (const auto *table : root.findChildren<AttemptTable *>()) {
        const QHeaderView *header = table->horizontalHeader();
        for (int column = 0; column < header->count(); ++column) {
            const QString text = table->model()->headerData(column, Qt::Horizontal).toString();
            if (table->isVisible() &&
                header->fontMetrics().horizontalAdvance(text) + 16 > header->sectionSize(column))
                cut << QStringLiteral("column ") + text;
        }
    }
    return cut;
}

class TestMainWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void everyControlHasAName_data();
    void everyControlHasAName();
    void aPlantedControlWithoutNameIsFound();
    void everyActionHasAName();
    void shortcutsAreUnique();
    void mnemonicsHaveABuddy();
    void everythingFits_data();
    void everythingFits();
    void aPlantedCutTextIsFound();
    void languageChangesAtOnce();
    void themeChangesAtOnce();
    void doorsAsk();
    void buttonsFollowTheRun_data();
    void buttonsFollowTheRun();
    void buttonsAsk();
    void retryAsksForItsFaults();
    void liveUpdatesKeepSelectionAndScroll();
    void selectedAttemptShowsItsLog();
    void filterNarrowsAndClears();
    void rowsAreCopiedAsText();
    void oneAttemptCanBeStopped();
    void statusLineTellsTheMean();
    void problemIsShown();
    void tellsWhatEndedRunsGave();
    void showsRemarksOnDemand();
    void closingWhileRunningAsks();
    void closesWhenWhatRanHasEnded();
    void keyboardReachesEverything();

private:
    template<typename T>
    T *find(const char *name) const
    {
        T *found = window->findChild<T *>(QLatin1String(name));
        if (!found)
            qFatal("there is no %s", name);
        return found;
    }
    void click(const char *button) { QTest::mouseClick(find<QWidget>(button), Qt::LeftButton); }
    void fill(RunStatus::Activity activity);
    AttemptTable *table() const { return find<AttemptTable>("attempts"); }

    QTemporaryDir settings;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QList<AttemptUpdate> attempts;
    std::unique_ptr<RunRequests> requests;
    std::unique_ptr<RunModel> model;
    std::unique_ptr<Theme> theme;
    std::unique_ptr<Language> language;
    std::unique_ptr<MainWindow> window;
};

void TestMainWindow::initTestCase()
{
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QCoreApplication::setOrganizationName(QStringLiteral("proctor"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_mainwindow"));
}

void TestMainWindow::init()
{
    QSettings().clear();
    attempts = madeup::attempts(now);
    requests = std::make_unique<RunRequests>();
    model = std::make_unique<RunModel>();
    theme = std::make_unique<Theme>();
    language = std::make_unique<Language>();
    theme->choose(Theme::Choice::Light);
    language->choose(Language::Choice::English);
    window = std::make_unique<MainWindow>(requests.get(), model.get(), theme.get(), language.get());
    window->resize(1024, 700);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get()));
}

void TestMainWindow::cleanup()
{
    window.reset();
    language.reset();
    theme.reset();
}

void TestMainWindow::fill(RunStatus::Activity activity)
{
    model->apply(attempts);
    model->tick(now);
    window->setStatus(madeup::statusOf(attempts, activity));
    window->showRun();
}

void TestMainWindow::everyControlHasAName_data()
{
    QTest::addColumn<int>("choice");
    QTest::newRow("English") << static_cast<int>(Language::Choice::English);
    QTest::newRow("Chinese") << static_cast<int>(Language::Choice::Chinese);
}

void TestMainWindow::everyControlHasAName()
{
    QFETCH(int, choice);
    language->choose(static_cast<Language::Choice>(choice));
    fill(RunStatus::Activity::Running);
    const auto *pages = find<QStackedWidget>("pages");
    QVERIFY(pages->count() >= 2);
    for (int i = 0; i < pages->count(); ++i) {
        const auto *page = qobject_cast<Page *>(pages->widget(i));
        QVERIFY(page);
        QVERIFY(!page->title().isEmpty());
        QCOMPARE(controlsWithoutName(*page), QStringList());
    }
    QCOMPARE(controlsWithoutName(*window), QStringList());
}

void TestMainWindow::aPlantedControlWithoutNameIsFound()
{
    auto *planted = new QToolButton(window->runPage());
    planted->setObjectName(QStringLiteral("planted"));
    QCOMPARE(controlsWithoutName(*window), QStringList{QStringLiteral("QToolButton planted")});
    planted->setAccessibleName(QStringLiteral("a name"));
    QCOMPARE(controlsWithoutName(*window), QStringList());
}

void TestMainWindow::everyActionHasAName()
{
    QList<QAction *> waiting = window->menuBar()->actions();
    int seen = 0;
    while (!waiting.isEmpty()) {
        const QAction *action = waiting.takeFirst();
        QVERIFY2(action->isSeparator() || !action->text().isEmpty(), qPrintable(action->objectName()));
        if (action->menu())
            waiting += action->menu()->actions();
        ++seen;
    }
    QVERIFY(seen > 20);
}

void TestMainWindow::shortcutsAreUnique()
{
    QHash<QKeySequence, const QAction *> taken;
    for (const QAction *action : window->findChildren<QAction *>()) {
        if (action->shortcut().isEmpty())
            continue;
        QVERIFY2(!taken.contains(action->shortcut()), qPrintable(action->shortcut().toString()));
        taken.insert(action->shortcut(), action);
    }
    QVERIFY(taken.contains(QKeySequence(Qt::Key_F5)));
    QVERIFY(taken.contains(QKeySequence(Qt::SHIFT | Qt::Key_F5)));
}

void TestMainWindow::mnemonicsHaveABuddy()
{
    int buddies = 0;
    for (const QLabel *label : window->findChildren<QLabel *>()) {
        if (label->buddy())
            ++buddies;
        else if (label->textFormat() != Qt::PlainText)
            QVERIFY2(!label->text().contains(QLatin1Char('&')), qPrintable(label->text()));
    }
    QVERIFY(buddies > 0);
}

void TestMainWindow::everythingFits_data()
{
    everyControlHasAName_data();
}

void TestMainWindow::everythingFits()
{
    QFETCH(int, choice);
    language->choose(static_cast<Language::Choice>(choice));
    QTRY_COMPARE(textsCutOff(*window), QStringList());
    QCOMPARE(window->size(), QSize(1024, 700));
    window->showRun();
    QTRY_COMPARE(textsCutOff(*window), QStringList());
    fill(RunStatus::Activity::Paused);
    table()->selectRow(5);
    QTRY_COMPARE(textsCutOff(*window), QStringList());
    QCOMPARE(window->size(), QSize(1024, 700));
}

void TestMainWindow::aPlantedCutTextIsFound()
{
    auto *planted = new QLabel(QStringLiteral("much too long"), window.get());
    planted->resize(20, 20);
    planted->show();
    QCOMPARE(textsCutOff(*window).size(), 1);
}

void TestMainWindow::languageChangesAtOnce()
{
    fill(RunStatus::Activity::Running);
    const auto *title = find<QLabel>("pageTitle");
    QCOMPARE(title->text(), QStringLiteral("Run"));
    find<QAction>("language2")->trigger();
    QTRY_COMPARE(title->text(), QStringLiteral("运行"));
    QCOMPARE(find<QPushButton>("stopButton")->text(), QStringLiteral("停止"));
    QCOMPARE(table()->model()->headerData(RunModel::Reward, Qt::Horizontal).toString(),
             QStringLiteral("得分"));
    QCOMPARE(table()->model()->index(0, RunModel::State).data().toString(), QStringLiteral("已得分"));
    QVERIFY(find<QLabel>("statusMean")->text().startsWith(QStringLiteral("均值")));
    find<QAction>("language1")->trigger();
    QTRY_COMPARE(title->text(), QStringLiteral("Run"));
    QCOMPARE(Language().choice(), Language::Choice::English);
}

void TestMainWindow::themeChangesAtOnce()
{
    QVERIFY(!Colours::isDark(window->palette()));
    find<QAction>("theme2")->trigger();
    QTRY_VERIFY(Colours::isDark(window->palette()));
    find<QAction>("theme1")->trigger();
    QTRY_VERIFY(!Colours::isDark(window->palette()));
}

void TestMainWindow::doorsAsk()
{
    QSignalSpy demo(requests.get(), &RunRequests::demoRequested);
    click("demoDoor");
    QCOMPARE(demo.count(), 1);
    QCOMPARE(find<QStackedWidget>("pages")->currentWidget(), static_cast<QWidget *>(window->runPage()));
    click("emptyDemo");
    QCOMPARE(demo.count(), 2);
}

void TestMainWindow::buttonsFollowTheRun_data()
{
    using Activity = RunStatus::Activity;
    QTest::addColumn<int>("activity");
    QTest::addColumn<bool>("start");
    QTest::addColumn<bool>("pause");
    QTest::addColumn<bool>("stop");
    QTest::addColumn<bool>("retry");
    QTest::newRow("idle") << static_cast<int>(Activity::Idle) << true << false << false << true;
    QTest::newRow("running") << static_cast<int>(Activity::Running) << false << true << true << false;
    QTest::newRow("pausing") << static_cast<int>(Activity::Pausing) << false << true << true << false;
    QTest::newRow("paused") << static_cast<int>(Activity::Paused) << false << true << true << true;
    QTest::newRow("stopping") << static_cast<int>(Activity::Stopping) << false << false << false << false;
    QTest::newRow("finished") << static_cast<int>(Activity::Finished) << true << false << false << true;
}

void TestMainWindow::buttonsFollowTheRun()
{
    QFETCH(int, activity);
    QVERIFY(!find<QPushButton>("startButton")->isEnabled());
    fill(static_cast<RunStatus::Activity>(activity));
    QTEST(find<QPushButton>("startButton")->isEnabled(), "start");
    QTEST(find<QPushButton>("pauseButton")->isEnabled(), "pause");
    QTEST(find<QPushButton>("stopButton")->isEnabled(), "stop");
    QTEST(find<QPushButton>("retryButton")->isEnabled(), "retry");
}

void TestMainWindow::buttonsAsk()
{
    QSignalSpy start(requests.get(), &RunRequests::startRequested);
    QSignalSpy pause(requests.get(), &RunRequests::pauseRequested);
    QSignalSpy resume(requests.get(), &RunRequests::resumeRequested);
    QSignalSpy stop(requests.get(), &RunRequests::stopRequested);
    QSignalSpy concurrency(requests.get(), &RunRequests::concurrencyRequested);
    fill(RunStatus::Activity::Idle);
    click("startButton");
    QCOMPARE(start.count(), 1);
    fill(RunStatus::Activity::Running);
    QCOMPARE(concurrency.count(), 0);
    click("pauseButton");
    fill(RunStatus::Activity::Paused);
    click("pauseButton");
    click("stopButton");
    QCOMPARE(pause.count(), 1);
    QCOMPARE(resume.count(), 1);
    QCOMPARE(stop.count(), 1);
    auto *number = find<QSpinBox>("concurrency");
    QCOMPARE(number->value(), 4);
    number->stepUp();
    QCOMPARE(concurrency.count(), 1);
    QCOMPARE(concurrency.first().first().toInt(), 5);
}

void TestMainWindow::retryAsksForItsFaults()
{
    QSignalSpy retry(requests.get(), &RunRequests::retryFailedRequested);
    fill(RunStatus::Activity::Finished);
    find<QAction>("retryAgent")->trigger();
    find<QAction>("retryAll")->trigger();
    QCOMPARE(retry.at(0).first().toStringList(), QStringList{QStringLiteral("agent")});
    QCOMPARE(retry.at(1).first().toStringList().size(), 4);
}

void TestMainWindow::liveUpdatesKeepSelectionAndScroll()
{
    fill(RunStatus::Activity::Running);
    table()->selectRow(10);
    QTRY_VERIFY(table()->verticalScrollBar()->maximum() > 0);
    table()->verticalScrollBar()->setValue(table()->verticalScrollBar()->maximum());
    const int scrolled = table()->verticalScrollBar()->value();
    for (int i = 0; i < 20; ++i) {
        AttemptUpdate update = attempts[14 + i % 10];
        update.attempt = 1;
        update.phase = Phase::Agent;
        update.startedAt = now;
        update.toolCalls = i;
        model->apply({update});
        model->tick(now.addSecs(i));
    }
    AttemptUpdate more = attempts[0];
    more.slot.run = 3;
    model->apply({more});
    QCoreApplication::processEvents();
    QCOMPARE(table()->verticalScrollBar()->value(), scrolled);
    QCOMPARE(table()->currentIndex().row(), 10);
    QCOMPARE(table()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(table()->model()->rowCount(), static_cast<int>(attempts.size()) + 1);
}

void TestMainWindow::selectedAttemptShowsItsLog()
{
    fill(RunStatus::Activity::Running);
    QSignalSpy asked(requests.get(), &RunRequests::logRequested);
    table()->selectRow(0);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().value<Slot>(), attempts[0].slot);
    QVERIFY(find<QLabel>("attemptSentence")->text().contains(QStringLiteral("0.850")));

    auto *output = find<LogView>("agentOutput");
    window->runPage()->setLog(attempts[0].slot, LogKind::AgentOutput, QStringLiteral("first\n"));
    window->runPage()->appendLog(attempts[0].slot, LogKind::AgentOutput, QStringLiteral("second\n"));
    QTRY_COMPARE(output->toPlainText(), QStringLiteral("first\nsecond\n"));
    // What was asked for before and comes late belongs to another attempt.
    window->runPage()->appendLog(attempts[1].slot, LogKind::AgentOutput, QStringLiteral("stray\n"));
    window->runPage()->setLog(attempts[0].slot, LogKind::Answer, QStringLiteral("{}"));
    QCOMPARE(find<LogView>("answer")->toPlainText(), QStringLiteral("{}"));
    QCOMPARE(output->toPlainText(), QStringLiteral("first\nsecond\n"));

    table()->selectRow(1);
    QCOMPARE(output->toPlainText(), QString());
    model->clear();
    QVERIFY(asked.last().first().value<Slot>().instanceId.isEmpty());
}

void TestMainWindow::filterNarrowsAndClears()
{
    fill(RunStatus::Activity::Running);
    auto *filter = find<QLineEdit>("filter");
    QTest::keyClicks(filter, QStringLiteral("hotel"));
    QCOMPARE(table()->model()->rowCount(), 4);
    QTest::keyClicks(filter, QStringLiteral("zzz"));
    QCOMPARE(table()->model()->rowCount(), 0);
    QVERIFY(find<QPushButton>("clearFilter")->isVisible());
    click("clearFilter");
    QVERIFY(table()->isVisible());
    QCOMPARE(table()->model()->rowCount(), static_cast<int>(attempts.size()));
}

void TestMainWindow::rowsAreCopiedAsText()
{
    fill(RunStatus::Activity::Running);
    table()->selectRow(3);
    table()->setColumnHidden(RunModel::Domain, true);
    window->activateWindow();
    table()->setFocus();
    QTRY_VERIFY(table()->hasFocus());
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QStringLiteral("Instance\tRun\tState\tProgress\tElapsed\tTool calls\tReward\tMessage\n"
                            "transport-2\t1\tScored\t\t5 m 2 s\t22\t1.000\t\n"));
}

void TestMainWindow::oneAttemptCanBeStopped()
{
    fill(RunStatus::Activity::Running);
    QSignalSpy stopped(requests.get(), &RunRequests::stopAttemptRequested);
    const auto *stop = find<QAction>("stopAttempt");
    table()->selectRow(0);
    QVERIFY(!stop->isEnabled());
    table()->selectRow(11);
    QVERIFY(stop->isEnabled());
    find<QAction>("stopAttempt")->trigger();
    QCOMPARE(stopped.first().first().value<Slot>(), attempts[11].slot);
}

void TestMainWindow::statusLineTellsTheMean()
{
    fill(RunStatus::Activity::Running);
    QCOMPARE(find<QLabel>("statusMean")->text(), QStringLiteral("mean 0.495 ± 0.231"));
    QCOMPARE(find<QLabel>("statusLeft")->text(), QStringLiteral("12 m left"));
    QCOMPARE(find<QProgressBar>("statusProgress")->value(), 8);
    QCOMPARE(find<QProgressBar>("statusProgress")->maximum(), 24);
}

void TestMainWindow::problemIsShown()
{
    RunStatus status;
    status.problem = QStringLiteral("The sandbox cannot start: bwrap is not installed.");
    window->showRun();
    QVERIFY(!find<QLabel>("runProblem")->isVisible());
    window->setStatus(status);
    QVERIFY(find<QLabel>("runProblem")->isVisible());
    QVERIFY(find<QLabel>("runProblem")->text().contains(status.problem));
}

/// What is refused in the middle of a queue must not vanish when the next run begins.
void TestMainWindow::tellsWhatEndedRunsGave()
{
    RunStatus status;
    window->showRun();
    window->setStatus(status);
    QVERIFY(!find<QLabel>("runsEnded")->isVisible());
    status.activity = RunStatus::Activity::Running;
    status.ended = {{QStringLiteral("travel · careful"), 0.875, {}},
                    {QStringLiteral("travel · hasty"), {}, QStringLiteral("The folder is another exam's.")}};
    window->setStatus(status);
    QVERIFY(find<QLabel>("runsEnded")->isVisible());
    QCOMPARE(find<QLabel>("runsEnded")->text(),
             QStringLiteral("travel · careful 0.875, travel · hasty failed"));
    QVERIFY(find<QLabel>("runProblem")->isVisible());
    const QString problem = QStringLiteral("travel · hasty: The folder is another exam's.");
    QCOMPARE(find<QLabel>("runProblem")->text(), QStringLiteral("■ ") + problem);
    // The last one's stands in the status too.
    status.problem = status.ended.last().problem;
    window->setStatus(status);
    QCOMPARE(find<QLabel>("runProblem")->text(), QStringLiteral("■ ") + problem);
}

void TestMainWindow::showsRemarksOnDemand()
{
    window->showRun();
    auto *button = find<QPushButton>("remarksButton");
    auto *text = find<QPlainTextEdit>("remarks");
    QVERIFY(!button->isVisible());
    window->runPage()->setRemarks({QStringLiteral("exam.yaml:3:1: hint: a\nb"), QStringLiteral("second")});
    QVERIFY(button->isVisible());
    QVERIFY(!text->isVisible());
    QVERIFY(button->text().contains(QStringLiteral("2")));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(text->isVisible());
    QCOMPARE(text->toPlainText(), QStringLiteral("exam.yaml:3:1: hint: a b\nsecond"));
    window->runPage()->setRemarks({});
    QVERIFY(!button->isVisible());
    QVERIFY(!text->isVisible());
}

void TestMainWindow::closingWhileRunningAsks()
{
    fill(RunStatus::Activity::Running);
    QSignalSpy agreed(window.get(), &MainWindow::closeRequested);
    const auto answer = [this](int button) {
        window->close();
        auto *question = find<QMessageBox>("closeQuestion");
        QTest::mouseClick(question->buttons().at(button), Qt::LeftButton);
        QTRY_VERIFY(!window->findChild<QMessageBox *>(QStringLiteral("closeQuestion")));
    };
    answer(1);
    QCOMPARE(agreed.count(), 0);
    QVERIFY(window->isVisible());
    answer(0);
    QCOMPARE(agreed.count(), 1);
    QVERIFY(window->isVisible());
    // While it is being stopped the user need not wait, nor agree again.
    window->close();
    QVERIFY(!window->isVisible());
    QVERIFY(!window->findChild<QMessageBox *>(QStringLiteral("closeQuestion")));
}

void TestMainWindow::closesWhenWhatRanHasEnded()
{
    fill(RunStatus::Activity::Running);
    window->closeNow();
    QVERIFY(!window->isVisible());
}

void TestMainWindow::keyboardReachesEverything()
{
    fill(RunStatus::Activity::Running);
    for (const QWidget *widget : window->runPage()->findChildren<QWidget *>()) {
        if (isControl(widget) && widget->isVisible() && !isPartOfAControl(widget) &&
            !qobject_cast<const QTabWidget *>(widget) && !qobject_cast<const QScrollBar *>(widget))
            QVERIFY2(widget->focusPolicy() & Qt::TabFocus, qPrintable(widget->objectName()));
    }
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
