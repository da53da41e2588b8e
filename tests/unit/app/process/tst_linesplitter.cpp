// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/linesplitter.h"

#include <QTest>

using namespace proctor;

using Lines = QList<LineSplitter::Line>;
Q_DECLARE_METATYPE(Lines)

class TestLineSplitter : public QObject
{
    Q_OBJECT

private slots:
    void splits_data();
    void splits();
    void memoryIsBounded();
    void longLineInSmallPiecesIsFast();
    void decodes_data();
    void decodes();
};

void TestLineSplitter::splits_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<Lines>("lines");
    QTest::newRow("nothing") << QByteArray() << Lines();
    QTest::newRow("one line") << QByteArray("a\n") << Lines{{"a", true}};
    QTest::newRow("no end") << QByteArray("a\nb") << Lines{{"a", true}, {"b", false}};
    QTest::newRow("empty lines") << QByteArray("\n\n") << Lines{{"", true}, {"", true}};
    QTest::newRow("as long as may be") << QByteArray("12345678\n") << Lines{{"12345678", true}};
    QTest::newRow("too long") << QByteArray("123456789\nx\n")
                              << Lines{{"12345678", false}, {"9", true}, {"x", true}};
    QTest::newRow("twice too long") << QByteArray("12345678123456789")
                                    << Lines{{"12345678", false}, {"12345678", false}, {"9", false}};
    QTest::newRow("any byte") << QByteArray("\0\xff\n", 3) << Lines{{QByteArray("\0\xff", 2), true}};
}

/// However the stream is cut, the lines are the same.
void TestLineSplitter::splits()
{
    QFETCH(QByteArray, stream);
    QFETCH(Lines, lines);
    for (qsizetype size = 1; size <= stream.size() + 1; ++size) {
        LineSplitter splitter(8);
        Lines found;
        for (qsizetype at = 0; at < stream.size(); at += size)
            found += splitter.add(stream.mid(at, size));
        found += splitter.finish();
        QCOMPARE(found, lines);
        QCOMPARE(splitter.pending(), 0);
    }
}

void TestLineSplitter::memoryIsBounded()
{
    LineSplitter splitter(1000);
    for (int i = 0; i < 1000; ++i) {
        splitter.add(QByteArray(997, 'x'));
        QVERIFY(splitter.pending() <= 1000);
    }
}

void TestLineSplitter::longLineInSmallPiecesIsFast()
{
    // A search from the start of the line at each piece would take minutes.
    LineSplitter splitter(16 * 1024 * 1024);
    const QByteArray piece(16, 'x');
    for (int i = 0; i < 500000; ++i)
        QVERIFY(splitter.add(piece).isEmpty());
    QCOMPARE(splitter.add("\n").value(0).bytes.size(), 8000000);
}

void TestLineSplitter::decodes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("Chinese") << QByteArray("\xe6\x9d\xad") << QStringLiteral("杭");
    QTest::newRow("carriage return") << QByteArray("a\r") << QStringLiteral("a");
    QTest::newRow("no UTF-8") << QByteArray("a\xff"
                                            "b")
                              << QStringLiteral("a\uFFFDb");
    QTest::newRow("nothing") << QByteArray() << QString();
}

void TestLineSplitter::decodes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(decodeLine(bytes), text);
}

QTEST_GUILESS_MAIN(TestLineSplitter)
#include "tst_linesplitter.moc"
