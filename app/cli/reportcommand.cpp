// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "app/cli/figures.h"
#include "models/run/resultstore.h"

#include <CLI/CLI.hpp>

namespace proctor
{

static int report(const ExamOptions &options)
{
    const auto summary = summarise(options);
    if (!summary)
        return exitWrongInput;
    printReport(*summary);
    const auto written = ResultStore::rewriteSummary(summary->folder);
    if (written) {
        printLine(QStringLiteral("  Written to %1/summary.json").arg(summary->folder));
        return exitAllWell;
    }
    if (written.error().kind == Error::Kind::Machine) {
        printError(written.error().text());
        return exitBroken;
    }
    printLine(QStringLiteral("  summary.json is left as it is. %1").arg(written.error().message));
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
