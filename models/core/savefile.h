// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>

namespace proctor
{

/// Puts `content` in the place of the file at once: whoever looks sees the old content or the new, and the
/// old stays when something fails. The sentence of the error names the cause.
Expected<Nothing> saveFile(const QString &path, const QByteArray &content);

} // namespace proctor
