// SPDX-License-Identifier: GPL-3.0-or-later
// Renders every page in light, dark and Chinese at two sizes into the folder given as the only argument.
#include "models/run/runmodel.h"
#include "models/workbench/runrequests.h"
#include "tests/support/madeuprun.h"
#include "widgets/mainwindow/mainwindow.h"
#include "widgets/run/attempttable.h"
#include "widgets/run/runpage.h"
#include "widgets/theme/language.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace proctor;

namespace
{

struct Dress {
    const char *name;
    Theme::Choice theme;
    Language::Choice language;
};

class Studio
{
public:
    explicit Studio(const QDir &folder)
        : m_folder(folder)
    {
    }

    bool renderAll();

private:
    bool render(const Dress &dress, const QSize &size);
    bool save(QWidget &window, const QString &name);

    QDir m_folder;
    Theme m_theme;
    Language m_language;
};

bool Studio::save(QWidget &window, const QString &name)
{
    // Layouts settle in two turns of the event loop: words first, then sizes.
    QTest::qWait(250);
    const QString path = m_folder.filePath(name + QStringLiteral(".png"));
    const bool saved = window.grab().save(path);
    std::printf("%s %s\n", saved ? "wrote" : "could not write", qPrintable(path));
    return saved;
}

bool Studio::render(const Dress &dress, const QSize &size)
{
    const QString suffix = QStringLiteral("-%1-%2").arg(QLatin1String(dress.name)).arg(size.width());
    m_theme.choose(dress.theme);
    m_language.choose(dress.language);
    RunRequests requests;
    RunModel model;
    MainWindow window(&requests, &model, &m_theme, &m_language);
    window.resize(size);
    window.show();
    bool good = save(window, QStringLiteral("welcome") + suffix);
    window.showRun();
    good &= save(window, QStringLiteral("run-empty") + suffix);

    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QList<AttemptUpdate> attempts = madeup::attempts(now);
    model.apply(attempts);
    model.tick(now);
    window.setStatus(madeup::statusOf(attempts, RunStatus::Activity::Running));
    good &= save(window, QStringLiteral("run-live") + suffix);

    auto *table = window.findChild<AttemptTable *>(QStringLiteral("attempts"));
    table->selectRow(0);
    window.runPage()->setLog(attempts[0].slot, LogKind::AgentOutput, madeup::agentOutput());
    window.runPage()->setLog(attempts[0].slot, LogKind::Verifier, madeup::verifierOutput());
    good &= save(window, QStringLiteral("run-log") + suffix);

    table->selectRow(5);
    window.runPage()->setLog(attempts[5].slot, LogKind::Verifier, madeup::verifierOutput());
    window.findChild<QTabWidget *>(QStringLiteral("logTabs"))->setCurrentIndex(2);
    RunStatus finished = madeup::statusOf(attempts, RunStatus::Activity::Finished);
    finished.secondsLeft.reset();
    finished.problem = QStringLiteral(
        "The run ended early: the disk that holds the results folder is full. Make room and start again.");
    finished.ended = {{QStringLiteral("travel · careful"), 0.875, {}},
                      {QStringLiteral("travel · hasty"), 0.385, {}},
                      {QStringLiteral("e_commerce · careful"), {}, finished.problem}};
    window.runPage()->setRemarks({QStringLiteral("exam.yaml:3:1: hint: “agnt” means nothing here"),
                                  QStringLiteral("The last line of scores.jsonl is not complete")});
    window.setStatus(finished);
    good &= save(window, QStringLiteral("run-finished") + suffix);
    window.findChild<QPushButton *>(QStringLiteral("remarksButton"))->click();
    good &= save(window, QStringLiteral("run-remarks") + suffix);
    return good;
}

bool Studio::renderAll()
{
    static constexpr std::array dresses{
        Dress{"light", Theme::Choice::Light, Language::Choice::English},
        Dress{"dark", Theme::Choice::Dark, Language::Choice::English},
        Dress{"chinese", Theme::Choice::Light, Language::Choice::Chinese},
    };
    bool good = true;
    for (const Dress &dress : dresses) {
        for (const QSize size : {QSize(1024, 700), QSize(1440, 900)})
            good &= render(dress, size);
    }
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fprintf(stderr, "usage: gui_shots FOLDER\n");
        return 2;
    }
    // Pictures must not depend on, nor change, what the user has set.
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QCoreApplication::setOrganizationName(QStringLiteral("proctor"));
    QCoreApplication::setApplicationName(QStringLiteral("gui_shots"));
    return Studio(QDir(QString::fromLocal8Bit(argv[1]))).renderAll() ? 0 : 1;
}
