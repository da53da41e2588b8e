// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// Whether a text can name an image for an engine: registry, path, tag and digest are of letters, digits and
/// `._-:/@`, and the first character is a letter or digit, so that it can be no option of a command.
bool isImageReference(const QString &text);

} // namespace proctor
