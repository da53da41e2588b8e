// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace proctor
{

/// Reads comma-separated values as RFC 4180 has them: fields may be quoted and then hold commas, line breaks
/// and doubled quotes; lines end in LF or CRLF. Empty lines are left out.
class CsvReader
{
public:
    struct Row {
        /// Where it begins, from 1.
        int line = 0;
        QList<QByteArray> fields;
        enum class Problem { None, OpenQuotation, TextAfterQuotation } problem = Problem::None;
    };

    explicit CsvReader(const QByteArray &text)
        : m_text(text)
    {
    }

    /// The next row; nothing at the end. After a broken one reading goes on in the line below its first.
    std::optional<Row> next();

private:
    bool atEnd() const { return m_at == m_text.size(); }
    Row::Problem takeField(QByteArray &field);
    Row::Problem takeQuoted(QByteArray &field);
    bool takeLineEnd();
    void skipLine();

    QByteArray m_text;
    qsizetype m_at = 0;
    int m_line = 1;
};

} // namespace proctor
