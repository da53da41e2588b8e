// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <charconv>
#include <cstring>

namespace proctor
{

/// Cuts a line of JSON of known make at its known places, from left to right, many times faster than a
/// parser. Each function takes something off the front and returns true, or says false about anything out of
/// the ordinary: then the line is a case for the parser.
class LineCutter
{
public:
    explicit LineCutter(QByteArrayView line)
        : m_at(line.data())
        , m_end(line.data() + line.size())
    {
    }

    QByteArrayView rest() const { return {m_at, m_end - m_at}; }
    bool atEnd() const { return m_at == m_end; }

    /// A literal, so that the compiler compares whole words instead of calling memcmp.
    template<std::size_t size>
    bool skip(const char (&expected)[size])
    {
        static constexpr std::size_t length = size - 1;
        if (static_cast<std::size_t>(m_end - m_at) < length || std::memcmp(m_at, expected, length) != 0)
            return false;
        m_at += length;
        return true;
    }

    bool skip(QByteArrayView expected)
    {
        if (!rest().startsWith(expected))
            return false;
        m_at += expected.size();
        return true;
    }

    /// What stands before the next quote, and the quote. Escapes are out of the ordinary.
    bool text(QByteArrayView &taken)
    {
        const char *at = m_at;
        while (at != m_end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= ' ')
            ++at;
        if (at == m_end || *at != '"')
            return false;
        taken = {m_at, at - m_at};
        m_at = at + 1;
        return true;
    }

    /// A number from 1 on.
    bool count(int &number)
    {
        const auto [end, error] = std::from_chars(m_at, m_end, number);
        if (error != std::errc() || number < 1 || *m_at == '0')
            return false;
        m_at = end;
        return true;
    }

    /// A decimal number as Python writes it, 0.5 or 12.0.
    bool decimal(double &number)
    {
        const char *at = digits(m_at);
        const bool plain = at != m_at && (*m_at != '0' || at - m_at == 1) && at != m_end && *at == '.';
        if (!plain)
            return false;
        const char *end = digits(at + 1);
        if (end == at + 1 || std::from_chars(m_at, end, number).ec != std::errc())
            return false;
        m_at = end;
        return true;
    }

private:
    const char *digits(const char *at) const
    {
        while (at != m_end && *at >= '0' && *at <= '9')
            ++at;
        return at;
    }

    const char *m_at;
    const char *m_end;
};

} // namespace proctor
