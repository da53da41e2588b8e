// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/result.h"

#include <QByteArrayView>

#include <memory>

namespace proctor
{

/// A line of scores.jsonl and whether it lacks our members, which means that the peer appended it.
struct ScoreLine {
    Result result;
    bool byPeer = false;
};

/// Reads many records fast. The usual members are read in one pass over the bytes; a record with anything
/// unusual in it (unknown members, NaN, wrong types) is read again by Result::fromJson, which decides.
class RecordReader
{
public:
    /// Readable bytes that have to follow the last line of a text handed to read().
    static constexpr qsizetype padding = 64;

    RecordReader();
    ~RecordReader();

    /// `line` is followed by at least `padding` readable bytes of any value.
    Expected<ScoreLine> read(QByteArrayView line);

private:
    class FastPath;
    std::unique_ptr<FastPath> m_fast;
};

} // namespace proctor
