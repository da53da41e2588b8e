// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/format.h"

#include <QTest>

#include <limits>

using namespace proctor;

class TestFormat : public QObject
{
    Q_OBJECT

private slots:
    void duration_data();
    void duration();
    void rough_data();
    void rough();
    void numbers();
};

void TestFormat::duration_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << 0.0 << "0.0 s";
    QTest::newRow("tenths") << 1.84 << "1.8 s";
    QTest::newRow("rounds into whole seconds") << 9.96 << "10 s";
    QTest::newRow("rounds into a minute") << 59.7 << "1 m 0 s";
    QTest::newRow("minutes") << 252.0 << "4 m 12 s";
    QTest::newRow("rounds into an hour") << 3599.6 << "1 h 0 m";
    QTest::newRow("hours") << 4800.0 << "1 h 20 m";
    QTest::newRow("negative") << -1.0 << "";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << "";
}

void TestFormat::duration()
{
    QFETCH(double, seconds);
    QTEST(durationText(seconds), "text");
}

void TestFormat::rough_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("seconds") << 44.6 << "45 s";
    QTest::newRow("minutes") << 700.0 << "12 m";
    QTest::newRow("hours") << 4800.0 << "1 h 20 m";
    QTest::newRow("unknown") << std::numeric_limits<double>::infinity() << "";
}

void TestFormat::rough()
{
    QFETCH(double, seconds);
    QTEST(roughDurationText(seconds), "text");
}

void TestFormat::numbers()
{
    QCOMPARE(rewardText(0.4516), QStringLiteral("0.452"));
    QCOMPARE(rewardText(1), QStringLiteral("1.000"));
    QCOMPARE(shareText(0.1749), QStringLiteral("17 %"));
    QCOMPARE(moneyText(1.3742), QStringLiteral("$1.37"));
    QCOMPARE(moneyText(0.001), QStringLiteral("<$0.01"));
    QCOMPARE(moneyText(0), QStringLiteral("$0.00"));
}

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
