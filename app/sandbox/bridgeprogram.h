// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace proctor
{

/// The bridge as sent into a sandbox: code for the Python that Proctor was built with, and the source for all
/// others. Compiled in: nothing has to be found at run time.
QByteArray bridgeProgram();

/// The argument of `python3 -c` that reads the program from standard input: one line with its length, then
/// the program.
QString bridgeBoot();

} // namespace proctor
