// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runidentity.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;

class TestRunIdentity : public QObject
{
    Q_OBJECT

private slots:
    void namesEachDifference_data();
    void namesEachDifference();
    void staysTheSameExam_data();
    void staysTheSameExam();
    void plansItsSlots_data();
    void plansItsSlots();
    void survivesARoundTrip();
    void refusesABrokenFile();
};

static QJsonObject sample()
{
    static const char text[] = R"({"schema_version": 1, "proctor": "0.1.0", "created": "2026-11-30T12:00:00Z",
        "dataset": {"repo_id": "r", "config": "travel", "split": "test", "revision": null, "instances": 77,
                    "fingerprint": "sha256:1"},
        "agent": {"name": "careful", "kind": "sandbox", "command": ["python3", "a.py"], "model": "qwen3.7-plus",
                  "parameters": {"temperature": 0.1}},
        "judge": {"model": "j"}, "limits": {"agent": 1800, "verifier": 1200, "tool": 60},
        "sandbox": {"kind": "docker"}, "images": {"i": "sha256:2"}, "runs": 1, "big": 9007199254740993})";
    return QJsonDocument::fromJson(text).object();
}

static QJsonObject changed(const char *section, const char *key, const QJsonValue &value)
{
    QJsonObject json = sample();
    QJsonObject inner = json[QLatin1String(section)].toObject();
    inner[QLatin1String(key)] = value;
    json[QLatin1String(section)] = inner;
    return json;
}

void TestRunIdentity::namesEachDifference_data()
{
    QTest::addColumn<QJsonObject>("other");
    QTest::addColumn<QString>("difference");
    QTest::newRow("model") << changed("agent", "model", u"gpt-5"_s)
                           << "agent model: qwen3.7-plus here, gpt-5 in the configuration";
    QTest::newRow("agent") << changed("agent", "name", u"hasty"_s)
                           << "agent name: careful here, hasty in the configuration";
    QTest::newRow("command") << changed("agent", "command", QJsonArray{u"sh"_s})
                             << "agent command: [\"python3\",\"a.py\"] here, [\"sh\"] in the configuration";
    QTest::newRow("parameters") << changed("agent", "parameters", QJsonObject{{u"temperature"_s, 0.5}})
                                << "agent parameters temperature: 0.1 here, 0.5 in the configuration";
    QTest::newRow("fingerprint") << changed("dataset", "fingerprint", u"sha256:9"_s)
                                 << "dataset fingerprint: sha256:1 here, sha256:9 in the configuration";
    QTest::newRow("revision") << changed("dataset", "revision", u"abc"_s)
                              << "dataset revision: none here, abc in the configuration";
    QTest::newRow("judge") << changed("judge", "model", QJsonValue::Null)
                           << "judge model: j here, none in the configuration";
    QTest::newRow("limit") << changed("limits", "agent", 60)
                           << "limits agent: 1800 here, 60 in the configuration";
}

void TestRunIdentity::namesEachDifference()
{
    QFETCH(QJsonObject, other);
    QFETCH(QString, difference);
    QCOMPARE(RunIdentity{sample()}.differencesFrom(RunIdentity{other}), QStringList{difference});
}

void TestRunIdentity::staysTheSameExam_data()
{
    QTest::addColumn<QJsonObject>("other");
    QTest::newRow("itself") << sample();
    QTest::newRow("instances") << changed("dataset", "instances", 3);
    QTest::newRow("sandbox") << changed("sandbox", "kind", u"local"_s);
    QTest::newRow("images") << changed("images", "j", u"sha256:3"_s);
    QJsonObject json = sample();
    json[QLatin1String("runs")] = 5;
    json[QLatin1String("created")] = QStringLiteral("later");
    json[QLatin1String("proctor")] = QStringLiteral("9");
    QTest::newRow("runs, version and time") << json;
    QTest::newRow("null and absent") << changed("agent", "registration", QJsonValue::Null);
}

void TestRunIdentity::staysTheSameExam()
{
    QFETCH(QJsonObject, other);
    QCOMPARE(RunIdentity{sample()}.differencesFrom(RunIdentity{other}), QStringList());
}

void TestRunIdentity::plansItsSlots_data()
{
    QTest::addColumn<QJsonObject>("json");
    QTest::addColumn<std::optional<int>>("planned");
    QTest::newRow("one run") << sample() << std::optional(77);
    QJsonObject runs = sample();
    runs[u"runs"_s] = 3;
    QTest::newRow("three runs") << runs << std::optional(231);
    QJsonObject odd = sample();
    odd.remove("runs"_L1);
    QTest::newRow("runs not said") << odd << std::optional(77);
    odd[u"runs"_s] = -3;
    QTest::newRow("nonsense runs") << odd << std::optional(77);
    odd = changed("dataset", "instances", 2'000'000'000);
    odd[u"runs"_s] = 2'000'000'000;
    QTest::newRow("more than a number holds") << odd << std::optional<int>();
    QTest::newRow("no dataset") << QJsonObject() << std::optional<int>();
    QTest::newRow("nonsense instances") << changed("dataset", "instances", -5) << std::optional<int>();
    runs[u"mixed"_s] = QJsonArray{changed("agent", "model", u"gpt-5"_s)};
    QTest::newRow("another agent mixed in") << runs << std::optional(231);
    runs[u"mixed"_s] = QJsonArray{changed("dataset", "fingerprint", u"sha256:9"_s)};
    QTest::newRow("another dataset mixed in") << runs << std::optional<int>();
}

void TestRunIdentity::plansItsSlots()
{
    QFETCH(QJsonObject, json);
    QFETCH(std::optional<int>, planned);
    QCOMPARE(RunIdentity{json}.plannedSlots(), planned);
}

void TestRunIdentity::survivesARoundTrip()
{
    const RunIdentity identity{sample()};
    const auto again = RunIdentity::fromFile(identity.toFile(), QStringLiteral("run.json"));
    QVERIFY(again);
    QCOMPARE(again->json, identity.json);
    QVERIFY(identity.toFile().contains("9007199254740993"));
}

void TestRunIdentity::refusesABrokenFile()
{
    for (const char *text : {"", "[1]", "{\"a\": "}) {
        const auto identity = RunIdentity::fromFile(text, QStringLiteral("/x/run.json"));
        QVERIFY(!identity);
        QCOMPARE(identity.error().file, QStringLiteral("/x/run.json"));
    }
}

QTEST_GUILESS_MAIN(TestRunIdentity)
#include "tst_runidentity.moc"
