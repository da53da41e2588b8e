// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/finalanswer.h"

#include "models/core/jsonmembers.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace proctor
{

/// `text` as UTF-8 if it is one JSON value, whatever its kind.
static std::optional<QByteArray> jsonIn(const QString &text)
{
    const QByteArray json = text.trimmed().toUtf8();
    const QByteArray wrapped = "{\"value\":" + json + "}";
    const auto members = jsonMembers(wrapped);
    // More than one: the text closed the object and began something of its own.
    if (json.isEmpty() || !members || members->size() != 1)
        return std::nullopt;
    return json;
}

namespace
{

/// A line like "```json".
struct Fence {
    QChar sign;
    qsizetype length = 0;
    QString language;

    /// A fence needs three signs; the length is 0 for other lines.
    explicit Fence(const QString &line)
    {
        const QString trimmed = line.trimmed();
        if (!trimmed.startsWith(u'`') && !trimmed.startsWith(u'~'))
            return;
        qsizetype signs = 0;
        while (signs < trimmed.size() && trimmed[signs] == trimmed[0])
            ++signs;
        if (signs < 3)
            return;
        sign = trimmed[0];
        length = signs;
        language = trimmed.sliced(signs).trimmed().toLower();
    }

    bool opens() const { return length > 0; }
    bool isClosedBy(const Fence &other) const
    {
        return other.sign == sign && other.length >= length && other.language.isEmpty();
    }
};

} // namespace

static QString joined(const QStringList &lines, qsizetype from, qsizetype to)
{
    return lines.sliced(from, to - from).join(u'\n');
}

/// The text without a fence around all of it.
static QString withoutFence(const QString &text)
{
    const QStringList lines = text.split(u'\n');
    const Fence opening(lines.first());
    if (lines.size() < 2 || !opening.opens() || !opening.isClosedBy(Fence(lines.last())))
        return text;
    // JSON has no such lines in it: those at both ends belong to two blocks.
    const bool holdsFences = std::any_of(lines.begin() + 1, lines.end() - 1,
                                         [](const QString &line) { return Fence(line).opens(); });
    if (holdsFences && opening.language == QLatin1String("json"))
        return text;
    return joined(lines, 1, lines.size() - 1).trimmed();
}

/// What stands between the fence at `begin` and the first closing one that leaves JSON before it: what looks
/// like an end may belong to a text in the JSON.
static std::optional<QByteArray> jsonBehindFence(const QStringList &lines, qsizetype begin)
{
    const Fence opening(lines[begin]);
    if (!opening.opens() || opening.language != QLatin1String("json"))
        return std::nullopt;
    for (qsizetype end = begin + 1; end < lines.size(); ++end) {
        if (!opening.isClosedBy(Fence(lines[end])))
            continue;
        if (auto json = jsonIn(joined(lines, begin + 1, end)))
            return json;
    }
    return std::nullopt;
}

static std::optional<QByteArray> lastFencedJson(const QString &text)
{
    const QStringList lines = text.split(u'\n');
    for (qsizetype begin = lines.size() - 1; begin >= 0; --begin) {
        if (auto json = jsonBehindFence(lines, begin))
            return json;
    }
    return std::nullopt;
}

static QByteArray asResponse(const QString &text)
{
    QJsonObject object;
    object.insert(QLatin1String("response"), text);
    return QJsonDocument(object).toJson(QJsonDocument::Indented).trimmed();
}

static QByteArray asMarkdown(const QString &text)
{
    const QByteArray utf8 = text.trimmed().toUtf8();
    if (utf8.startsWith('#'))
        return utf8 + '\n';
    return "# Answer\n\n" + utf8 + '\n';
}

FinalAnswer FinalAnswer::of(const QString &text)
{
    const QString bare = withoutFence(text.trimmed());
    std::optional<QByteArray> json = jsonIn(bare);
    if (!json)
        json = lastFencedJson(bare);
    if (!json)
        return {asResponse(bare) + '\n', asMarkdown(bare)};

    FinalAnswer answer{*json + '\n', asMarkdown(bare)};
    const auto members = jsonMembers(*json);
    if (!members)
        return answer;
    QString markdown;
    bool isWrapped = false;
    for (const JsonMember &member : *members) {
        if (member.key == QLatin1String("answer_json") && member.raw.startsWith('{')) {
            answer.json = member.raw.toByteArray() + '\n';
            isWrapped = true;
        } else if (member.key == QLatin1String("answer_md") && member.text) {
            markdown = *member.text;
        }
    }
    if (isWrapped && !markdown.trimmed().isEmpty())
        answer.markdown = asMarkdown(markdown);
    return answer;
}

} // namespace proctor
