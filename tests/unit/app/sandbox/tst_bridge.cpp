// SPDX-License-Identifier: GPL-3.0-or-later
//
// The host's end of the pipe against a bridge that misbehaves: whatever it says, every step ends in a value.
#include "app/sandbox/bridge.h"

#include "tests/support/await.h"

#include <QTemporaryDir>
#include <QTest>

using namespace proctor;
using namespace std::chrono_literals;
using proctor::test::await;

class TestBridge : public QObject
{
    Q_OBJECT

private:
    /// A process that takes the bridge's program as a bridge would, then runs lines of Python. In them
    /// `say(text)` sends a line, `hear()` takes one message, and `hello()` is the greeting.
    static ProcessSpec fake(const QString &script)
    {
        static const QString prelude =
            QStringLiteral("import sys, json, time, base64\n"
                           "inp, out = sys.stdin.buffer, sys.stdout.buffer\n"
                           "inp.read(int(inp.readline()))\n"
                           "def say(text):\n"
                           "    out.write(text if isinstance(text, bytes) else json.dumps(text).encode())\n"
                           "    out.write(b'\\n'); out.flush()\n"
                           "def hear():\n"
                           "    line = inp.readline()\n"
                           "    return json.loads(line) if line else sys.exit(0)\n"
                           "def hello():\n"
                           "    say({'t': 'hello', 'v': 1, 'python': '3', 'cwd': '/app'})\n");
        ProcessSpec spec;
        spec.program = QStringLiteral("/usr/bin/python3");
        spec.arguments = {QStringLiteral("-c"), prelude + script};
        return spec;
    }

    static Stepped<BridgeHello> start(Bridge &bridge, std::chrono::milliseconds limit = 10s,
                                      CancellationToken token = {})
    {
        return await(bridge.start(limit, token));
    }

    static SandboxCommand command()
    {
        SandboxCommand made;
        made.arguments = QStringList(QStringLiteral("true"));
        made.limit = 5;
        return made;
    }

private slots:
    void startEnds_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("kind");
        const int failed = static_cast<int>(StepFailure::Kind::Failed);
        const int lost = static_cast<int>(StepFailure::Kind::Lost);
        const int timedOut = static_cast<int>(StepFailure::Kind::TimedOut);
        QTest::newRow("says nothing") << QStringLiteral("time.sleep(60)") << timedOut;
        QTest::newRow("ends at once") << QStringLiteral("pass") << lost;
        QTest::newRow("ends with words") << QStringLiteral("sys.exit('no room')") << lost;
        QTest::newRow("no JSON") << QStringLiteral("say(b'what?'); time.sleep(60)") << lost;
        QTest::newRow("an array") << QStringLiteral("say([1]); time.sleep(60)") << lost;
        QTest::newRow("no name") << QStringLiteral("say({'v': 1}); time.sleep(60)") << lost;
        QTest::newRow("endless line")
            << QStringLiteral("out.write(b'x' * 3000000); out.flush(); time.sleep(60)") << lost;
        QTest::newRow("another version")
            << QStringLiteral("say({'t': 'hello', 'v': 2}); time.sleep(60)") << failed;
        QTest::newRow("no UTF-8") << QStringLiteral("say(b'\\xff\\xfe{}'); time.sleep(60)") << lost;
    }

    void startEnds()
    {
        QFETCH(QString, script);
        QFETCH(int, kind);
        Bridge bridge(fake(script));
        const auto hello = start(bridge, 2s);
        QVERIFY(!hello.hasValue());
        QCOMPARE(static_cast<int>(hello.error().kind), kind);
        QVERIFY(!hello.error().message.isEmpty());
        QCoro::waitFor(bridge.leave());
    }

    void missingProgramIsSaid()
    {
        ProcessSpec spec;
        spec.program = QStringLiteral("/no/such/program");
        Bridge bridge(spec);
        const auto hello = start(bridge);
        QVERIFY(!hello.hasValue());
        QVERIFY2(hello.error().message.contains(QStringLiteral("program")),
                 qPrintable(hello.error().message));
        QCoro::waitFor(bridge.leave());
    }

    void cancelledStartEnds()
    {
        Bridge bridge(fake(QStringLiteral("time.sleep(60)")));
        CancellationSource source;
        QTimer::singleShot(100, this, [&] { source.cancel(QStringLiteral("enough")); });
        const auto hello = start(bridge, 30s, source.token());
        QVERIFY(!hello.hasValue());
        QCOMPARE(hello.error().kind, StepFailure::Kind::Cancelled);
        QCoro::waitFor(bridge.leave());
    }

    void stepsEndWhenThePipeBreaks_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("ends") << QStringLiteral("hello(); hear(); sys.exit(3)");
        QTest::newRow("is killed") << QStringLiteral(
            "import os, signal; hello(); hear(); os.kill(os.getpid(), signal.SIGKILL)");
        QTest::newRow("half a line") << QStringLiteral(
            "hello(); hear(); out.write(b'{\"t\":\"exi'); out.flush(); sys.exit(0)");
        QTest::newRow("garbage") << QStringLiteral("hello(); hear(); say(b'}{'); time.sleep(60)");
    }

    void stepsEndWhenThePipeBreaks()
    {
        QFETCH(QString, script);
        Bridge bridge(fake(script));
        QVERIFY(start(bridge).hasValue());
        const auto end = await(bridge.run(command(), {}));
        QVERIFY(!end.hasValue());
        QCOMPARE(end.error().kind, StepFailure::Kind::Lost);
        QVERIFY(!end.error().message.isEmpty());
        // And so does every later one, at once.
        const auto later = await(bridge.get(QStringLiteral("/app/answer.json"), 10));
        QCOMPARE(later.error().kind, StepFailure::Kind::Lost);
        const auto setUp = await(bridge.setUp({}, {}));
        QCOMPARE(setUp.error().kind, StepFailure::Kind::Lost);
        const auto put =
            await(bridge.put(QStringLiteral("/usr/bin/true"), QStringLiteral("/app/x"), 0644, {}));
        QCOMPARE(put.error().kind, StepFailure::Kind::Lost);
        QCoro::waitFor(bridge.leave());
    }

    void unreadableFileIsNotCutShort()
    {
        Bridge bridge(fake(QStringLiteral("hello()\nwhile True: hear()")));
        QVERIFY(start(bridge).hasValue());
        // A folder can be opened on some systems, but never read as a file; /proc/self/mem fails in the
        // middle.
        const auto put =
            await(bridge.put(QStringLiteral("/proc/self/mem"), QStringLiteral("/app/x"), 0644, {}));
        QVERIFY(!put.hasValue());
        QCOMPARE(put.error().kind, StepFailure::Kind::Failed);
        QCoro::waitFor(bridge.leave());
    }

    void strangeMessagesDisturbNothing()
    {
        Bridge bridge(fake(QStringLiteral(
            "hello()\n"
            "run = hear()\n"
            "for strange in ({'t': 'nonsense', 'id': 99}, {'t': 'exit', 'id': 4711, 'code': 1},\n"
            "                {'t': 'out', 'id': 'text', 's': 1, 'd': 'x'}, {'t': 'tool_res', 'id': 't9'},\n"
            "                {'t': 'tool_out', 'id': 5}, {'t': 'data', 'id': run['id'], 'd': '***'},\n"
            "                {'t': 'ready'}, {'t': 'started', 'id': run['id'], 'pid': 1}, {'t': 'log', 'd': "
            "3},\n"
            "                {'t': 'fail', 'id': None, 'code': 'bad', 'why': 'x'}):\n"
            "    say(strange)\n"
            "say({'t': 'out', 'id': run['id'], 's': 1, 'd': base64.b64encode(b'hi \\xff').decode()})\n"
            "say({'t': 'exit', 'id': run['id'], 'code': 7, 'leftovers': 2, 'wall': 1.5})\n"
            "hear()\n")));
        QByteArray output;
        connect(&bridge, &Bridge::output, this,
                [&](SandboxCommand::Who, int, const QByteArray &bytes) { output += bytes; });
        QVERIFY(start(bridge).hasValue());
        const auto end = await(bridge.run(command(), {}));
        QVERIFY2(end.hasValue(), qPrintable(bridge.lossReason()));
        QCOMPARE(end->code, std::optional<int>(7));
        QCOMPARE(end->leftovers, 2);
        QCOMPARE(output, QByteArray("hi \xff"));
        QCoro::waitFor(bridge.leave());
    }

    void modelRequestIsRefusedNotForgotten()
    {
        Bridge bridge(fake(
            QStringLiteral("hello(); run = hear()\n"
                           "say({'t': 'http', 'id': 'm1', 'method': 'POST', 'path': '/v1/chat/completions',\n"
                           "     'headers': [], 'size': 0, 'd': ''})\n"
                           "answers = [hear() for _ in range(3)]\n"
                           "ok = [a['t'] for a in answers] == ['http_head', 'http_data', 'http_end'] and "
                           "answers[0]['status'] == 503\n"
                           "say({'t': 'exit', 'id': run['id'], 'code': 0 if ok else 1}); hear()\n")));
        QVERIFY(start(bridge).hasValue());
        const auto end = await(bridge.run(command(), {}));
        QVERIFY(end.hasValue());
        QCOMPARE(end->code, std::optional<int>(0));
        QCoro::waitFor(bridge.leave());
    }

    void savedFileIsWholeOrNotThere()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept"));
        const QString data =
            QStringLiteral("say({'t': 'data', 'id': m['id'], 'd': base64.b64encode(b'abc').decode()})\n");
        Bridge bridge(fake(
            QStringLiteral("hello(); m = hear()\n") + data +
            QStringLiteral("say({'t': 'eof', 'id': m['id'], 'size': 3, 'truncated': False}); m = hear()\n") +
            data + QStringLiteral("sys.exit(1)")));
        QVERIFY(start(bridge).hasValue());
        QVERIFY(await(bridge.save(QStringLiteral("/app/x"), path, 100)).hasValue());
        const auto broken = await(bridge.save(QStringLiteral("/app/y"), path + QStringLiteral("2"), 100));
        QVERIFY(!broken.hasValue());
        QFile kept(path);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("abc"));
        QVERIFY(!QFile::exists(path + QStringLiteral("2")));
        QCoro::waitFor(bridge.leave());
    }

    void bridgeThatWillNotLeaveIsEnded()
    {
        Bridge bridge(fake(QStringLiteral("hello()\nwhile True: time.sleep(1)")));
        QVERIFY(start(bridge).hasValue());
        QElapsedTimer clock;
        clock.start();
        QCoro::waitFor(bridge.leave());
        QVERIFY(clock.elapsed() < 15'000);
        QCOMPARE(liveProcesses(), 0);
    }

    void hostCallsEnd_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("expected");
        const QString start = QStringLiteral("hello(); m = hear(); i = m['id']\n");
        const auto row = [&](const char *name, const char *script, const char *expected) {
            QTest::newRow(name) << start + QLatin1String(script) + QLatin1String("\nhear()")
                                << QString::fromLatin1(expected);
        };
        row("answer",
            "d = base64.b64encode(json.dumps([m['name'], m['argv']]).encode()).decode()\n"
            "say({'t': 'tool_out', 'id': i, 's': 2, 'd': 'eA=='}); say({'t': 'tool_out', 'id': i, 's': 1, "
            "'d': d})\n"
            "say({'t': 'tool_out', 'id': i + 1, 's': 1, 'd': 'eA=='})\n"
            "say({'t': 'tool_res', 'id': i, 'status': 200, 'code': 0, 'bytes': [9, 1], 'ms': 2, 'queued': "
            "0.5})",
            "200 [\"look\", [\"--a\", \"\\u676d \\\"\\\\\"]] x");
        row("refusal", "say({'t': 'tool_res', 'id': i, 'status': 404, 'code': None, 'error': 'no'})",
            "404  ");
        row("fail", "say({'t': 'fail', 'id': i, 'code': 'bad', 'why': 'what?'})", "failed what?");
        row("a pipe that breaks", "sys.exit(3)", "lost");
        row("garbage", "say(b'}{')", "lost");
    }

    void hostCallsEnd()
    {
        QFETCH(QString, script);
        Bridge bridge(fake(script));
        QVERIFY(start(bridge).hasValue());
        ToolRequest request;
        request.name = QStringLiteral("look");
        request.arguments = {QStringLiteral("--a"), QStringLiteral("杭 \"\\")};
        const auto end = await(bridge.callTool(request, {}));
        QString said = end ? QStringLiteral("%1 %2 %3")
                                 .arg(end->status)
                                 .arg(QString::fromUtf8(end->output), QString::fromUtf8(end->errors))
                           : QStringLiteral("lost");
        if (!end && end.error().kind == StepFailure::Kind::Failed)
            said = QLatin1String("failed ") + end.error().message;
        QTEST(said, "expected");
        QCoro::waitFor(bridge.leave());
        QCOMPARE(await(bridge.callTool(request, {})).hasValue(), false);
    }

    void cancelledHostCallIsCutOff()
    {
        Bridge bridge(fake(QStringLiteral("hello(); i = hear()['id']; m = hear()\n"
                                          "assert m == {'t': 'tool_cancel', 'id': i}, m\n"
                                          "say({'t': 'tool_res', 'id': i, 'status': 499}); hear()")));
        QVERIFY(start(bridge).hasValue());
        CancellationSource source;
        QTimer::singleShot(100, this, [&] { source.cancel(QStringLiteral("enough")); });
        const auto end = await(bridge.callTool({QStringLiteral("look"), {}}, source.token()));
        QVERIFY(end.hasValue());
        QCOMPARE(end->status, 499);
        QCoro::waitFor(bridge.leave());
    }

    void recordedArgumentsAreAsSent_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<QByteArray>("arguments");
        QTest::newRow("named")
            << QByteArray("\"args\":{\"z\":12345678901234567890,\"a\":1.5e300,\"c\":\"\\u676d\"}")
            << QByteArray("{\"z\": 12345678901234567890, \"a\": 1.5e+300, \"c\": \"\xe6\x9d\xad\"}");
        QTest::newRow("typed") << QByteArray("\"argv\":[\"-x\"],\"stdin_size\":0")
                               << QByteArray("{\"argv\": [\"-x\"]}");
        QTest::newRow("too long") << QByteArray("\"args\":null,\"cut\":{\"text\":\"{\",\"size\":9}")
                                  << QByteArray("{\"cut\": {\"text\": \"{\", \"size\": 9}}");
        QTest::newRow("none") << QByteArray("\"args\":null") << QByteArray("{}");
        QTest::newRow("no object") << QByteArray("\"args\":[1]") << QByteArray("{}");
    }

    void recordedArgumentsAreAsSent()
    {
        QFETCH(QByteArray, members);
        const QByteArray line = "{\"t\":\"tool_start\",\"id\":\"t1\",\"name\":\"look\"," + members + "}";
        const auto message = decodeMessage(line);
        QVERIFY(message.hasValue());
        QTEST(toolCallFrom(*message, line).arguments, "arguments");
    }
};

QTEST_GUILESS_MAIN(TestBridge)
#include "tst_bridge.moc"
