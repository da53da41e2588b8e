// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/yaml11.h"
#include "models/core/diagnostic.h"

#include <QByteArray>
#include <QList>

#include <memory>

namespace proctor
{

/// A place in a YAML text. Line and column count from 1; `index` counts code points from 0, a byte order mark
/// left out.
struct YamlMark {
    int line = 0;
    int column = 0;
    qsizetype index = 0;

    bool operator==(const YamlMark &) const = default;
};

struct YamlNode;
using YamlNodePtr = std::shared_ptr<const YamlNode>;

/// A key and its value as they stand in a mapping.
struct YamlEntry {
    YamlNodePtr key;
    /// Shared with the anchored node when the value is an alias.
    YamlNodePtr value;
    bool isAlias = false;
    /// Came in by a merge key; the marks of key and value are those of the place it came from.
    bool isMerged = false;
};

struct YamlNode {
    enum class Kind { Scalar, Sequence, Mapping };
    enum class Style { Plain, SingleQuoted, DoubleQuoted, Literal, Folded };

    Kind kind = Kind::Scalar;
    /// Anchor and tag lie between `start` and the content; a block scalar ends where the next token begins.
    YamlMark start, end;
    /// Of a scalar.
    Style style = Style::Plain;
    YamlScalar scalar;
    /// Of a sequence.
    QList<YamlNodePtr> items;
    /// Of a mapping: everything as written, in order, repeated and merge keys included.
    QList<YamlEntry> written;
    /// Of a mapping: what a reader gets, merge keys resolved, the last of equal keys kept.
    QList<YamlEntry> entries;

    bool isMapping() const { return kind == Kind::Mapping; }
    bool isSequence() const { return kind == Kind::Sequence; }
    bool isScalar() const { return kind == Kind::Scalar; }
    bool isNull() const { return isScalar() && scalar.isNull(); }
    bool isText() const { return isScalar() && scalar.isText(); }

    /// The entry whose key is this text, or null. The plain key `on` is a boolean and so no text.
    const YamlEntry *entry(const QString &key) const;
};

/// One YAML document as a tree that knows where everything stands in the text.
struct YamlDocument {
    /// Null for a file without content.
    YamlNodePtr root;
    /// What does not stop the tree from being built, sorted by place: repeated keys are warnings; keys, tags
    /// and merges that the peer's loader refuses, and scalars it fails on, are errors. No value is ever
    /// quoted, it may be a secret.
    Diagnostics diagnostics;

    /// Reads UTF-8, with or without a byte order mark. Errors: not UTF-8, not YAML (with line and column),
    /// more than one document, nested deeper than 100, an alias inside what it stands for. `path` is for
    /// messages only.
    static Expected<YamlDocument> parse(const QByteArray &text, const QString &path);
};

} // namespace proctor
