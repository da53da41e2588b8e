// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <optional>

namespace proctor
{

/// An enumerator and the word it has in files and on the command line.
template<typename Enum>
struct Word {
    Enum value;
    const char *text;
};

template<typename Enum, std::size_t size>
using WordTable = std::array<Word<Enum>, size>;

template<typename Enum, std::size_t size>
QString wordOf(const WordTable<Enum, size> &table, Enum value)
{
    for (const auto &entry : table) {
        if (entry.value == value)
            return QLatin1String(entry.text);
    }
    return {};
}

template<typename Enum, std::size_t size>
std::optional<Enum> valueOf(const WordTable<Enum, size> &table, const QString &word)
{
    for (const auto &entry : table) {
        if (word == QLatin1String(entry.text))
            return entry.value;
    }
    return std::nullopt;
}

} // namespace proctor
