// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"
#include "models/run/verdicts.h"

#include <QElapsedTimer>

#include <algorithm>

namespace proctor
{

/// Rewrites scores.jsonl from the verdicts, seldom enough for runs with very many slots.
class ScoresWriter
{
public:
    /// At least this long between two writings, …
    static constexpr qint64 leastPauseMs = 5000;
    /// … and so long that writing takes 5 % of the time at most.
    static constexpr qint64 pauseAfter(qint64 writingMs)
    {
        constexpr qint64 shareOfWriting = 20;
        return std::max(leastPauseMs, shareOfWriting * writingMs);
    }

    ScoresWriter() = default;
    explicit ScoresWriter(const QString &path);

    const QString &path() const { return m_path; }
    /// A verdict has changed since the file was written.
    void touch() { m_behind = true; }
    /// The file lags behind and the pause after the last writing is over.
    bool isDue() const;
    bool isBehind() const { return m_behind; }
    /// Somebody else has written to the file since we last did.
    bool isChangedByOthers() const;

    /// Replaces the file; a file that would hold the same bytes is left alone.
    Expected<Nothing> write(const Verdicts &verdicts);

private:
    struct Stamp {
        qint64 size = -1, changedNs = 0;
        quint64 inode = 0;
        bool operator==(const Stamp &) const = default;
    };
    Stamp currentStamp() const;

    QString m_path;
    Stamp m_stamp;
    QElapsedTimer m_sinceWriting;
    qint64 m_pauseMs = leastPauseMs;
    bool m_behind = false;
};

} // namespace proctor
