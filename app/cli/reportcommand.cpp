// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "app/cli/figures.h"

#include <CLI/CLI.hpp>
#include <QSaveFile>

namespace proctor
{

static Expected<QString> writeSummary(const FolderSummary &summary)
{
    QSaveFile file(summary.folder + QStringLiteral("/summary.json"));
    const QByteArray bytes = summary.summary.toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return Error(QStringLiteral("Cannot write %1: %2").arg(file.fileName(), file.errorString()));
    return file.fileName();
}

static int report(const ExamOptions &options)
{
    const auto summary = summarise(options);
    if (!summary)
        return exitWrongInput;
    printReport(*summary);
    const auto written = writeSummary(*summary);
    if (!written) {
        printError(written.error().text());
        return exitBroken;
    }
    printLine(QStringLiteral("  Written to %1").arg(*written));
    return exitAllWell;
}

void addReportCommand(CLI::App &app, ExamOptions &options, CommandAction &action)
{
    CLI::App *command =
        app.add_subcommand("report", "Print all figures of a results folder, and write\nsummary.json");
    options.addFolder(*command);
    command->final_callback([&] { action = [&options] { return report(options); }; });
}

} // namespace proctor
