// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace proctor
{

/// A value out of a JSON text as Python holds it.
struct PythonValue {
    enum class Kind { Constant, Integer, Float, String, List, Dict };

    Kind kind = Kind::Constant;
    /// json.dumps(value, ensure_ascii=False): integers of any size, floats as repr() writes them, NaN and
    /// Infinity, of equal keys the last value at the place of the first.
    QByteArray dumped;
    /// Of a string, itself.
    QString text;

    /// str(value): 1e20 is 1e+20, NaN is nan. Of constants, lists and dicts the JSON text, which is not what
    /// Python says.
    QString str() const;
};

struct PythonMember {
    QString key;
    PythonValue value;
};

/// A JSON text as a whole.
struct PythonJson {
    PythonValue value;
    /// Of a dict, in its order.
    QList<PythonMember> members;
};

/// What Python's json.loads makes of UTF-8 text, or nothing where it raises: NaN, Infinity and -Infinity are
/// numbers, control characters in strings, a byte order mark, integers of more than 4300 digits and more than
/// 900 levels are errors.
std::optional<PythonJson> readPythonJson(const QByteArray &utf8);

/// Whether `utf8` is JSON as the standard has it: as above, but without NaN and Infinity.
bool isJson(const QByteArray &utf8);

/// JSON without the space between its parts, and so on one line; what is written stays as it is written.
QByteArray compactJson(const QByteArray &json);

} // namespace proctor
