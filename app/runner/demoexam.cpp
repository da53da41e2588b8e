// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/demoexam.h"

#include "app/runner/matrix.h"
#include "models/run/resultstore.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace proctor
{

static const QString matrixName = QStringLiteral("matrix.yaml");

Expected<QString> demoExamFolder()
{
    // Beside bin/, in a build as in an installation; else where data of the system lie.
    const QString beside =
        QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/proctor/demo"));
    if (QFileInfo::exists(beside + QLatin1Char('/') + matrixName))
        return beside;
    const QString matrix = QStandardPaths::locate(QStandardPaths::GenericDataLocation,
                                                  QStringLiteral("proctor/demo/") + matrixName);
    if (!matrix.isEmpty())
        return QFileInfo(matrix).absolutePath();
    return Error(
        QCoreApplication::translate("proctor::DemoExam",
                                    "The demo exam is not installed: there is no %1. Install Proctor again, "
                                    "or run it from its build folder")
            .arg(beside));
}

PreparedDemo prepareDemo(const QString &outputDir)
{
    PreparedDemo demo;
    const auto folder = demoExamFolder();
    if (!folder) {
        demo.diagnostics << Diagnostic{Diagnostic::Severity::Error, folder.error(), {}};
        return demo;
    }
    MatrixContext context;
    context.overrides.outputDir = outputDir;
    const LoadedMatrix matrix = loadMatrix(*folder + QLatin1Char('/') + matrixName, context);
    demo.diagnostics = matrix.diagnostics;
    for (const MatrixEntry &entry : matrix.entries) {
        const PreparedExam prepared = prepareExam(entry.config, {}, entry.agentName);
        demo.diagnostics += prepared.diagnostics;
        demo.exams << prepared.spec;
    }
    return demo;
}

PreparedDemo prepareDemoInFreeFolder(const QString &outputDir)
{
    QString folder = outputDir;
    for (int number = 2;; ++number) {
        PreparedDemo demo = prepareDemo(folder);
        if (!demo.isUsable() || !std::all_of(demo.exams.begin(), demo.exams.end(), isDone))
            return demo;
        folder = QStringLiteral("%1-%2").arg(outputDir).arg(number);
    }
}

static bool isVerdict(const Outcome &outcome)
{
    return outcome.state == State::Scored ||
           (outcome.state == State::Failed && outcome.fault == Fault::Agent);
}

bool isDone(const ExamSpec &exam)
{
    const QString folder = exam.resultsFolder();
    const auto store = ResultStore::openReadOnly(folder);
    if (!store)
        return false;
    const QList<Result> results = (*store)->results();
    return results.size() == exam.dataset.instances.size() &&
           std::all_of(results.begin(), results.end(),
                       [](const Result &result) { return isVerdict(result.outcome); });
}

} // namespace proctor
