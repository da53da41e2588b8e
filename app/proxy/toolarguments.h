// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>
#include <QStringList>

namespace proctor
{

/// The body of a tool call, as a tool gets it and as the record keeps it.
struct ToolArguments {
    /// `--key value` for each member in the order of the body: texts as they are, numbers as Python's str()
    /// has them, lists, dicts, booleans and null as JSON text.
    QStringList commandLine;
    /// The object as JSON text; one over 64 KiB as {"cut": {"text", "size", "sha256"}}.
    QByteArray record = "{}";
};

/// Reads `body`, of which an empty or blank one is {}. The error is the sentence a client of the tool server
/// gets.
Expected<ToolArguments, QString> toolArguments(const QByteArray &body);

/// Whether a tool may have this name: a letter or digit, then letters, digits, `_`, `.` and `-`.
bool isToolName(QStringView name);

} // namespace proctor
