// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpparser.h"

#include <QTest>

using namespace proctor;

class TestHttpParser : public QObject
{
    Q_OBJECT

private:
    static constexpr HttpParserLimits limits{1024, 8, 64};

    /// What came out of a stream, as text: one line a request, and the refusal that ended it.
    static QByteArray described(const HttpRequest &request)
    {
        QByteArray line =
            request.method + ' ' + request.target + " 1." + QByteArray::number(request.minorVersion);
        for (const HttpHeader &header : request.headers) {
            if (header.name != "host")
                line += ' ' + header.name + '=' + header.value;
        }
        return line + " [" + request.body + "]\n";
    }

    static QByteArray readIn(const QByteArray &stream, qsizetype step)
    {
        HttpParser parser(limits);
        QByteArray out;
        for (qsizetype begin = 0; begin < stream.size(); begin += step) {
            QByteArrayView rest = QByteArrayView(stream).sliced(begin, std::min(step, stream.size() - begin));
            while (!rest.isEmpty() && !parser.refusal()) {
                rest = rest.sliced(parser.feed(rest));
                if (parser.isComplete())
                    out += described(parser.take());
            }
        }
        if (parser.refusal())
            out += QByteArray::number(parser.refusal()->status);
        else if (!parser.isFresh())
            out += "more";
        return out;
    }

    static QByteArray with(const QByteArray &headers, const QByteArray &body = {})
    {
        return "POST /x HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n" + body;
    }

private slots:
    void streams_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const QByteArray &stream, const QByteArray &expected) {
            QTest::newRow(name) << stream << expected;
        };
        const QByteArray bad = "400";

        row("nothing", "", "");
        row("no body", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / 1.1 []\n");
        row("1.0 without host", "GET /a?b=c HTTP/1.0\r\n\r\n", "GET /a?b=c 1.0 []\n");
        row("HEAD", "HEAD /a HTTP/1.1\r\nhOsT:h\r\n\r\n", "HEAD /a 1.1 []\n");
        row("asterisk", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * 1.1 []\n");
        row("sized", with("Content-Length: 3\r\n", "abc"), "POST /x 1.1 content-length=3 [abc]\n");
        row("body not whole", with("Content-Length: 3\r\n", "ab"), "more");
        row("header without value", with("A:\r\nB: \t \r\nC:  x y\t\r\n"), "POST /x 1.1 a= b= c=x y []\n");
        row("bytes above ASCII", with("A: \xe6\x9d\xad\r\n"), "POST /x 1.1 a=\xe6\x9d\xad []\n");
        row("pipelined", with("Content-Length: 1\r\n", "a") + with("") + with("Content-Length: 1\r\n", "b"),
            "POST /x 1.1 content-length=1 [a]\nPOST /x 1.1 []\nPOST /x 1.1 content-length=1 [b]\n");
        row("line end too many", with("Content-Length: 1\r\n", "a\r\n") + with(""),
            "POST /x 1.1 content-length=1 [a]\nPOST /x 1.1 []\n");
        row("good, then bad", with("") + "what\r\n", "POST /x 1.1 []\n400");
        row("length zero", with("Content-Length: 0\r\n"), "POST /x 1.1 content-length=0 []\n");
        row("equal lengths", with("Content-Length: 2\r\nContent-Length: 2\r\n", "ab"),
            "POST /x 1.1 content-length=2 content-length=2 [ab]\n");

        row("no version", "GET /\r\n", bad);
        row("version word", "GET / HTTQ/1.1\r\n", bad);
        row("version 2", "GET / HTTP/2.0\r\n", "505");
        row("version 1.2", "GET / HTTP/1.2\r\n", "505");
        row("version 1.10", "GET / HTTP/1.10\r\n", bad);
        row("lower case version", "GET / http/1.1\r\n", bad);
        row("two spaces", "GET  / HTTP/1.1\r\n", bad);
        row("space behind", "GET / HTTP/1.1 \r\n", bad);
        row("space before", " GET / HTTP/1.1\r\n", bad);
        row("tab", "GET\t/ HTTP/1.1\r\n", bad);
        row("no method", " / HTTP/1.1\r\n", bad);
        row("method of odd characters", "G(T / HTTP/1.1\r\n", bad);
        row("long method", QByteArray(33, 'A') + " / HTTP/1.1\r\n", bad);
        row("no slash", "GET a HTTP/1.1\r\n", bad);
        row("a proxy's form", "GET http://h/ HTTP/1.1\r\n", bad);
        row("control in target", "GET /\x01 HTTP/1.1\r\n", bad);
        row("NUL in target", QByteArray("GET /\0 HTTP/1.1\r\n", 18), bad);
        row("binary", "\x16\x03\x01\x02\n", bad);
        row("half a line", "GE", "more");

        row("bare LF", "GET / HTTP/1.1\nHost: h\n\n", bad);
        row("bare LF in headers", with("A: b\nC: d\r\n"), bad);
        row("bare CR", with("A: b\rC: d\r\n"), bad);
        row("CR before the end", with("A: b\r\r\n"), bad);
        row("NUL", with(QByteArray("A: b\0c\r\n", 8)), bad);
        row("control", with("A: b\x08\r\n"), bad);
        row("DEL", with("A: b\x7f\r\n"), bad);
        row("space before colon", with("A : b\r\n"), bad);
        row("no colon", with("A\r\n"), bad);
        row("no name", with(": b\r\n"), bad);
        row("odd name", with("A(: b\r\n"), bad);
        row("folded", with("A: b\r\n c\r\n"), bad);
        row("folded by tab", with("A: b\r\n\tc\r\n"), bad);
        row("first header folded", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", bad);

        row("no host", "GET / HTTP/1.1\r\n\r\n", bad);
        row("two hosts", with("Host: i\r\n"), bad);
        row("two equal hosts", with("Host: h\r\n"), bad);

        row("length and coding", with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), bad);
        row("coding and length", with("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"), bad);
        row("different lengths", with("Content-Length: 3\r\nContent-Length: 4\r\n"), bad);
        row("lengths written differently", with("Content-Length: 3\r\nContent-Length: 03\r\n"), bad);
        row("three lengths", with("Content-Length: 3\r\nContent-Length: 4\r\nContent-Length: 3\r\n"), bad);
        row("plus", with("Content-Length: +5\r\n"), bad);
        row("minus", with("Content-Length: -5\r\n"), bad);
        row("list", with("Content-Length: 5, 5\r\n"), bad);
        row("hexadecimal", with("Content-Length: 0x5\r\n"), bad);
        row("space in length", with("Content-Length: 1 0\r\n"), bad);
        row("empty length", with("Content-Length:\r\n"), bad);
        row("fraction", with("Content-Length: 1.0\r\n"), bad);
        row("length over 64 bits", with("Content-Length: 18446744073709551617\r\n"), bad);
        row("length over the limit", with("Content-Length: 65\r\n"), "413");
        row("length at the limit", with("Content-Length: 64\r\n", QByteArray(64, 'b')),
            "POST /x 1.1 content-length=64 [" + QByteArray(64, 'b') + "]\n");
        row("unknown coding", with("Transfer-Encoding: gzip\r\n"), "501");
        row("two codings", with("Transfer-Encoding: gzip, chunked\r\n"), "501");
        row("coding twice", with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), bad);
        row("coding in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", bad);
        row("unknown expectation", with("Expect: a-miracle\r\n"), "417");
        row("expectation in 1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n",
            "POST / 1.0 expect=100-continue []\n");

        const QByteArray chunked = "Transfer-Encoding: Chunked\r\n";
        const QByteArray got = "POST /x 1.1 transfer-encoding=Chunked ";
        row("chunks", with(chunked, "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n") + with(""),
            got + "[abc0123456789]\nPOST /x 1.1 []\n");
        row("no chunk", with(chunked, "0\r\n\r\n"), got + "[]\n");
        row("zeros", with(chunked, "003\r\nabc\r\n000\r\n\r\n"), got + "[abc]\n");
        row("extension", with(chunked, "1;a=\"b\"\r\nx\r\n0;c\r\n\r\n"), got + "[x]\n");
        row("trailer", with(chunked, "1\r\nx\r\n0\r\nA: b\r\nContent-Length: 9\r\n\r\n"), got + "[x]\n");
        row("chunk not whole", with(chunked, "3\r\nab"), "more");
        row("end missing", with(chunked, "1\r\nx\r\n0\r\n"), "more");
        row("no size", with(chunked, "\r\n"), bad);
        row("only an extension", with(chunked, ";a\r\n"), bad);
        row("no digits", with(chunked, "xyz\r\n"), bad);
        row("prefix", with(chunked, "0x3\r\nabc\r\n"), bad);
        row("negative size", with(chunked, "-1\r\n"), bad);
        row("signed size", with(chunked, "+1\r\nx\r\n"), bad);
        row("space behind size", with(chunked, "1 \r\nx\r\n"), bad);
        row("size over 64 bits", with(chunked, "fffffffffffffffff\r\n"), bad);
        row("size over the limit", with(chunked, "41\r\n"), "413");
        row("sum over the limit", with(chunked, "3f\r\n" + QByteArray(63, 'b') + "\r\n2\r\n"), "413");
        row("chunk too long", with(chunked, "1\r\nxy\r\n0\r\n\r\n"), bad);
        row("bare LF in chunks", with(chunked, "1\nx\n0\n\n"), bad);
        row("NUL in extension", with(chunked, QByteArray("1;\0\r\n", 5)), bad);
        row("endless extension", with(chunked, "1;" + QByteArray(2000, 'a')), bad);
        QByteArray extended;
        for (int i = 0; i < 30; ++i)
            extended += "1;" + QByteArray(900, 'a') + "\r\nx\r\n";
        row("many extensions", with(chunked, extended), bad);
        row("endless trailers", with(chunked, "0\r\n" + QByteArray("A: b\r\n").repeated(5000)), "431");
        row("endless trailer", with(chunked, "0\r\nA: " + QByteArray(20000, 'b')), "431");
        row("bad trailer", with(chunked, "0\r\nA : b\r\n\r\n"), bad);
        row("folded trailer", with(chunked, "0\r\nA: b\r\n c\r\n\r\n"), bad);

        row("headers too large", with("A: " + QByteArray(1100, 'a') + "\r\n"), "431");
        row("endless header", with("A: " + QByteArray(5000, 'a')), "431");
        row("endless request line", "GET /" + QByteArray(5000, 'a'), "431");
        row("too many headers", with(QByteArray("A: b\r\n").repeated(8)), "431");
        row("as many headers as may be", with(QByteArray("A: b\r\n").repeated(7)),
            "POST /x 1.1" + QByteArray(" a=b").repeated(7) + " []\n");
        row("only line ends", QByteArray("\r\n").repeated(600), "431");
    }

    void streams()
    {
        QFETCH(QByteArray, stream);
        QFETCH(QByteArray, expected);
        QCOMPARE(readIn(stream, stream.size() + 1), expected);
        for (const qsizetype step : {1, 2, 3, 7})
            QCOMPARE(readIn(stream, step), expected);
    }

    void headersUpToTheDefaultLimit()
    {
        const QByteArray rest = "GET / HTTP/1.1\r\nHost: h\r\nA: \r\n\r\n";
        for (const bool over : {false, true}) {
            HttpParser parser;
            QByteArray stream = rest;
            stream.insert(stream.size() - 4, QByteArray(64 * 1024 - rest.size() + (over ? 1 : 0), 'a'));
            parser.feed(stream);
            QCOMPARE(parser.isComplete(), !over);
            QCOMPARE(parser.refusal().has_value(), over);
        }
    }

    void continueIsAwaitedUntilTheBodyComes()
    {
        HttpParser parser;
        parser.feed(with("Expect: 100-Continue\r\nContent-Length: 2\r\n"));
        QVERIFY(parser.awaitsContinue());
        parser.feed("a");
        QVERIFY(!parser.awaitsContinue());
        parser.feed("b");
        QCOMPARE(parser.take().body, QByteArray("ab"));

        parser.feed(with("Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n"));
        QVERIFY(parser.awaitsContinue());
        parser.feed("0\r\n\r\n");
        parser.take();
        parser.feed(with("Expect: 100-continue\r\n"));
        QVERIFY(!parser.awaitsContinue());
    }

    void takesOneRequestAtATime()
    {
        HttpParser parser;
        const QByteArray two = with("") + with("");
        QCOMPARE(parser.feed(two), two.size() / 2);
        QVERIFY(parser.isComplete());
        QCOMPARE(parser.feed("GET"), 0);
        parser.take();
        QVERIFY(parser.isFresh());
    }

    void keepsAlive_data()
    {
        QTest::addColumn<int>("version");
        QTest::addColumn<QByteArray>("connection");
        QTest::addColumn<bool>("keeps");
        QTest::newRow("1.1") << 1 << QByteArray() << true;
        QTest::newRow("1.1 close") << 1 << QByteArray("close") << false;
        QTest::newRow("1.1 close among others") << 1 << QByteArray("TE, Close") << false;
        QTest::newRow("1.1 both") << 1 << QByteArray("keep-alive, close") << false;
        QTest::newRow("1.1 something else") << 1 << QByteArray("closed") << true;
        QTest::newRow("1.0") << 0 << QByteArray() << false;
        QTest::newRow("1.0 keep-alive") << 0 << QByteArray("Keep-Alive") << true;
    }

    void keepsAlive()
    {
        QFETCH(int, version);
        QFETCH(QByteArray, connection);
        HttpRequest request;
        request.minorVersion = version;
        if (!connection.isNull())
            request.headers << HttpHeader{"connection", connection};
        QTEST(request.keepsAlive(), "keeps");
    }
};

QTEST_GUILESS_MAIN(TestHttpParser)
#include "tst_httpparser.moc"
