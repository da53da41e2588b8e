// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/retryafter.h"

#include <QTest>

using namespace proctor;

class TestRetryAfter : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
};

void TestRetryAfter::reads_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("seconds") << QByteArray("7") << qint64(7000);
    QTest::newRow("spaces") << QByteArray(" 7 ") << qint64(7000);
    QTest::newRow("broken seconds") << QByteArray("0.25") << qint64(250);
    QTest::newRow("nothing to wait") << QByteArray("0") << qint64(0);
    QTest::newRow("negative") << QByteArray("-3") << qint64(0);
    QTest::newRow("date") << QByteArray("Wed, 21 Oct 2015 07:28:05 GMT") << qint64(5000);
    QTest::newRow("date gone by") << QByteArray("Wed, 21 Oct 2015 07:27:00 GMT") << qint64(0);
    QTest::newRow("endless") << QByteArray("1e300") << qint64(365) * 24 * 3600 * 1000;
    QTest::newRow("nan") << QByteArray("nan") << qint64(-1);
    QTest::newRow("none") << QByteArray() << qint64(-1);
    QTest::newRow("words") << QByteArray("soon") << qint64(-1);
}

void TestRetryAfter::reads()
{
    QFETCH(QByteArray, header);
    QFETCH(qint64, expected);
    const QDateTime now(QDate(2015, 10, 21), QTime(7, 28), Qt::UTC);
    const auto wait = retryAfter(header, now);
    QCOMPARE(wait ? qint64(wait->count()) : qint64(-1), expected);
}

QTEST_GUILESS_MAIN(TestRetryAfter)
#include "tst_retryafter.moc"
