// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/reward.h"

#include <QTest>

using namespace proctor;

class TestReward : public QObject
{
    Q_OBJECT

private slots:
    void accepts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("reward");
        QTest::newRow("plain") << QByteArray("0.45") << 0.45;
        QTest::newRow("newline") << QByteArray("0.45\n") << 0.45;
        QTest::newRow("spaces") << QByteArray(" \t0.45 \r\n") << 0.45;
        QTest::newRow("zero") << QByteArray("0") << 0.0;
        QTest::newRow("one") << QByteArray("1") << 1.0;
        QTest::newRow("one point") << QByteArray("1.") << 1.0;
        QTest::newRow("point five") << QByteArray(".5") << 0.5;
        QTest::newRow("exponent") << QByteArray("5e-1") << 0.5;
        QTest::newRow("plus") << QByteArray("+1.0") << 1.0;
    }

    void accepts()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, reward);
        const auto parsed = parseReward(text);
        QVERIFY2(parsed.hasValue(), "should be a reward");
        QCOMPARE(*parsed, reward);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("quoted");
        QTest::newRow("empty") << QByteArray("") << QString();
        QTest::newRow("blank") << QByteArray(" \n") << QString();
        for (const char *text : {"nan", "inf", "-inf", "Infinity", "-0.5", "1.7", "1_0", "0,5", "0.5 0.6",
                                 "0x1", "true", "1e999"})
            QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(text);
        QTest::newRow("not UTF-8") << QByteArray("\xff\xfe") << QString();
    }

    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, quoted);
        const auto parsed = parseReward(text);
        QVERIFY(!parsed.hasValue());
        QVERIFY2(parsed.error().message.contains(quoted), qPrintable(parsed.error().message));
    }

    void quotesOnlyTheBeginning()
    {
        const auto parsed = parseReward(QByteArray(100'000, 'x'));
        QVERIFY(!parsed.hasValue());
        QVERIFY(parsed.error().message.size() < 200);
    }
};

QTEST_GUILESS_MAIN(TestReward)
#include "tst_reward.moc"
