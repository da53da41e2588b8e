// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/result.h"

#include <QByteArrayView>

#include <utility>
#include <vector>

namespace proctor
{

struct RecordFields;
class LineCutter;

/// A line of scores.jsonl and whether it lacks our members, which means that the peer appended it.
struct ScoreLine {
    Result result;
    bool byPeer = false;
};

/// Reads many records fast. A record as we or the peer write it is cut at its known places; one with anything
/// unusual in it (unknown members, another order, escapes, NaN) is read by Result::fromJson.
class RecordReader
{
public:
    Expected<ScoreLine> read(QByteArrayView line);

private:
    bool cut(QByteArrayView line, RecordFields &fields);
    bool cutDomain(LineCutter &line, RecordFields &fields);

    QString domainText(QByteArrayView bytes);

    /// The first domains met: records name few, and equal ones share their text.
    std::vector<std::pair<QByteArray, QString>> m_domains;
};

} // namespace proctor
