// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace proctor
{

/// What a scalar of a YAML file means. The peer reads with PyYAML's SafeLoader, that is by the types of
/// YAML 1.1, in which `off` is false, `0777` is 511, `1:30` is 90 and `1e3` is text; yaml-cpp and YAML 1.2
/// read otherwise.
struct YamlScalar {
    enum class Kind {
        Null,
        Bool,
        Int,
        Float,
        /// A date or a time of day with one; `text` holds it as written.
        Timestamp,
        Text,
        /// The plain key `<<`.
        Merge,
        /// A form that the peer's loader recognises and then fails on: `2026-13-01`, `0x_`, a lone `=`,
        /// `!!int abc`.
        Invalid,
    };

    Kind kind = Kind::Null;
    bool boolean = false;
    /// Of an Int; absent when it does not fit into 64 bits.
    std::optional<qint64> integer;
    /// Of an Int and a Float.
    double number = 0;
    /// The scalar as written, quotes and escapes undone.
    QString text;

    bool isNull() const { return kind == Kind::Null; }
    bool isText() const { return kind == Kind::Text; }
    bool isNumber() const { return kind == Kind::Int || kind == Kind::Float; }
};

/// The meaning of a scalar that is neither quoted nor tagged.
YamlScalar resolvePlainScalar(const QString &text);

/// The meaning of a scalar with an explicit tag, in full ("tag:yaml.org,2002:int"). Nothing for a tag that
/// the peer's loader does not know or that is no scalar's.
std::optional<YamlScalar> resolveTaggedScalar(const QString &text, const QString &tag);

/// A scalar that is text whatever it looks like, as quoted ones are.
YamlScalar textScalar(const QString &text);

} // namespace proctor
