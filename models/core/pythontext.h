// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QStringView>

namespace proctor
{

/// The shortest text that reads back as `value`, laid out as Python's repr(): 1.0, 0.1, 1e+16, 1e-05, NaN,
/// -Infinity.
QByteArray pythonFloat(double value);

/// Appends `text` as a JSON string, quotes included, as json.dumps(…, ensure_ascii=False) does: only the
/// quote, the backslash and control characters are escaped. Half surrogates, which UTF-8 cannot hold, are
/// escaped as well.
void appendPythonString(QByteArray &out, QStringView text);

/// Python's round(value, digits): to the nearest decimal of the exact binary value, ties to the even digit.
double pythonRound(double value, int digits);

/// Lays out the text of a JSON value as json.dumps(…, indent=2) does. Numbers and strings stay as they are
/// written.
QByteArray indentedJson(QByteArrayView json);

} // namespace proctor
