// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/nearname.h"

#include <QTest>

using namespace proctor;

class TestNearName : public QObject
{
    Q_OBJECT

private slots:
    void guesses_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("guess");
        QTest::newRow("letter missing") << "skip_don"
                                        << "skip_done";
        QTest::newRow("letters swapped") << "lmiit"
                                         << "limit";
        QTest::newRow("case and dash") << "Skip-Done"
                                       << "skip_done";
        QTest::newRow("abbreviated") << "tool_time"
                                     << "tool_timeout_sec";
        QTest::newRow("nearest of two") << "run"
                                        << "runs";
        QTest::newRow("too far") << "colour"
                                 << "";
        QTest::newRow("too short to guess") << "xy"
                                            << "";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("huge") << QString(100000, u'x') << "";
    }
    void guesses()
    {
        QFETCH(QString, name);
        const QStringList names{QStringLiteral("skip_done"), QStringLiteral("limit"), QStringLiteral("runs"),
                                QStringLiteral("tool_timeout_sec"), QStringLiteral("sandbox")};
        QTEST(nearestName(name, names).value_or(QString()), "guess");
    }

    void listsSeveral()
    {
        const QStringList names{QStringLiteral("hotel_12"), QStringLiteral("flight_1"),
                                QStringLiteral("hotel_1"), QStringLiteral("hotel_2"),
                                QStringLiteral("hotel_3")};
        QCOMPARE(nearestNames(QStringLiteral("hotl_1"), names, 3).join(u' '),
                 QStringLiteral("hotel_1 hotel_12 hotel_2"));
        QVERIFY(nearestNames(QStringLiteral("museum"), names, 3).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestNearName)
#include "tst_nearname.moc"
