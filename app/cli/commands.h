// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/examoptions.h"

#include <functional>

namespace proctor
{

/// What is done once the command line has been read; returns the exit code.
using CommandAction = std::function<int()>;

/// Each declares its subcommand in `app` and, if that is the one the user chose, leaves its work in `action`.
/// `options` and `action` have to outlive `app`; the subcommands share them, since only one is chosen.
void addRunCommand(CLI::App &app, ExamOptions &options, CommandAction &action);
void addStatusCommand(CLI::App &app, ExamOptions &options, CommandAction &action);
void addReportCommand(CLI::App &app, ExamOptions &options, CommandAction &action);
void addDemoCommand(CLI::App &app, CommandAction &action);
void addCleanupCommand(CLI::App &app, CommandAction &action);
void addAgentCommand(CLI::App &app, CommandAction &action);

} // namespace proctor
