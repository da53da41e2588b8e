// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace proctor
{

/// Why `id` cannot be used as an instance id or dataset config, as a sentence, or nothing when it can.
/// Refused are the empty text, ".", and anything with '/', ".." or NUL in it: such a name leaves the results
/// folder.
std::optional<QString> idProblem(const QString &id);

/// The name of an instance's folder: the id itself where it is a safe file name (at most 200 bytes of UTF-8,
/// no control character, no '/', no leading dot) and none that the results folder uses itself; else up to 40
/// safe characters,
/// '-', and 12 hexadecimal digits of the id's SHA-256.
QString instanceFolderName(const QString &id);

} // namespace proctor
