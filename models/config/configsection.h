// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/configreport.h"
#include "models/core/words.h"

#include <QStringList>

namespace proctor
{

/// A mapping of a configuration and its path ("docker", "agents.mine", empty for the whole). Each read
/// function writes a right value to `target`, leaves it alone when the key is absent, and reports anything
/// else.
class ConfigSection
{
public:
    /// Without a `mapping` the section holds nothing. The report must outlive the section.
    ConfigSection(const QString &path, YamlNodePtr mapping, ConfigReport &report);

    const QString &path() const { return m_path; }
    QString pathOf(const QString &key) const { return m_path.isEmpty() ? key : m_path + u'.' + key; }
    ConfigReport &report() const { return m_report; }

    const YamlNode *value(const QString &key) const;
    /// Where the value stands, or the section itself when there is none.
    YamlMark placeOf(const QString &key) const;

    enum class Empty { Refused, Allowed };
    /// null counts as the empty text.
    void text(const QString &key, QString &target, Empty empty = Empty::Refused) const;
    void flag(const QString &key, bool &target) const;
    /// A finite number above 0.
    void positive(const QString &key, double &target) const;
    /// A positive number of seconds; more than a timer can take is cut with a warning.
    void seconds(const QString &key, double &target) const;
    void wholeNumber(const QString &key, int &target, int least, int most) const;
    void texts(const QString &key, QStringList &target) const;
    template<typename Enum, std::size_t size>
    void word(const QString &key, const WordTable<Enum, size> &table, Enum &target) const;

    /// A hint for each key that is neither known nor refused with an error of its own.
    void hintAtUnknown(const QStringList &known, const QStringList &refused = {}) const;

    void error(const QString &key, const QString &message) const;
    /// Says that a value is of another type than `expected` ("a list of texts").
    void wrongType(const YamlNode &node, const QString &key, const QString &expected) const;

private:
    std::optional<QString> choice(const QString &key, const QStringList &words) const;

    QString m_path;
    YamlNodePtr m_mapping;
    ConfigReport &m_report;
};

template<typename Enum, std::size_t size>
void ConfigSection::word(const QString &key, const WordTable<Enum, size> &table, Enum &target) const
{
    QStringList words;
    for (const auto &entry : table)
        words << QLatin1String(entry.text);
    if (const auto chosen = choice(key, words))
        target = valueOf(table, *chosen).value_or(target);
}

} // namespace proctor
