// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/verdicts.h"

namespace proctor
{

void Verdicts::reserve(qsizetype count)
{
    m_entries.reserve(count);
    m_places.reserve(count);
}

qsizetype Verdicts::place(const Slot &slot)
{
    // Counted from 1, so that a place which the hash has just made can be told.
    qsizetype &known = m_places[slot];
    if (known == 0) {
        m_entries.emplace_back();
        m_entries.back().slot = slot;
        known = m_entries.size();
    }
    return known - 1;
}

const Verdicts::Entry *Verdicts::find(const Slot &slot) const
{
    const auto place = m_places.constFind(slot);
    return place == m_places.constEnd() ? nullptr : &m_entries[*place - 1];
}

static bool isVerdict(const Result &result)
{
    return result.outcome.state == State::Scored || result.outcome.state == State::Failed;
}

void Verdicts::apply(Entry &entry, Result result)
{
    entry.attempts = std::max(entry.attempts, result.attempt);
    if (!entry.result || result.attempt == entry.result->attempt) {
        entry.result = std::move(result);
    } else if (result.attempt > entry.result->attempt) {
        if (isVerdict(result) || !isVerdict(*entry.result))
            entry.result = std::move(result);
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
