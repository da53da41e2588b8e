// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/verdicts.h"

namespace proctor
{

static quint32 hashOf(const Slot &slot)
{
    return static_cast<quint32>(qHash(slot.instanceId, static_cast<size_t>(slot.run)));
}

void Verdicts::reserve(qsizetype count)
{
    m_entries.reserve(count);
    resizeIndex(count);
}

/// Makes room for that many entries with at least half of the buckets free.
void Verdicts::resizeIndex(qsizetype entries)
{
    size_t buckets = m_index.size();
    while (buckets < 2 * static_cast<size_t>(entries))
        buckets *= 2;
    if (buckets == m_index.size())
        return;
    m_index.assign(buckets, Bucket{});
    for (qsizetype place = 0; place < m_entries.size(); ++place) {
        const quint32 hash = hashOf(m_entries[place].slot);
        m_index[bucketOf(m_entries[place].slot, hash)] = {static_cast<quint32>(place + 1), hash};
    }
}

/// The bucket of the slot, or the free one where it belongs.
size_t Verdicts::bucketOf(const Slot &slot, quint32 hash) const
{
    const size_t mask = m_index.size() - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        const Bucket &bucket = m_index[at];
        if (bucket.place == 0 || (bucket.hash == hash && m_entries[bucket.place - 1].slot == slot))
            return at;
    }
}

qsizetype Verdicts::place(const Slot &slot)
{
    const quint32 hash = hashOf(slot);
    if (const quint32 known = m_index[bucketOf(slot, hash)].place; known != 0)
        return known - 1;
    resizeIndex(m_entries.size() + 1);
    const size_t bucket = bucketOf(slot, hash);
    m_namesRuns = m_namesRuns || slot.run > 1;
    m_entries.emplace_back();
    m_entries.back().slot = slot;
    m_index[bucket] = {static_cast<quint32>(m_entries.size()), hash};
    return m_entries.size() - 1;
}

const Verdicts::Entry *Verdicts::find(const Slot &slot) const
{
    const quint32 place = m_index[bucketOf(slot, hashOf(slot))].place;
    return place == 0 ? nullptr : &m_entries[place - 1];
}

static bool isVerdict(const Result &result)
{
    return result.outcome.state == State::Scored || result.outcome.state == State::Failed;
}

void Verdicts::apply(Entry &entry, Result result)
{
    m_namesRuns = m_namesRuns || result.runId.has_value();
    if (entry.result && entry.result->runId)
        result.runId = entry.result->runId;
    entry.attempts = std::max(entry.attempts, result.attempt);
    if (!entry.result || result.attempt == entry.result->attempt) {
        entry.result = std::move(result);
    } else if (result.attempt > entry.result->attempt) {
        if (isVerdict(result) || !isVerdict(*entry.result))
            entry.result = std::move(result);
    }
}

void Verdicts::nameRuns()
{
    m_namesRuns = true;
    for (Entry &entry : m_entries) {
        if (entry.result)
            entry.result->runId = entry.slot.run;
    }
}

QList<Result> Verdicts::results() const
{
    QList<Result> results;
    results.reserve(m_entries.size());
    for (const Entry &entry : m_entries) {
        if (entry.result)
            results << *entry.result;
    }
    return results;
}

} // namespace proctor
