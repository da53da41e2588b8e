// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/plaintext.h"

#include <QRegularExpression>

namespace proctor
{

static constexpr int longestLine = 4000;
/// No terminal sequence that matters is longer; a stray escape character must not hold the output back.
static constexpr int longestSequence = 64;
static constexpr QChar escape(0x1b);

/// ECMA-48 control sequences, operating system commands, and two-character escapes.
static const QRegularExpression &sequences()
{
    static const QRegularExpression expression(QStringLiteral(
        "\\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|[ -/]*[0-Z\\\\^-~])"));
    return expression;
}

static bool turnsDirection(QChar c)
{
    return (c >= QChar(0x202a) && c <= QChar(0x202e)) || (c >= QChar(0x2066) && c <= QChar(0x2069));
}

static bool isControl(QChar c)
{
    return (c < QChar(0x20) && c != QLatin1Char('\t')) || (c >= QChar(0x7f) && c < QChar(0xa0));
}

void PlainText::restart()
{
    m_held.clear();
    m_lineLength = 0;
}

/// Takes from the end of `text` what may be the beginning of a sequence or of a line end.
static QString takeUnfinished(QString &text)
{
    qsizetype from = text.size();
    if (text.endsWith(QLatin1Char('\r')))
        --from;
    const qsizetype last = text.lastIndexOf(escape);
    if (last >= 0 && text.size() - last < longestSequence) {
        const auto match = sequences().match(text, last, QRegularExpression::NormalMatch,
                                             QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch())
            from = last;
    }
    QString unfinished = text.mid(from);
    text.truncate(from);
    return unfinished;
}

QString PlainText::next(const QString &piece)
{
    QString text = m_held + piece;
    m_held = takeUnfinished(text);
    text.remove(sequences());
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));

    QString result;
    result.reserve(text.size());
    for (const QChar c : std::as_const(text)) {
        if (c == QLatin1Char('\n') || c == QLatin1Char('\r')) {
            result += QLatin1Char('\n');
            m_lineLength = 0;
            continue;
        }
        if (m_lineLength >= longestLine && !c.isLowSurrogate()) {
            result += QLatin1Char('\n');
            m_lineLength = 0;
        }
        result += isControl(c) || turnsDirection(c) ? QChar(QChar::ReplacementCharacter) : c;
        ++m_lineLength;
    }
    return result;
}

} // namespace proctor
