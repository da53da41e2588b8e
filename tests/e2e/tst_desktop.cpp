// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine.h"
#include "app/desktop/enginethread.h"
#include "app/desktop/runpagejoiner.h"
#include "models/run/runmodel.h"
#include "models/run/standing.h"
#include "models/workbench/runrequests.h"
#include "tests/support/proctorprogram.h"
#include "widgets/mainwindow/mainwindow.h"
#include "widgets/run/runpage.h"
#include "widgets/theme/language.h"
#include "widgets/theme/theme.h"

#include <QDir>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;
using namespace proctor::test;

namespace
{

/// The whole program but for main().
struct Desktop {
    Theme theme;
    Language language;
    RunModel model;
    RunRequests requests;
    MainWindow window{&requests, &model, &theme, &language};
    EngineThread thread;
    RunPageJoiner joiner{thread.engine(), &requests, &model, &window};

    Desktop() { window.show(); }
    RunStatus::Activity activity() const { return window.runPage()->status().activity; }
    const RunStatus &status() const { return window.runPage()->status(); }
    int standing(Standing standing) const
    {
        int count = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            count += standingOf(model.update(row)) == standing;
        return count;
    }
    void select(int row) { window.findChild<QTableView *>(QStringLiteral("attempts"))->selectRow(row); }
    QString texts() const
    {
        QString texts;
        for (const auto *view : window.runPage()->findChildren<QPlainTextEdit *>())
            texts += view->toPlainText();
        return texts;
    }
};

} // namespace

/// The window with the engine behind it and real sandboxes.
class TestDesktop : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void opensAConfigurationAndRunsIt();
    void showsTheLogOfARunningAttempt();
    void opensResultsToLookAt();
    void saysWhatCannotBeOpened_data();
    void saysWhatCannotBeOpened();
    void retriesOneFault();
    void opensTheDemosFolder();
    void runsTheDemo();
    void showsRemarks();
    void stopsAndCloses();
    void stopsWhenTheProgramQuits();

private:
    QString writeConfiguration(const QByteArray &agent, const QByteArray &family = "travel") const;
    QString resultsFolder(const QString &family = QStringLiteral("travel")) const
    {
        return m_folder->filePath(QStringLiteral("out/") + family);
    }

    QTemporaryDir m_settings;
    std::unique_ptr<QTemporaryDir> m_folder;
};

static constexpr int enough = 60'000;

void TestDesktop::initTestCase()
{
    qputenv("XDG_DATA_HOME", QFile::encodeName(m_settings.filePath(QStringLiteral("data"))));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
}

void TestDesktop::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

QString TestDesktop::writeConfiguration(const QByteArray &agent, const QByteArray &family) const
{
    const QByteArray text =
        "dataset:\n  config: " + family + "\n  path: " PROCTOR_BUILD_DIR "/share/proctor/demo/" + family +
        ".jsonl\nagent:\n  cmd: " + agent + "\nrunner:\n  sandbox: local\n  concurrency: 2\n" +
        "  limit: 3\n  output_dir: " + m_folder->filePath(QStringLiteral("out")).toUtf8() + '\n';
    const QString path = m_folder->filePath(QStringLiteral("exam.yaml"));
    return writeFile(path, text) ? path : QString();
}

void TestDesktop::opensAConfigurationAndRunsIt()
{
    Desktop desktop;
    emit desktop.requests.openRequested(writeConfiguration("python3 /app/agent/careful.py"));
    QTRY_COMPARE(desktop.model.rowCount(), 3);
    QTRY_COMPARE(desktop.status().total, 3);
    QCOMPARE(desktop.activity(), RunStatus::Activity::Idle);
    QCOMPARE(desktop.standing(Standing::Waiting), 3);

    emit desktop.requests.startRequested();
    QTRY_COMPARE_WITH_TIMEOUT(desktop.activity(), RunStatus::Activity::Finished, enough);
    QCOMPARE(desktop.standing(Standing::Scored), 3);
    QCOMPARE(desktop.status().scored, 3);

    desktop.select(0);
    QTRY_VERIFY2(!desktop.texts().isEmpty(), "no log of an ended attempt");
}

void TestDesktop::showsTheLogOfARunningAttempt()
{
    Desktop desktop;
    const QByteArray agent = "'echo early words; sleep 2; echo late words; sleep 60'";
    emit desktop.requests.openRequested(writeConfiguration(agent));
    QTRY_COMPARE(desktop.model.rowCount(), 3);
    emit desktop.requests.startRequested();
    QTRY_VERIFY_WITH_TIMEOUT(desktop.model.update(0).phase == Phase::Agent, enough);
    desktop.select(0);
    QTRY_VERIFY_WITH_TIMEOUT(desktop.texts().contains(QStringLiteral("early words")), enough);
    QTRY_VERIFY_WITH_TIMEOUT(desktop.texts().contains(QStringLiteral("late words")), enough);
    QCOMPARE(desktop.texts().count(QStringLiteral("early words")), 1);

    // One attempt alone, then the whole run.
    emit desktop.requests.stopAttemptRequested(desktop.model.update(0).slot);
    QTRY_COMPARE_WITH_TIMEOUT(standingOf(desktop.model.update(0)), Standing::Cancelled, enough);
    QCOMPARE(desktop.activity(), RunStatus::Activity::Running);
    emit desktop.requests.stopRequested();
    QTRY_COMPARE_WITH_TIMEOUT(desktop.activity(), RunStatus::Activity::Finished, enough);
    QCOMPARE(desktop.standing(Standing::Running), 0);
}

void TestDesktop::opensResultsToLookAt()
{
    Desktop desktop;
    emit desktop.requests.openRequested(QStringLiteral(PROCTOR_TEST_DATA "/exam/eval_results/travel"));
    QTRY_COMPARE(desktop.model.rowCount(), 2);
    QTRY_COMPARE(desktop.status().scored, 2);
    QCOMPARE(desktop.status().mean.value_or(0), 1.0);
    emit desktop.requests.startRequested();
    QTRY_VERIFY(!desktop.status().problem.isEmpty());
    QCOMPARE(desktop.activity(), RunStatus::Activity::Finished);
    QVERIFY(!QFileInfo::exists(QStringLiteral(PROCTOR_TEST_DATA "/exam/eval_results/travel/run.json")));
}

void TestDesktop::saysWhatCannotBeOpened_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("remark");
    QTest::newRow("no such file") << QByteArray() << QStringLiteral("no file or folder");
    QTest::newRow("not a configuration") << QByteArray("[1, 2]\n") << QStringLiteral("exam.yaml:1:1: error");
    QTest::newRow("dataset on the Hub")
        << QByteArray("runner: {sandbox: local}\n") << QStringLiteral("dataset");
}

void TestDesktop::saysWhatCannotBeOpened()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, remark);
    const QString path = m_folder->filePath(QStringLiteral("exam.yaml"));
    QVERIFY(content.isEmpty() || writeFile(path, content));
    Desktop desktop;
    emit desktop.requests.openRequested(path);
    QTRY_VERIFY(!desktop.status().problem.isEmpty());
    QVERIFY2(desktop.status().problem.contains(remark), qPrintable(desktop.status().problem));
}

void TestDesktop::retriesOneFault()
{
    Desktop desktop;
    emit desktop.requests.openRequested(writeConfiguration("exit 1"));
    QTRY_COMPARE(desktop.model.rowCount(), 3);
    emit desktop.requests.startRequested();
    QTRY_COMPARE_WITH_TIMEOUT(desktop.activity(), RunStatus::Activity::Finished, enough);
    QCOMPARE(desktop.standing(Standing::AgentFailed), 3);
    QCOMPARE(desktop.model.update(0).attempt, 1);
    emit desktop.requests.retryFailedRequested({QStringLiteral("agent")});
    QTRY_COMPARE_WITH_TIMEOUT(desktop.model.update(2).attempt, 2, enough);
    QTRY_COMPARE_WITH_TIMEOUT(desktop.activity(), RunStatus::Activity::Finished, enough);
    QCOMPARE(desktop.model.rowCount(), 3);
    QCOMPARE(desktop.standing(Standing::AgentFailed), 3);
}

/// As `./dev run` does; nothing starts by itself.
void TestDesktop::opensTheDemosFolder()
{
    Desktop desktop;
    emit desktop.requests.openRequested(QStringLiteral(PROCTOR_BUILD_DIR "/share/proctor/demo"));
    QTRY_COMPARE(desktop.model.rowCount(), 6);
    QCOMPARE(desktop.activity(), RunStatus::Activity::Idle);
    QCOMPARE(desktop.standing(Standing::Waiting), 6);
}

/// Both agents over both halves, one after another; the table shows the last.
void TestDesktop::runsTheDemo()
{
    Desktop desktop;
    emit desktop.requests.demoRequested();
    QTRY_VERIFY_WITH_TIMEOUT(desktop.status().title.contains(QStringLiteral("4 of 4")), enough);
    QTRY_COMPARE_WITH_TIMEOUT(desktop.activity(), RunStatus::Activity::Finished, enough);
    QCOMPARE(desktop.model.rowCount(), 6);
    QCOMPARE(desktop.standing(Standing::Scored), 5);
    QCOMPARE(desktop.standing(Standing::AgentFailed), 1);
    QCOMPARE(desktop.status().ended.size(), 4);
    QCOMPARE(desktop.status().ended.last().mean, desktop.status().mean);
    for (const EndedRun &run : desktop.status().ended)
        QVERIFY(run.mean && run.problem.isEmpty());
}

/// Hints about a configuration are seen in the window.
void TestDesktop::showsRemarks()
{
    const QString path = writeConfiguration("exit 1");
    QVERIFY(writeFile(path, contentOf(path) + "runnre: {}\n"));
    Desktop desktop;
    emit desktop.requests.openRequested(path);
    QTRY_COMPARE(desktop.model.rowCount(), 3);
    QVERIFY2(desktop.texts().contains(QStringLiteral("runnre")), qPrintable(desktop.texts()));
}

void TestDesktop::stopsAndCloses()
{
    Desktop desktop;
    emit desktop.requests.openRequested(writeConfiguration("sleep 60"));
    QTRY_COMPARE(desktop.model.rowCount(), 3);
    emit desktop.requests.startRequested();
    QTRY_VERIFY_WITH_TIMEOUT(desktop.model.update(0).phase == Phase::Agent, enough);
    desktop.joiner.closeWindow();
    QVERIFY(desktop.window.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!desktop.window.isVisible(), enough);
    QVERIFY(contentOf(resultsFolder() + QStringLiteral("/scores.jsonl")).contains("cancelled"));
}

void TestDesktop::stopsWhenTheProgramQuits()
{
    {
        Desktop desktop;
        emit desktop.requests.openRequested(writeConfiguration("sleep 60"));
        QTRY_COMPARE(desktop.model.rowCount(), 3);
        emit desktop.requests.startRequested();
        QTRY_VERIFY_WITH_TIMEOUT(desktop.model.update(0).phase == Phase::Agent, enough);
    }
    QVERIFY(contentOf(resultsFolder() + QStringLiteral("/scores.jsonl")).contains("cancelled"));
}

QTEST_MAIN(TestDesktop)
#include "tst_desktop.moc"
