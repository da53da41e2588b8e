// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/finalanswer.h"

#include <QTest>

using namespace proctor;

class TestFinalAnswer : public QObject
{
    Q_OBJECT

private slots:
    void json_data();
    void json();
    void markdown_data();
    void markdown();
};

void TestFinalAnswer::json_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *name, const char *text, const char *json) {
        QTest::newRow(name) << QString::fromUtf8(text) << QByteArray(json);
    };
    row("object", R"({"b": 1, "a": 2})", R"({"b": 1, "a": 2})");
    row("spaces around", "\n  {\"a\": 1}\t\n", R"({"a": 1})");
    row("numbers", R"({"price": 1.10, "far": 1e3, "big": 123456789012345678901, "n": -0.0})",
        R"({"price": 1.10, "far": 1e3, "big": 123456789012345678901, "n": -0.0})");
    row("lines within", "{\n  \"z\": [1,\n 2]\n}", "{\n  \"z\": [1,\n 2]\n}");
    row("array", "[3, 1, {\"k\": 1.0}]", "[3, 1, {\"k\": 1.0}]");
    row("single value", "42", "42");
    row("Chinese", "{\"酒店\": \"西湖大酒店\"}", "{\"酒店\": \"西湖大酒店\"}");

    row("fence", "```json\n{\"a\": 1.10}\n```", R"({"a": 1.10})");
    row("fence in capitals", "```JSON\n{\"a\": 1}\n```", R"({"a": 1})");
    row("fence without language", "```\n[1]\n```", "[1]");
    row("four signs", "````json\n{\"a\": 1}\n````", R"({"a": 1})");
    row("tildes", "~~~json\n{\"a\": 1}\n~~~", R"({"a": 1})");
    row("carriage returns", "```json\r\n{\"a\": 1}\r\n```", R"({"a": 1})");
    row("nested fences", "```markdown\n# Result\n```json\n{\"a\": 1}\n```\n```", R"({"a": 1})");
    row("fence in a text of the JSON", "```json\n{\"md\": \"```py\\nx\\n```\"}\n```",
        "{\"md\": \"```py\\nx\\n```\"}");
    row("words around", "Here it is:\n```json\n{\"a\": 1}\n```\nBye.", R"({"a": 1})");
    row("last of two", "```json\n{\"draft\": 1}\n```\nbetter:\n```json\n{\"final\": 2}\n```",
        R"({"final": 2})");
    row("other languages do not count", "See\n```python\n{\"a\": 1}\n```",
        "{\n    \"response\": \"See\\n```python\\n{\\\"a\\\": 1}\\n```\"\n}");
    row("fence left open", "```json\n{\"a\": 1}", "{\n    \"response\": \"```json\\n{\\\"a\\\": 1}\"\n}");

    row("both", R"({"answer_json": {"p": 1.10, "a": 1e3}, "answer_md": "# Hi"})", R"({"p": 1.10, "a": 1e3})");
    row("both in a fence", "```json\n{\"answer_md\": \"x\", \"answer_json\": {\"k\": [1]}}\n```",
        R"({"k": [1]})");
    row("without answer_md", R"({"answer_json": {"k": 1}})", R"({"k": 1})");
    row("answer_json is no object", R"({"answer_json": [1], "answer_md": "x"})",
        R"({"answer_json": [1], "answer_md": "x"})");
    row("inner answer_json", R"({"x": {"answer_json": {"k": 1}}})", R"({"x": {"answer_json": {"k": 1}}})");

    row("words", "I do not know", "{\n    \"response\": \"I do not know\"\n}");
    row("words with braces", "take {a} or {\"b\": 1}",
        "{\n    \"response\": \"take {a} or {\\\"b\\\": 1}\"\n}");
    row("two objects", R"({"a": 1} {"b": 2})", "{\n    \"response\": \"{\\\"a\\\": 1} {\\\"b\\\": 2}\"\n}");
    row("more members than the wrapping", R"({"a": 1}, "b": {"c": 2})",
        "{\n    \"response\": \"{\\\"a\\\": 1}, \\\"b\\\": {\\\"c\\\": 2}\"\n}");
    row("cut JSON", R"({"a": [1, 2)", "{\n    \"response\": \"{\\\"a\\\": [1, 2\"\n}");
    row("Chinese words", "推荐西湖大酒店", "{\n    \"response\": \"推荐西湖大酒店\"\n}");
}

void TestFinalAnswer::json()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, json);
    QCOMPARE(FinalAnswer::of(text).json, json + '\n');
}

void TestFinalAnswer::markdown_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("markdown");
    const auto row = [](const char *name, const char *text, const char *markdown) {
        QTest::newRow(name) << QString::fromUtf8(text) << QByteArray(markdown);
    };
    row("JSON", R"({"a": 1})", "# Answer\n\n{\"a\": 1}\n");
    row("fence", "```json\n{\"a\": 1}\n```", "# Answer\n\n{\"a\": 1}\n");
    row("words", "  I do not know\n", "# Answer\n\nI do not know\n");
    row("heading", "# Plan\n\nGo.\n\n", "# Plan\n\nGo.\n");
    row("heading with JSON", "# Plan\n```json\n{\"a\": 1}\n```", "# Plan\n```json\n{\"a\": 1}\n```\n");
    row("both", R"({"answer_json": {}, "answer_md": "## 推荐\n\n西湖\n"})", "## 推荐\n\n西湖\n");
    row("both, no heading", R"({"answer_json": {}, "answer_md": "西湖"})", "# Answer\n\n西湖\n");
    row("blank answer_md", R"({"answer_json": {"k": 1}, "answer_md": " "})",
        "# Answer\n\n{\"answer_json\": {\"k\": 1}, \"answer_md\": \" \"}\n");
    row("answer_md alone", R"({"answer_md": "# x"})", "# Answer\n\n{\"answer_md\": \"# x\"}\n");
}

void TestFinalAnswer::markdown()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, markdown);
    QCOMPARE(FinalAnswer::of(text).markdown, markdown);
}

QTEST_GUILESS_MAIN(TestFinalAnswer)
#include "tst_finalanswer.moc"
