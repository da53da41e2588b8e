// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tool server for agents on the host, with a real local sandbox behind it and a plain client before it.
#include "app/proxy/toolproxy.h"

#include "app/runner/attemptfiles.h"
#include "app/sandbox/localsandbox.h"
#include "tests/support/await.h"
#include "tests/support/trialbundle.h"

#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace proctor;
using namespace std::chrono_literals;
using proctor::test::await;

class TestToolProxy : public QObject
{
    Q_OBJECT

private:
    struct Reply {
        int status = 0;
        QByteArray head, body;
        bool operator==(const Reply &) const = default;
    };

    std::unique_ptr<test::TrialBundle> m_bundle;
    std::unique_ptr<LocalSandbox> m_sandbox;
    std::unique_ptr<ToolProxy> m_proxy;
    QList<BridgeToolCall> m_calls;

    void tool(const char *name, const QByteArray &script)
    {
        m_bundle->write(QStringLiteral("tools/") + QLatin1String(name), script, true);
    }

    /// A program that shows what it was called with, as JSON.
    static QByteArray showing()
    {
        return "#!/usr/bin/python3\nimport json, os, sys\n"
               "print(json.dumps([os.fsencode(a).decode('utf-8', 'backslashreplace') for a in "
               "sys.argv[1:]]))\n";
    }

    std::unique_ptr<QTcpSocket> connected() const
    {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(QStringLiteral("127.0.0.1"), static_cast<quint16>(QUrl(m_proxy->url()).port()));
        return socket;
    }

    QByteArray requestText(const QByteArray &method, const QByteArray &target, const QByteArray &body) const
    {
        const QUrl url(m_proxy->url());
        return method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(url.port()) +
               "\r\nConnection: close\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" +
               body;
    }

    QByteArray prefix() const { return QUrl(m_proxy->url()).path().toLatin1(); }

    Reply ask(const QByteArray &method, const QByteArray &target, const QByteArray &body = {})
    {
        const auto socket = connected();
        QByteArray received;
        connect(socket.get(), &QTcpSocket::readyRead, this, [&] { received += socket->readAll(); });
        socket->write(requestText(method, target, body));
        if (!QTest::qWaitFor([&] { return socket->state() == QAbstractSocket::UnconnectedState; }, 30'000))
            return {};
        const qsizetype end = received.indexOf("\r\n\r\n");
        return {received.mid(9, 3).toInt(), received.left(end), received.mid(end + 4)};
    }

    Reply call(const QByteArray &tool, const QByteArray &body = "{}")
    {
        return ask("POST", prefix() + "/call/" + tool, body);
    }

    static QByteArray escaped(const QByteArray &bytes)
    {
        return bytes.size() > 200 ? bytes.left(200) + "..." : bytes;
    }

    void startSandbox(int parallel = 1)
    {
        LocalSandboxSpec spec;
        spec.bundle = m_bundle->path();
        spec.setup.wall = bubblewrapWall;
        spec.setup.toolLimit = 3;
        spec.setup.toolParallel = parallel;
        m_sandbox = std::make_unique<LocalSandbox>(spec);
        QVERIFY(await(m_sandbox->pull({})).hasValue());
        QVERIFY(await(m_sandbox->start({})).hasValue());
        const auto ready = await(m_sandbox->setUp({}));
        QVERIFY(ready.hasValue());
        openProxy(ready->tools);
    }

    void openProxy(const QStringList &tools)
    {
        m_calls.clear();
        m_proxy = std::make_unique<ToolProxy>(m_sandbox->bridge(), tools);
        QVERIFY(m_proxy->open().hasValue());
        connect(m_proxy.get(), &ToolProxy::called, this,
                [this](const BridgeToolCall &made) { m_calls << made; });
    }

    /// Runs lines of Python that know `url`, as an agent does; what they print.
    QByteArray python(const QByteArray &script)
    {
        QProcess agent;
        agent.setProcessChannelMode(QProcess::MergedChannels);
        agent.start(QStringLiteral("/usr/bin/python3"),
                    {QStringLiteral("-c"),
                     QString::fromUtf8("import json, sys, urllib.request, urllib.error\n"
                                       "url = sys.argv[1]\n" +
                                       script),
                     m_proxy->url()});
        // The proxy lives on this thread: waiting must not stop it.
        if (!QTest::qWaitFor([&] { return agent.state() == QProcess::NotRunning; }, 60'000))
            return "no end";
        return agent.readAll().trimmed();
    }

private slots:
    void initTestCase()
    {
        m_bundle = std::make_unique<test::TrialBundle>();
        tool("show", showing());
        tool("numbers", "#!/bin/sh\necho ' {\"z\": 1.50, \"a\": 12345678901234567890123, \"b\": 1e400} '\n");
        tool("nan", "#!/bin/sh\necho '{\"a\": NaN}'\n");
        tool("text", "#!/bin/sh\nprintf 'no \"JSON\"\\n\\377'\n");
        tool("silent", "#!/bin/sh\n");
        tool("long", "#!/bin/sh\nhead -c 6000 /dev/zero | tr '\\0' x\n");
        tool("huge", "#!/bin/sh\nprintf '['; head -c 5000000 /dev/zero | tr '\\0' 1; printf ']'\n");
        tool("fail", "#!/bin/sh\necho out; echo 'went \"wrong\"' >&2; exit 7\n");
        tool("crash", "#!/bin/sh\nkill -11 $$\n");
        tool("slow", "#!/bin/sh\nsleep 60\n");
        tool("nap", "#!/bin/sh\nsleep 0.3; echo 1\n");
        m_bundle->write(QStringLiteral("tools/plain"), "no program\n");
        m_bundle->write(QStringLiteral("tools/shared.py"), "x = 1\n");
        startSandbox();
    }

    void init()
    {
        m_calls.clear();
        if (!m_proxy && m_sandbox)
            openProxy({QStringLiteral("show")});
    }

    void cleanupTestCase()
    {
        m_proxy.reset();
        QCoro::waitFor(m_sandbox->clean());
    }

    void addressCannotBeGuessed()
    {
        QVERIFY(QRegularExpression(QStringLiteral("^http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}$"))
                    .match(m_proxy->url())
                    .hasMatch());
        ToolProxy other(m_sandbox->bridge(), {});
        QVERIFY(other.open().hasValue());
        QVERIFY(QUrl(other.url()).path() != QUrl(m_proxy->url()).path());
    }

    void routes_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("reply");
        const auto row = [](const char *method, const QByteArray &path, const QByteArray &body, int status,
                            const QByteArray &reply) {
            QTest::addRow("%s %s %s", method, path.constData(), body.left(60).constData())
                << QByteArray(method) << path << body << status << reply;
        };
        row("GET", "/health", {}, 200, "{\"status\": \"ok\"}");
        row("GET", "/tools", {}, 200,
            "{\"tools\": [\"crash\", \"fail\", \"huge\", \"long\", \"look\", \"nan\", \"nap\", \"numbers\", "
            "\"plain\", \"show\", \"silent\", \"slow\", \"text\"]}");
        for (const char *path : {"/", "", "/health/", "/health?x", "/tools/", "/call/show", "//health"})
            row("GET", path, {}, 404, "{\"error\": \"not found\"}");
        for (const char *path : {"/", "/call", "/call/", "/calls/show", "/tools", "/show"})
            row("POST", path, "{}", 400, "{\"error\": \"use POST /call/<tool_name>\"}");
        row("PUT", "/call/show", "{}", 501, "<html><body><h1>501 Not Implemented</h1></body></html>\n");
        row("HEAD", "/health", {}, 501, {});

        for (const QByteArray name :
             {"..", "-x", "_x", "a/b", "a%20b", "show?x=1", ".hidden", "\xe6\x9d\xad"})
            row("POST", "/call/" + name, "{}", 400, "{\"error\": \"invalid tool name: '" + name + "'\"}");
        row("POST", "/call/a\"b", "{}", 400, "{\"error\": \"invalid tool name: 'a\\\"b'\"}");
        row("POST", "/call/none", "{}", 404, "{\"error\": \"tool not found: none\"}");
        row("POST", "//call/show//", "{}", 200, "[]");

        const QByteArray noJson = "{\"error\": \"invalid JSON body\"}";
        for (const QByteArray body :
             {"nothing", "{", "{\"a\":1}}", "\xff\xfe", "{\"a\":\"\xff\"}", "{'a':1}", "{\"a\":01}"})
            row("POST", "/call/show", body, 400, noJson);
        const QByteArray noObject = "{\"error\": \"JSON body must be an object\"}";
        for (const char *body : {"[]", "1", "null", "\"text\"", "NaN"})
            row("POST", "/call/show", body, 400, noObject);
        for (const char *body : {"", "  \r\n", "{}"})
            row("POST", "/call/show", body, 200, "[]");
        row("POST", "/call/show", "{\"\": 1}", 400, "{\"error\": \"invalid tool argument name: ''\"}");
        row("POST", "/call/show", "{\"a\": 1, \"-b\": 1}", 400,
            "{\"error\": \"invalid tool argument name: '-b'\"}");
        row("POST", "/call/show", "{\"a\": \"\\u0000\"}", 400, "{\"error\": \"invalid tool argument: 'a'\"}");

        row("POST", "/call/numbers", "{}", 200,
            "{\"z\": 1.50, \"a\": 12345678901234567890123, \"b\": 1e400}");
        row("POST", "/call/look", "{}", 200, "{\"found\": 3}");
        row("POST", "/call/nan", "{}", 200, "{\"raw\": \"{\\\"a\\\": NaN}\\n\"}");
        row("POST", "/call/text", "{}", 200, "{\"raw\": \"no \\\"JSON\\\"\\n\xef\xbf\xbd\"}");
        row("POST", "/call/silent", "{}", 200, "{\"raw\": \"\"}");
        row("POST", "/call/long", "{}", 200, "{\"raw\": \"" + QByteArray(6000, 'x') + "\"}");
        row("POST", "/call/fail", "{}", 500, "{\"error\": \"went \\\"wrong\\\"\\n\", \"returncode\": 7}");
        row("POST", "/call/crash", "{}", 500, "{\"error\": \"\", \"returncode\": -11}");
        row("POST", "/call/plain", "{}", 500,
            "{\"error\": \"cannot start plain: Permission denied\", \"returncode\": 126}");
        row("POST", "/call/slow", "{}", 504, "{\"error\": \"tool timeout\"}");
    }

    void routes()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(QByteArray, reply);
        const Reply got = ask(method, prefix() + path, body);
        QCOMPARE(escaped(got.body), escaped(reply));
        QCOMPARE(got.body, reply);
        QCOMPARE(got.status, status);
    }

    void nothingWithoutTheSecret_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("health") << QByteArray("GET") << QByteArray("/health");
        QTest::newRow("tools") << QByteArray("GET") << QByteArray("/tools");
        QTest::newRow("call") << QByteArray("POST") << QByteArray("/call/show");
        QTest::newRow("wrong secret") << QByteArray("POST") << "/" + QByteArray(32, 'a') + "/call/show";
        QTest::newRow("put") << QByteArray("PUT") << QByteArray("/");
    }

    void nothingWithoutTheSecret()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        const Reply got = ask(method, path, "{}");
        QCOMPARE(got.status, 404);
        QCOMPARE(got.body, QByteArray("{\"error\": \"not found\"}"));
        QVERIFY(ask("GET", prefix().chopped(1) + "/health").status == 404);
        QVERIFY(m_calls.isEmpty());
    }

    void argumentsKeepOrderAndNumberText()
    {
        const Reply got =
            call("show", "{\"z\": \"text\", \"a\": 1e20, \"n\": NaN, \"i\": -Infinity, \"f\": 1.10, "
                         "\"big\": 123456789012345678901234567890, \"t\": true, \"null\": null, "
                         "\"l\": [1, 2.50, \"\xe6\x9d\xad\"], \"d\": {\"y\": 1, \"x\": \"\\u5dde\"}, "
                         "\"dash\": \"-v\", \"m p\": \"\xe6\x9d\xad\\ud800\", \"z2\": 0.00001}");
        QCOMPARE(got.status, 200);
        const QByteArray expected =
            "[\"--z\", \"text\", \"--a\", \"1e+20\", \"--n\", \"nan\", \"--i\", \"-inf\", \"--f\", \"1.1\", "
            "\"--big\", "
            "\"123456789012345678901234567890\", \"--t\", \"true\", \"--null\", \"null\", \"--l\", "
            "\"[1, 2.5, \\\"\xe6\x9d\xad\\\"]\", \"--d\", \"{\\\"y\\\": 1, \\\"x\\\": "
            "\\\"\xe5\xb7\x9e\\\"}\", \"--dash\", \"-v\", "
            "\"--m p\", \"\xe6\x9d\xad\xef\xbf\xbd\", \"--z2\", \"1e-05\"]";
        QCOMPARE(QJsonDocument::fromJson(got.body), QJsonDocument::fromJson(expected));
    }

    void argumentsThatAreTooLargeAreAnswered()
    {
        QCOMPARE(call("show", "{\"a\": \"" + QByteArray(100'000, 'x') + "\"}").status, 200);
        // More than the system lets a program have, more than a message holds, more than a body may be.
        QCOMPARE(call("show", "{\"a\": \"" + QByteArray(200'000, 'x') + "\"}").status, 500);
        QCOMPARE(call("show", "{\"a\": \"" + QByteArray("\xe6\x9d\xad").repeated(250'000) + "\"}").status,
                 413);
        QCOMPARE(call("show", "{\"a\": \"" + QByteArray(1 << 20, 'x') + "\"}").status, 413);
        QCOMPARE(call("show").status, 200);
    }

    void hugeOutputIsCut()
    {
        const Reply got = call("huge");
        QCOMPARE(got.status, 200);
        QCOMPARE(got.body, "{\"raw\": \"[" + QByteArray((4 << 20) - 1, '1') + "\", \"truncated\": true}");
        QCOMPARE(m_calls.size(), 1);
        QVERIFY(m_calls[0].truncated);
        QCOMPARE(m_calls[0].bytes, 5'000'002);
        QCOMPARE(m_calls[0].response.size(), 1 << 20);
    }

    void everyCallIsRecorded()
    {
        call("show", "{\"b\": 1e20, \"a\": 12345678901234567890}");
        call("fail");
        call("none");
        call("-x");
        call("show", "nothing");
        QCOMPARE(m_calls.size(), 5);
        const BridgeToolCall &shown = m_calls[0];
        QCOMPARE(shown.who, QStringLiteral("host"));
        QCOMPARE(shown.name, QStringLiteral("show"));
        QCOMPARE(shown.arguments, QByteArray("{\"b\": 1e+20, \"a\": 12345678901234567890}"));
        QCOMPARE(shown.status, 200);
        QCOMPARE(shown.code, std::optional<int>(0));
        QCOMPARE(shown.bytes, shown.response.size());
        QVERIFY(shown.response.startsWith("[\"--b\", \"1e+20\""));
        QVERIFY(shown.milliseconds > 0 && shown.at > 0);
        QStringList others;
        for (const BridgeToolCall &made : m_calls.sliced(1))
            others << QStringLiteral("%1 %2 %3").arg(made.name).arg(made.status).arg(made.code.value_or(-1));
        QCOMPARE(others.join(QLatin1Char(';')),
                 QStringLiteral("fail 500 7;none 404 -1;-x 400 -1;show 400 -1"));
        QSet<QString> ids;
        for (const BridgeToolCall &made : m_calls)
            ids << made.id;
        QCOMPARE(ids.size(), 5);
    }

    void recordIsOnDiskBeforeTheAnswer()
    {
        QTemporaryDir folder;
        AttemptFiles files(folder.path(), 1, {});
        connect(m_proxy.get(), &ToolProxy::called, this,
                [&](const BridgeToolCall &made) { files.trace(made); });
        call("numbers", "{\"z\": 1, \"a\": 0.10, \"city\": \"\xe6\x9d\xad\"}");
        disconnect(m_proxy.get(), &ToolProxy::called, this, nullptr);
        m_proxy.reset();
        QFile file(folder.filePath(QStringLiteral("tool_trace.jsonl")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[1].contains(",\"args\":{\"z\": 1, \"a\": 0.1, \"city\": \"\xe6\x9d\xad\"},"
                                   "\"response\":{\"z\":1.50,\"a\":12345678901234567890123,\"b\":1e400}}"),
                 lines[1].constData());
        QVERIFY(lines[1].contains("\"who\":\"host\""));
    }

    void peersClientWorksUnchanged()
    {
        const QByteArray said = python(
            "def call(tool, args):\n"
            "    request = urllib.request.Request(url + '/call/' + tool, data=json.dumps(args).encode(),\n"
            "                                     headers={'Content-Type': 'application/json'})\n"
            "    try:\n"
            "        with urllib.request.urlopen(request, timeout=120) as response:\n"
            "            return json.loads(response.read())\n"
            "    except urllib.error.HTTPError as error:\n"
            "        return error.code, json.loads(error.read())\n"
            "print(call('look', {'q': '杭州'}), call('fail', {}), call('none', {}))\n"
            "print(json.load(urllib.request.urlopen(url + '/health'))['status'])\n");
        QCOMPARE(said, QByteArray("{'found': 3} (500, {'error': 'went \"wrong\"\\n', 'returncode': 7}) "
                                  "(404, {'error': 'tool not found: none'})\nok"));
        QCOMPARE(m_calls.size(), 3);
    }

    void manyCallsAtOnceWaitTheirTurn()
    {
        const QByteArray said =
            python("import threading\n"
                   "answers = []\n"
                   "def call():\n"
                   "    answers.append(urllib.request.urlopen(url + '/call/nap', data=b'{}').read())\n"
                   "threads = [threading.Thread(target=call) for _ in range(4)]\n"
                   "for t in threads: t.start()\n"
                   "print(json.load(urllib.request.urlopen(url + '/health', timeout=0.25)))\n"
                   "for t in threads: t.join()\n"
                   "print(answers)\n");
        QCOMPARE(said, QByteArray("{'status': 'ok'}\n[b'1', b'1', b'1', b'1']"));
        QCOMPARE(m_calls.size(), 4);
        QVERIFY(m_calls.last().queued > 0.5);
        QVERIFY(m_calls.last().milliseconds < 800);
    }

    void whoHangsUpEndsItsTool()
    {
        const auto socket = connected();
        socket->write(requestText("POST", prefix() + "/call/slow", "{}"));
        QTRY_COMPARE(socket->bytesToWrite(), 0);
        QCOMPARE(ask("GET", prefix() + "/health").status, 200);
        QElapsedTimer clock;
        clock.start();
        socket->abort();
        // One tool at a time: the next one only runs when the abandoned one is gone.
        QCOMPARE(call("look").status, 200);
        QVERIFY(clock.elapsed() < 2500);
        QCOMPARE(m_calls.size(), 2);
        QCOMPARE(m_calls[0].status, 499);
        QCOMPARE(m_calls[0].name, QStringLiteral("slow"));
    }

    void closingCutsOffAndLetsNobodyIn()
    {
        const auto running = connected(), waiting = connected();
        for (const auto *socket : {&running, &waiting})
            (*socket)->write(requestText("POST", prefix() + "/call/slow", "{}"));
        QTRY_VERIFY(running->bytesToWrite() == 0 && waiting->bytesToWrite() == 0);
        QCOMPARE(ask("GET", prefix() + "/health").status, 200);
        const quint16 port = static_cast<quint16>(QUrl(m_proxy->url()).port());
        QElapsedTimer clock;
        clock.start();
        QCoro::waitFor(m_proxy->close());
        QVERIFY(clock.elapsed() < 2500);
        QCOMPARE(m_calls.size(), 2);
        QCOMPARE(m_calls[0].status, 499);
        QCOMPARE(m_calls[1].status, 499);
        QTcpSocket late;
        late.connectToHost(QStringLiteral("127.0.0.1"), port);
        QTRY_COMPARE(late.error(), QAbstractSocket::ConnectionRefusedError);
        QTRY_COMPARE(running->state(), QAbstractSocket::UnconnectedState);
        m_proxy.reset();
    }

    void lostSandboxIsAnswered()
    {
        auto other = std::exchange(m_sandbox, nullptr);
        m_proxy.reset();
        startSandbox();
        const auto socket = connected();
        QByteArray received;
        connect(socket.get(), &QTcpSocket::readyRead, this, [&] { received += socket->readAll(); });
        socket->write(requestText("POST", prefix() + "/call/slow", "{}"));
        QTRY_COMPARE(socket->bytesToWrite(), 0);
        QCOMPARE(ask("GET", prefix() + "/health").status, 200);
        QCoro::waitFor(m_sandbox->clean());
        QTRY_VERIFY(received.contains("\r\n\r\n"));
        QVERIFY(received.startsWith("HTTP/1.1 503"));
        QVERIFY(received.endsWith("{\"error\": \"the sandbox is gone\"}"));
        QCOMPARE(call("look").status, 503);
        m_sandbox.reset();
        QCOMPARE(call("look").status, 503);
        QCOMPARE(ask("GET", prefix() + "/health").status, 200);
        QCOMPARE(m_calls.size(), 3);
        QCoro::waitFor(m_proxy->close());
        m_proxy.reset();
        m_sandbox = std::move(other);
    }
};

QTEST_GUILESS_MAIN(TestToolProxy)
#include "tst_toolproxy.moc"
