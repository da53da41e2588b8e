// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/result.h"

#include "models/core/jsonmembers.h"
#include "models/core/pythontext.h"
#include "models/run/recordfields.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

namespace proctor
{

namespace
{

/// Writes the members of one object with json.dumps' separators.
class MemberWriter
{
public:
    MemberWriter() { m_out.reserve(320); }

    void raw(const char *key, QByteArrayView value)
    {
        m_out += m_out.isEmpty() ? "{\"" : ", \"";
        m_out += key;
        m_out += "\": ";
        m_out += value;
    }

    void text(const char *key, const QString &value)
    {
        raw(key, {});
        appendPythonString(m_out, value);
    }

    void textOrNull(const char *key, const QString *value)
    {
        if (value)
            text(key, *value);
        else
            raw(key, "null");
    }

    void texts(const char *key, const QStringList &values)
    {
        raw(key, "[");
        for (qsizetype i = 0; i < values.size(); ++i) {
            if (i > 0)
                m_out += ", ";
            appendPythonString(m_out, values[i]);
        }
        m_out += ']';
    }

    QByteArray finish(const QByteArray &extra)
    {
        const QByteArrayView members = QByteArrayView(extra).trimmed();
        if (members.size() > 2) {
            m_out += ", ";
            m_out += members.sliced(1, members.size() - 2).trimmed();
        }
        m_out += '}';
        return m_out;
    }

private:
    QByteArray m_out;
};

/// Fills in the fields from the members of a record of any make.
class FieldReader
{
public:
    Expected<Nothing> read(const QList<JsonMember> &members)
    {
        for (const JsonMember &member : members)
            take(member);
        keepUnknownPhase();
        if (!fields.instanceId.isEmpty())
            return Nothing{};
        return Error{QCoreApplication::translate("Result", "The record has no instance_id."), {}, 0, 0};
    }

    RecordFields fields;

private:
    void take(const JsonMember &member)
    {
        const QString &key = member.key;
        if (key == u"instance_id")
            fields.instanceId = member.text.value_or(QString());
        else if (key == u"domain")
            fields.domain = member.text;
        else if (key == u"run_id")
            fields.runId = runId(member);
        else if (key == u"reward")
            takeReward(member);
        else if (key == u"error")
            fields.error = member.isNull() ? QString() : member.text.value_or(QString::fromUtf8(member.raw));
        else if (key == u"phase")
            takePhase(member);
        else if (key == u"duration_sec")
            fields.durationSec = member.number().value_or(0);
        else if (key == u"state")
            fields.state = stateFromWord(member.text.value_or(QString()));
        else if (key == u"fault")
            fields.fault = faultFromWord(member.text.value_or(QString()));
        else if (key == u"step")
            fields.step = phaseFromWord(member.text.value_or(QString()));
        else if (key == u"flags")
            takeFlags(member);
        else if (key == u"attempt")
            fields.attempt = std::max(1, member.integer().value_or(1));
        else
            keep(member);
    }

    static std::optional<int> runId(const JsonMember &member)
    {
        const auto id = member.integer();
        return id && *id > 0 ? id : std::nullopt;
    }

    void takeReward(const JsonMember &member)
    {
        fields.reward = member.number();
        fields.invalidReward.clear();
        if (fields.reward && RecordFields::isReward(*fields.reward))
            return;
        fields.reward.reset();
        if (!member.isNull())
            fields.invalidReward = member.raw.toByteArray();
    }

    void takePhase(const JsonMember &member)
    {
        fields.phase = failurePhaseFromWord(member.text.value_or(QString()));
        m_unknownPhase.reset();
        if (!fields.phase && !member.isNull())
            m_unknownPhase = member;
    }

    /// A phase that we do not know stays in the record, unless the reward gives it one: a name is written
    /// once.
    void keepUnknownPhase()
    {
        const bool rewardTells = fields.state.value_or(State::Scored) == State::Scored && !fields.reward &&
                                 !fields.invalidReward.isEmpty();
        if (m_unknownPhase && !rewardTells)
            keep(*m_unknownPhase);
    }

    void takeFlags(const JsonMember &member)
    {
        fields.flags.clear();
        const QJsonArray flags = QJsonDocument::fromJson(member.raw.toByteArray()).array();
        for (const QJsonValue &flag : flags)
            fields.flags << flag.toString();
    }

    void keep(const JsonMember &member)
    {
        QByteArray &extra = fields.extra;
        if (extra.isEmpty())
            extra = "{";
        else
            extra.replace(extra.size() - 1, 1, ", ");
        appendPythonString(extra, member.key);
        extra += ": ";
        extra += member.raw;
        extra += '}';
    }

    std::optional<JsonMember> m_unknownPhase;
};

} // namespace

QByteArray Result::toJsonLine() const
{
    MemberWriter writer;
    writer.text("instance_id", instanceId);
    writer.textOrNull("domain", domain ? &*domain : nullptr);
    if (runId)
        writer.raw("run_id", QByteArray::number(*runId));
    writer.raw("reward", outcome.reward ? pythonFloat(*outcome.reward) : QByteArrayLiteral("null"));
    writer.textOrNull("error", outcome.state == State::Scored ? nullptr : &outcome.error);
    if (outcome.phase)
        writer.text("phase", toWord(*outcome.phase));
    writer.raw("duration_sec", pythonFloat(pythonRound(durationSec, 1)));

    writer.text("state", toWord(outcome.state));
    if (outcome.fault)
        writer.text("fault", toWord(*outcome.fault));
    if (outcome.step)
        writer.text("step", toWord(*outcome.step));
    if (!outcome.flags.isEmpty())
        writer.texts("flags", outcome.flags);
    writer.raw("attempt", QByteArray::number(attempt));
    return writer.finish(extra);
}

QByteArray Result::toJsonFile() const
{
    return indentedJson(toJsonLine());
}

Expected<Result> Result::fromJson(const QByteArray &json)
{
    const auto members = jsonMembers(json);
    if (!members)
        return members.error();
    FieldReader reader;
    if (const auto read = reader.read(*members); !read)
        return read.error();
    return resultOf(std::move(reader.fields));
}

} // namespace proctor
