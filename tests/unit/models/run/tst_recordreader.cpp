// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/recordreader.h"

#include <QTest>

using namespace proctor;

class TestRecordReader : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithTheCarefulReader_data();
    void agreesWithTheCarefulReader();
    void tellsThePeersRecords();
    void readsManyWithOneReader();
};

void TestRecordReader::agreesWithTheCarefulReader_data()
{
    QTest::addColumn<QByteArray>("line");
    for (
        const char *text : {
            R"({"instance_id": "a", "domain": "hotel", "reward": 1.0, "error": null, "duration_sec": 7.5})",
            R"({"instance_id": "酒\n\"1\"", "domain": null, "run_id": 3, "reward": 0, "error": null})",
            R"({"instance_id": "a", "reward": null, "error": "agent exit 1: ", "phase": "agent", "duration_sec": 6})",
            R"({"instance_id": "a", "reward": null, "error": "e", "phase": "timeout", "state": "failed", "fault":
 "agent", "step": "agent", "flags": ["truncated", "oom"], "attempt": 4})",
            R"({"instance_id": "a", "reward": NaN})",
            R"({"instance_id": "a", "reward": 1.7})",
            R"({"instance_id": "a", "reward": true})",
            R"({"instance_id": "a", "reward": "0.5"})",
            R"({"instance_id": "a", "reward": 0.5, "run_id": null, "tokens": 123456789012345678901234567890})",
            R"({"instance_id": "a", "reward": 0.5, "run_id": "2", "state": "dancing"})",
            R"({"instance_id": "a", "reward": null, "phase": "unheard", "error": 3})",
            R"({"instance_id": "a", "reward": 0.25, "reward": 0.5})",
            R"({"instance_id": "a", "reward": 0.5, "attempt": 99999999999})",
            R"({"instance_id": "a", "reward": 0.5} {"instance_id": "b"})",
            R"({"instance_id": "a", "reward": 0.5}})",
            R"({"instance_id": "a", "reward": 0.5)",
            R"({"instance_id": "a", "reward": 0.5, "domain": "hot)",
            R"({"instance_id": "", "reward": 0.5})",
            R"({"instance_id": 7, "reward": 0.5})",
            R"({"reward": 0.5})",
            R"([1])",
            R"(null)",
            R"(7)",
            "{\"instance_id\": \"\xff\", \"reward\": 0.5}",
        })
        QTest::newRow(text) << QByteArray(text);
}

void TestRecordReader::agreesWithTheCarefulReader()
{
    QFETCH(QByteArray, line);
    RecordReader reader;
    const auto fast = reader.read(line);
    const auto careful = Result::fromJson(line);
    QCOMPARE(fast.hasValue(), careful.hasValue());
    if (!careful)
        return;
    QCOMPARE(fast->result.toJsonLine(), careful->toJsonLine());
    QVERIFY(fast->result == *careful);
}

void TestRecordReader::tellsThePeersRecords()
{
    RecordReader reader;
    Result ours;
    ours.instanceId = QStringLiteral("a");
    ours.outcome = Outcome::scored(1);
    QVERIFY(!reader.read(ours.toJsonLine())->byPeer);
    ours.extra = R"({"cost": 1})";
    QVERIFY(!reader.read(ours.toJsonLine())->byPeer);
    QVERIFY(reader.read(R"({"instance_id": "a", "reward": 1.0})")->byPeer);
    QVERIFY(reader.read(R"({"instance_id": "a", "reward": 1.0, "cost": 1})")->byPeer);
}

void TestRecordReader::readsManyWithOneReader()
{
    RecordReader reader;
    for (int i = 0; i < 1000; ++i) {
        const QByteArray number = QByteArray::number(i);
        const auto record = reader.read("{\"instance_id\": \"i" + number + "\", \"domain\": \"d" +
                                        QByteArray::number(i % 3) + "\", \"reward\": 0.5}");
        QVERIFY(record);
        QCOMPARE(record->result.instanceId, QString::fromLatin1("i" + number));
        QCOMPARE(record->result.domain, QStringLiteral("d%1").arg(i % 3));
        QVERIFY(!reader.read("{\"instance_id\": "));
    }
}

QTEST_GUILESS_MAIN(TestRecordReader)
#include "tst_recordreader.moc"
