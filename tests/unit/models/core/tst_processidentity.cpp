// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/processidentity.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace proctor;

class TestProcessIdentity : public QObject
{
    Q_OBJECT

private slots:
    void currentLives();
    void anotherStartTimeIsAnotherProcess();
    void anotherBootIsGone();
    void anotherMachineIsUnknown();
    void zombieIsGone();
    void textRoundTrip();
    void brokenText_data();
    void brokenText();
};

void TestProcessIdentity::currentLives()
{
    const ProcessIdentity self = ProcessIdentity::current();
    QCOMPARE(self.pid, qint64(getpid()));
    QVERIFY(self.startTime > 0);
    QVERIFY(!self.boot.isEmpty());
    QCOMPARE(self.machine.size(), 16);
    QVERIFY(self.isOfThisMachine());
    QCOMPARE(self.life(), ProcessIdentity::Life::Lives);
    QCOMPARE(ProcessIdentity::of(self.pid), self);
}

void TestProcessIdentity::anotherStartTimeIsAnotherProcess()
{
    ProcessIdentity other = ProcessIdentity::current();
    ++other.startTime;
    QCOMPARE(other.life(), ProcessIdentity::Life::Gone);
}

void TestProcessIdentity::anotherBootIsGone()
{
    ProcessIdentity other = ProcessIdentity::current();
    other.boot = QStringLiteral("00000000-0000-0000-0000-000000000000");
    QCOMPARE(other.life(), ProcessIdentity::Life::Gone);
}

void TestProcessIdentity::anotherMachineIsUnknown()
{
    const ProcessIdentity here = ProcessIdentity::current();
    qputenv("PROCTOR_MACHINE_ID", "elsewhere");
    const ProcessIdentity there = ProcessIdentity::current();
    QCOMPARE(here.life(), ProcessIdentity::Life::Unknown);
    QCOMPARE(there.life(), ProcessIdentity::Life::Lives);
    qunsetenv("PROCTOR_MACHINE_ID");
    QVERIFY(here.machine != there.machine);
    QCOMPARE(there.life(), ProcessIdentity::Life::Unknown);
}

void TestProcessIdentity::zombieIsGone()
{
    int ends[2];
    QCOMPARE(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    const auto identity = ProcessIdentity::of(child);
    QVERIFY(identity.has_value());
    QCOMPARE(identity->life(), ProcessIdentity::Life::Lives);
    close(ends[1]);
    close(ends[0]);
    QTRY_COMPARE(identity->life(), ProcessIdentity::Life::Gone);
    QVERIFY(!ProcessIdentity::of(child));
    QCOMPARE(waitpid(child, nullptr, 0), child);
    QCOMPARE(identity->life(), ProcessIdentity::Life::Gone);
}

void TestProcessIdentity::textRoundTrip()
{
    const ProcessIdentity self = ProcessIdentity::current();
    QCOMPARE(ProcessIdentity::fromText(self.toText()), self);
}

void TestProcessIdentity::brokenText_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("too few") << QStringLiteral("m:b:1");
    QTest::newRow("too many") << QStringLiteral("m:b:1:2:3");
    QTest::newRow("no machine") << QStringLiteral(":b:1:2");
    QTest::newRow("pid no number") << QStringLiteral("m:b:x:2");
    QTest::newRow("pid of nobody") << QStringLiteral("m:b:0:2");
    QTest::newRow("a group, not a process") << QStringLiteral("m:b:-1:2");
    QTest::newRow("start no number") << QStringLiteral("m:b:1:");
}

void TestProcessIdentity::brokenText()
{
    QFETCH(QString, text);
    QVERIFY(!ProcessIdentity::fromText(text));
}

QTEST_GUILESS_MAIN(TestProcessIdentity)
#include "tst_processidentity.moc"
