// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"
#include "models/run/journal.h"
#include "models/run/journallines.h"
#include "models/run/verdicts.h"

#include <vector>

namespace proctor
{

/// Newest version of our files that this program knows.
constexpr int knownSchemaVersion = 1;

/// An attempt of which the journal has the start and not the end.
struct OpenAttempt {
    Slot slot;
    int attempt = 0;
    /// The phase it was in when the journal last spoke of it, and since when.
    Phase phase = Phase::Pull;
    QDateTime begun, lastSeen;
};

/// Reads events.jsonl into the verdicts that scores.jsonl gave. Where both speak of an attempt the journal is
/// right.
class JournalReader
{
public:
    /// `scoreLines`: for each entry of `verdicts` the line of scores.jsonl that its result was read from, or
    /// nothing.
    JournalReader(const QString &path, Verdicts &verdicts, const std::vector<QByteArrayView> &scoreLines);

    void read(const JournalLines &lines, Diagnostics &warnings);
    int schemaVersion() const { return m_schemaVersion; }
    /// Attempts that have begun and not ended, after read().
    QList<OpenAttempt> openAttempts(const JournalLines &lines) const;

private:
    bool takeQuickly(QByteArrayView line);
    bool takeKnownOutcome(QByteArrayView line);
    void take(const JournalEvent &event);
    bool takeHeader(QByteArrayView line);
    void takeStart(qsizetype place, int attempt);
    void takeEnd(qsizetype place, int attempt);
    qsizetype placeOf(QByteArrayView id, int run);
    bool isAt(qsizetype place, QByteArrayView id, int run) const;

    QString m_path;
    Verdicts &m_verdicts;
    const std::vector<QByteArrayView> &m_scoreLines;
    int m_schemaVersion = knownSchemaVersion;
    /// An attempt has begun, so that one may be open.
    bool m_sawStart = false;
    /// Places of attempts that have begun last and not ended.
    std::vector<qsizetype> m_running;
    /// The place after that of the attempt which began last.
    qsizetype m_next = 0;
};

} // namespace proctor
