// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakemodel.h"
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QTest>

using namespace proctor::test;

/// `proctor agent`, registered as the README says, sits an instance of the demo in a real sandbox. The model
/// is played.
class TestReferenceAgent : public QObject
{
    Q_OBJECT

private slots:
    void solvesAnInstanceOfTheDemo();
    void failsWhereTheModelDoes();

private:
    ProgramEnd sit(const QString &folder, const FakeModel &model) const;

    const QString m_key = QStringLiteral("sk-0123456789-reference");
    const QString m_instance = QStringLiteral("hotel_hangzhou_lake_001");
};

/// A run of that one instance.
ProgramEnd TestReferenceAgent::sit(const QString &folder, const FakeModel &model) const
{
    const QString configuration =
        QStringLiteral("dataset:\n"
                       "  config: travel\n"
                       "  path: %1/travel.jsonl\n"
                       "agent:\n"
                       "  name: reference\n"
                       "  llm_base_url: %2\n"
                       "  llm_model: fake-1\n"
                       "runner:\n"
                       "  sandbox: local\n"
                       "agents:\n"
                       "  reference:\n"
                       "    command: [\"%3\", agent, --context, \"{context}\"]\n"
                       "    output_paths: [artifacts/trajectory.jsonl]\n")
            .arg(QStringLiteral(PROCTOR_BUILD_DIR "/share/proctor/demo"), model.url(), proctorProgram());
    ProgramEnd end;
    if (!writeFile(folder + QStringLiteral("/exam.yaml"), configuration.toUtf8()))
        return end;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LLM_API_KEY"), m_key);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(proctorProgram(), {QStringLiteral("--config"), QStringLiteral("exam.yaml"),
                                     QStringLiteral("run"), QStringLiteral("--only"), m_instance});
    return endOf(process, 120'000);
}

void TestReferenceAgent::solvesAnInstanceOfTheDemo()
{
    const QByteArray script =
        R"([{"tool_calls": [{"name": "search_hotels", "arguments":)"
        R"(                  {"city": "杭州", "max_price": 600, "min_rating": 4.4}}]},)"
        R"( {"tool_calls": [{"name": "hotel_facilities", "arguments": {"hotel_ids": ["H03", "H07"]}}]},)"
        R"( {"tool_calls": [{"name": "quote_rooms", "arguments":)"
        R"(                  {"hotel_ids": ["H03", "H07"], "nights": 3, "guests": 2, "breakfasts": 2}}]},)"
        R"( {"text": "```json\n{\"answer_json\": {\"hotel_id\": \"H07\", \"total\": 1092.00},)"
        R"( \"answer_md\": \"# 杭州住宿建议\\n\\n推荐灵隐静舍，有停车场，三晚总价 1092.0 元。\"}\n```"}])";
    FakeModel model;
    QVERIFY2(model.start(script, m_key), qPrintable(model.errorText()));
    const QTemporaryDir folder;
    const ProgramEnd end = sit(folder.path(), model);
    QVERIFY2(end.code == 0, end.out + end.err);

    const QDir slot(folder.filePath(QStringLiteral("eval_results/travel/") + m_instance));
    const QByteArray result = contentOf(slot.filePath(QStringLiteral("result.json")));
    const QJsonObject record = QJsonDocument::fromJson(result).object();
    QVERIFY2(record.value(QLatin1String("reward")).toDouble() == 1.0, result);
    const QByteArray answer = R"({"hotel_id": "H07", "total": 1092.00})";
    QCOMPARE(contentOf(slot.filePath(QStringLiteral("answer.json"))).trimmed(), answer);
    const QByteArray printed = contentOf(slot.filePath(QStringLiteral("agent_stdout.txt")));
    QVERIFY2(printed.contains("Turn 4 of 30: the model answers"), printed);
    QCOMPARE(contentOf(slot.filePath(QStringLiteral("artifacts/trajectory.jsonl"))).count('\n'), 7);
    QCOMPARE(model.requests().size(), 4);
    for (const QString &file : slot.entryList(QDir::Files | QDir::Hidden))
        QVERIFY2(!contentOf(slot.filePath(file)).contains(m_key.toUtf8()), qPrintable(file));
}

void TestReferenceAgent::failsWhereTheModelDoes()
{
    FakeModel model;
    QVERIFY2(model.start(R"([{"text": "{}"}])", QStringLiteral("another-key")),
             qPrintable(model.errorText()));
    const QTemporaryDir folder;
    const ProgramEnd end = sit(folder.path(), model);
    QVERIFY2(end.code == 1, end.out + end.err);
    const QByteArray result =
        contentOf(folder.filePath(QStringLiteral("eval_results/travel/%1/result.json").arg(m_instance)));
    const QJsonObject record = QJsonDocument::fromJson(result).object();
    QVERIFY2(record.value(QLatin1String("phase")).toString() == QLatin1String("agent"), result);
    QVERIFY2(record.value(QLatin1String("error")).toString().contains(QLatin1String("There is no answer")),
             result);
    QVERIFY2(!result.contains(m_key.toUtf8()), result);
}

QTEST_GUILESS_MAIN(TestReferenceAgent)
#include "tst_referenceagent.moc"
