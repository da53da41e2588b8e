// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace proctor
{

/// Whether these words behind the program's name are a command; if not they are for the window.
bool isCommand(const QStringList &words);

/// Does what the command line says and returns the exit code (see ExitCode). Needs no display; makes its own
/// QCoreApplication.
int runCommandLine(int argc, char **argv);

} // namespace proctor
