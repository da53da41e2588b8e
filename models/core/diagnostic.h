// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QList>

namespace proctor
{

/// One remark about the user's input. Errors forbid going on, warnings and hints do not.
struct Diagnostic {
    enum class Severity { Error, Warning, Hint };

    Severity severity = Severity::Error;
    /// What is wrong and where; `where.message` is the sentence.
    Error where;
    /// Dotted path of the value it is about ("docker.memory"), empty for the whole file.
    QString key;

    bool operator==(const Diagnostic &) const = default;
};

using Diagnostics = QList<Diagnostic>;

bool hasErrors(const Diagnostics &diagnostics);

/// "file:line:column: error: message", as compilers write it.
QString toText(const Diagnostic &diagnostic);

} // namespace proctor
