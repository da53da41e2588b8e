// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journalreader.h"

#include "models/core/jsonmembers.h"
#include "models/core/linereader.h"

#include <QCoreApplication>

#include <charconv>

namespace proctor
{

namespace
{

/// A journal line of our own make, cut at its known places. A run of 100,000 attempts has a million of them,
/// so they are not parsed as JSON.
struct QuickLine {
    QByteArrayView at, kind;
    Slot slot;
    int attempt = 0;
    /// What follows the attempt, up to the end of the line.
    QByteArrayView rest;
};

/// Takes `prefix` off the front of `text`.
bool skip(QByteArrayView &text, QByteArrayView prefix)
{
    if (!text.startsWith(prefix))
        return false;
    text = text.sliced(prefix.size());
    return true;
}

/// Takes the text before the next quote off the front, and the quote. Texts with escapes are left to the JSON
/// parser.
bool takeText(QByteArrayView &text, QByteArrayView &taken)
{
    const qsizetype quote = text.indexOf('"');
    if (quote < 0)
        return false;
    taken = text.first(quote);
    text = text.sliced(quote + 1);
    return !taken.contains('\\');
}

bool takeNumber(QByteArrayView &text, int &number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return false;
    text = text.sliced(end - text.data());
    return true;
}

bool takeSlot(QByteArrayView &text, Slot &slot)
{
    QByteArrayView key;
    if (!takeText(text, key))
        return false;
    const qsizetype hash = key.lastIndexOf('#');
    if (hash < 1)
        return false;
    QByteArrayView run = key.sliced(hash + 1);
    slot.instanceId = QString::fromUtf8(key.first(hash));
    return takeNumber(run, slot.run) && run.isEmpty() && slot.run > 0;
}

bool takeKind(QByteArrayView &text, QuickLine &line)
{
    return skip(text, "{\"at\": \"") && takeText(text, line.at) && skip(text, ", \"event\": \"") &&
           takeText(text, line.kind);
}

std::optional<QuickLine> quickLine(QByteArrayView text)
{
    QuickLine line;
    if (!takeKind(text, line) || !skip(text, ", \"slot\": \"") || !takeSlot(text, line.slot) ||
        !skip(text, ", \"attempt\": ") || !takeNumber(text, line.attempt))
        return std::nullopt;
    line.rest = text;
    return line;
}

bool isPhase(QByteArrayView text)
{
    QuickLine line;
    return takeKind(text, line) && line.kind == "phase";
}

} // namespace

JournalReader::JournalReader(const QString &path, Verdicts &verdicts,
                             const std::vector<QByteArrayView> &scoreLines)
    : m_path(path)
    , m_verdicts(verdicts)
    , m_scoreLines(scoreLines)
{
}

bool JournalReader::read(Diagnostics &warnings)
{
    LineReader reader(m_path);
    QByteArrayView line;
    while (reader.next(line)) {
        if (line.isEmpty() || isPhase(line) || takeQuickly(line))
            continue;
        const auto event = JournalEvent::fromJson(line.toByteArray());
        if (event) {
            take(*event);
        } else if (!takeHeader(line)) {
            Error where = event.error();
            where.file = m_path;
            where.line = reader.number();
            if (!reader.isComplete())
                where.message =
                    QCoreApplication::translate("ResultStore", "The last entry was only half written and "
                                                               "is left out.");
            warnings << Diagnostic{Diagnostic::Severity::Warning, where, {}};
        }
    }
    return reader.isOpen();
}

bool JournalReader::takeQuickly(QByteArrayView line)
{
    const auto quick = quickLine(line);
    if (!quick)
        return false;
    if (quick->kind == "started" && quick->rest == "}") {
        JournalEvent event;
        event.kind = JournalEvent::Kind::Started;
        event.slot = quick->slot;
        event.attempt = quick->attempt;
        take(event);
        return true;
    }
    QByteArrayView outcome = quick->rest;
    if (quick->kind != "outcome" || !skip(outcome, ", \"outcome\": ") || !outcome.endsWith('}'))
        return false;
    outcome.chop(1);

    const qsizetype place = m_verdicts.place(quick->slot);
    Verdicts::Entry &entry = m_verdicts.at(place);
    const bool known = static_cast<size_t>(place) < m_scoreLines.size() && entry.result &&
                       entry.result->attempt == quick->attempt &&
                       m_scoreLines[static_cast<size_t>(place)] == outcome;
    if (!known) {
        const auto result = Result::fromJson(outcome.toByteArray());
        if (!result)
            return false;
        Verdicts::apply(entry, *result);
    }
    entry.attempts = std::max(entry.attempts, quick->attempt);
    entry.ended = std::max(entry.ended, quick->attempt);
    return true;
}

void JournalReader::take(const JournalEvent &event)
{
    if (event.slot.instanceId.isEmpty())
        return;
    Verdicts::Entry &entry = m_verdicts.at(m_verdicts.place(event.slot));
    entry.attempts = std::max(entry.attempts, event.attempt);
    if (event.kind == JournalEvent::Kind::Started)
        entry.begun = std::max(entry.begun, event.attempt);
    if (!event.result)
        return;
    entry.ended = std::max(entry.ended, event.attempt);
    Verdicts::apply(entry, *event.result);
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

QList<OpenAttempt> JournalReader::openAttempts() const
{
    QList<OpenAttempt> open;
    QHash<Slot, qsizetype> places;
    for (const Verdicts::Entry &entry : m_verdicts.entries()) {
        if (!entry.isRunning())
            continue;
        places.insert(entry.slot, open.size());
        open.append({entry.slot, entry.begun, Phase::Pull, {}, {}});
    }
    if (open.isEmpty())
        return open;

    LineReader reader(m_path);
    QByteArrayView line;
    while (reader.next(line)) {
        const auto quick = quickLine(line);
        if (quick && !places.contains(quick->slot))
            continue;
        const auto event = JournalEvent::fromJson(line.toByteArray());
        const auto place = event ? places.constFind(event->slot) : places.constEnd();
        if (place == places.constEnd() || open[*place].attempt != event->attempt)
            continue;
        OpenAttempt &attempt = open[*place];
        attempt.lastSeen = event->at;
        if (event->kind == JournalEvent::Kind::Started)
            attempt.begun = event->at;
        else if (event->phase)
            attempt.phase = *event->phase;
    }
    return open;
}

} // namespace proctor
