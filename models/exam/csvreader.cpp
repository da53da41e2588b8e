// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/csvreader.h"

namespace proctor
{

using Problem = CsvReader::Row::Problem;

std::optional<CsvReader::Row> CsvReader::next()
{
    while (takeLineEnd()) {
    }
    if (atEnd())
        return std::nullopt;
    Row row;
    row.line = m_line;
    const qsizetype start = m_at;
    do {
        QByteArray field;
        row.problem = takeField(field);
        row.fields << field;
        if (row.problem != Problem::None) {
            m_at = start;
            m_line = row.line;
            skipLine();
            return row;
        }
    } while (!atEnd() && m_text[m_at] == ',' && ++m_at);
    takeLineEnd();
    return row;
}

Problem CsvReader::takeField(QByteArray &field)
{
    if (!atEnd() && m_text[m_at] == '"')
        return takeQuoted(field);
    const qsizetype start = m_at;
    while (!atEnd() && m_text[m_at] != ',' && m_text[m_at] != '\n')
        ++m_at;
    field = m_text.mid(start, m_at - start);
    const bool endsLine = atEnd() || m_text[m_at] == '\n';
    if (endsLine && field.endsWith('\r'))
        field.chop(1);
    return Problem::None;
}

Problem CsvReader::takeQuoted(QByteArray &field)
{
    ++m_at;
    while (true) {
        const qsizetype quote = m_text.indexOf('"', m_at);
        if (quote < 0)
            return Problem::OpenQuotation;
        const QByteArray part = m_text.mid(m_at, quote - m_at);
        m_line += int(part.count('\n'));
        field += part;
        m_at = quote + 1;
        const bool isDoubled = !atEnd() && m_text[m_at] == '"';
        if (!isDoubled)
            break;
        field += '"';
        ++m_at;
    }
    const bool endsLine =
        atEnd() || m_text[m_at] == '\n' || m_text.mid(m_at, 2) == "\r\n" || m_text.mid(m_at) == "\r";
    return endsLine || m_text[m_at] == ',' ? Problem::None : Problem::TextAfterQuotation;
}

bool CsvReader::takeLineEnd()
{
    const qsizetype length = m_text.mid(m_at, 2) == "\r\n" ? 2 : !atEnd() && m_text[m_at] == '\n' ? 1 : 0;
    m_at += length;
    m_line += length > 0 ? 1 : 0;
    return length > 0;
}

void CsvReader::skipLine()
{
    const qsizetype end = m_text.indexOf('\n', m_at);
    m_at = end < 0 ? m_text.size() : end + 1;
    ++m_line;
}

} // namespace proctor
