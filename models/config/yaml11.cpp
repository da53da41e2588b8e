// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/yaml11.h"

#include <QDate>
#include <QRegularExpression>
#include <QStringList>
#include <QTime>

#include <cmath>
#include <limits>

// The forms are those of https://yaml.org/type/ as PyYAML 6.0 applies them, which differs in details: a float
// needs its dot, an exponent needs its sign, y and n are text.

namespace proctor
{

using Kind = YamlScalar::Kind;

static QRegularExpression whole(const char *pattern)
{
    return QRegularExpression(QStringLiteral("\\A(?:%1)\\z").arg(QLatin1String(pattern)));
}

static bool isNullForm(const QString &text)
{
    static const QRegularExpression form = whole("~|null|Null|NULL|");
    return form.match(text).hasMatch();
}

static bool isBoolForm(const QString &text)
{
    static const QRegularExpression form =
        whole("yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF");
    return form.match(text).hasMatch();
}

static bool isFloatForm(const QString &text)
{
    static const QRegularExpression form = whole("[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?"
                                                 "|\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
                                                 "|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*"
                                                 "|[-+]?\\.(?:inf|Inf|INF)"
                                                 "|\\.(?:nan|NaN|NAN)");
    return form.match(text).hasMatch();
}

static bool isIntForm(const QString &text)
{
    static const QRegularExpression form = whole("[-+]?0b[0-1_]+"
                                                 "|[-+]?0[0-7_]+"
                                                 "|[-+]?(?:0|[1-9][0-9_]*)"
                                                 "|[-+]?0x[0-9a-fA-F_]+"
                                                 "|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+");
    return form.match(text).hasMatch();
}

static QRegularExpressionMatch timestampMatch(const QString &text)
{
    static const QRegularExpression form =
        whole("([0-9]{4})-([0-9][0-9])-([0-9][0-9])"
              "|([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \\t]+)([0-9][0-9]?):([0-9][0-9]):([0-9][0-9])"
              "(?:\\.[0-9]*)?(?:[ \\t]*(?:Z|[-+]([0-9][0-9]?)(?::[0-9][0-9])?))?");
    return form.match(text);
}

static YamlScalar scalar(Kind kind, const QString &text)
{
    YamlScalar result;
    result.kind = kind;
    result.text = text;
    return result;
}

YamlScalar textScalar(const QString &text)
{
    return scalar(Kind::Text, text);
}

static YamlScalar boolScalar(const QString &text)
{
    const QString lower = text.toLower();
    const bool isTrue =
        lower == QLatin1String("yes") || lower == QLatin1String("true") || lower == QLatin1String("on");
    YamlScalar result = scalar(Kind::Bool, text);
    result.boolean = isTrue;
    return result;
}

/// Text without underscores and sign, and the sign.
struct Magnitude {
    QString digits;
    bool isNegative = false;
};

static Magnitude magnitude(QString text)
{
    text.remove(u'_');
    const bool isNegative = text.startsWith(u'-');
    if (isNegative || text.startsWith(u'+'))
        text.remove(0, 1);
    return {text, isNegative};
}

/// A whole number of any size: exact while it fits into 64 bits.
class WholeNumber
{
public:
    void shift(int base, int digit)
    {
        m_number = m_number * base + digit;
        m_fits = m_fits && !__builtin_mul_overflow(m_integer, qint64(base), &m_integer) &&
                 !__builtin_sub_overflow(m_integer, qint64(digit), &m_integer);
    }

    void write(YamlScalar &target, bool isNegative) const
    {
        target.number = isNegative ? -m_number : m_number;
        // Counted downwards, since the smallest number has no positive counterpart.
        if (m_fits && isNegative)
            target.integer = m_integer;
        else if (m_fits && m_integer != std::numeric_limits<qint64>::min())
            target.integer = -m_integer;
    }

private:
    qint64 m_integer = 0;
    double m_number = 0;
    bool m_fits = true;
};

static std::optional<WholeNumber> fromDigits(const QString &digits, int base)
{
    if (digits.isEmpty())
        return std::nullopt;
    WholeNumber number;
    for (const QChar c : digits) {
        const ushort lower = c.toLower().unicode();
        const int digit = lower >= u'a' && lower <= u'f' ? lower - u'a' + 10 : lower - u'0';
        if (digit < 0 || digit >= base)
            return std::nullopt;
        number.shift(base, digit);
    }
    return number;
}

static std::optional<WholeNumber> fromSexagesimal(const QString &text)
{
    WholeNumber number;
    for (const QString &part : text.split(u':')) {
        bool isNumber = false;
        const int digit = part.toInt(&isNumber);
        if (!isNumber)
            return std::nullopt;
        number.shift(60, digit);
    }
    return number;
}

static std::optional<WholeNumber> wholeNumber(const QString &digits)
{
    if (digits == QLatin1String("0"))
        return WholeNumber();
    if (digits.startsWith(QLatin1String("0b")))
        return fromDigits(digits.mid(2), 2);
    if (digits.startsWith(QLatin1String("0x")))
        return fromDigits(digits.mid(2), 16);
    if (digits.startsWith(u'0'))
        return fromDigits(digits, 8);
    if (digits.contains(u':'))
        return fromSexagesimal(digits);
    return fromDigits(digits, 10);
}

static YamlScalar intScalar(const QString &text)
{
    const Magnitude parts = magnitude(text);
    const auto number = wholeNumber(parts.digits);
    if (!number)
        return scalar(Kind::Invalid, text);
    YamlScalar result = scalar(Kind::Int, text);
    number->write(result, parts.isNegative);
    bool isDecimal = false;
    const double rounded = parts.digits.toDouble(&isDecimal);
    if (!result.integer && isDecimal) // digit by digit the rounding adds up
        result.number = parts.isNegative ? -rounded : rounded;
    return result;
}

static std::optional<double> floatNumber(const QString &digits)
{
    const QString lower = digits.toLower();
    if (lower == QLatin1String(".inf"))
        return std::numeric_limits<double>::infinity();
    if (lower == QLatin1String(".nan"))
        return std::numeric_limits<double>::quiet_NaN();
    double number = 0;
    for (const QString &part : lower.split(u':')) {
        bool isNumber = false;
        number = number * 60 + part.toDouble(&isNumber);
        // Too large a number is no error to the peer but infinite, as toDouble() makes it too.
        if (!isNumber && !std::isinf(number))
            return std::nullopt;
    }
    return number;
}

static YamlScalar floatScalar(const QString &text)
{
    const Magnitude parts = magnitude(text);
    const auto number = floatNumber(parts.digits);
    if (!number)
        return scalar(Kind::Invalid, text);
    YamlScalar result = scalar(Kind::Float, text);
    result.number = parts.isNegative ? -*number : *number;
    return result;
}

static YamlScalar timestampScalar(const QString &text, const QRegularExpressionMatch &match)
{
    const auto part = [&match](int group) { return match.captured(group).toInt(); };
    const bool hasTime = match.hasCaptured(4);
    const int first = hasTime ? 4 : 1;
    const bool isDate = part(first) > 0 && QDate::isValid(part(first), part(first + 1), part(first + 2));
    const bool isTime = !hasTime || (QTime::isValid(part(7), part(8), part(9)) && part(10) < 24);
    return scalar(isDate && isTime ? Kind::Timestamp : Kind::Invalid, text);
}

YamlScalar resolvePlainScalar(const QString &text)
{
    if (isNullForm(text))
        return scalar(Kind::Null, text);
    if (isBoolForm(text))
        return boolScalar(text);
    if (isFloatForm(text))
        return floatScalar(text);
    if (isIntForm(text))
        return intScalar(text);
    if (const auto match = timestampMatch(text); match.hasMatch())
        return timestampScalar(text, match);
    if (text == QLatin1String("<<"))
        return scalar(Kind::Merge, text);
    return scalar(text == QLatin1String("=") ? Kind::Invalid : Kind::Text, text);
}

std::optional<YamlScalar> resolveTaggedScalar(const QString &text, const QString &tag)
{
    static const QLatin1String prefix("tag:yaml.org,2002:");
    if (!tag.startsWith(prefix))
        return std::nullopt;
    const QString type = tag.mid(prefix.size());
    if (type == QLatin1String("str") || type == QLatin1String("binary"))
        return textScalar(text);
    if (type == QLatin1String("null"))
        return scalar(Kind::Null, text);
    if (type == QLatin1String("bool"))
        return isBoolForm(text) ? boolScalar(text) : scalar(Kind::Invalid, text);
    if (type == QLatin1String("int"))
        return intScalar(text);
    if (type == QLatin1String("float"))
        return floatScalar(text);
    if (type == QLatin1String("merge"))
        return scalar(Kind::Merge, text);
    if (type == QLatin1String("timestamp")) {
        const auto match = timestampMatch(text);
        return match.hasMatch() ? timestampScalar(text, match) : scalar(Kind::Invalid, text);
    }
    return std::nullopt;
}

} // namespace proctor
