// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonmembers.h"

#include <QCoreApplication>

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <charconv>
#include <cmath>

namespace proctor
{

template<typename Number>
static std::optional<Number> numberIn(QByteArrayView raw)
{
    Number value{};
    const char *end = raw.data() + raw.size();
    const auto [last, error] = std::from_chars(raw.data(), end, value);
    if (error != std::errc() || last != end)
        return std::nullopt;
    return value;
}

std::optional<int> JsonMember::integer() const
{
    return numberIn<int>(raw);
}

std::optional<double> JsonMember::number() const
{
    const auto value = numberIn<double>(raw);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

namespace
{

constexpr unsigned parseFlags =
    rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;

/// Watches the parser pass and notes where each value of the outermost object begins and ends.
class MemberListener : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, MemberListener>
{
public:
    MemberListener(QByteArrayView json, const rapidjson::MemoryStream &stream)
        : m_json(json)
        , m_stream(stream)
    {
    }

    bool Default() { return endValue(position()); }
    bool RawNumber(const char *, rapidjson::SizeType, bool) { return endValue(position()); }
    bool StartObject()
    {
        ++m_depth;
        return true;
    }
    // An array as the outermost value is no object.
    bool StartArray() { return m_depth++ > 0; }
    bool EndObject(rapidjson::SizeType) { return endContainer(); }
    bool EndArray(rapidjson::SizeType) { return endContainer(); }

    bool Key(const char *text, rapidjson::SizeType length, bool)
    {
        if (m_depth == 1) {
            m_member = {QString::fromUtf8(text, length), {}, std::nullopt};
            m_begin = position();
        }
        return true;
    }

    bool String(const char *text, rapidjson::SizeType length, bool)
    {
        if (m_depth == 1)
            m_member.text = QString::fromUtf8(text, length);
        return endValue(position());
    }

    QList<JsonMember> members;

private:
    qsizetype position() const { return static_cast<qsizetype>(m_stream.Tell()); }

    // The parser calls before it takes the closing bracket.
    bool endContainer() { return --m_depth == 0 || endValue(position() + 1); }

    bool endValue(qsizetype end)
    {
        if (m_depth == 0)
            return false;
        if (m_depth > 1)
            return true;
        const QByteArrayView spaced = m_json.sliced(m_begin, end - m_begin);
        m_member.raw = spaced.sliced(spaced.indexOf(':') + 1).trimmed();
        members << m_member;
        return true;
    }

    QByteArrayView m_json;
    const rapidjson::MemoryStream &m_stream;
    JsonMember m_member;
    qsizetype m_begin = 0;
    int m_depth = 0;
};

} // namespace

Expected<QList<JsonMember>> jsonMembers(QByteArrayView json)
{
    rapidjson::MemoryStream stream(json.data(), static_cast<size_t>(json.size()));
    MemberListener listener(json, stream);
    rapidjson::Reader reader;
    const rapidjson::ParseResult result = reader.Parse<parseFlags>(stream, listener);
    if (!result.IsError())
        return listener.members;

    if (result.Code() == rapidjson::kParseErrorTermination)
        return Error{QCoreApplication::translate("Json", "This is not a JSON object."), {}, 0, 0};
    const QString reason = QString::fromLatin1(rapidjson::GetParseError_En(result.Code()));
    return Error{QCoreApplication::translate("Json", "This is not valid JSON: %1").arg(reason),
                 {},
                 0,
                 static_cast<int>(result.Offset()) + 1};
}

} // namespace proctor
