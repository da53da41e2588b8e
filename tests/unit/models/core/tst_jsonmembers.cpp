// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonmembers.h"

#include <QTest>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;

class TestJsonMembers : public QObject
{
    Q_OBJECT

private slots:
    void keepsEachValueAsWritten();
    void readsNumbers();
    void refusesWhatIsNoObject_data();
    void refusesWhatIsNoObject();
    void survivesDeepNesting();
};

void TestJsonMembers::keepsEachValueAsWritten()
{
    const QByteArray json =
        R"( {"big" : 123456789012345678901234567890, "n":1.10 ,"nan": NaN, "o": {"a": [1, "}"]},
        "t": "a\u00e9\"", "null": null, "n": 2, "k\"ey": []} )";
    const auto members = jsonMembers(json);
    QVERIFY(members);
    QStringList seen;
    for (const JsonMember &member : *members)
        seen << member.key + QLatin1Char('=') + QString::fromUtf8(member.raw);
    const QStringList expected{u"big=123456789012345678901234567890"_s,
                               u"n=1.10"_s,
                               u"nan=NaN"_s,
                               uR"(o={"a": [1, "}"]})"_s,
                               uR"(t="a\u00e9\"")"_s,
                               u"null=null"_s,
                               u"n=2"_s,
                               u"k\"ey=[]"_s};
    QCOMPARE(seen, expected);
    QCOMPARE(members->at(4).text, QString::fromUtf8("aé\""));
    QVERIFY(members->at(5).isNull());
    QVERIFY(!members->at(0).text);
}

void TestJsonMembers::readsNumbers()
{
    const QByteArray json = R"({"a": 3, "b": 3.5, "c": true, "d": "3", "e": Infinity})";
    const auto members = jsonMembers(json);
    QVERIFY(members);
    QCOMPARE(members->at(0).integer(), 3);
    QCOMPARE(members->at(0).number(), 3.0);
    QVERIFY(!members->at(1).integer());
    QCOMPARE(members->at(1).number(), 3.5);
    for (qsizetype i = 2; i < members->size(); ++i) {
        QVERIFY(!members->at(i).integer());
        QVERIFY(!members->at(i).number());
    }
}

void TestJsonMembers::refusesWhatIsNoObject_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char *text : {"", "3", "[]", "null", "\"a\"", "{", "{\"a\": 1", "{\"a\": 1}}", "{\"a\": 1} x",
                             "{\"a\"}", "{'a': 1}", "{\"a\": 01}", "{\"a\": nul}", "[{\"a\": 1}]"})
        QTest::newRow(*text ? text : "nothing") << QByteArray(text);
}

void TestJsonMembers::refusesWhatIsNoObject()
{
    QFETCH(QByteArray, json);
    const auto members = jsonMembers(json);
    QVERIFY(!members);
    QVERIFY(!members.error().message.isEmpty());
}

void TestJsonMembers::survivesDeepNesting()
{
    constexpr int depth = 1'000'000;
    const QByteArray json = "{\"a\": " + QByteArray(depth, '[') + QByteArray(depth, ']') + '}';
    const auto members = jsonMembers(json);
    QVERIFY(members);
    QCOMPARE(members->at(0).raw.size(), 2 * depth);
    QVERIFY(!jsonMembers("{\"a\": " + QByteArray(depth, '[')));
}

QTEST_GUILESS_MAIN(TestJsonMembers)
#include "tst_jsonmembers.moc"
