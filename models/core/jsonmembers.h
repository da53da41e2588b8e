// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>

namespace proctor
{

/// One member of a JSON object. `raw` is the value exactly as written, so that number texts, big integers and
/// NaN survive; it points into the text that was split.
struct JsonMember {
    QString key;
    QByteArrayView raw;
    /// The decoded value when it is a string.
    std::optional<QString> text;

    bool isNull() const { return raw == "null"; }
    /// The value of a number in the range of int without fraction.
    std::optional<int> integer() const;
    /// The value of a finite number; true and false are none.
    std::optional<double> number() const;
};

/// The members of the object in `json` in their order, checked to the last byte. NaN and Infinity are taken
/// as numbers like Python does, numbers beyond the range of double (1e400) are refused. Of members with the
/// same name all are given. The error names the column.
Expected<QList<JsonMember>> jsonMembers(QByteArrayView json);

} // namespace proctor
