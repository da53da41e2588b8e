// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"
#include "models/run/verdicts.h"

#include <QElapsedTimer>

namespace proctor
{

/// Rewrites scores.jsonl from the verdicts, seldom enough for runs with very many slots.
class ScoresWriter
{
public:
    static constexpr qint64 pauseMs = 5000;

    ScoresWriter() = default;
    explicit ScoresWriter(const QString &path);

    const QString &path() const { return m_path; }
    /// A verdict has changed since the file was written.
    void touch() { m_behind = true; }
    /// The file lags behind and was not written in the last five seconds.
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
    bool m_behind = false;
};

} // namespace proctor
