// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journal.h"

#include <QTest>

using namespace proctor;

class TestJournalEvent : public QObject
{
    Q_OBJECT

private slots:
    void writesOneLine();
    void survivesARoundTrip_data();
    void survivesARoundTrip();
    void refusesWhatIsNoEvent_data();
    void refusesWhatIsNoEvent();
};

static JournalEvent eventOf(JournalEvent::Kind kind)
{
    JournalEvent event;
    event.at = QDateTime(QDate(2026, 11, 30), QTime(12, 0, 0, 5), Qt::UTC);
    event.kind = kind;
    return event;
}

static JournalEvent slotEvent(JournalEvent::Kind kind)
{
    JournalEvent event = eventOf(kind);
    event.slot = {QString::fromUtf8("a#1 \"酒\""), 2};
    event.attempt = 3;
    return event;
}

static Result resultOf(const JournalEvent &event, const Outcome &outcome)
{
    Result result;
    result.instanceId = event.slot.instanceId;
    result.runId = event.slot.run;
    result.attempt = event.attempt;
    result.outcome = outcome;
    return result;
}

void TestJournalEvent::writesOneLine()
{
    JournalEvent event = slotEvent(JournalEvent::Kind::Phase);
    event.phase = Phase::Agent;
    QCOMPARE(event.toJsonLine(),
             QByteArray("{\"at\": \"2026-11-30T12:00:00.005Z\", \"event\": \"phase\", \"slot\": "
                        "\"a#1 \\\"酒\\\"#2\", \"attempt\": 3, \"phase\": \"agent\"}"));
    QCOMPARE(eventOf(JournalEvent::Kind::Stopped).toJsonLine(),
             QByteArray("{\"at\": \"2026-11-30T12:00:00.005Z\", \"event\": \"stopped\"}"));
}

void TestJournalEvent::survivesARoundTrip_data()
{
    QTest::addColumn<JournalEvent>("event");
    QTest::newRow("started") << slotEvent(JournalEvent::Kind::Started);
    JournalEvent phase = slotEvent(JournalEvent::Kind::Phase);
    phase.phase = Phase::Clean;
    QTest::newRow("phase") << phase;
    JournalEvent outcome = slotEvent(JournalEvent::Kind::Outcome);
    outcome.result = resultOf(outcome, Outcome::scored(0.25));
    QTest::newRow("outcome") << outcome;
    JournalEvent recovered = slotEvent(JournalEvent::Kind::Recovered);
    recovered.phase = Phase::Setup;
    recovered.result = resultOf(recovered, Outcome::lost(Phase::Setup, QStringLiteral("gone")));
    QTest::newRow("recovered") << recovered;
    QTest::newRow("stopped") << eventOf(JournalEvent::Kind::Stopped);
    QTest::newRow("resumed") << eventOf(JournalEvent::Kind::Resumed);
}

void TestJournalEvent::survivesARoundTrip()
{
    QFETCH(JournalEvent, event);
    const QByteArray line = event.toJsonLine();
    QVERIFY(!line.contains('\n'));
    const auto again = JournalEvent::fromJson(line);
    QVERIFY(again);
    QCOMPARE(again->toJsonLine(), line);
    QVERIFY(*again == event);
}

void TestJournalEvent::refusesWhatIsNoEvent_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("cut") << QByteArray(R"({"at": "2026-11-30T12:00:00Z", "event": "sta)");
    QTest::newRow("header") << QByteArray(R"({"schema_version": 1})");
    QTest::newRow("unknown") << QByteArray(R"({"event": "danced", "slot": "a#1"})");
    QTest::newRow("no slot") << QByteArray(R"({"event": "started"})");
    QTest::newRow("slot without run") << QByteArray(R"({"event": "started", "slot": "a"})");
    QTest::newRow("no outcome") << QByteArray(R"({"event": "outcome", "slot": "a#1"})");
    QTest::newRow("broken outcome") << QByteArray(
        R"({"event": "outcome", "slot": "a#1", "outcome": {"reward": 1}})");
}

void TestJournalEvent::refusesWhatIsNoEvent()
{
    QFETCH(QByteArray, line);
    const auto event = JournalEvent::fromJson(line);
    QVERIFY(!event);
    QVERIFY(!event.error().message.isEmpty());
}

QTEST_GUILESS_MAIN(TestJournalEvent)
#include "tst_journalevent.moc"
