// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/pythonjson.h"

#include "models/core/pythontext.h"

#include <QHash>
#include <QLocale>
#include <QStringDecoder>

#include <utility>

namespace proctor
{

static constexpr int depthLimit = 900;
static constexpr qsizetype integerDigits = 4300;

namespace
{

/// Reads a JSON text and writes it anew as json.dumps would.
class Rewriter
{
public:
    struct Member {
        QString key;
        PythonValue::Kind kind;
        QString text;
        /// Where its value is in the output.
        qsizetype begin, end;
    };

    Rewriter(QStringView json, bool takesConstants)
        : m_json(json)
        , m_takesConstants(takesConstants)
    {
    }

    bool run()
    {
        skipSpace();
        if (!readValue())
            return false;
        skipSpace();
        return m_at == m_json.size();
    }

    QByteArray out;
    /// Of the value read last: for the whole text, the outermost.
    PythonValue::Kind kind = PythonValue::Kind::Constant;
    QString text;
    QList<Member> members;

private:
    char16_t next() const { return m_at < m_json.size() ? m_json[m_at].unicode() : u'\0'; }
    bool isDigit() const { return next() >= u'0' && next() <= u'9'; }

    bool take(char16_t wanted)
    {
        if (m_at >= m_json.size() || next() != wanted)
            return false;
        ++m_at;
        return true;
    }

    bool takeWord(QStringView word)
    {
        if (!m_json.sliced(m_at).startsWith(word))
            return false;
        m_at += word.size();
        return true;
    }

    void skipSpace()
    {
        while (m_at < m_json.size() && QStringView(u" \t\n\r").contains(m_json[m_at]))
            ++m_at;
    }

    bool readValue()
    {
        switch (next()) {
        case u'{':
            return readContainer(&Rewriter::readDict, PythonValue::Kind::Dict);
        case u'[':
            return readContainer(&Rewriter::readList, PythonValue::Kind::List);
        case u'"': {
            QString string;
            if (!readString(string))
                return false;
            appendPythonString(out, string);
            text = std::move(string);
            kind = PythonValue::Kind::String;
            return true;
        }
        case u't':
            return readConstant(u"true");
        case u'f':
            return readConstant(u"false");
        case u'n':
            return readConstant(u"null");
        default:
            return readNumber();
        }
    }

    bool readConstant(QStringView word)
    {
        if (!takeWord(word))
            return false;
        out += word.toLatin1();
        kind = PythonValue::Kind::Constant;
        return true;
    }

    bool readContainer(bool (Rewriter::*read)(), PythonValue::Kind itsKind)
    {
        ++m_at;
        if (++m_depth > depthLimit || !(this->*read)())
            return false;
        --m_depth;
        kind = itsKind;
        return true;
    }

    bool readList()
    {
        out += '[';
        skipSpace();
        for (bool first = true; !take(u']'); first = false) {
            if (!first) {
                if (!take(u','))
                    return false;
                out += ", ";
                skipSpace();
            }
            if (!readValue())
                return false;
            skipSpace();
        }
        out += ']';
        return true;
    }

    bool readDict()
    {
        const qsizetype begin = out.size();
        QList<Member> found;
        QHash<QString, qsizetype> places;
        out += '{';
        skipSpace();
        bool repeated = false;
        for (bool first = true; !take(u'}'); first = false) {
            if (!first && !take(u','))
                return false;
            skipSpace();
            Member member;
            if (!readMember(member, found.isEmpty()))
                return false;
            const auto place = places.constFind(member.key);
            if (place != places.constEnd()) {
                repeated = true;
                found[*place] = std::move(member);
            } else {
                places.insert(member.key, found.size());
                found << std::move(member);
            }
        }
        out += '}';
        if (repeated)
            writeAnew(begin, found);
        members = std::move(found);
        return true;
    }

    bool readMember(Member &member, bool first)
    {
        if (next() != u'"' || !readString(member.key))
            return false;
        skipSpace();
        if (!take(u':'))
            return false;
        skipSpace();
        if (!first)
            out += ", ";
        appendPythonString(out, member.key);
        out += ": ";
        member.begin = out.size();
        if (!readValue())
            return false;
        member.end = out.size();
        member.kind = kind;
        if (kind == PythonValue::Kind::String)
            member.text = text;
        skipSpace();
        return true;
    }

    /// Without the values that a later one with the same key has replaced.
    void writeAnew(qsizetype begin, QList<Member> &found)
    {
        const QByteArray old = out.sliced(begin);
        out.truncate(begin);
        out += '{';
        for (Member &member : found) {
            if (&member != &found.front())
                out += ", ";
            appendPythonString(out, member.key);
            out += ": ";
            const qsizetype size = member.end - member.begin;
            out += QByteArrayView(old).sliced(member.begin - begin, size);
            member.end = out.size();
            member.begin = member.end - size;
        }
        out += '}';
    }

    bool readString(QString &string)
    {
        ++m_at;
        while (m_at < m_json.size()) {
            const QChar unit = m_json[m_at++];
            if (unit == u'"')
                return true;
            if (unit.unicode() < 0x20)
                return false;
            if (unit != u'\\')
                string += unit;
            else if (!readEscape(string))
                return false;
        }
        return false;
    }

    bool readEscape(QString &string)
    {
        static constexpr QStringView letters = u"\"\\/bfnrt", meanings = u"\"\\/\b\f\n\r\t";
        if (take(u'u')) {
            const QStringView digits = m_json.mid(m_at, 4);
            uint unit = 0;
            for (const QChar digit : digits) {
                const qsizetype value = QStringView(u"0123456789abcdef").indexOf(digit.toLower());
                if (value < 0 || digit.unicode() > 0x7f)
                    return false;
                unit = unit * 16 + static_cast<uint>(value);
            }
            m_at += digits.size();
            string += QChar(unit);
            return digits.size() == 4;
        }
        const qsizetype letter = m_at < m_json.size() ? letters.indexOf(m_json[m_at]) : -1;
        if (letter < 0)
            return false;
        ++m_at;
        string += meanings[letter];
        return true;
    }

    bool readNumber()
    {
        const qsizetype begin = m_at;
        take(u'-');
        if (m_takesConstants && (takeWord(u"Infinity") || (m_at == begin && takeWord(u"NaN")))) {
            out += m_json.sliced(begin, m_at - begin).toLatin1();
            kind = PythonValue::Kind::Float;
            return true;
        }
        const qsizetype digits = m_at;
        if (!takeDigits() || (m_json[digits] == u'0' && m_at > digits + 1))
            return false;
        const qsizetype count = m_at - digits;
        const bool hasFraction = takeFraction(), hasExponent = takeExponent();
        const QByteArray number = m_json.sliced(begin, m_at - begin).toLatin1();
        if (hasFraction || hasExponent) {
            kind = PythonValue::Kind::Float;
            out += pythonFloat(QLocale::c().toDouble(QString::fromLatin1(number)));
            return true;
        }
        kind = PythonValue::Kind::Integer;
        out += number == "-0" ? QByteArrayLiteral("0") : number;
        return count <= integerDigits;
    }

    bool takeDigits()
    {
        const qsizetype begin = m_at;
        while (isDigit())
            ++m_at;
        return m_at > begin;
    }

    /// A dot or an `e` without digits behind it is not part of the number, and so an error of what follows.
    bool takeFraction()
    {
        const qsizetype begin = m_at;
        if (take(u'.') && takeDigits())
            return true;
        m_at = begin;
        return false;
    }

    bool takeExponent()
    {
        const qsizetype begin = m_at;
        if (take(u'e') || take(u'E')) {
            if (!take(u'+'))
                take(u'-');
            if (takeDigits())
                return true;
        }
        m_at = begin;
        return false;
    }

    QStringView m_json;
    qsizetype m_at = 0;
    bool m_takesConstants;
    int m_depth = 0;
};

/// Nothing when it is no UTF-8 or begins with a byte order mark.
std::optional<QString> decoded(const QByteArray &utf8)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(utf8);
    if (decoder.hasError() || utf8.startsWith("\xef\xbb\xbf"))
        return std::nullopt;
    return text;
}

} // namespace

QString PythonValue::str() const
{
    if (kind == Kind::String)
        return text;
    const QString written = QString::fromUtf8(dumped);
    if (kind != Kind::Float)
        return written;
    return written.toLower().replace(QLatin1String("infinity"), QLatin1String("inf"));
}

std::optional<PythonJson> readPythonJson(const QByteArray &utf8)
{
    const std::optional<QString> json = decoded(utf8);
    if (!json)
        return std::nullopt;
    Rewriter rewriter(*json, true);
    if (!rewriter.run())
        return std::nullopt;
    PythonJson read;
    if (rewriter.kind == PythonValue::Kind::Dict) {
        for (const Rewriter::Member &member : rewriter.members)
            read.members << PythonMember{
                member.key,
                {member.kind, rewriter.out.sliced(member.begin, member.end - member.begin), member.text}};
    }
    read.value = {rewriter.kind, rewriter.out, rewriter.text};
    return read;
}

bool isJson(const QByteArray &utf8)
{
    const std::optional<QString> json = decoded(utf8);
    return json && Rewriter(*json, false).run();
}

QByteArray compactJson(const QByteArray &json)
{
    QByteArray compact;
    compact.reserve(json.size());
    bool inString = false, escaped = false;
    for (const char c : json) {
        if (inString || !QByteArrayView(" \t\r\n").contains(c))
            compact += c;
        if (c == '"' && !escaped)
            inString = !inString;
        escaped = inString && c == '\\' && !escaped;
    }
    return compact;
}

} // namespace proctor
