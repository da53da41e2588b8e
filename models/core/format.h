// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// Numbers as people read them, in the language of the window. Reentrant.

/// "0.8 s", "42 s", "4 m 12 s", "1 h 20 m". Negative or not finite: "".
QString durationText(double seconds);
/// The same of a clock that is still running: whole seconds only, so that it does not flicker.
QString clockText(qint64 seconds);
/// What is left, no more exact than anybody can know it: "45 s", "12 m", "1 h 20 m".
QString roughDurationText(double seconds);
/// Three decimals: "0.452". Not finite: "".
QString rewardText(double reward);
/// A part of 1 as "17 %".
QString shareText(double share);
/// US dollars with two decimals: "$1.37"; less than a cent but not nothing is "<$0.01".
QString moneyText(double dollars);

} // namespace proctor
