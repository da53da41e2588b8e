// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/pythonjson.h"

#include <QTest>

using namespace proctor;

class TestPythonJson : public QObject
{
    Q_OBJECT

private slots:
    // What CPython 3.11 says: json.dumps(json.loads(text), ensure_ascii=False); empty where it raises.
    void dumps_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("dumped");
        const auto row = [](const char *name, const QByteArray &text, const QByteArray &dumped) {
            QTest::newRow(name) << text << dumped;
        };
        row("null", " null\n", "null");
        row("integer", "12345678901234567890123456789", "12345678901234567890123456789");
        row("minus zero", "-0", "0");
        row("minus zero as float", "-0.0", "-0.0");
        row("float", "1.50", "1.5");
        row("small float", "0.00001", "1e-05");
        row("large float", "1e20", "1e+20");
        row("whole float", "1E2", "100.0");
        row("beyond double", "1e400", "Infinity");
        row("beyond double below", "-1e400", "-Infinity");
        row("too small", "1e-400", "0.0");
        row("constants", "[NaN,Infinity,-Infinity,true,false]", "[NaN, Infinity, -Infinity, true, false]");
        row("string", "\"\\u676d\\u5dde \\\"\\\\\\/\\b\\f\\n\\r\\t\"",
            "\"\xe6\x9d\xad\xe5\xb7\x9e \\\"\\\\/\\b\\f\\n\\r\\t\"");
        row("pair", "\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"");
        row("DEL", "\"\x7f\"", "\"\x7f\"");
        row("order is kept", "{\"b\":1,\"a\":{\"d\":[],\"c\":{}}}",
            "{\"b\": 1, \"a\": {\"d\": [], \"c\": {}}}");
        row("equal keys", "{\"a\":1,\"b\":[2, 3],\"a\":{\"x\":1,\"x\":2}}",
            "{\"a\": {\"x\": 2}, \"b\": [2, 3]}");
        row("equal first key", "{\"a\":1,\"a\":2}", "{\"a\": 2}");
        row("keys written differently", "{\"a\":1,\"\\u0061\":\"z\"}", "{\"a\": \"z\"}");
        row("deep", QByteArray(900, '[') + QByteArray(900, ']'), QByteArray(900, '[') + QByteArray(900, ']'));
        row("many digits", QByteArray(4300, '1'), QByteArray(4300, '1'));

        row("empty", "", "");
        row("two values", "1 2", "");
        row("leading zero", "01", "");
        row("plus", "+1", "");
        row("dot alone", "1.", "");
        row("dot before", ".5", "");
        row("exponent alone", "1e", "");
        row("minus alone", "-", "");
        row("minus NaN", "-NaN", "");
        row("short infinity", "Inf", "");
        row("comma behind", "[1,]", "");
        row("comma behind member", "{\"a\":1,}", "");
        row("no comma", "[1 2]", "");
        row("no colon", "{\"a\" 1}", "");
        row("no key", "{1:2}", "");
        row("open", "[1", "");
        row("open string", "\"abc", "");
        row("single quotes", "'a'", "");
        row("line end in string", "\"a\nb\"", "");
        row("bad escape", "\"\\x41\"", "");
        row("short escape", "\"\\u12\"", "");
        row("no digits in escape", "\"\\u12g4\"", "");
        row("comment", "1 // one", "");
        row("no UTF-8", "\"\xff\"", "");
        row("byte order mark", "\xef\xbb\xbf{}", "");
        row("too deep", QByteArray(901, '[') + QByteArray(901, ']'), "");
        row("too many digits", QByteArray(4301, '1'), "");
        row("words", "hello", "");
        row("NUL behind", QByteArray("1\0", 2), "");
    }

    void dumps()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, dumped);
        const auto read = readPythonJson(text);
        QCOMPARE(read ? read->value.dumped : QByteArray(), dumped);
    }

    void strings()
    {
        const auto read = readPythonJson(
            "{\"z\":\"x y\",\"i\":-7,\"f\":1e20,\"n\":NaN,\"m\":-Infinity,\"l\":[1,\"a\"],\"t\":true}");
        QVERIFY(read);
        QStringList words;
        for (const PythonMember &member : read->members)
            words << member.key + QLatin1Char('=') + member.value.str();
        QCOMPARE(words.join(QLatin1Char(';')),
                 QStringLiteral("z=x y;i=-7;f=1e+20;n=nan;m=-inf;l=[1, \"a\"];t=true"));
    }

    void standardJsonHasNoNaN()
    {
        QVERIFY(isJson("{\"a\": [1e400, -0, \"x\"]}\n"));
        QVERIFY(!isJson("{\"a\": NaN}"));
        QVERIFY(!isJson("[Infinity]"));
        QVERIFY(!isJson(""));
    }

    void compactKeepsWhatIsWritten()
    {
        QCOMPARE(compactJson("{ \"a b\" :\r\n [1.50,\t\"x\\\" \\\\\", 1e400 ] }"),
                 QByteArray("{\"a b\":[1.50,\"x\\\" \\\\\",1e400]}"));
    }
};

QTEST_GUILESS_MAIN(TestPythonJson)
#include "tst_pythonjson.moc"
