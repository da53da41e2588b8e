// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QStringList>

namespace proctor
{

/// Splits a command line into arguments as Python's shlex.split does in POSIX mode: quotes and backslashes as
/// in a shell, no variables, no comments, no line continuation. Errors: a quote or backslash without an end.
Expected<QStringList> splitShellWords(const QString &line);

} // namespace proctor
