// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the GUI thread's turns of the event loop take while 8 attempts in real sandboxes print, and the
// window shows the log of one of them. A turn is what happens between waking up and going to sleep again.
// Limits, in CPU time of the thread (the machine may be busy with the attempts themselves): 16 ms for 99 of
// 100 turns, 100 ms for the longest.
#include "app/desktop/engine.h"
#include "app/desktop/enginethread.h"
#include "app/desktop/runpagejoiner.h"
#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "tests/bench/measure.h"
#include "tests/support/trialbundle.h"
#include "widgets/mainwindow/mainwindow.h"
#include "widgets/run/runpage.h"
#include "widgets/theme/language.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <cmath>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace proctor;

static constexpr int attempts = 8;
static constexpr int measuredMilliseconds = 10'000;
static constexpr double p99Limit = 16, longestLimit = 100;

static double millisecondsOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Turns of the thread that has asked for them by start(); only that thread touches them.
struct Turns {
    QList<double> wall, cpu;
    bool isCounting = false;
    double wallStart = 0, cpuStart = 0;

    void start()
    {
        *this = {};
        isCounting = true;
        wake();
    }
    void wake()
    {
        wallStart = millisecondsOf(CLOCK_MONOTONIC);
        cpuStart = millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
    }
    void sleep()
    {
        wall << millisecondsOf(CLOCK_MONOTONIC) - wallStart;
        cpu << millisecondsOf(CLOCK_THREAD_CPUTIME_ID) - cpuStart;
    }
};
static thread_local Turns turns;

/// Stands before the C library's function, by which Qt's event loop (the one without GLib) sleeps. The
/// signals of the event dispatcher do not enclose what timers and sockets cause.
extern "C" int ppoll(pollfd *descriptors, nfds_t count, const timespec *timeout, const sigset_t *signalMask)
{
    const bool mayWait = !timeout || timeout->tv_sec > 0 || timeout->tv_nsec > 0;
    const bool ends = turns.isCounting && mayWait;
    if (ends)
        turns.sleep();
    timespec left = timeout ? *timeout : timespec{};
    const auto result =
        syscall(SYS_ppoll, descriptors, count, timeout ? &left : nullptr, signalMask, _NSIG / 8);
    if (ends)
        turns.wake();
    return static_cast<int>(result);
}

static double percentile99(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<qsizetype>(std::ceil(0.99 * static_cast<double>(values.size())));
    return values.at(std::max<qsizetype>(0, rank - 1));
}

static void printTurns(const QString &what, const QList<double> &values, const QString &reference)
{
    QTextStream(stdout) << QStringLiteral("%1|%2|%3 ms, p99 %4 ms|longest %5 ms|%6\n")
                               .arg(what)
                               .arg(values.size())
                               .arg(measure::median(values), 0, 'f', 2)
                               .arg(percentile99(values), 0, 'f', 1)
                               .arg(*std::max_element(values.begin(), values.end()), 0, 'f', 1)
                               .arg(reference);
}

/// An agent that prints so many lines a second, in bursts as a program's output comes.
static QByteArray agentThatPrints(int linesPerSecond)
{
    const QByteArray burst = QByteArray::number(linesPerSecond / 25);
    return "import time\nnumber, due = 0, time.monotonic()\nwhile True:\n    for _ in range(" + burst +
           "):\n        number += 1\n        print(number, 'a line as an agent writes them while it thinks "
           "about "
           "its next step')\n    due += 0.04\n    time.sleep(max(0, due - time.monotonic()))\n";
}

static QString writeExam(test::TrialBundle &bundle, const QString &folder, int linesPerSecond)
{
    bundle.write(QStringLiteral("agent.py"), agentThatPrints(linesPerSecond));
    QByteArray dataset;
    for (int i = 0; i < attempts; ++i) {
        dataset += "{\"instance_id\": \"attempt " + QByteArray::number(i) + "\", \"bundle\": \"" +
                   bundle.path().toUtf8() + "\"}\n";
    }
    const QByteArray config =
        "dataset: {config: turns, path: exam.jsonl}\nagent: {cmd: python3 -u /app/agent.py}\n"
        "runner: {sandbox: local, concurrency: " +
        QByteArray::number(attempts) + ", output_dir: " + folder.toUtf8() + "/out}\n";
    QFile datasetFile(folder + QStringLiteral("/exam.jsonl")),
        configFile(folder + QStringLiteral("/exam.yaml"));
    const bool isWritten = datasetFile.open(QIODevice::WriteOnly) && datasetFile.write(dataset) > 0 &&
                           configFile.open(QIODevice::WriteOnly) && configFile.write(config) > 0;
    if (!isWritten)
        qFatal("cannot write the exam");
    return configFile.fileName();
}

static int printingAttempts(const RunModel &model)
{
    int count = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        count += model.update(row).phase == Phase::Agent;
    return count;
}

/// False when the limits are not kept.
static bool measureTurns(int linesPerSecond)
{
    test::TrialBundle bundle;
    const QTemporaryDir folder;
    Theme theme;
    Language language;
    RunModel model;
    RunRequests requests;
    MainWindow window(&requests, &model, &theme, &language);
    EngineThread thread;
    const RunPageJoiner joiner(thread.engine(), &requests, &model, &window);
    window.resize(1440, 900);
    window.show();
    emit requests.openRequested(writeExam(bundle, folder.path(), linesPerSecond / attempts));
    if (!QTest::qWaitFor([&] { return model.rowCount() == attempts; }, 10'000))
        qFatal("%s", qPrintable(window.runPage()->status().problem));
    emit requests.startRequested();
    if (!QTest::qWaitFor([&] { return printingAttempts(model) == attempts; }, 60'000))
        qFatal("the attempts do not begin: %s", qPrintable(window.runPage()->status().problem));
    window.findChild<QTableView *>(QStringLiteral("attempts"))->selectRow(0);

    QEventLoop loop;
    turns.start();
    QTimer::singleShot(measuredMilliseconds, &loop, &QEventLoop::quit);
    loop.exec();
    turns.isCounting = false;

    int shown = 0;
    for (const auto *view : window.runPage()->findChildren<QPlainTextEdit *>())
        shown += view->blockCount();
    if (shown < linesPerSecond / attempts)
        qFatal("the window shows %d lines: nothing is measured", shown);
    const QString what = QStringLiteral("GUI thread, a turn while %1 attempts print %2 lines/s")
                             .arg(attempts)
                             .arg(linesPerSecond);
    printTurns(what + QStringLiteral(", wall time"), turns.wall, QStringLiteral("-"));
    printTurns(what + QStringLiteral(", CPU time"), turns.cpu,
               QStringLiteral("limits: p99 %1 ms, longest %2 ms").arg(p99Limit).arg(longestLimit));
    return percentile99(turns.cpu) <= p99Limit &&
           *std::max_element(turns.cpu.begin(), turns.cpu.end()) <= longestLimit;
}

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_NO_GLIB", "1");
    QApplication application(argc, argv);
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    measure::printMachine();
    const bool isKept = measureTurns(5'000);
    // Eight times as much, so that also the log that is shown is a flood.
    const bool isKeptInAFlood = measureTurns(attempts * 5'000);
    return isKept && isKeptInAFlood ? 0 : 1;
}
