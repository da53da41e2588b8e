// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace proctor
{

/// What the program says to the shell that called it.
enum ExitCode {
    exitAllWell = 0,
    /// Some attempt has no reward, or the user stopped the run.
    exitSomethingFailed = 1,
    /// Wrong usage or input.
    exitWrongInput = 2,
    /// Proctor or the machine failed.
    exitBroken = 3,
};

} // namespace proctor
