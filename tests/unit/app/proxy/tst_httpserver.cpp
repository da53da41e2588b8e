// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpserver.h"

#include <QElapsedTimer>
#include <QTest>

#include <deque>

using namespace proctor;
using namespace std::chrono_literals;

namespace
{

/// A socket that keeps all that it is sent.
class Client
{
public:
    explicit Client(const HttpServer &server, qint64 readBuffer = 0)
    {
        m_socket.setReadBufferSize(readBuffer);
        m_socket.connectToHost(QStringLiteral("127.0.0.1"), server.port());
        QObject::connect(&m_socket, &QTcpSocket::readyRead, &m_socket, [this] {
            if (reads)
                received += m_socket.readAll();
        });
    }
    void send(const QByteArray &bytes) { m_socket.write(bytes); }
    bool isOver() const { return m_socket.state() == QAbstractSocket::UnconnectedState; }
    bool isConnected() const { return m_socket.state() == QAbstractSocket::ConnectedState; }
    void hangUp() { m_socket.abort(); }
    void readOn()
    {
        reads = true;
        received += m_socket.readAll();
    }

    bool reads = true;
    QByteArray received;

private:
    QTcpSocket m_socket;
};

/// Body behind the only head in `answer`.
QByteArray bodyOf(const QByteArray &answer)
{
    return answer.mid(answer.indexOf("\r\n\r\n") + 4);
}

QByteArray headOf(const QByteArray &answer)
{
    return answer.left(answer.indexOf("\r\n\r\n"));
}

} // namespace

class TestHttpServer : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<HttpServer> m_server;
    /// Targets in the order in which they were asked for.
    QByteArrayList m_asked;
    /// Answers that are given by the test.
    std::deque<HttpResponder> m_waiting;

    void start(const HttpServerLimits &limits = {})
    {
        m_server = std::make_unique<HttpServer>(
            [this](const HttpRequest &request, const HttpResponder &responder) {
                m_asked << request.target;
                if (request.target.startsWith("/later"))
                    m_waiting.push_back(responder);
                else if (request.target == "/large")
                    responder.respond(200, QByteArray(1 << 20, 'l'), "text/plain");
                else if (request.target != "/forgotten")
                    responder.respond(200, request.target + '|' + request.body, "text/plain");
            },
            limits);
        QVERIFY(m_server->listen().hasValue());
    }

    QByteArray request(const QByteArray &target, const QByteArray &headers = {},
                       const QByteArray &body = {}) const
    {
        return request("POST", target, headers, body);
    }

    QByteArray request(const QByteArray &method, const QByteArray &target, const QByteArray &headers,
                       const QByteArray &body) const
    {
        return method + ' ' + target +
               " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(m_server->port()) +
               "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n" + headers + "\r\n" + body;
    }

    HttpResponder takeWaiting()
    {
        HttpResponder responder = m_waiting.front();
        m_waiting.pop_front();
        return responder;
    }

    /// Writes until `total` bytes have been taken; notes the most that was unsent at a time.
    static QCoro::Task<void> stream(HttpResponder responder, qsizetype total, qsizetype *written, bool *there)
    {
        const QByteArray piece(16 * 1024, 's');
        *there = true;
        while (*there && *written < total) {
            responder.write(piece);
            *written += piece.size();
            *there = co_await responder.room();
        }
        responder.end();
    }

private slots:
    void init()
    {
        m_asked.clear();
        m_waiting.clear();
    }

    void cleanup()
    {
        m_server.reset();
        m_waiting.clear();
    }

    void listensOnLoopbackAlone()
    {
        start();
        QVERIFY(m_server->port() != 0);
        QTcpSocket other;
        other.connectToHost(QStringLiteral("127.0.0.2"), m_server->port());
        QTRY_COMPARE(other.error(), QAbstractSocket::ConnectionRefusedError);
    }

    void answersOneAfterTheOtherOnOneConnection()
    {
        start();
        Client client(*m_server);
        client.send(request("/a", {}, "one"));
        QTRY_VERIFY(client.received.endsWith("/a|one"));
        QVERIFY(headOf(client.received).contains("Content-Length: 6"));
        QVERIFY(!client.received.contains("Connection:"));
        client.received.clear();
        client.send(request("/b"));
        QTRY_VERIFY(client.received.endsWith("/b|"));
        QVERIFY(client.isConnected());
    }

    void answersPipelinedRequestsInOrder()
    {
        start();
        Client client(*m_server);
        QByteArray all;
        for (int i = 0; i < 500; ++i)
            all += request(i == 3 ? "/later" : "/" + QByteArray::number(i), {}, "b");
        client.send(all);
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        QTRY_VERIFY(client.received.endsWith("/2|b"));
        QCOMPARE(m_asked.size(), 4);
        takeWaiting().respond(200, "late");
        QTRY_VERIFY(client.received.endsWith("/499|b"));
        QVERIFY(client.received.indexOf("/2|b") < client.received.indexOf("late"));
        QVERIFY(client.received.indexOf("late") < client.received.indexOf("/4|b"));
        QCOMPARE(client.received.count("HTTP/1.1 200"), 500);
    }

    void closesWhenAsked_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<bool>("closes");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("1.1") << QByteArray("1.1") << QByteArray() << false << QByteArray();
        QTest::newRow("1.1 close") << QByteArray("1.1") << QByteArray("Connection: close\r\n") << true
                                   << QByteArray("close");
        QTest::newRow("1.0") << QByteArray("1.0") << QByteArray() << true << QByteArray("close");
        QTest::newRow("1.0 keep-alive") << QByteArray("1.0") << QByteArray("Connection: keep-alive\r\n")
                                        << false << QByteArray("keep-alive");
    }

    void closesWhenAsked()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, header);
        QFETCH(bool, closes);
        QFETCH(QByteArray, said);
        start();
        Client client(*m_server);
        client.send("GET /a HTTP/" + version + "\r\nHost: localhost:" + QByteArray::number(m_server->port()) +
                    "\r\n" + header + "\r\n");
        QTRY_VERIFY(client.received.endsWith("/a|"));
        QCOMPARE(headOf(client.received).contains("Connection: " + said), !said.isEmpty());
        if (closes) {
            QTRY_VERIFY(client.isOver());
        } else {
            client.send(request("/b"));
            QTRY_VERIFY(client.received.endsWith("/b|"));
        }
    }

    void headHasNoBody()
    {
        start();
        Client client(*m_server);
        client.send(request("HEAD", "/a", {}, {}) + request("/b"));
        QTRY_VERIFY(client.received.endsWith("/b|"));
        QVERIFY(!client.received.contains("/a|"));
        QVERIFY(headOf(client.received).contains("Content-Length: 3"));
    }

    void continueIsSaid()
    {
        start();
        Client client(*m_server);
        const QByteArray whole = request("/a", "Expect: 100-continue\r\n", "body");
        client.send(whole.chopped(4));
        QTRY_COMPARE(client.received, QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
        QVERIFY(m_asked.isEmpty());
        client.send("bo");
        client.send("dy");
        QTRY_VERIFY(client.received.endsWith("/a|body"));
        QCOMPARE(client.received.count("100 Continue"), 1);
        client.received.clear();
        client.send(whole);
        QTRY_VERIFY(client.received.endsWith("/a|body"));
        QVERIFY(!client.received.contains("100 Continue"));
    }

    void chunkedBody()
    {
        start();
        Client client(*m_server);
        QByteArray bytes = request("/a", {}, {});
        bytes.replace("Content-Length: 0", "Transfer-Encoding: chunked");
        bytes += "3\r\nabc\r\n2;x\r\nde\r\n0\r\nA: b\r\n\r\n";
        for (const char byte : bytes)
            client.send(QByteArray(1, byte));
        QTRY_VERIFY(client.received.endsWith("/a|abcde"));
    }

    void refusesForeignNames_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<QByteArray>("origin");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char *name, const char *host, const char *origin, bool allowed) {
            QTest::newRow(name) << QByteArray(host) << QByteArray(origin) << allowed;
        };
        row("address", "127.0.0.1:PORT", "", true);
        row("localhost", "LocalHost:PORT", "", true);
        row("version 6", "[::1]:PORT", "", true);
        row("no port", "127.0.0.1", "", false);
        row("other port", "127.0.0.1:1", "", false);
        row("foreign", "evil.example:PORT", "", false);
        row("rebound", "localhost.evil.example:PORT", "", false);
        row("other loopback name", "127.0.0.2:PORT", "", false);
        row("empty", "", "", false);
        row("own origin", "127.0.0.1:PORT", "http://localhost:PORT", true);
        row("foreign origin", "127.0.0.1:PORT", "http://evil.example", false);
        row("origin of another port", "127.0.0.1:PORT", "http://127.0.0.1:1", false);
        row("null origin", "127.0.0.1:PORT", "null", false);
        row("secure origin", "127.0.0.1:PORT", "https://127.0.0.1:PORT", false);
    }

    void refusesForeignNames()
    {
        QFETCH(QByteArray, host);
        QFETCH(QByteArray, origin);
        QFETCH(bool, allowed);
        start();
        Client client(*m_server);
        QByteArray bytes = "GET /a HTTP/1.1\r\nHost: " + host + "\r\n";
        if (!origin.isEmpty())
            bytes += "Origin: " + origin + "\r\n";
        bytes.replace("PORT", QByteArray::number(m_server->port()));
        client.send(bytes + "\r\n");
        QTRY_VERIFY(client.received.contains("\r\n\r\n"));
        QVERIFY(client.received.startsWith(allowed ? "HTTP/1.1 200" : "HTTP/1.1 403"));
        QCOMPARE(m_asked.size(), allowed ? 1 : 0);
        QVERIFY(!client.received.toLower().contains("access-control"));
    }

    void malformedIsAnsweredAndClosed()
    {
        start();
        Client client(*m_server);
        client.send(request("/good") + "nonsense\r\n" + request("/never") + QByteArray(1 << 20, 'x'));
        QTRY_VERIFY(client.isOver());
        QVERIFY(client.received.contains("/good|"));
        QVERIFY(client.received.contains("HTTP/1.1 400 Bad Request"));
        QVERIFY(client.received.endsWith("{\"error\":\"malformed request line\"}"));
        QCOMPARE(m_asked.size(), 1);
    }

    void tooLargeBodyIsToldWhileItComes()
    {
        HttpServerLimits limits;
        limits.request.body = 1000;
        start(limits);
        Client client(*m_server);
        client.send(request("/a", {}, QByteArray(3 << 20, 'x')));
        QTRY_VERIFY(client.isOver());
        QVERIFY(client.received.startsWith("HTTP/1.1 413"));
    }

    void bodiesOfAllTogetherAreBounded()
    {
        HttpServerLimits limits;
        limits.bodies = 100'000;
        start(limits);
        Client one(*m_server), two(*m_server), three(*m_server);
        const QByteArray large = request("/a", {}, QByteArray(60'000, 'x'));
        one.send(large.chopped(1));
        QTRY_COMPARE(m_server->connectionCount(), 3);
        QTRY_VERIFY(one.isConnected());
        two.send(large.chopped(1));
        QTRY_VERIFY(one.received.startsWith("HTTP/1.1 503") != two.received.startsWith("HTTP/1.1 503"));
        three.send(request("/small", {}, "b"));
        QTRY_VERIFY(three.received.endsWith("/small|b"));
    }

    void forgottenAnswerIsAnError()
    {
        start();
        Client client(*m_server);
        client.send(request("/forgotten") + request("/a"));
        QTRY_VERIFY(client.received.endsWith("/a|"));
        QVERIFY(client.received.startsWith("HTTP/1.1 500"));
    }

    void bodyThatIsGivenUpIsSeenAsBroken()
    {
        start();
        Client client(*m_server);
        client.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        takeWaiting().head(200, {});
        QTRY_VERIFY(client.isOver());
        QVERIFY(!client.received.contains("0\r\n\r\n"));
    }

    void streams_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<bool>("sized");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("chunked") << QByteArray("1.1") << false
                                 << QByteArray("9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        QTest::newRow("until the end") << QByteArray("1.0") << false << QByteArray("data: 1\n\ndata: 2\n\n");
        QTest::newRow("sized") << QByteArray("1.1") << true << QByteArray("data: 1\n\ndata: 2\n\n");
    }

    void streams()
    {
        QFETCH(QByteArray, version);
        QFETCH(bool, sized);
        QFETCH(QByteArray, body);
        start();
        Client client(*m_server);
        QByteArray bytes = request("/later");
        bytes.replace("HTTP/1.1", "HTTP/" + version);
        client.send(bytes);
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        QList<HttpHeader> headers{{"Content-Type", "text/event-stream"},
                                  {"Connection", "upgrade"},
                                  {"Transfer-Encoding", "gzip"},
                                  {"X-Split", "a\r\nSet-Cookie: b"}};
        if (sized)
            headers << HttpHeader{"content-length", "18"};
        responder.head(200, headers);
        responder.write("data: 1\n\n");
        // The first event is there before there is a second one.
        QTRY_VERIFY(client.received.contains("data: 1\n\n"));
        QVERIFY(!responder.gone().isCancelled());
        responder.write("data: 2\n\n");
        responder.end();
        responder.write("too late");
        QTRY_COMPARE(bodyOf(client.received), body);
        const QByteArray head = headOf(client.received);
        QVERIFY(head.contains("Content-Type: text/event-stream"));
        for (const char *absent : {"upgrade", "gzip", "Set-Cookie"})
            QVERIFY(!head.contains(absent));
        if (version == "1.0") {
            QTRY_VERIFY(client.isOver());
        } else {
            client.send(request("/b"));
            QTRY_VERIFY(client.received.endsWith("/b|"));
        }
    }

    void wrongSizeBreaksTheConnection_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("too short") << QByteArray("ab");
        QTest::newRow("too long") << QByteArray("abcd");
    }

    void wrongSizeBreaksTheConnection()
    {
        QFETCH(QByteArray, body);
        start();
        Client client(*m_server);
        client.send(request("/later") + request("/b"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        responder.head(200, {{"Content-Length", "3"}});
        responder.write(body);
        responder.end();
        QTRY_VERIFY(client.isOver());
        QVERIFY(!m_asked.contains("/b"));
    }

    void slowReaderHoldsTheWriterBack()
    {
        start();
        Client client(*m_server, 4096);
        client.reads = false;
        client.send(request("/later") + request("/next"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        responder.head(200, {});
        static constexpr qsizetype total = 64 << 20;
        qsizetype written = 0;
        bool there = false;
        auto streaming = stream(responder, total, &written, &there);
        QTRY_VERIFY(!responder.hasRoom());
        // Everybody else is served meanwhile.
        Client other(*m_server);
        other.send(request("/other"));
        QTRY_VERIFY(other.received.endsWith("/other|"));
        // What the kernel keeps for both ends, and our own window.
        QVERIFY2(written < (16 << 20), qPrintable(QString::number(written)));
        QVERIFY(!m_asked.contains("/next"));
        client.readOn();
        QTRY_VERIFY_WITH_TIMEOUT((client.readOn(), client.received.endsWith("/next|")), 60'000);
        QCOMPARE(written, total);
        QCoro::waitFor(std::move(streaming));
    }

    void hangUpIsTold()
    {
        start();
        Client client(*m_server);
        client.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        int told = 0;
        const auto registration = responder.gone().onCancelled(this, [&] { ++told; });
        client.hangUp();
        QTRY_COMPARE(told, 1);
        QVERIFY(!responder.gone().reason().isEmpty());
        QVERIFY(!QCoro::waitFor(responder.room()));
        responder.respond(200, "nobody reads this");
        QTRY_COMPARE(m_server->connectionCount(), 0);
    }

    void waitingWriterIsToldOfTheHangUp()
    {
        start();
        Client client(*m_server, 4096);
        client.reads = false;
        client.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        responder.head(200, {});
        qsizetype written = 0;
        bool there = true;
        auto streaming = stream(responder, 1 << 30, &written, &there);
        QTRY_VERIFY(!responder.hasRoom());
        client.hangUp();
        QCoro::waitFor(std::move(streaming));
        QVERIFY(!there);
    }

    void closingTheServerEndsEverything()
    {
        start();
        Client client(*m_server), idle(*m_server);
        client.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        QTRY_COMPARE(m_server->connectionCount(), 2);
        m_server->close();
        QVERIFY(responder.gone().isCancelled());
        QTRY_VERIFY(client.isOver() && idle.isOver());
        m_server.reset();
        responder.respond(200, "too late");
    }

    void idleAndSlowConnectionsEnd()
    {
        HttpServerLimits limits;
        limits.times = {300ms, 600ms, 300ms};
        start(limits);
        Client kept(*m_server), silent(*m_server), slow(*m_server), working(*m_server);
        kept.send(request("/a"));
        working.send(request("/later"));
        // Bytes that keep coming do not make a request of it.
        QTimer drip;
        connect(&drip, &QTimer::timeout, this, [&] { slow.send("P"); });
        drip.start(50);
        QTRY_VERIFY(kept.received.endsWith("/a|"));
        QTRY_VERIFY(kept.isOver() && silent.isOver() && slow.isOver());
        QVERIFY(slow.received.startsWith("HTTP/1.1 408") || slow.received.startsWith("HTTP/1.1 400"));
        QCOMPARE(silent.received, QByteArray());
        // An answer may take its time.
        QVERIFY(working.isConnected());
        takeWaiting().respond(200, "done");
        QTRY_VERIFY(working.received.endsWith("done"));
    }

    void clientThatNeverReadsIsGivenUp()
    {
        HttpServerLimits limits;
        limits.times = {60s, 60s, 300ms};
        start(limits);
        Client client(*m_server, 4096);
        client.reads = false;
        client.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        const HttpResponder responder = takeWaiting();
        responder.respond(200, QByteArray(32 << 20, 'x'));
        QTRY_COMPARE(m_server->connectionCount(), 0);
    }

    void clientThatOnlyAsksIsNotReadFrom()
    {
        start();
        Client client(*m_server, 4096);
        client.reads = false;
        for (int i = 0; i < 50; ++i)
            client.send(request("/large"));
        qsizetype before = 0;
        QElapsedTimer unchanged;
        const auto isHeldUp = [&] {
            if (m_asked.isEmpty() || std::exchange(before, m_asked.size()) != m_asked.size())
                unchanged.start();
            return unchanged.isValid() && unchanged.elapsed() > 200;
        };
        QVERIFY(QTest::qWaitFor(isHeldUp, 20'000));
        QVERIFY2(m_asked.size() < 20, qPrintable(QString::number(m_asked.size())));
        Client other(*m_server);
        other.send(request("/other"));
        QTRY_VERIFY(other.received.endsWith("/other|"));
        client.readOn();
        QTRY_COMPARE_WITH_TIMEOUT((client.readOn(), m_asked.count("/large")), 50, 60'000);
    }

    void aThousandConnections()
    {
        start();
        std::vector<std::unique_ptr<Client>> clients;
        for (int i = 0; i < 1000; ++i) {
            clients.push_back(std::make_unique<Client>(*m_server));
            if (i % 2)
                clients.back()->send("POST /half HTTP/1.1\r\n");
        }
        QTRY_COMPARE_WITH_TIMEOUT(m_server->connectionCount(), 1000, 30'000);
        Client late(*m_server);
        late.send(request("/late"));
        QTRY_VERIFY(late.received.endsWith("/late|"));
        for (std::size_t i = 0; i < clients.size(); i += 2)
            clients[i]->send(request("/all"));
        QTRY_COMPARE_WITH_TIMEOUT(m_asked.count("/all"), 500, 30'000);
    }

    void theOldestIdleConnectionMakesRoom()
    {
        HttpServerLimits limits;
        limits.connections = 3;
        start(limits);
        Client busy(*m_server);
        busy.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(1));
        Client first(*m_server);
        QTRY_COMPARE(m_server->connectionCount(), 2);
        Client second(*m_server);
        QTRY_COMPARE(m_server->connectionCount(), 3);
        first.send(request("/a"));
        QTRY_VERIFY(first.received.endsWith("/a|"));
        Client third(*m_server);
        third.send(request("/c"));
        QTRY_VERIFY(third.received.endsWith("/c|"));
        QTRY_VERIFY(second.isOver());
        QVERIFY(first.isConnected() && busy.isConnected());
    }

    void whenAllAreBusyTheNewOneIsRefused()
    {
        HttpServerLimits limits;
        limits.connections = 2;
        start(limits);
        Client one(*m_server), two(*m_server);
        one.send(request("/later"));
        two.send(request("/later"));
        QTRY_COMPARE(m_waiting.size(), std::size_t(2));
        Client three(*m_server);
        QTRY_VERIFY(three.received.startsWith("HTTP/1.1 503"));
        QTRY_VERIFY(three.isOver());
        takeWaiting().respond(200, "done");
        takeWaiting().respond(200, "done");
        QTRY_VERIFY(one.received.endsWith("done") && two.received.endsWith("done"));
    }
};

QTEST_GUILESS_MAIN(TestHttpServer)
#include "tst_httpserver.moc"
