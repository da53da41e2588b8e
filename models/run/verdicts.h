// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/result.h"

#include <QList>

#include <vector>

namespace proctor
{

/// The last verdict of each slot and how often it has been tried, in the order in which slots first appeared.
class Verdicts
{
public:
    struct Entry {
        Slot slot;
        /// Nothing while the first attempt runs.
        std::optional<Result> result;
        /// Highest number of an attempt that is known to have begun.
        int attempts = 0;
        /// Highest number of an attempt that the journal saw begin, and that it saw end; 0 = none.
        int begun = 0, ended = 0;

        bool isRunning() const { return begun > ended && !(result && result->attempt >= begun); }
    };

    void reserve(qsizetype count);

    /// The place of a slot among the entries, which is made when it is new.
    qsizetype place(const Slot &slot);
    Entry &at(qsizetype place) { return m_entries[place]; }
    /// nullptr when nothing is known of the slot.
    const Entry *find(const Slot &slot) const;
    QList<Entry> &entries() { return m_entries; }
    const QList<Entry> &entries() const { return m_entries; }

    /// Takes a result for the verdict of its slot unless it is of an earlier attempt, or cancelled or lost
    /// while the slot has a score or a failure. A run id that is known is kept: what was written before a
    /// folder had several runs names none.
    void apply(Entry &entry, Result result);

    /// Whether some result has a run id or some slot is of another run than the first.
    bool namesRuns() const { return m_namesRuns; }

    /// Gives each result the id of its slot's run.
    void nameRuns();

    QList<Result> results() const;

private:
    /// A bucket of the index: where the slot is among the entries, plus one (0 = free), and its hash.
    struct Bucket {
        quint32 place = 0, hash = 0;
    };
    size_t bucketOf(const Slot &slot, quint32 hash) const;
    void resizeIndex(qsizetype entries);

    QList<Entry> m_entries;
    bool m_namesRuns = false;
    /// Open addressing over a power of two. A QHash would copy every slot and take four times as long to
    /// fill.
    std::vector<Bucket> m_index = std::vector<Bucket>(64);
};

} // namespace proctor
