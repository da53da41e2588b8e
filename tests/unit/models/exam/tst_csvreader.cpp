// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/csvreader.h"

#include <QTest>

using namespace proctor;

static QString print(const QByteArray &text)
{
    static const char *const problems[] = {"", "!open", "!after"};
    QStringList rows;
    CsvReader reader(text);
    while (const auto row = reader.next()) {
        QStringList fields;
        for (const QByteArray &field : row->fields)
            fields << QString::fromUtf8(field).replace(u'\n', QStringLiteral("\\n"));
        const QString content = row->problem == CsvReader::Row::Problem::None ? fields.join(u'|') : QString();
        rows << QStringLiteral("%1:%2%3").arg(row->line).arg(content,
                                                             QLatin1String(problems[int(row->problem)]));
    }
    return rows.join(u' ');
}

class TestCsvReader : public QObject
{
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("rows");
        QTest::newRow("plain") << QByteArray("a,b\nc,d\n") << "1:a|b 2:c|d";
        QTest::newRow("no end") << QByteArray("a,b\nc,d") << "1:a|b 2:c|d";
        QTest::newRow("windows") << QByteArray("a,b\r\nc,d\r\n") << "1:a|b 2:c|d";
        QTest::newRow("empty fields") << QByteArray(",\n,,\n") << "1:| 2:||";
        QTest::newRow("trailing comma at the end") << QByteArray("a,") << "1:a|";
        QTest::newRow("empty lines") << QByteArray("\n\r\na\n\nb\n\n") << "3:a 5:b";
        QTest::newRow("quoted") << QByteArray("\"a,b\",\"c\"\"d\",\"\"\n") << "1:a,b|c\"d|";
        QTest::newRow("quoted line break") << QByteArray("\"a\nb\",c\nd,e\n") << "1:a\\nb|c 3:d|e";
        QTest::newRow("quoted before windows end") << QByteArray("\"a\",\"b\"\r\nc,d") << "1:a|b 2:c|d";
        QTest::newRow("quote inside a field") << QByteArray("a\"b,c\n") << "1:a\"b|c";
        QTest::newRow("open quotation costs one row") << QByteArray("a,\"b\nc,d\n") << "1:!open 2:c|d";
        QTest::newRow("text after quotation costs one row")
            << QByteArray("\"a\"x,b\nc,d\n") << "1:!after 2:c|d";
        QTest::newRow("nothing") << QByteArray() << "";
    }
    void reads()
    {
        QFETCH(QByteArray, text);
        QTEST(print(text), "rows");
    }
};

QTEST_GUILESS_MAIN(TestCsvReader)
#include "tst_csvreader.moc"
