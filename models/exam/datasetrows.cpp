// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/datasetrows.h"

#include "models/exam/csvreader.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

namespace proctor
{

using Severity = Diagnostic::Severity;

namespace
{
struct Rows {
    Q_DECLARE_TR_FUNCTIONS(proctor::DatasetRows)
};

class RowCollector
{
public:
    explicit RowCollector(const QString &file)
        : m_file(file)
    {
    }

    void add(int number, QJsonObject &&values) { m_result.rows.append({number, std::move(values)}); }
    void broken(int line, const QString &message, Severity severity = Severity::Warning)
    {
        m_result.diagnostics << Diagnostic{severity, {message, m_file, line, 0}, {}};
    }
    void setHeader(const QStringList &header) { m_result.header = header; }
    DatasetRows result() { return std::move(m_result); }

private:
    QString m_file;
    DatasetRows m_result;
};
} // namespace

static int lineAt(const QByteArray &text, qsizetype offset)
{
    return int(text.left(offset).count('\n')) + 1;
}

QStringList DatasetRows::columns() const
{
    QStringList names = header;
    QSet<QString> seen(names.begin(), names.end());
    for (const Row &row : rows) {
        for (auto value = row.values.begin(); value != row.values.end(); ++value) {
            if (seen.contains(value.key()))
                continue;
            seen.insert(value.key());
            names << value.key();
        }
    }
    return names;
}

DatasetRows DatasetRows::fromJsonLines(const QByteArray &text, const QString &file)
{
    RowCollector rows(file);
    int number = 0;
    for (qsizetype start = 0; start < text.size();) {
        const qsizetype end = text.indexOf('\n', start);
        const QByteArray line = text.mid(start, end < 0 ? -1 : end - start).trimmed();
        start = end < 0 ? text.size() : end + 1;
        ++number;
        if (line.isEmpty())
            continue;
        QJsonParseError error{};
        const QJsonDocument document = QJsonDocument::fromJson(line, &error);
        if (document.isObject())
            rows.add(number, document.object());
        else if (error.error != QJsonParseError::NoError)
            rows.broken(number,
                        Rows::tr("this row is left out: it is not JSON (%1)").arg(error.errorString()));
        else
            rows.broken(number, Rows::tr("this row is left out: it is no JSON object"));
    }
    return rows.result();
}

DatasetRows DatasetRows::fromJson(const QByteArray &text, const QString &file)
{
    RowCollector rows(file);
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error == QJsonParseError::GarbageAtEnd) {
        rows.broken(
            lineAt(text, error.offset),
            Rows::tr("a second JSON value begins here; a file with one object a line is named .jsonl"),
            Severity::Error);
    } else if (error.error != QJsonParseError::NoError) {
        rows.broken(lineAt(text, error.offset), Rows::tr("this is not JSON (%1)").arg(error.errorString()),
                    Severity::Error);
    } else if (!document.isArray()) {
        rows.broken(0, Rows::tr("a .json dataset is an array of objects"), Severity::Error);
    }
    int number = 0;
    for (const QJsonValue &value : document.array()) {
        ++number;
        if (value.isObject())
            rows.add(number, value.toObject());
        else
            rows.broken(0, Rows::tr("row %1 is left out: it is no JSON object").arg(number));
    }
    return rows.result();
}

static QStringList headerOf(const CsvReader::Row &row)
{
    QStringList columns;
    for (const QByteArray &field : row.fields)
        columns << QString::fromUtf8(field.trimmed());
    return columns;
}

/// Why a row of fields cannot be taken, or nothing.
static QString csvProblem(const CsvReader::Row &row, qsizetype columns)
{
    using Problem = CsvReader::Row::Problem;
    if (row.problem == Problem::OpenQuotation)
        return Rows::tr("a quotation in it does not end");
    if (row.problem == Problem::TextAfterQuotation)
        return Rows::tr("text follows a closing quotation mark");
    if (row.fields.size() != columns)
        return Rows::tr("it has %1 fields, but the header has %2").arg(row.fields.size()).arg(columns);
    for (const QByteArray &field : row.fields) {
        if (!field.isValidUtf8())
            return Rows::tr("it is not encoded in UTF-8");
    }
    return {};
}

DatasetRows DatasetRows::fromCsv(const QByteArray &text, const QString &file)
{
    RowCollector rows(file);
    CsvReader reader(text);
    const auto header = reader.next();
    if (!header)
        return rows.result();
    const QStringList columns = headerOf(*header);
    rows.setHeader(columns);
    if (const QString problem = csvProblem(*header, columns.size()); !problem.isEmpty()) {
        rows.broken(header->line, Rows::tr("the header cannot be read: %1").arg(problem), Severity::Error);
        return rows.result();
    }
    if (QSet<QString>(columns.begin(), columns.end()).size() != columns.size()) {
        rows.broken(header->line, Rows::tr("the header names a column twice"), Severity::Error);
        return rows.result();
    }
    while (const auto row = reader.next()) {
        if (const QString problem = csvProblem(*row, columns.size()); !problem.isEmpty()) {
            rows.broken(row->line, Rows::tr("this row is left out: %1").arg(problem));
            continue;
        }
        QJsonObject values;
        for (qsizetype i = 0; i < columns.size(); ++i)
            values.insert(columns[i], QString::fromUtf8(row->fields[i]));
        rows.add(row->line, std::move(values));
    }
    return rows.result();
}

} // namespace proctor
