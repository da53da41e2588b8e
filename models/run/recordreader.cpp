// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/recordreader.h"

#include "models/run/recordfields.h"

#include <simdjson.h>

namespace proctor
{

namespace ondemand = simdjson::ondemand;

class RecordReader::FastPath
{
public:
    /// Nothing when the line holds anything but the usual members with the usual types.
    std::optional<RecordFields> read(QByteArrayView line)
    {
        static_assert(padding >= static_cast<qsizetype>(simdjson::SIMDJSON_PADDING));
        const auto size = static_cast<size_t>(line.size());
        ondemand::document document;
        if (m_parser.iterate(line.data(), size, size + static_cast<size_t>(padding)).get(document))
            return std::nullopt;
        ondemand::object object;
        if (document.get_object().get(object))
            return std::nullopt;

        RecordFields fields;
        for (auto member : object) {
            ondemand::field field;
            std::string_view key;
            if (std::move(member).get(field) || field.unescaped_key().get(key))
                return std::nullopt;
            if (!take(fields, key, field.value()))
                return std::nullopt;
        }
        const char *rest = nullptr;
        const bool atEnd = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
        if (!atEnd || fields.instanceId.isEmpty())
            return std::nullopt;
        return fields;
    }

private:
    using Value = ondemand::value;

    bool take(RecordFields &fields, std::string_view key, Value value)
    {
        if (key == "instance_id")
            return takeText(value, fields.instanceId);
        if (key == "domain")
            return takeDomain(value, fields.domain);
        if (key == "reward")
            return takeReward(value, fields.reward);
        if (key == "error")
            return takeNull(value) || takeText(value, fields.error);
        if (key == "duration_sec")
            return !value.get_double().get(fields.durationSec);
        if (key == "run_id")
            return takeCount(value, fields.runId);
        if (key == "state")
            return takeWord(value, fields.state, stateFromWord);
        if (key == "attempt")
            return takeAttempt(value, fields.attempt);
        if (key == "phase")
            return takeWord(value, fields.phase, failurePhaseFromWord);
        if (key == "fault")
            return takeWord(value, fields.fault, faultFromWord);
        if (key == "step")
            return takeWord(value, fields.step, phaseFromWord);
        if (key == "flags")
            return takeFlags(value, fields.flags);
        return false;
    }

    static bool takeNull(Value &value)
    {
        bool isNull = false;
        return !value.is_null().get(isNull) && isNull;
    }

    static bool takeText(Value &value, QString &text)
    {
        std::string_view bytes;
        if (value.get_string().get(bytes))
            return false;
        text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
        return true;
    }

    /// Records name few domains: equal ones share their text.
    bool takeDomain(Value &value, std::optional<QString> &domain)
    {
        if (takeNull(value))
            return true;
        std::string_view bytes;
        if (value.get_string().get(bytes))
            return false;
        if (bytes != m_domainBytes) {
            m_domainBytes = bytes;
            m_domain = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
        }
        domain = m_domain;
        return true;
    }

    static bool takeReward(Value &value, std::optional<double> &reward)
    {
        if (takeNull(value))
            return true;
        double number = 0;
        if (value.get_double().get(number) || !RecordFields::isReward(number))
            return false;
        reward = number;
        return true;
    }

    static bool takeCount(Value &value, std::optional<int> &count)
    {
        if (takeNull(value))
            return true;
        int number = 0;
        if (!takeAttempt(value, number))
            return false;
        count = number;
        return true;
    }

    static bool takeAttempt(Value &value, int &number)
    {
        int64_t wide = 0;
        if (value.get_int64().get(wide) || wide < 1 || wide > std::numeric_limits<int>::max())
            return false;
        number = static_cast<int>(wide);
        return true;
    }

    template<typename Enum>
    static bool takeWord(Value &value, std::optional<Enum> &word,
                         std::optional<Enum> (*fromWord)(const QString &))
    {
        QString text;
        if (!takeText(value, text))
            return false;
        word = fromWord(text);
        return word.has_value();
    }

    static bool takeFlags(Value &value, QStringList &flags)
    {
        ondemand::array array;
        if (value.get_array().get(array))
            return false;
        for (auto element : array) {
            Value flag;
            QString text;
            if (std::move(element).get(flag) || !takeText(flag, text))
                return false;
            flags << text;
        }
        return true;
    }

    ondemand::parser m_parser;
    std::string m_domainBytes;
    QString m_domain = QLatin1String("");
};

RecordReader::RecordReader()
    : m_fast(std::make_unique<FastPath>())
{
}
RecordReader::~RecordReader() = default;

Expected<ScoreLine> RecordReader::read(QByteArrayView line)
{
    if (auto fields = m_fast->read(line)) {
        const bool byPeer = !fields->state;
        return ScoreLine{proctor::resultOf(std::move(*fields)), byPeer};
    }
    auto result = Result::fromJson(line.toByteArray());
    if (!result)
        return result.error();
    const bool byPeer = !line.contains("\"state\"");
    return ScoreLine{std::move(*result), byPeer};
}

} // namespace proctor
