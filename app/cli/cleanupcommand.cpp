// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "app/cli/leftovers.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace proctor
{

static int cleanUp(bool dryRun)
{
    const Leftovers leftovers = dryRun ? Reaper().find() : Reaper().remove();
    if (leftovers.isEmpty()) {
        printLine(QStringLiteral("Nothing is left of an earlier Proctor"));
        return exitAllWell;
    }
    printLine(dryRun ? QStringLiteral("Would remove:") : QStringLiteral("Removed:"));
    for (const QString &line : leftoverLines(leftovers))
        printLine(QStringLiteral("  ") + line);
    return leftovers.problems.isEmpty() ? exitAllWell : exitBroken;
}

void addCleanupCommand(CLI::App &app, CommandAction &action)
{
    CLI::App *command = app.add_subcommand(
        "cleanup", "Remove processes and folders that Proctors which\nwere killed left on this machine");
    const auto dryRun = std::make_shared<bool>(false);
    command->add_flag("--dry-run", *dryRun, "Only say what would be removed");
    command->final_callback([&action, dryRun] { action = [dryRun] { return cleanUp(*dryRun); }; });
}

} // namespace proctor
