// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/statistics/means.h"

#include <QTest>

#include <cmath>

using namespace proctor;

namespace
{

QList<double> countingTo(int end)
{
    QList<double> values;
    for (int i = 0; i < end; ++i)
        values << i;
    return values;
}

bool near(double a, double b)
{
    return std::abs(a - b) < 5e-7;
}

} // namespace

class TestMeans : public QObject
{
    Q_OBJECT

private slots:
    void averages();
    void measuresTheSpread();
    void knowsStudentsQuantiles_data();
    void knowsStudentsQuantiles();
    void givesTheInterval();
};

void TestMeans::averages()
{
    QVERIFY(!mean({}));
    QCOMPARE(mean({0.25}), 0.25);
    QCOMPARE(mean(countingTo(10)), 4.5);
}

void TestMeans::measuresTheSpread()
{
    QVERIFY(!sampleStandardDeviation({1}));
    QVERIFY(!standardError({1}));
    QVERIFY(near(*sampleStandardDeviation({0.495, 0.7, 0.425}), 0.1429161));
    QVERIFY(near(*standardError(countingTo(10)), 0.957427));
    QVERIFY(near(*standardError(countingTo(20)), 1.322876));
    QVERIFY(near(*standardError({1, 2, 3, 4}), 0.645497));
}

void TestMeans::knowsStudentsQuantiles_data()
{
    QTest::addColumn<int>("degrees");
    QTest::addColumn<double>("value");
    QTest::newRow("1") << 1 << 12.706205;
    QTest::newRow("2") << 2 << 4.302653;
    QTest::newRow("9") << 9 << 2.262157;
    QTest::newRow("30") << 30 << 2.042272;
}

void TestMeans::knowsStudentsQuantiles()
{
    QFETCH(int, degrees);
    QFETCH(double, value);
    QVERIFY(near(tQuantile(0.975, degrees), value));
    QVERIFY(near(tQuantile(0.025, degrees), -value));
}

void TestMeans::givesTheInterval()
{
    QVERIFY(!halfWidth95({0.5}));
    const QList<double> values{1, 2, 3, 4};
    QVERIFY(std::abs(*mean(values) - *halfWidth95(values) - 0.4457) < 5e-5);
    QVERIFY(std::abs(*mean(values) + *halfWidth95(values) - 4.5543) < 5e-5);
    QCOMPARE(halfWidth95({0.5, 0.5}), 0.0);
}

QTEST_GUILESS_MAIN(TestMeans)
#include "tst_means.moc"
