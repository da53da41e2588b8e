// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/configsection.h"

#include "models/config/configkeys.h"
#include "models/core/nearname.h"

#include <QCoreApplication>

#include <cmath>

namespace proctor
{

using Kind = YamlScalar::Kind;

namespace
{
struct Section {
    Q_DECLARE_TR_FUNCTIONS(proctor::ConfigSection)
};
} // namespace

/// 11 days; timers count milliseconds in 31 bits.
static constexpr double longestSeconds = 1'000'000;

ConfigSection::ConfigSection(const QString &path, YamlNodePtr mapping, ConfigReport &report)
    : m_path(path)
    , m_mapping(std::move(mapping))
    , m_report(report)
{
}

const YamlNode *ConfigSection::value(const QString &key) const
{
    const YamlEntry *entry = m_mapping ? m_mapping->entry(key) : nullptr;
    return entry ? entry->value.get() : nullptr;
}

YamlMark ConfigSection::placeOf(const QString &key) const
{
    if (const YamlNode *node = value(key))
        return node->start;
    return m_mapping ? m_mapping->start : YamlMark();
}

void ConfigSection::error(const QString &key, const QString &message) const
{
    m_report.error(placeOf(key), pathOf(key), message);
}

static QString describe(const YamlNode &node)
{
    if (!node.isScalar())
        return node.isMapping() ? Section::tr("a mapping") : Section::tr("a list");
    switch (node.scalar.kind) {
    case Kind::Null:
        return Section::tr("empty");
    case Kind::Bool:
        return Section::tr("a yes/no value");
    case Kind::Int:
    case Kind::Float:
        return Section::tr("a number");
    case Kind::Timestamp:
        return Section::tr("a date");
    case Kind::Text:
    case Kind::Merge:
    case Kind::Invalid:
        break;
    }
    return Section::tr("text");
}

static bool looksLikeNumber(const YamlNode &node)
{
    bool isNumber = false;
    node.scalar.text.toDouble(&isNumber);
    return node.isText() && isNumber;
}

void ConfigSection::wrongType(const YamlNode &node, const QString &key, const QString &expected) const
{
    if (node.isScalar() && node.scalar.kind == Kind::Invalid)
        return; // the document's own diagnostics have it
    QString message = Section::tr("%1 must be %2, but it is %3").arg(pathOf(key), expected, describe(node));
    if (looksLikeNumber(node)) {
        message += node.style == YamlNode::Style::Plain
                       ? Section::tr(" (YAML 1.1 wants a dot and a sign in 1.0e+3)")
                       : Section::tr(" (write it without quotes)");
    }
    m_report.error(node.start, pathOf(key), message);
}

void ConfigSection::text(const QString &key, QString &target, Empty empty) const
{
    const YamlNode *node = value(key);
    if (!node)
        return;
    if (node->isNull() && empty == Empty::Allowed) {
        target.clear();
    } else if (!node->isText()) {
        wrongType(*node, key,
                  node->isScalar() && !node->isNull() ? Section::tr("text, here in quotes")
                                                      : Section::tr("text"));
    } else if (node->scalar.text.contains(QChar(u'\0'))) {
        error(key, Section::tr("%1 contains a NUL character").arg(pathOf(key)));
    } else if (node->scalar.text.isEmpty() && empty == Empty::Refused) {
        error(key, Section::tr("%1 must not be empty").arg(pathOf(key)));
    } else {
        target = node->scalar.text;
    }
}

void ConfigSection::flag(const QString &key, bool &target) const
{
    const YamlNode *node = value(key);
    if (!node)
        return;
    if (node->isScalar() && node->scalar.kind == Kind::Bool)
        target = node->scalar.boolean;
    else
        wrongType(*node, key, Section::tr("true or false"));
}

void ConfigSection::positive(const QString &key, double &target) const
{
    const YamlNode *node = value(key);
    if (!node)
        return;
    if (!node->isScalar() || !node->scalar.isNumber())
        wrongType(*node, key, Section::tr("a number above 0"));
    else if (std::isfinite(node->scalar.number) && node->scalar.number > 0)
        target = node->scalar.number;
    else
        error(key,
              Section::tr("%1 must be a number above 0, but it is %2").arg(pathOf(key), node->scalar.text));
}

void ConfigSection::seconds(const QString &key, double &target) const
{
    positive(key, target);
    if (target <= longestSeconds)
        return;
    m_report.warning(placeOf(key), pathOf(key),
                     Section::tr("%1 is cut to %2 seconds").arg(pathOf(key)).arg(longestSeconds, 0, 'f', 0));
    target = longestSeconds;
}

void ConfigSection::wholeNumber(const QString &key, int &target, int least, int most) const
{
    const YamlNode *node = value(key);
    if (!node)
        return;
    if (!node->isScalar() || node->scalar.kind != Kind::Int) {
        wrongType(*node, key, Section::tr("a whole number"));
        return;
    }
    const qint64 number =
        node->scalar.integer.value_or(node->scalar.number < 0 ? qint64(least) - 1 : qint64(most) + 1);
    if (number < least)
        error(key, Section::tr("%1 must be at least %2, but it is %3")
                       .arg(pathOf(key))
                       .arg(least)
                       .arg(node->scalar.text));
    else if (number > most)
        error(key, Section::tr("%1 must be at most %2, but it is %3")
                       .arg(pathOf(key))
                       .arg(most)
                       .arg(node->scalar.text));
    else
        target = int(number);
}

void ConfigSection::texts(const QString &key, QStringList &target) const
{
    const YamlNode *node = value(key);
    if (!node)
        return;
    if (!node->isSequence()) {
        wrongType(*node, key, Section::tr("a list of texts"));
        return;
    }
    QStringList list;
    for (const YamlNodePtr &item : node->items) {
        if (item->isText())
            list << item->scalar.text;
        else
            wrongType(*item, key, Section::tr("a list of texts (put others in quotes)"));
    }
    if (list.size() == node->items.size())
        target = list;
}

std::optional<QString> ConfigSection::choice(const QString &key, const QStringList &words) const
{
    const YamlNode *node = value(key);
    if (!node)
        return std::nullopt;
    const QString offer = words.join(Section::tr(" or "));
    if (!node->isText()) {
        wrongType(*node, key, offer);
        return std::nullopt;
    }
    if (words.contains(node->scalar.text))
        return node->scalar.text;
    error(key,
          Section::tr("%1 must be %2, but it is '%3'").arg(pathOf(key), offer, node->scalar.text.left(40)));
    return std::nullopt;
}

void ConfigSection::hintAtUnknown(const QStringList &known, const QStringList &refused) const
{
    if (!m_mapping)
        return;
    for (const YamlEntry &entry : m_mapping->entries) {
        const QString key = entry.key->scalar.text;
        if (entry.key->isText() && (known.contains(key) || refused.contains(key)))
            continue;
        QString message = Section::tr("the key '%1' is not known and has no effect").arg(pathOf(key));
        if (const auto guess = nearestName(key, known))
            message += Section::tr("; did you mean '%1'?").arg(*guess);
        else if (const auto section = sectionWithKey(key))
            message += Section::tr("; there is a '%1.%2'").arg(*section, key);
        m_report.hint(entry.key->start, pathOf(key), message);
    }
}

} // namespace proctor
