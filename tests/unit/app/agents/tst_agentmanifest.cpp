// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentmanifest.h"

#include <QTest>

using namespace proctor;

class TestAgentManifest : public QObject
{
    Q_OBJECT

private slots:
    void writesTheProtocolsMembersInOrder();
    void hasNoContextWithoutOne();
    void keepsWhatCameAsJson_data();
    void keepsWhatCameAsJson();
    void namesWhatIsBroken_data();
    void namesWhatIsBroken();
    void takesDeepContexts();
    void staysSmall();

private:
    static AgentManifest manifest();
};

AgentManifest TestAgentManifest::manifest()
{
    AgentManifest manifest;
    manifest.instanceId = QStringLiteral("hotel_001");
    manifest.system = QStringLiteral("Be \"kind\"\n\\ and\tprecise");
    manifest.user = QStringLiteral("杭州最便宜的酒店? 😀");
    manifest.toolUrl = QStringLiteral("http://127.0.0.1:1/secret");
    manifest.toolDefinitions = R"([{"z": 1, "a": 2}])";
    manifest.outputFolder = QStringLiteral("/results/x");
    manifest.outputPaths = {QStringLiteral("answer.json"), QStringLiteral("answer.md")};
    manifest.modelUrl = QStringLiteral("http://llm.example/v1");
    manifest.model = QStringLiteral("m-1");
    return manifest;
}

void TestAgentManifest::writesTheProtocolsMembersInOrder()
{
    AgentManifest whole = manifest();
    whole.taskContext = R"({"z": null, "a": true})";
    const auto json = whole.toJson();
    QVERIFY(json);
    const QByteArray expected = R"({
  "protocol_version": "1.0",
  "instance_id": "hotel_001",
  "prompts": {
    "system": "Be \"kind\"\n\\ and\tprecise",
    "user": "杭州最便宜的酒店? 😀"
  },
  "tools": {
    "url": "http://127.0.0.1:1/secret",
    "definitions": [
      {
        "z": 1,
        "a": 2
      }
    ]
  },
  "task_context": {
    "z": null,
    "a": true
  },
  "output": {
    "directory": "/results/x",
    "paths": [
      "answer.json",
      "answer.md"
    ]
  },
  "llm": {
    "base_url": "http://llm.example/v1",
    "model": "m-1",
    "api_key_env": "LLM_API_KEY"
  }
}
)";
    QCOMPARE(*json, expected);
}

void TestAgentManifest::hasNoContextWithoutOne()
{
    AgentManifest blank = manifest();
    for (const char *context : {"", " \n\t"}) {
        blank.taskContext = context;
        const auto json = blank.toJson();
        QVERIFY(json && json->contains("\"task_context\": null,"));
    }
}

void TestAgentManifest::keepsWhatCameAsJson_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char *json :
         {"1.10", "1e3", "-0.0", "12345678901234567890123", "0.1000000000000000055511151231257827", "NaN",
          "-Infinity", "Infinity", "\"中\"", "\"\"", "false", "[]", "{}"})
        QTest::newRow(json) << QByteArray(json);
}

void TestAgentManifest::keepsWhatCameAsJson()
{
    QFETCH(QByteArray, json);
    AgentManifest whole = manifest();
    whole.taskContext = json;
    const auto text = whole.toJson();
    QVERIFY2(text, text ? "" : qPrintable(text.error().message));
    QVERIFY2(text->contains("\"task_context\": " + json + ",\n"), *text);
}

void TestAgentManifest::namesWhatIsBroken_data()
{
    QTest::addColumn<QByteArray>("tools");
    QTest::addColumn<QByteArray>("context");
    QTest::addColumn<QString>("part");
    const auto row = [](const char *tools, const char *context, const char *part) {
        QTest::addRow("%s and %s", tools, context)
            << QByteArray(tools) << QByteArray(context) << QString::fromLatin1(part);
    };
    row("", "{}", "tool_defs.json is not valid JSON");
    row("[{]", "{}", "tool_defs.json is not valid JSON");
    row("[1] x", "{}", "tool_defs.json is not valid JSON");
    row("[\"\xff\"]", "{}", "tool_defs.json is not valid JSON");
    row("[]", "{}", "list with at least one tool");
    row("{\"a\": [1]}", "{}", "list with at least one tool");
    row("null", "{}", "list with at least one tool");
    row("[1]", "{'a': 1}", "context.json is not valid JSON");
    row("[1]", "{} {}", "context.json is not valid JSON");
}

void TestAgentManifest::namesWhatIsBroken()
{
    QFETCH(QByteArray, tools);
    QFETCH(QByteArray, context);
    QFETCH(QString, part);
    AgentManifest broken = manifest();
    broken.toolDefinitions = tools;
    broken.taskContext = context;
    const auto json = broken.toJson();
    QVERIFY(!json);
    QVERIFY2(json.error().message.contains(part), qPrintable(json.error().message));
}

/// What a reader in Python can take, and no more: indented, a deep text is a huge one.
void TestAgentManifest::takesDeepContexts()
{
    AgentManifest deep = manifest();
    deep.taskContext = QByteArray(1000, '[') + QByteArray(1000, ']');
    QVERIFY(deep.toJson());
    deep.taskContext = QByteArray(500'000, '[');
    const auto refused = deep.toJson();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("context.json is nested more than 1000")),
             qPrintable(refused.error().message));
}

void TestAgentManifest::staysSmall()
{
    AgentManifest wide = manifest();
    constexpr int levels = 900;
    constexpr int values = 1 << 20;
    wide.taskContext =
        QByteArray(levels, '[') + QByteArray("1,").repeated(values) + '1' + QByteArray(levels, ']');
    const auto json = wide.toJson();
    QVERIFY(json);
    QVERIFY2(json->size() < 2 * wide.taskContext.size(), qPrintable(QString::number(json->size())));
    QVERIFY(json->contains("\n  \"output\": {\n    \"directory\""));
}

QTEST_GUILESS_MAIN(TestAgentManifest)
#include "tst_agentmanifest.moc"
