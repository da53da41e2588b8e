// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace proctor
{

/// Opens the window, with the configuration or results folder that the arguments name if they do, and returns
/// when it is closed.
int runDesktop(int &argc, char **argv);

} // namespace proctor
