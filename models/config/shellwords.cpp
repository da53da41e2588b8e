// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/shellwords.h"

#include <QCoreApplication>

namespace proctor
{

namespace
{
struct ShellWords {
    Q_DECLARE_TR_FUNCTIONS(proctor::ShellWords)
};

class Splitter
{
public:
    explicit Splitter(const QString &line)
        : m_line(line)
    {
    }

    Expected<QStringList> split();

private:
    bool atEnd() const { return m_at == m_line.size(); }
    bool takeQuoted(QChar quote);
    bool takeEscaped();

    const QString &m_line;
    qsizetype m_at = 0;
    QString m_word;
};
} // namespace

static bool isBlank(QChar c)
{
    return c == u' ' || c == u'\t' || c == u'\r' || c == u'\n';
}

Expected<QStringList> Splitter::split()
{
    QStringList words;
    bool inWord = false;
    while (!atEnd()) {
        const QChar c = m_line[m_at++];
        if (isBlank(c)) {
            if (inWord)
                words << m_word;
            m_word.clear();
            inWord = false;
            continue;
        }
        inWord = true;
        if (c == u'\'' || c == u'"') {
            if (!takeQuoted(c))
                return Error{ShellWords::tr("a quotation begun with %1 does not end").arg(c), {}};
        } else if (c == u'\\') {
            if (!takeEscaped())
                return Error{ShellWords::tr("nothing follows the last backslash"), {}};
        } else {
            m_word += c;
        }
    }
    if (inWord)
        words << m_word;
    return words;
}

bool Splitter::takeQuoted(QChar quote)
{
    while (!atEnd()) {
        const QChar c = m_line[m_at++];
        if (c == quote)
            return true;
        const bool escapes = c == u'\\' && quote == u'"' && !atEnd();
        if (escapes && (m_line[m_at] == u'"' || m_line[m_at] == u'\\'))
            m_word += m_line[m_at++];
        else
            m_word += c;
    }
    return false;
}

bool Splitter::takeEscaped()
{
    if (atEnd())
        return false;
    m_word += m_line[m_at++];
    return true;
}

Expected<QStringList> splitShellWords(const QString &line)
{
    return Splitter(line).split();
}

} // namespace proctor
