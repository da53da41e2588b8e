// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/demoexam.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

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

LoadedMatrix loadDemoExam(const QString &outputDir)
{
    const auto folder = demoExamFolder();
    if (!folder) {
        LoadedMatrix matrix;
        matrix.diagnostics << Diagnostic{Diagnostic::Severity::Error, folder.error(), {}};
        return matrix;
    }
    MatrixContext context;
    context.overrides.outputDir = outputDir;
    return loadMatrix(*folder + QLatin1Char('/') + matrixName, context);
}

} // namespace proctor
