// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/printable.h"

#include <QTest>

using namespace proctor;

class TestPrintable : public QObject
{
    Q_OBJECT

private slots:
    void isOneHarmlessLine_data();
    void isOneHarmlessLine();
};

void TestPrintable::isOneHarmlessLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("line");
    QTest::newRow("plain") << QStringLiteral("杭州 🏨 “a” · 1.5") << QStringLiteral("杭州 🏨 “a” · 1.5");
    QTest::newRow("line ends") << QStringLiteral("a\nb\r\nc\td\u2028e") << QStringLiteral("a b c d e");
    QTest::newRow("colour") << QStringLiteral("\x1b[31mred\r") << QStringLiteral("\\x1b[31mred\\x0d");
    QTest::newRow("bell, delete") << QStringLiteral("a\x07\x7f") << QStringLiteral("a\\x07\\x7f");
    QTest::newRow("C1") << QStringLiteral("\u009b31m\u0085") << QStringLiteral("\\x9b31m\\x85");
    QTest::newRow("turned direction") << QStringLiteral("a\u202eb") << QStringLiteral("a\\x202eb");
}

void TestPrintable::isOneHarmlessLine()
{
    QFETCH(QString, text);
    QTEST(printable(text), "line");
}

QTEST_GUILESS_MAIN(TestPrintable)
#include "tst_printable.moc"
