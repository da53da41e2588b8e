// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>

namespace proctor
{

/// Reads the text of a reward file: one decimal number in [0, 1], white space around it ignored. What
/// Python's float() takes beyond that (nan, inf, 1_0) is an error that quotes the text.
Expected<double> parseReward(const QByteArray &text);

} // namespace proctor
