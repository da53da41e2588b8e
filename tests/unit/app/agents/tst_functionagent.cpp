// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/functionagent.h"
#include "tests/support/await.h"
#include "tests/support/fakemodel.h"
#include "tests/support/faketools.h"
#include "tests/support/hostmanifests.h"
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

using namespace proctor;
using namespace proctor::test;
using namespace std::chrono_literals;

/// Plays scripts (see tests/support/fakemodel.py) to the agent, with tools of the test's own.
class TestFunctionAgent : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void solvesWithATool();
    void sendsWhatTheManifestSays();
    void tellsTheModelWhatWentWrong_data();
    void tellsTheModelWhatWentWrong();
    void callsNothingThatIsNoTool_data();
    void callsNothingThatIsNoTool();
    void doesNotRepeatACallThatWasCut();
    void boundsLongResults();
    void givesBackWhatTheModelSaid();
    void asksForTheAnswerWhenTheTurnsAreUsedUp();
    void asksAgainBehindAnEmptyReply();
    void triesAgain_data();
    void triesAgain();
    void keepsToRetryAfter_data();
    void keepsToRetryAfter();
    void spendsTheTurnOnAnError();
    void givesUp_data();
    void givesUp();
    void knowsTheNameOfContainers();
    void triesTheVersionedAddressOnce();
    void goesWithoutTemperature();
    void neverTellsTheKey();
    void recordsTheTrajectory();
    void recordsNothingUndeclared();
    void needsAFolderForItsAnswers();

private:
    struct Sitting {
        bool isAnswered = false;
        QString reason;
    };

    bool play(const QByteArray &script, const QString &key = {});
    Sitting sit(int maxTurns = 5);
    QByteArray output(const char *name) const { return contentOf(m_folder->filePath(QLatin1String(name))); }
    QJsonArray messages(qsizetype request) const;
    QJsonArray events(const QString &event) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeModel> m_model;
    std::unique_ptr<FakeTools> m_tools;
    FunctionAgentOptions m_options;
    ManifestFields m_fields;
    QString m_key;
    QStringList m_warnings, m_lines;
};

void TestFunctionAgent::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_model = std::make_unique<FakeModel>();
    m_tools = std::make_unique<FakeTools>();
    m_options = {};
    m_options.patience.limit = 20s;
    m_options.patience.firstPause = 1ms;
    m_fields = {};
    m_fields.toolsUrl = m_tools->url();
    m_fields.outputFolder = m_folder->path();
    m_key.clear();
    m_warnings.clear();
    m_lines.clear();
}

bool TestFunctionAgent::play(const QByteArray &script, const QString &key)
{
    if (!m_model->start(script, key)) {
        qWarning() << m_model->errorText();
        return false;
    }
    m_fields.llmUrl = m_model->url();
    return true;
}

TestFunctionAgent::Sitting TestFunctionAgent::sit(int maxTurns)
{
    const auto manifest = HostManifest::parse(m_fields.json());
    if (!manifest)
        return {false, manifest.error().message};
    m_options.maxTurns = maxTurns;
    FunctionAgent agent(*manifest, m_key, m_options);
    connect(&agent, &FunctionAgent::warned, this, [this](const QString &line) { m_warnings << line; });
    connect(&agent, &FunctionAgent::progressed, this, [this](const QString &line) { m_lines << line; });
    const auto prepared = agent.prepare();
    if (!prepared)
        return {false, prepared.error().text()};
    const auto end = await(agent.run());
    return {end.hasValue(), end ? QString() : end.error().message};
}

/// Of the request to the model with this number, counted from 0.
QJsonArray TestFunctionAgent::messages(qsizetype request) const
{
    return m_model->requests()
        .value(request)
        .value(QLatin1String("body"))[QLatin1String("messages")]
        .toArray();
}

QJsonArray TestFunctionAgent::events(const QString &event) const
{
    QJsonArray events;
    for (const QByteArray &line : output("artifacts/trajectory.jsonl").split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object.value(QLatin1String("event")).toString() == event)
            events.append(object);
    }
    return events;
}

static QByteArray callOf(const QByteArray &name, const QByteArray &arguments)
{
    return R"({"tool_calls": [{"name": ")" + name + R"(", "arguments": )" + arguments + "}]}";
}

static QByteArray callThenAnswer(const QByteArray &name, const QByteArray &arguments)
{
    return '[' + callOf(name, arguments) + R"(, {"text": "{\"done\": 1}"}])";
}

void TestFunctionAgent::solvesWithATool()
{
    const QByteArray script =
        R"([{"tool_calls": [{"name": "echo", "arguments": "{\"城市\": \"杭州\", \"max\": 1.10}"}]},)"
        R"({"text": "```json\n{\"酒店\": \"西湖\", \"price\": 1.10, \"a\": 1e3}\n```"}])";
    QVERIFY(play(script));
    const Sitting end = sit();
    QVERIFY2(end.isAnswered, qPrintable(end.reason));
    QCOMPARE(output("answer.json"), QByteArray("{\"酒店\": \"西湖\", \"price\": 1.10, \"a\": 1e3}\n"));
    QCOMPARE(output("answer.md"), "# Answer\n\n" + output("answer.json"));
    QCOMPARE(m_tools->calls().size(), 1);
    QVERIFY2(m_tools->calls()[0].line.startsWith("POST /prefix/call/echo "), m_tools->calls()[0].line);
    QCOMPARE(m_tools->calls()[0].body, QByteArray("{\"城市\": \"杭州\", \"max\": 1.10}"));

    const QJsonArray told = messages(1);
    QCOMPARE(told.size(), 4);
    QCOMPARE(told[2][QLatin1String("tool_calls")][0][QLatin1String("id")].toString(),
             QStringLiteral("call_0"));
    QCOMPARE(told[3][QLatin1String("role")].toString(), QStringLiteral("tool"));
    QCOMPARE(told[3][QLatin1String("tool_call_id")].toString(), QStringLiteral("call_0"));
    QCOMPARE(told[3][QLatin1String("content")].toString(),
             QStringLiteral("{\"城市\": \"杭州\", \"max\": 1.10}"));
    QVERIFY(m_warnings.isEmpty());
    QVERIFY(m_lines.join(u'\n').contains(QLatin1String("echo: 200")));
}

void TestFunctionAgent::sendsWhatTheManifestSays()
{
    m_key = QStringLiteral("sk-0123456789");
    const QByteArray script = R"([{"text": "{}"}])";
    QVERIFY(play(script, m_key));
    QVERIFY(sit().isAnswered);
    QCOMPARE(m_model->requests().size(), 1);
    const QJsonObject request = m_model->requests().first();
    QCOMPARE(request.value(QLatin1String("path")).toString(), QStringLiteral("/chat/completions"));
    const QJsonObject body = request.value(QLatin1String("body")).toObject();
    QCOMPARE(body.value(QLatin1String("model")).toString(), QStringLiteral("fake-1"));
    QCOMPARE(
        body.value(QLatin1String("tools"))[0][QLatin1String("function")][QLatin1String("name")].toString(),
        QStringLiteral("echo"));
    QVERIFY(!body.contains(QLatin1String("stream")));
    const QJsonArray told = messages(0);
    QCOMPARE(told.size(), 2);
    QVERIFY(told[0][QLatin1String("content")].toString().startsWith(QStringLiteral("你是旅行助手\n")));
    QCOMPARE(told[1][QLatin1String("content")].toString(), QStringLiteral("杭州最便宜的酒店?"));
}

void TestFunctionAgent::tellsTheModelWhatWentWrong_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isSilent");
    QTest::addColumn<QString>("content");
    const auto row = [](const char *name, int status, const char *body, const char *content) {
        QTest::newRow(name) << status << QByteArray(body) << !*body << QString::fromUtf8(content);
    };
    row("error", 500, R"({"error": "坏", "returncode": 3})",
        R"({"error":"{\"error\": \"坏\", \"returncode\": 3}","status":500})");
    row("not found", 404, "no", R"({"error":"no","status":404})");
    row("needs a login", 401, "no", R"({"error":"no","status":401})");
    row("no answer", 200, "",
        R"({"error":"The tool server cannot be asked: no complete answer within 0.3 s"})");
    row("no JSON", 200, "plain words", "plain words");
}

void TestFunctionAgent::tellsTheModelWhatWentWrong()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, isSilent);
    QFETCH(QString, content);
    m_options.toolLimit = 300ms;
    using End = FakeTools::Answer::End;
    m_tools->set("broken", {status, body, isSilent ? End::Silent : End::Whole});
    QVERIFY(play(callThenAnswer("broken", "{}")));
    QVERIFY(sit().isAnswered);
    QCOMPARE(messages(1)[3][QLatin1String("content")].toString(), content);
}

void TestFunctionAgent::callsNothingThatIsNoTool_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("path") << QByteArray("../health") << QByteArray("{}")
                          << QStringLiteral("invalid tool name");
    QTest::newRow("query") << QByteArray("echo?a=1") << QByteArray("{}")
                           << QStringLiteral("invalid tool name");
    QTest::newRow("percent") << QByteArray("e%63ho") << QByteArray("{}")
                             << QStringLiteral("invalid tool name");
    QTest::newRow("Chinese") << QByteArray("搜索") << QByteArray("{}")
                             << QStringLiteral("invalid tool name: '搜索'");
    QTest::newRow("newline") << QByteArray("echo\\n") << QByteArray("{}")
                             << QStringLiteral("invalid tool name");
    QTest::newRow("broken JSON") << QByteArray("echo") << QByteArray(R"("{\"a\": ")")
                                 << QStringLiteral("The arguments are no JSON object");
    QTest::newRow("a list") << QByteArray("echo") << QByteArray(R"("[1]")")
                            << QStringLiteral("The arguments are no JSON object");
}

void TestFunctionAgent::callsNothingThatIsNoTool()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, arguments);
    QFETCH(QString, said);
    QVERIFY(play(callThenAnswer(name, arguments)));
    QVERIFY(sit().isAnswered);
    QVERIFY(m_tools->calls().isEmpty());
    const QString content = messages(1)[3][QLatin1String("content")].toString();
    QVERIFY2(content.contains(said), qPrintable(content));
    // Endpoints refuse a conversation with those in it.
    const auto function = messages(1)[2][QLatin1String("tool_calls")][0][QLatin1String("function")];
    QVERIFY(ToolClient::isToolName(function[QLatin1String("name")].toString()));
    QCOMPARE(function[QLatin1String("arguments")].toString(), QStringLiteral("{}"));
}

void TestFunctionAgent::doesNotRepeatACallThatWasCut()
{
    m_tools->set("cut", {200, {}, FakeTools::Answer::End::Cut});
    QVERIFY(play(callThenAnswer("cut", "{}")));
    QVERIFY(sit().isAnswered);
    QCOMPARE(m_tools->calls().size(), 1);
    const QString content = messages(1)[3][QLatin1String("content")].toString();
    QVERIFY2(content.startsWith(QLatin1String("{\"error\":\"The tool server cannot be asked: ")),
             qPrintable(content));
}

void TestFunctionAgent::boundsLongResults()
{
    m_tools->set("long", {200, "begin" + QByteArray("杭").repeated(100'000) + "end"});
    QVERIFY(play(callThenAnswer("long", "{}")));
    QVERIFY(sit().isAnswered);
    const QString content = messages(1)[3][QLatin1String("content")].toString();
    QVERIFY(content.startsWith(QStringLiteral("begin杭")));
    QVERIFY(content.endsWith(QStringLiteral("杭end")));
    QVERIFY(content.contains(QLatin1String(" bytes left out]")));
    QVERIFY(!content.contains(QChar::ReplacementCharacter));
    QVERIFY(content.toUtf8().size() < ToolClient::contentMax + 100);
}

/// What an endpoint wants to see again, as some do with their reasoning, is not ours to drop.
void TestFunctionAgent::givesBackWhatTheModelSaid()
{
    const QByteArray calls =
        R"([{"id": "", "extra_content": {"s": 1}, "function": {"name": "echo", "arguments": {"k": 1}}}])";
    const QByteArray message = R"({"content": null, "reasoning_content": "嗯", "tool_calls": )" + calls + '}';
    const QByteArray script = R"([{"body": {"choices": [{"message": )" + message + R"(}]}}, {"text": "{}"}])";
    QVERIFY(play(script));
    QVERIFY(sit().isAnswered);
    const QJsonObject told = messages(1)[2].toObject();
    QCOMPARE(told.value(QLatin1String("role")).toString(), QStringLiteral("assistant"));
    QCOMPARE(told.value(QLatin1String("reasoning_content")).toString(), QStringLiteral("嗯"));
    QVERIFY(!told.contains(QLatin1String("content")));
    const QJsonValue call = told.value(QLatin1String("tool_calls"))[0];
    QCOMPARE(call[QLatin1String("extra_content")][QLatin1String("s")].toInt(), 1);
    QCOMPARE(call[QLatin1String("id")].toString(), QStringLiteral("call_1_1"));
    QCOMPARE(call[QLatin1String("function")][QLatin1String("arguments")].toString(),
             QStringLiteral("{\"k\":1}"));
    QCOMPARE(m_tools->calls().value(0).body, QByteArray("{\"k\":1}"));
}

void TestFunctionAgent::asksForTheAnswerWhenTheTurnsAreUsedUp()
{
    const QByteArray script = '[' + callOf("echo", "{}") + ',' + callOf("echo", "{}") +
                              R"(,{"text": "{\"answer_json\": {\"k\": 1.0}, \"answer_md\": \"# 好\"}"}])";
    QVERIFY(play(script));
    QVERIFY(sit(2).isAnswered);
    QCOMPARE(output("answer.json"), QByteArray("{\"k\": 1.0}\n"));
    QCOMPARE(output("answer.md"), QByteArray("# 好\n"));
    const QList<QJsonObject> requests = m_model->requests();
    QCOMPARE(requests.size(), 3);
    const QJsonObject last = requests.last().value(QLatin1String("body")).toObject();
    QVERIFY(!last.contains(QLatin1String("tools")));
    QVERIFY(!last.contains(QLatin1String("tool_choice")));
    QCOMPARE(m_tools->calls().size(), 2);
}

void TestFunctionAgent::asksAgainBehindAnEmptyReply()
{
    const QByteArray script = R"({"by": "arrival", "steps": [{"text": " "}, {"text": "I do not know"}]})";
    QVERIFY(play(script));
    QVERIFY(sit().isAnswered);
    QCOMPARE(output("answer.json"), QByteArray("{\n    \"response\": \"I do not know\"\n}\n"));
    QCOMPARE(output("answer.md"), QByteArray("# Answer\n\nI do not know\n"));
}

void TestFunctionAgent::triesAgain_data()
{
    QTest::addColumn<QByteArray>("bad");
    QTest::addColumn<QString>("warning");
    const auto row = [](const char *name, const char *bad, const char *warning) {
        QTest::newRow(name) << QByteArray(bad) << QString::fromUtf8(warning);
    };
    row("429", R"({"status": 429, "error": "太快"})", "answered 429: 太快");
    row("500", R"({"status": 500})", "answered 500: scripted error");
    row("503 without JSON", R"({"status": 503, "raw": "<html>down</html>"})",
        "answered 503: <html>down</html>");
    row("slow", R"({"delay": 5})", "no complete answer within 1 s");
    row("hung up", R"({"hangup": true})", "cannot be asked");
    row("cut", R"({"text": "a long text", "cut": 30})", "cannot be asked");
    row("wrong JSON", R"({"raw": "{\"choices\": ["})", "no chat completion");
    row("wrong shape", R"({"body": {"choices": []}})", "no chat completion");
    row("error with 200", R"({"body": {"error": {"message": "busy"}}})", "no chat completion: busy");
}

void TestFunctionAgent::triesAgain()
{
    QFETCH(QByteArray, bad);
    QFETCH(QString, warning);
    m_options.patience.limit = bad.contains("delay") ? 1s : 20s;
    const QByteArray script = "[[" + bad + ',' + bad + R"(, {"text": "{\"k\": 1}"}]])";
    QVERIFY(play(script));
    const Sitting end = sit(1);
    QVERIFY2(end.isAnswered, qPrintable(end.reason));
    QCOMPARE(m_model->requests().size(), 3);
    QCOMPARE(m_warnings.size(), 2);
    QVERIFY2(m_warnings[0].contains(warning), qPrintable(m_warnings[0]));
    QVERIFY2(m_warnings[0].contains(QLatin1String("trying again in ")), qPrintable(m_warnings[0]));
}

void TestFunctionAgent::keepsToRetryAfter_data()
{
    QTest::addColumn<QByteArray>("wait");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::newRow("seconds") << QByteArray("\"retry_after\": 1") << 0.9 << 10.0;
    QTest::newRow("date") << QByteArray("\"retry_after_date\": 2") << 0.9 << 10.0;
    QTest::newRow("too long") << QByteArray("\"retry_after\": 3600") << 1.4 << 10.0;
    QTest::newRow("at once") << QByteArray("\"retry_after\": 0") << 0.0 << 10.0;
}

void TestFunctionAgent::keepsToRetryAfter()
{
    QFETCH(QByteArray, wait);
    QFETCH(double, least);
    QFETCH(double, most);
    m_options.patience.longestPause = 1500ms;
    const QByteArray script = R"([[{"status": 429, )" + wait + R"(}, {"text": "{}"}]])";
    QVERIFY(play(script));
    QVERIFY(sit(1).isAnswered);
    const QList<QJsonObject> requests = m_model->requests();
    QCOMPARE(requests.size(), 2);
    const double waited =
        requests[1].value(QLatin1String("at")).toDouble() - requests[0].value(QLatin1String("at")).toDouble();
    QVERIFY2(waited >= least && waited <= most, qPrintable(QString::number(waited)));
}

void TestFunctionAgent::spendsTheTurnOnAnError()
{
    m_fields.outputPaths << QStringLiteral("artifacts/trajectory.jsonl");
    m_options.patience.tries = 2;
    const QByteArray script =
        R"([[{"status": 500}, {"status": 500}, {"status": 400}, {"text": "{\"k\": 1}"}]])";
    QVERIFY(play(script));
    QVERIFY(sit(3).isAnswered);
    QCOMPARE(m_model->requests().size(), 4);
    const QJsonArray errors = events(QStringLiteral("llm_error"));
    QCOMPARE(errors.size(), 2);
    QCOMPARE(errors[0][QLatin1String("turn")].toInt(), 1);
    QVERIFY(errors[0][QLatin1String("error")].toString().contains(QLatin1String("answered 500")));
    QCOMPARE(errors[1][QLatin1String("turn")].toInt(), 2);
    QCOMPARE(events(QStringLiteral("assistant"))[0][QLatin1String("turn")].toInt(), 3);
}

void TestFunctionAgent::givesUp_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("requests");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, const QByteArray &script, int requests, const char *reason) {
        QTest::newRow(name) << script << requests << QString::fromUtf8(reason);
    };
    // Two turns of two tries.
    row("every turn fails", R"([{"status": 500, "error": "坏了"}])", 4, "answered 500: 坏了");
    row("every turn is refused", R"([{"status": 400, "error": "too long"}])", 2, "answered 400: too long");
    row("wrong key", R"([{"status": 401, "error": "no such key"}])", 1, "answered 401: no such key");
    row("moved", R"([{"status": 307, "raw": "", "headers": {"Location": "http://127.0.0.1:9/x"}}])", 1,
        "has moved to http://127.0.0.1:9/x");
    row("no model", R"([{"status": 404, "error": "no such model"}])", 2, "answered 404: no such model");
    row("nothing in the end", '[' + callOf("echo", "{}") + ',' + callOf("echo", "{}") + R"(,{"text": ""}])",
        3, "gave no answer");
    row("error in the end", '[' + callOf("echo", "{}") + ',' + callOf("echo", "{}") + R"(,{"status": 500}])",
        4, "answered 500");
}

void TestFunctionAgent::givesUp()
{
    QFETCH(QByteArray, script);
    QFETCH(int, requests);
    QFETCH(QString, reason);
    m_options.patience.tries = 2;
    QVERIFY(play(script));
    const Sitting end = sit(2);
    QVERIFY(!end.isAnswered);
    QVERIFY2(end.reason.contains(reason), qPrintable(end.reason));
    QCOMPARE(m_model->requests().size(), requests);
    QVERIFY(QDir(m_folder->path()).isEmpty());
}

/// The default of the configuration: nobody should wait for it through all turns.
void TestFunctionAgent::knowsTheNameOfContainers()
{
    m_fields.llmUrl = QStringLiteral("http://host.docker.internal:1");
    const Sitting end = sit();
    QVERIFY2(end.reason.contains(QLatin1String("on the host say 127.0.0.1")), qPrintable(end.reason));
    QVERIFY(m_warnings.isEmpty());
}

void TestFunctionAgent::triesTheVersionedAddressOnce()
{
    const QByteArray script =
        R"({"bases": ["/v1"], "steps": [)" + callOf("echo", "{}") + R"(, {"text": "{}"}]})";
    QVERIFY(play(script));
    m_fields.llmUrl += u'/';
    QVERIFY(sit().isAnswered);
    QStringList paths;
    for (const QJsonObject &request : m_model->requests())
        paths << request.value(QLatin1String("path")).toString();
    const QStringList expected{QStringLiteral("/chat/completions"), QStringLiteral("/v1/chat/completions"),
                               QStringLiteral("/v1/chat/completions")};
    QCOMPARE(paths, expected);
}

void TestFunctionAgent::goesWithoutTemperature()
{
    const QByteArray script =
        R"([[{"status": 400, "error": "Unsupported value: 'temperature' does not support 0.1"},)"
        R"({"text": "{}"}]])";
    QVERIFY(play(script));
    m_options.patience.tries = 1;
    QVERIFY(sit(1).isAnswered);
    const QList<QJsonObject> requests = m_model->requests();
    QCOMPARE(requests.size(), 2);
    QVERIFY(requests[0].value(QLatin1String("body")).toObject().contains(QLatin1String("temperature")));
    QVERIFY(!requests[1].value(QLatin1String("body")).toObject().contains(QLatin1String("temperature")));
}

void TestFunctionAgent::neverTellsTheKey()
{
    m_key = QStringLiteral("sk-0123456789");
    m_fields.outputPaths << QStringLiteral("artifacts/trajectory.jsonl");
    const QByteArray script = R"([{"status": 401, "error": "the key sk-0123456789 is unknown"}])";
    QVERIFY(play(script));
    const Sitting end = sit(1);
    QVERIFY(end.reason.contains(QLatin1String("the key *** is unknown")));
    const QByteArray trajectory = output("artifacts/trajectory.jsonl");
    QVERIFY(trajectory.contains("the key *** is unknown"));
    QVERIFY(!trajectory.contains("sk-0123456789"));
}

void TestFunctionAgent::recordsTheTrajectory()
{
    m_fields.outputPaths << QStringLiteral("artifacts/trajectory.jsonl");
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("artifacts")));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("artifacts/trajectory.jsonl")), "old\n"));
    m_tools->set("plain", {200, "words"});
    const QByteArray script = R"([{"tool_calls": [{"name": "echo", "arguments": "{\"城市\":\n1.10}"},)"
                              R"({"name": "plain", "arguments": "{", "id": "b"}]},)"
                              R"({"text": "{}"}])";
    QVERIFY(play(script));
    QVERIFY(sit(1).isAnswered);
    const QList<QByteArray> lines = output("artifacts/trajectory.jsonl").trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    const QByteArray assistant = R"({"turn": 1, "event": "assistant", "message": {)";
    const QByteArray echo = R"({"turn": 1, "event": "tool", "tool_call_id": "call_0", "name": "echo", )"
                            R"("arguments": {"城市": 1.10}, "result": {"城市": 1.10}})";
    const QByteArray plain = R"("name": "plain", "arguments": "{", "result": {"error":)";
    const QByteArray final = R"({"turn": 2, "event": "final_assistant", "message": {)";
    QVERIFY2(lines[0].startsWith(assistant), lines[0]);
    QCOMPARE(lines[1], echo);
    QVERIFY2(lines[2].contains(plain), lines[2]);
    QVERIFY2(lines[3].startsWith(final), lines[3]);
    for (const QByteArray &line : lines)
        QVERIFY2(!QJsonDocument::fromJson(line).isNull(), line);
}

void TestFunctionAgent::recordsNothingUndeclared()
{
    m_fields.outputPaths << QStringLiteral("artifacts/other.json");
    const QByteArray script = R"([{"text": "{}"}])";
    QVERIFY(play(script));
    QVERIFY(sit().isAnswered);
    const QStringList expected{QStringLiteral("answer.json"), QStringLiteral("answer.md")};
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), expected);
    QCOMPARE(m_warnings.size(), 1);
    QVERIFY(m_warnings[0].contains(QLatin1String("artifacts/other.json")));
}

void TestFunctionAgent::needsAFolderForItsAnswers()
{
    m_fields.llmUrl = QStringLiteral("http://127.0.0.1:1");
    m_fields.outputFolder = QStringLiteral("/dev/null/out");
    QVERIFY(sit().reason.contains(QLatin1String("/dev/null/out")));
}

QTEST_GUILESS_MAIN(TestFunctionAgent)
#include "tst_functionagent.moc"
