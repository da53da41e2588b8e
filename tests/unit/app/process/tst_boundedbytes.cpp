// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/boundedbytes.h"

#include <QTest>

using namespace proctor;

class TestBoundedBytes : public QObject
{
    Q_OBJECT

private slots:
    void keepsHeadAndTail_data();
    void keepsHeadAndTail();
};

void TestBoundedBytes::keepsHeadAndTail_data()
{
    QTest::addColumn<qint64>("bound");
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("kept");
    QTest::addColumn<qint64>("dropped");
    QTest::newRow("nothing") << qint64(8) << QByteArray() << QByteArray() << qint64(0);
    QTest::newRow("below") << qint64(8) << QByteArray("abc") << QByteArray("abc") << qint64(0);
    QTest::newRow("full") << qint64(8) << QByteArray("abcdefgh") << QByteArray("abcdefgh") << qint64(0);
    QTest::newRow("one over") << qint64(8) << QByteArray("abcdefghi")
                              << QByteArray("abcd\n[1 bytes left out]\nfghi") << qint64(1);
    QTest::newRow("far over") << qint64(8) << QByteArray(1000, '-') + "wxyz"
                              << QByteArray("----\n[996 bytes left out]\nwxyz") << qint64(996);
    QTest::newRow("none kept") << qint64(0) << QByteArray("abc") << QByteArray() << qint64(3);
}

/// However the stream is cut, the same is kept.
void TestBoundedBytes::keepsHeadAndTail()
{
    QFETCH(qint64, bound);
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, kept);
    QFETCH(qint64, dropped);
    for (qsizetype size = 1; size <= stream.size() + 1; ++size) {
        BoundedBytes bytes(bound);
        for (qsizetype at = 0; at < stream.size(); at += size)
            bytes.add(stream.mid(at, size));
        QCOMPARE(bytes.bytes(), kept);
        QCOMPARE(bytes.dropped(), dropped);
        QCOMPARE(bytes.total(), stream.size());
    }
}

QTEST_GUILESS_MAIN(TestBoundedBytes)
#include "tst_boundedbytes.moc"
