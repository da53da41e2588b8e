// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/pythontext.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace proctor;

class TestPythonText : public QObject
{
    Q_OBJECT

private slots:
    void writesFloatsAsRepr_data();
    void writesFloatsAsRepr();
    void roundsHalfToEvenOnTheBinaryValue_data();
    void roundsHalfToEvenOnTheBinaryValue();
    void escapesStringsAsJsonDumps_data();
    void escapesStringsAsJsonDumps();
    void indentsAsJsonDumps_data();
    void indentsAsJsonDumps();
};

void TestPythonText::writesFloatsAsRepr_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](double value, const char *text) { QTest::newRow(text) << value << QByteArray(text); };
    row(0.0, "0.0");
    row(-0.0, "-0.0");
    row(1.0, "1.0");
    row(0.45, "0.45");
    row(0.1 + 0.2, "0.30000000000000004");
    row(0.0001, "0.0001");
    row(0.00001, "1e-05");
    row(1234567.5, "1234567.5");
    row(9007199254740993.0, "9007199254740992.0");
    row(1e15, "1000000000000000.0");
    row(1e16, "1e+16");
    row(1.5e300, "1.5e+300");
    row(5e-324, "5e-324");
    row(std::numeric_limits<double>::quiet_NaN(), "NaN");
    row(std::numeric_limits<double>::infinity(), "Infinity");
    row(-std::numeric_limits<double>::infinity(), "-Infinity");
}

void TestPythonText::writesFloatsAsRepr()
{
    QFETCH(double, value);
    QTEST(pythonFloat(value), "text");
}

void TestPythonText::roundsHalfToEvenOnTheBinaryValue_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("digits");
    QTest::addColumn<double>("rounded");
    QTest::newRow("0.5 is a tie") << 0.5 << 0 << 0.0;
    QTest::newRow("1.5 is a tie") << 1.5 << 0 << 2.0;
    QTest::newRow("2.5 is a tie") << 2.5 << 0 << 2.0;
    QTest::newRow("0.125 is a tie") << 0.125 << 2 << 0.12;
    QTest::newRow("0.375 is a tie") << 0.375 << 2 << 0.38;
    QTest::newRow("2.675 lies below the tie") << 2.675 << 2 << 2.67;
    QTest::newRow("0.00005 lies above the tie") << 0.00005 << 4 << 0.0001;
    QTest::newRow("a mean") << 0.73333333333333328 << 4 << 0.7333;
    QTest::newRow("negative") << -2.5 << 0 << -2.0;
    QTest::newRow("large") << 1e22 << 4 << 1e22;
}

void TestPythonText::roundsHalfToEvenOnTheBinaryValue()
{
    QFETCH(double, value);
    QFETCH(int, digits);
    QTEST(pythonRound(value, digits), "rounded");
}

void TestPythonText::escapesStringsAsJsonDumps_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("plain") << "a b/c" << QByteArray("\"a b/c\"");
    QTest::newRow("short escapes") << "\"\\\n\r\t\b\f" << QByteArray(R"("\"\\\n\r\t\b\f")");
    QTest::newRow("control") << QString(QChar(0x1f)) + QChar(0x7f) << QByteArray("\"\\u001f\x7f\"");
    QTest::newRow("Chinese") << QString::fromUtf8("酒店") << QByteArray("\"酒店\"");
    QTest::newRow("outside the first plane") << QString::fromUtf8("😀") << QByteArray("\"😀\"");
    QTest::newRow("half a pair") << QString(QChar(0xd83d)) + QLatin1Char('x') << QByteArray("\"\\ud83dx\"");
}

void TestPythonText::escapesStringsAsJsonDumps()
{
    QFETCH(QString, text);
    QByteArray json;
    appendPythonString(json, text);
    QTEST(json, "json");
}

void TestPythonText::indentsAsJsonDumps_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("indented");
    QTest::newRow("empty") << QByteArray("{}") << QByteArray("{}");
    QTest::newRow("spaced empty") << QByteArray("[ ]") << QByteArray("[]");
    QTest::newRow("members") << QByteArray(R"({"a": 1.10, "b": [1, {}], "c": []})")
                             << QByteArray(
                                    "{\n  \"a\": 1.10,\n  \"b\": [\n    1,\n    {}\n  ],\n  \"c\": []\n}");
    QTest::newRow("brackets in text")
        << QByteArray(R"({"a":"[,:\"{"})") << QByteArray("{\n  \"a\": \"[,:\\\"{\"\n}");
    QTest::newRow("ends in text") << QByteArray(R"({"a)") << QByteArray("{\n  \"a");
}

void TestPythonText::indentsAsJsonDumps()
{
    QFETCH(QByteArray, json);
    QTEST(indentedJson(json), "indented");
}

QTEST_GUILESS_MAIN(TestPythonText)
#include "tst_pythontext.moc"
