// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "app/cli/stopsignals.h"
#include "app/desktop/engine.h"
#include "app/desktop/enginethread.h"
#include "app/desktop/runpagejoiner.h"
#include "models/core/version.h"
#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "widgets/mainwindow/mainwindow.h"
#include "widgets/theme/language.h"
#include "widgets/theme/theme.h"

#include <QApplication>

#include <algorithm>

namespace proctor
{

/// Qt would abort without one, in words that help nobody.
static bool hasDisplay(int argc, char **argv)
{
    for (const char *variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return true;
    }
    return std::any_of(argv, argv + argc, [](const char *word) {
        return qstrcmp(word, "-platform") == 0 || qstrcmp(word, "--platform") == 0;
    });
}

int runDesktop(int &argc, char **argv)
{
    if (!hasDisplay(argc, argv)) {
        printError(
            QStringLiteral("There is no display to open the window on. “proctor --help” tells what can "
                           "be done without one"));
        return exitBroken;
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("proctor"));
    QApplication::setApplicationVersion(proctorVersion());

    Language language;
    Theme theme;
    RunModel model;
    RunRequests requests;
    MainWindow window(&requests, &model, &theme, &language);
    EngineThread thread;
    RunPageJoiner joiner(thread.engine(), &requests, &model, &window);
    StopSignals stopSignals;
    QObject::connect(&stopSignals, &StopSignals::stopRequested, &joiner, &RunPageJoiner::closeWindow);

    window.show();
    QMetaObject::invokeMethod(thread.engine(), &Engine::removeLeftovers, Qt::QueuedConnection);
    const QStringList words = QApplication::arguments();
    if (words.size() > 1)
        emit requests.openRequested(words.last());
    return QApplication::exec();
}

} // namespace proctor
