// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journallines.h"
#include "resultfolder.h"

#include <QTest>

using namespace proctor;

class TestJournalLines : public QObject
{
    Q_OBJECT

private slots:
    void cutsLines_data();
    void cutsLines();
    void outlivesAFileThatIsCut();
    void knowsThatThereIsNone();
};

/// "number:text" of each line, with a tilde where the newline is missing.
static QByteArrayList told(const JournalLines &lines)
{
    QByteArrayList all;
    lines.forEach([&all](const JournalLines::Line &line) {
        all << QByteArray::number(line.number) + ':' + line.text.toByteArray() + (line.isComplete ? "" : "~");
    });
    return all;
}

void TestJournalLines::cutsLines_data()
{
    const QByteArray block(256 * 1024, 'x'), longer(700 * 1024, 'y');
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("from");
    QTest::addColumn<QByteArrayList>("lines");
    QTest::newRow("nothing") << QByteArray() << qint64(0) << QByteArrayList();
    QTest::newRow("empty lines") << QByteArray("\na\n\nb\n") << qint64(0) << QByteArrayList{"2:a", "4:b"};
    QTest::newRow("a half line") << QByteArray("a\nb") << qint64(0) << QByteArrayList{"1:a", "2:b~"};
    QTest::newRow("from within") << QByteArray("a\nb\nc\n") << qint64(2) << QByteArrayList{"0:b", "0:c"};
    QTest::newRow("from behind the end") << QByteArray("a\n") << qint64(9) << QByteArrayList();
    QTest::newRow("lines as long as a block and longer")
        << block + '\n' + longer + "\nb\n"
        << qint64(0) << QByteArrayList{"1:" + block, "2:" + longer, "3:b"};
    QTest::newRow("a block that ends with a line")
        << block.chopped(1) + "\nb\n"
        << qint64(0) << QByteArrayList{"1:" + block.chopped(1), "2:b"};
}

void TestJournalLines::cutsLines()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, from);
    QFETCH(QByteArrayList, lines);
    ResultFolder folder;
    folder.write("events.jsonl", text);
    const JournalLines journal(folder.path("events.jsonl"), from);
    QVERIFY(journal.hasFile());
    QCOMPARE(told(journal), lines);
    QCOMPARE(journal.withoutPhases().size(), static_cast<size_t>(lines.size()));
}

void TestJournalLines::outlivesAFileThatIsCut()
{
    ResultFolder folder;
    QByteArray text;
    for (int i = 0; i < 20'000; ++i)
        text += outcomeLine(resultOf(QString::number(i), Outcome::scored(1)));
    folder.write("events.jsonl", text);
    const JournalLines journal(folder.path("events.jsonl"), 0);
    folder.write("events.jsonl", "");
    QByteArray kept;
    for (const JournalLines::Line &line : journal.withoutPhases())
        kept += line.text.toByteArray() + '\n';
    QVERIFY(kept == text);
    QVERIFY(told(journal).isEmpty());
}

void TestJournalLines::knowsThatThereIsNone()
{
    const JournalLines journal(ResultFolder().path("events.jsonl"), 0);
    QVERIFY(!journal.hasFile());
    QVERIFY(told(journal).isEmpty());
}

QTEST_GUILESS_MAIN(TestJournalLines)
#include "tst_journallines.moc"
