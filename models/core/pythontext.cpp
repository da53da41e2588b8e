// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/pythontext.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace proctor
{

QByteArray pythonFloat(double value)
{
    if (std::isnan(value))
        return QByteArrayLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QByteArrayLiteral("Infinity") : QByteArrayLiteral("-Infinity");

    std::array<char, 32> text;
    const double size = std::abs(value);
    const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
    const auto format = fixed ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format).ptr;
    QByteArray result(text.data(), end - text.data());
    if (fixed && !result.contains('.'))
        result += ".0";
    return result;
}

static void appendEscape(QByteArray &out, char16_t unit)
{
    static constexpr char digits[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += digits[(unit >> shift) & 0xf];
}

/// The two-character escape of `unit`, or nothing.
static const char *shortEscape(char16_t unit)
{
    switch (unit) {
    case u'"':
        return "\\\"";
    case u'\\':
        return "\\\\";
    case u'\n':
        return "\\n";
    case u'\r':
        return "\\r";
    case u'\t':
        return "\\t";
    case u'\b':
        return "\\b";
    case u'\f':
        return "\\f";
    default:
        return nullptr;
    }
}

void appendPythonString(QByteArray &out, QStringView text)
{
    out += '"';
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t unit = text[i].unicode();
        if (const char *escape = shortEscape(unit)) {
            out += escape;
        } else if (unit < 0x20) {
            appendEscape(out, unit);
        } else if (unit < 0x80) {
            out += static_cast<char>(unit);
        } else if (!QChar::isSurrogate(unit)) {
            out += text.mid(i, 1).toUtf8();
        } else if (QChar::isHighSurrogate(unit) && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            out += text.mid(i++, 2).toUtf8();
        } else {
            appendEscape(out, unit);
        }
    }
    out += '"';
}

double pythonRound(double value, int digits)
{
    if (!std::isfinite(value))
        return value;
    std::array<char, 400> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
    double rounded = value;
    std::from_chars(text.data(), end, rounded);
    return rounded;
}

namespace
{

class Indenter
{
public:
    explicit Indenter(QByteArrayView json)
        : m_json(json)
    {
    }

    QByteArray run()
    {
        m_out.reserve(m_json.size() * 2);
        while (m_at < m_json.size())
            step(m_json[m_at++]);
        return m_out;
    }

private:
    void step(char c)
    {
        switch (c) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            break;
        case '"':
            copyString();
            break;
        case '{':
        case '[':
            m_out += c;
            ++m_depth;
            if (!nextIsClosing())
                newLine();
            break;
        case '}':
        case ']':
            --m_depth;
            if (m_out.back() != '{' && m_out.back() != '[')
                newLine();
            m_out += c;
            break;
        case ',':
            m_out += c;
            newLine();
            break;
        case ':':
            m_out += ": ";
            break;
        default:
            m_out += c;
        }
    }

    void copyString()
    {
        const qsizetype begin = m_at - 1;
        while (m_at < m_json.size() && m_json[m_at] != '"')
            m_at += m_json[m_at] == '\\' ? 2 : 1;
        m_at = std::min(m_at + 1, m_json.size());
        m_out += m_json.sliced(begin, m_at - begin);
    }

    bool nextIsClosing()
    {
        while (m_at < m_json.size() && std::isspace(static_cast<unsigned char>(m_json[m_at])))
            ++m_at;
        return m_at < m_json.size() && (m_json[m_at] == '}' || m_json[m_at] == ']');
    }

    void newLine()
    {
        m_out += '\n';
        m_out.append(2 * m_depth, ' ');
    }

    QByteArrayView m_json;
    qsizetype m_at = 0;
    int m_depth = 0;
    QByteArray m_out;
};

} // namespace

QByteArray indentedJson(QByteArrayView json)
{
    return Indenter(json).run();
}

} // namespace proctor
