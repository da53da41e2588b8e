// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "app/cli/figures.h"

#include <CLI/CLI.hpp>

namespace proctor
{

static int status(const ExamOptions &options)
{
    const auto summary = summarise(options);
    if (!summary)
        return exitWrongInput;
    printStatus(*summary);
    return exitAllWell;
}

void addStatusCommand(CLI::App &app, ExamOptions &options, CommandAction &action)
{
    CLI::App *command = app.add_subcommand("status", "Say how far a run is and what its results are");
    options.addFolder(*command);
    command->final_callback([&] { action = [&options] { return status(options); }; });
}

} // namespace proctor
