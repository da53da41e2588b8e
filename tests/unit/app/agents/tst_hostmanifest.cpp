// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostmanifest.h"

#include <QFile>
#include <QTest>

using namespace proctor;

class TestHostManifest : public QObject
{
    Q_OBJECT

private slots:
    void readsAPeersManifest();
    void keepsTheDefinitionsAsWritten();
    void passesOverWhatItDoesNotKnow();
    void refuses_data();
    void refuses();
    void saysThatTheFileIsMissing();
};

static QByteArray plain()
{
    return R"({"protocol_version": "1.0", "instance_id": "x",
        "prompts": {"system": "", "user": "去哪儿?"},
        "tools": {"url": "http://127.0.0.1:7/s3cr3t/", "definitions": [{"type": "function", "z": 1.10, "a": 1e3}]},
        "task_context": null,
        "output": {"directory": "/tmp/out", "paths": ["answer.json", "answer.md"]},
        "llm": {"base_url": "http://127.0.0.1:8/v1/", "model": "m", "api_key_env": "LLM_API_KEY"}})";
}

void TestHostManifest::readsAPeersManifest()
{
    const QString path = QStringLiteral(
        PROCTOR_TEST_DATA "/exam/eval_results/travel/consume_tent_002/.prompt/agent_context.json");
    const auto manifest = HostManifest::read(path);
    QVERIFY2(manifest.hasValue(), manifest ? "" : qPrintable(manifest.error().text()));
    QVERIFY(manifest->systemPrompt.startsWith(QLatin1String("You are a shopping agent.")));
    QVERIFY(manifest->userPrompt.startsWith(QLatin1String("Find the cheapest")));
    QCOMPARE(manifest->toolsUrl, QUrl(QStringLiteral("http://localhost:32769")));
    QCOMPARE(manifest->outputFolder, QStringLiteral("/home/user/eval_results/travel/consume_tent_002"));
    const QStringList paths{QStringLiteral("answer.json"), QStringLiteral("answer.md"),
                            QStringLiteral("artifacts/evidence/sources.json")};
    QCOMPARE(manifest->outputPaths, paths);
    QCOMPARE(manifest->llmUrl, QUrl(QStringLiteral("http://host.docker.internal:4000")));
    QCOMPARE(manifest->model, QStringLiteral("qwen3.7-plus"));
    QCOMPARE(manifest->keyVariable, QStringLiteral("LLM_API_KEY"));
}

void TestHostManifest::keepsTheDefinitionsAsWritten()
{
    const auto manifest = HostManifest::parse(plain());
    QVERIFY(manifest.hasValue());
    QCOMPARE(manifest->toolDefinitions, QByteArray(R"([{"type": "function", "z": 1.10, "a": 1e3}])"));
    QCOMPARE(manifest->toolsUrl, QUrl(QStringLiteral("http://127.0.0.1:7/s3cr3t")));
    QCOMPARE(manifest->userPrompt, QStringLiteral("去哪儿?"));
}

void TestHostManifest::passesOverWhatItDoesNotKnow()
{
    QByteArray json = plain();
    json.replace("\"instance_id\"", "\"new\": [{}, NaN], \"instance_id\"");
    json.replace("\"api_key_env\": \"LLM_API_KEY\"", "\"new\": 1, \"api_key_env\": null");
    const auto manifest = HostManifest::parse("\xEF\xBB\xBF" + json);
    QVERIFY2(manifest.hasValue(), manifest ? "" : qPrintable(manifest.error().text()));
    QCOMPARE(manifest->keyVariable, QStringLiteral("LLM_API_KEY"));
}

void TestHostManifest::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const QByteArray &json, const char *named) {
        QTest::newRow(name) << json << QString::fromUtf8(named);
    };
    const auto changed = [](const char *from, const char *to) {
        return plain().replace(QByteArray(from), QByteArray(to));
    };
    row("empty", "", "JSON");
    row("no object", "[]", "object");
    row("cut", plain().chopped(1), "JSON");
    row("not UTF-8", "{\"a\": \"\xff\"}", "UTF-8");
    row("no version", changed("protocol_version", "version"), "“protocol_version” is missing");
    row("other version", changed("\"1.0\"", "\"2.0\""), "“protocol_version” is “2.0”");
    row("version is a number", changed("\"1.0\"", "1.0"), "“protocol_version” must be a text");
    row("no section", changed("\"prompts\"", "\"p\""), "“prompts” is missing");
    row("section is a list", changed(R"({"system": "", "user": "去哪儿?"})", "[]"),
        "“prompts” must be an object");
    row("no user prompt", changed("\"user\"", "\"u\""), "“prompts.user” is missing");
    row("tools without url", changed("\"url\"", "\"u\""), "“tools.url” is missing");
    row("url of a file", changed("http://127.0.0.1:7/s3cr3t/", "file:///etc/passwd"), "“tools.url” must be");
    row("no definitions", changed(R"([{"type": "function", "z": 1.10, "a": 1e3}])", "[]"),
        "“tools.definitions” must be");
    row("definitions are texts", changed(R"([{"type": "function", "z": 1.10, "a": 1e3}])", "[\"a\"]"),
        "“tools.definitions” must be");
    row("relative folder", changed("/tmp/out", "tmp/out"), "“output.directory” must be");
    row("paths hold a number", changed("\"answer.md\"", "1"), "“output.paths” must be");
    row("null endpoint", changed("\"http://127.0.0.1:8/v1/\"", "null"), "“llm.base_url” is missing");
    row("endpoint None", changed("http://127.0.0.1:8/v1/", "None"), "“llm.base_url” must be");
    row("no model", changed("\"model\"", "\"m\""), "“llm.model” is missing");
    row("blank model", changed("\"m\", \"api", "\" \", \"api"), "“llm.model” is empty");
    row("odd variable", changed("LLM_API_KEY", "A=B"), "“llm.api_key_env” must be");
}

void TestHostManifest::refuses()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    const auto manifest = HostManifest::parse(json);
    QVERIFY(!manifest);
    QVERIFY2(manifest.error().message.contains(named), qPrintable(manifest.error().message));
}

void TestHostManifest::saysThatTheFileIsMissing()
{
    const auto manifest = HostManifest::read(QStringLiteral("/no/such/上下文.json"));
    QVERIFY(!manifest);
    QVERIFY(manifest.error().text().startsWith(QStringLiteral("/no/such/上下文.json")));
}

QTEST_GUILESS_MAIN(TestHostManifest)
#include "tst_hostmanifest.moc"
