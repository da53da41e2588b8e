// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journal.h"

#include "models/core/jsonmembers.h"
#include "models/core/pythontext.h"
#include "models/core/words.h"

#include <QCoreApplication>

namespace proctor
{

static constexpr WordTable<JournalEvent::Kind, 6> kindWords{{
    {JournalEvent::Kind::Started, "started"},
    {JournalEvent::Kind::Phase, "phase"},
    {JournalEvent::Kind::Outcome, "outcome"},
    {JournalEvent::Kind::Stopped, "stopped"},
    {JournalEvent::Kind::Resumed, "resumed"},
    {JournalEvent::Kind::Recovered, "recovered"},
}};

QByteArray JournalEvent::toJsonLine() const
{
    QByteArray out;
    out.reserve(result ? 512 : 160);
    out += "{\"at\": \"" + at.toUTC().toString(Qt::ISODateWithMs).toLatin1() + "\", \"event\": \"" +
           wordOf(kindWords, kind).toLatin1() + '"';
    if (!slot.instanceId.isEmpty()) {
        out += ", \"slot\": ";
        appendPythonString(out, slot.key());
        out += ", \"attempt\": " + QByteArray::number(attempt);
    }
    if (phase)
        out += ", \"phase\": \"" + toWord(*phase).toLatin1() + '"';
    if (result)
        out += ", \"outcome\": " + result->toJsonLine();
    out += '}';
    return out;
}

static Error problem(const char *sentence)
{
    return {QCoreApplication::translate("JournalEvent", sentence), {}, 0, 0};
}

std::optional<Slot> slotFromKey(const QString &key)
{
    const qsizetype hash = key.lastIndexOf(QLatin1Char('#'));
    bool isNumber = false;
    const int run = QStringView(key).mid(hash + 1).toInt(&isNumber);
    if (hash < 1 || !isNumber || run < 1)
        return std::nullopt;
    return Slot{key.left(hash), run};
}

static bool needsSlot(JournalEvent::Kind kind)
{
    return kind != JournalEvent::Kind::Stopped && kind != JournalEvent::Kind::Resumed;
}

Expected<JournalEvent> JournalEvent::fromJson(const QByteArray &line)
{
    const auto members = jsonMembers(line);
    if (!members)
        return members.error();

    JournalEvent event;
    std::optional<Kind> kind;
    for (const JsonMember &member : *members) {
        const QString text = member.text.value_or(QString());
        if (member.key == u"at") {
            event.at = QDateTime::fromString(text, Qt::ISODateWithMs);
        } else if (member.key == u"event") {
            kind = valueOf(kindWords, text);
        } else if (member.key == u"slot") {
            event.slot = slotFromKey(text).value_or(Slot{});
        } else if (member.key == u"attempt") {
            event.attempt = member.integer().value_or(0);
        } else if (member.key == u"phase") {
            event.phase = phaseFromWord(text);
        } else if (member.key == u"outcome" && !member.isNull()) {
            auto result = Result::fromJson(member.raw.toByteArray());
            if (!result)
                return result.error();
            event.result = *result;
        }
    }
    if (!kind)
        return problem(
            QT_TRANSLATE_NOOP("JournalEvent", "The journal entry names no event that is known here."));
    event.kind = *kind;
    if (needsSlot(event.kind) && event.slot.instanceId.isEmpty())
        return problem(QT_TRANSLATE_NOOP("JournalEvent", "The journal entry names no slot."));
    if (event.kind == Kind::Outcome && !event.result)
        return problem(QT_TRANSLATE_NOOP("JournalEvent", "The journal entry has no outcome."));
    return event;
}

} // namespace proctor
