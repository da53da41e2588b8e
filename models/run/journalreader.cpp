// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journalreader.h"

#include "models/core/jsonmembers.h"
#include "models/run/linecutter.h"

#include <QCoreApplication>
#include <QHash>

#include <cstring>

namespace proctor
{

namespace
{

/// A journal line of our own make, cut at its known places. A run of 100,000 attempts has a million of them,
/// so they are not parsed as JSON.
struct QuickLine {
    QByteArrayView kind;
    /// The instance id as it is written, without escapes.
    QByteArrayView id;
    int run = 1;
    int attempt = 0;
    /// What follows the attempt, up to the end of the line.
    QByteArrayView rest;

    Slot slot() const { return {QString::fromUtf8(id), run}; }
};

bool takeSlot(LineCutter &line, QuickLine &quick)
{
    QByteArrayView key;
    if (!line.text(key))
        return false;
    const qsizetype hash = key.lastIndexOf('#');
    if (hash < 1)
        return false;
    quick.id = key.first(hash);
    LineCutter run(key.sliced(hash + 1));
    return run.count(quick.run) && run.atEnd();
}

std::optional<QuickLine> quickLine(QByteArrayView text)
{
    LineCutter line(text);
    QuickLine quick;
    QByteArrayView at;
    if (!line.skip("{\"at\": \"") || !line.text(at) || !line.skip(", \"event\": \"") ||
        !line.text(quick.kind) || !line.skip(", \"slot\": \"") || !takeSlot(line, quick) ||
        !line.skip(", \"attempt\": ") || !line.count(quick.attempt))
        return std::nullopt;
    quick.rest = line.rest();
    return quick;
}

} // namespace

JournalReader::JournalReader(const QString &path, Verdicts &verdicts,
                             const std::vector<QByteArrayView> &scoreLines)
    : m_path(path)
    , m_verdicts(verdicts)
    , m_scoreLines(scoreLines)
{
}

void JournalReader::read(const JournalLines &lines, Diagnostics &warnings)
{
    for (const JournalLines::Line &line : lines.withoutPhases()) {
        if (takeKnownOutcome(line.text) || takeQuickly(line.text))
            continue;
        const auto event = JournalEvent::fromJson(line.text.toByteArray());
        if (event) {
            take(*event);
        } else if (!takeHeader(line.text)) {
            Error where = event.error();
            where.file = m_path;
            where.line = line.number;
            if (!line.isComplete)
                where.message =
                    QCoreApplication::translate("ResultStore", "The last entry was only half written and "
                                                               "is left out.");
            warnings << Diagnostic{Diagnostic::Severity::Warning, where, {}};
        }
    }
}

/// Most outcomes are those of a running attempt and stand word for word in scores.jsonl.
bool JournalReader::takeKnownOutcome(QByteArrayView line)
{
    if (!line.endsWith("}}"))
        return false;
    const QByteArrayView front = line.chopped(1);
    for (const qsizetype place : m_running) {
        if (static_cast<size_t>(place) >= m_scoreLines.size())
            continue;
        const QByteArrayView known = m_scoreLines[static_cast<size_t>(place)];
        const Verdicts::Entry &entry = std::as_const(m_verdicts).entries()[place];
        if (!known.isEmpty() && entry.result && entry.result->attempt == entry.begun &&
            front.endsWith(known) && front.chopped(known.size()).endsWith("\"outcome\": ")) {
            takeEnd(place, entry.begun);
            return true;
        }
    }
    return false;
}

bool JournalReader::takeQuickly(QByteArrayView line)
{
    const auto quick = quickLine(line);
    if (!quick)
        return false;
    if (quick->kind == "phase")
        return true;
    if (quick->kind == "started" && quick->rest == "}") {
        takeStart(placeOf(quick->id, quick->run), quick->attempt);
        return true;
    }
    LineCutter end(quick->rest);
    if (quick->kind != "outcome" || !end.skip(", \"outcome\": ") || !end.rest().endsWith('}'))
        return false;
    const QByteArrayView outcome = end.rest().chopped(1);

    const qsizetype place = placeOf(quick->id, quick->run);
    Verdicts::Entry &entry = m_verdicts.at(place);
    const bool known = static_cast<size_t>(place) < m_scoreLines.size() && entry.result &&
                       entry.result->attempt == quick->attempt &&
                       m_scoreLines[static_cast<size_t>(place)] == outcome;
    if (!known) {
        const auto result = Result::fromJson(outcome.toByteArray());
        if (!result)
            return false;
        m_verdicts.apply(entry, *result);
    }
    entry.attempts = std::max(entry.attempts, quick->attempt);
    takeEnd(place, quick->attempt);
    return true;
}

/// Whether the entry at `place` is that of the slot, told from the beginning of its line in scores.jsonl.
bool JournalReader::isAt(qsizetype place, QByteArrayView id, int run) const
{
    if (static_cast<size_t>(place) >= m_scoreLines.size() || m_verdicts.entries()[place].slot.run != run)
        return false;
    LineCutter line(m_scoreLines[static_cast<size_t>(place)]);
    return line.skip("{\"instance_id\": \"") && line.skip(id) && line.skip("\"");
}

qsizetype JournalReader::placeOf(QByteArrayView id, int run)
{
    // A line is mostly about an attempt that runs or about the slot after the one that began last, because
    // scores.jsonl keeps the order in which slots began.
    for (const qsizetype place : m_running) {
        if (isAt(place, id, run))
            return place;
    }
    if (isAt(m_next, id, run))
        return m_next;
    return m_verdicts.place({QString::fromUtf8(id), run});
}

void JournalReader::takeStart(qsizetype place, int attempt)
{
    Verdicts::Entry &entry = m_verdicts.at(place);
    entry.attempts = std::max(entry.attempts, attempt);
    entry.begun = std::max(entry.begun, attempt);
    m_sawStart = true;
    static constexpr size_t usuallyRunning = 32;
    if (m_running.size() == usuallyRunning)
        m_running.erase(m_running.begin());
    m_running.push_back(place);
    m_next = place + 1;
}

void JournalReader::takeEnd(qsizetype place, int attempt)
{
    Verdicts::Entry &entry = m_verdicts.at(place);
    entry.ended = std::max(entry.ended, attempt);
    std::erase(m_running, place);
}

void JournalReader::take(const JournalEvent &event)
{
    if (event.slot.instanceId.isEmpty())
        return;
    const qsizetype place = m_verdicts.place(event.slot);
    if (event.kind == JournalEvent::Kind::Started)
        takeStart(place, event.attempt);
    if (!event.result)
        return;
    m_verdicts.apply(m_verdicts.at(place), *event.result);
    takeEnd(place, event.attempt);
}

bool JournalReader::takeHeader(QByteArrayView line)
{
    const auto members = jsonMembers(line);
    if (!members)
        return false;
    for (const JsonMember &member : *members) {
        if (member.key == u"schema_version" && member.integer()) {
            m_schemaVersion = std::max(m_schemaVersion, *member.integer());
            return true;
        }
    }
    return false;
}

QList<OpenAttempt> JournalReader::openAttempts(const JournalLines &lines) const
{
    QList<OpenAttempt> open;
    if (!m_sawStart)
        return open;
    QHash<Slot, qsizetype> places;
    for (const Verdicts::Entry &entry : m_verdicts.entries()) {
        if (!entry.isRunning())
            continue;
        places.insert(entry.slot, open.size());
        open.append({entry.slot, entry.begun, Phase::Pull, {}, {}});
    }
    if (open.isEmpty())
        return open;

    lines.forEach([&open, &places](const JournalLines::Line &line) {
        const auto quick = quickLine(line.text);
        if (quick && !places.contains(quick->slot()))
            return;
        const auto event = JournalEvent::fromJson(line.text.toByteArray());
        const auto place = event ? places.constFind(event->slot) : places.constEnd();
        if (place == places.constEnd() || open[*place].attempt != event->attempt)
            return;
        OpenAttempt &attempt = open[*place];
        attempt.lastSeen = event->at;
        if (event->kind == JournalEvent::Kind::Started)
            attempt.begun = event->at;
        else if (event->phase)
            attempt.phase = *event->phase;
    });
    return open;
}

} // namespace proctor
