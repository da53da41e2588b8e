// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/recordreader.h"

#include "models/run/linecutter.h"
#include "models/run/recordfields.h"

namespace proctor
{

static QString textOf(QByteArrayView bytes)
{
    return QString::fromUtf8(bytes.data(), bytes.size());
}

QString RecordReader::domainText(QByteArrayView bytes)
{
    for (const auto &[known, text] : m_domains) {
        if (bytes == known)
            return text;
    }
    static constexpr std::size_t usualDomains = 32;
    const QString text = textOf(bytes);
    if (m_domains.size() < usualDomains)
        m_domains.emplace_back(bytes.toByteArray(), text);
    return text;
}

bool RecordReader::cutDomain(LineCutter &line, RecordFields &fields)
{
    if (line.skip(", \"domain\": null"))
        return true;
    QByteArrayView bytes;
    if (!line.skip(", \"domain\": \"") || !line.text(bytes))
        return false;
    fields.domain = domainText(bytes);
    return true;
}

static bool cutReward(LineCutter &line, RecordFields &fields)
{
    if (line.skip(", \"reward\": null"))
        return true;
    double reward = 0;
    if (!line.skip(", \"reward\": ") || !line.decimal(reward) || !RecordFields::isReward(reward))
        return false;
    fields.reward = reward;
    return true;
}

static bool cutError(LineCutter &line, RecordFields &fields)
{
    if (line.skip(", \"error\": null"))
        return true;
    QByteArrayView bytes;
    if (!line.skip(", \"error\": \"") || !line.text(bytes))
        return false;
    fields.error = textOf(bytes);
    return true;
}

/// A member that may be absent and holds one of the words of an enum.
template<typename Enum, std::size_t size>
static bool cutWord(LineCutter &line, const char (&opening)[size], std::optional<Enum> &word,
                    std::optional<Enum> (*fromWord)(const QString &))
{
    if (!line.skip(opening))
        return true;
    QByteArrayView bytes;
    if (!line.text(bytes))
        return false;
    word = fromWord(textOf(bytes));
    return word.has_value();
}

static bool cutFlags(LineCutter &line, RecordFields &fields)
{
    if (!line.skip(", \"flags\": ["))
        return true;
    QByteArrayView bytes;
    do {
        if (!line.skip("\"") || !line.text(bytes))
            return false;
        fields.flags << textOf(bytes);
    } while (line.skip(", "));
    return line.skip("]");
}

static bool cutRun(LineCutter &line, RecordFields &fields)
{
    if (!line.skip(", \"run_id\": "))
        return true;
    int run = 0;
    if (!line.count(run))
        return false;
    fields.runId = run;
    return true;
}

static bool cutOurs(LineCutter &line, RecordFields &fields)
{
    if (line.skip(", \"state\": \"scored\""))
        fields.state = State::Scored;
    else if (!cutWord(line, ", \"state\": \"", fields.state, stateFromWord))
        return false;
    return cutWord(line, ", \"fault\": \"", fields.fault, faultFromWord) &&
           cutWord(line, ", \"step\": \"", fields.step, phaseFromWord) && cutFlags(line, fields) &&
           (!line.skip(", \"attempt\": ") || line.count(fields.attempt));
}

bool RecordReader::cut(QByteArrayView text, RecordFields &fields)
{
    LineCutter line(text);
    QByteArrayView id;
    if (!line.skip("{\"instance_id\": \"") || !line.text(id) || id.isEmpty())
        return false;
    fields.instanceId = textOf(id);
    return cutDomain(line, fields) && cutRun(line, fields) && cutReward(line, fields) &&
           cutError(line, fields) && cutWord(line, ", \"phase\": \"", fields.phase, failurePhaseFromWord) &&
           line.skip(", \"duration_sec\": ") && line.decimal(fields.durationSec) && cutOurs(line, fields) &&
           line.skip("}") && line.atEnd();
}

Expected<ScoreLine> RecordReader::read(QByteArrayView line)
{
    RecordFields fields;
    if (cut(line, fields)) {
        const bool byPeer = !fields.state;
        return ScoreLine{resultOf(std::move(fields)), byPeer};
    }
    auto result = Result::fromJson(line.toByteArray());
    if (!result)
        return result.error();
    const bool byPeer = !line.contains("\"state\"");
    return ScoreLine{std::move(*result), byPeer};
}

} // namespace proctor
