// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runlock.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;

class TestRunLock : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void isHeldByOneAtATime();
    void namesAHolderThatIsAlive();
    void isTakenFromTheDead_data();
    void isTakenFromTheDead();
    void staysWithALiveLeaseElsewhere();
    void goesToOneOfManyThatStartTogether();
    void isLostToWhoTookItMeanwhile();
    void isRenewed();
    void leavesTheLockOfAnother();
    void explainsWhenItCannotBeWritten();

private:
    QString path() const { return m_folder->filePath(u"run.lock"_s); }
    void write(const QByteArray &content) const;
    void write(const ProcessIdentity &process, int leaseSeconds) const;
    std::optional<LockHolder> holder() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestRunLock::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestRunLock::cleanup()
{
    qunsetenv("PROCTOR_MACHINE_ID");
    qunsetenv("PROCTOR_BOOT_ID");
}

void TestRunLock::write(const QByteArray &content) const
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

void TestRunLock::write(const ProcessIdentity &process, int leaseSeconds) const
{
    write(LockHolder{process, QDateTime::currentDateTimeUtc().addSecs(leaseSeconds)}.toJson());
}

std::optional<LockHolder> TestRunLock::holder() const
{
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? LockHolder::fromJson(file.readAll()) : std::nullopt;
}

void TestRunLock::isHeldByOneAtATime()
{
    auto first = RunLock::acquire(path());
    QVERIFY(first);
    QVERIFY(holder()->process == ProcessIdentity::current());
    QVERIFY(!RunLock::acquire(path()));
    first->release();
    QVERIFY(!QFile::exists(path()));
    QVERIFY(RunLock::acquire(path()));
}

void TestRunLock::namesAHolderThatIsAlive()
{
    // The parent of the test outlives it. Its lease is over, but on one machine that does not matter.
    const ProcessIdentity parent = *ProcessIdentity::of(getppid());
    write(parent, -1000);
    const auto lock = RunLock::acquire(path());
    QVERIFY(!lock);
    QVERIFY(lock.error().message.contains(QString::number(parent.pid)));
    QVERIFY(holder()->process == parent);
}

void TestRunLock::isTakenFromTheDead_data()
{
    QTest::addColumn<QByteArray>("content");
    const ProcessIdentity self = ProcessIdentity::current();
    const QDateTime later = QDateTime::currentDateTimeUtc().addSecs(1000);
    const auto row = [](const char *name, const ProcessIdentity &process, const QDateTime &lease) {
        QTest::newRow(name) << LockHolder{process, lease}.toJson();
    };
    row("no such process", {self.machine, self.boot, 1 << 30, 1}, later);
    row("process id given to another", {self.machine, self.boot, getppid(), 1}, later);
    row("lease over on another machine", {u"elsewhere"_s, self.boot, 1, 1}, later.addSecs(-1001));
    row("lease over before the last boot", {self.machine, u"earlier"_s, 1, 1}, later.addSecs(-1001));
    QTest::newRow("empty file") << QByteArray();
    QTest::newRow("half written") << QByteArray(R"({"machine":"a","bo)");
    QTest::newRow("no lease") << QByteArray(R"({"machine":"a","boot":"b","pid":3,"start":4})");

    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t ended = {};
    waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
    QVERIFY(!ProcessIdentity::of(child));
    row("ended and not collected", {self.machine, self.boot, child, 1}, later);
    waitpid(child, nullptr, 0);
}

void TestRunLock::isTakenFromTheDead()
{
    QFETCH(QByteArray, content);
    write(content);
    QVERIFY(RunLock::acquire(path()));
    QVERIFY(holder()->process == ProcessIdentity::current());
}

void TestRunLock::staysWithALiveLeaseElsewhere()
{
    qputenv("PROCTOR_MACHINE_ID", "elsewhere");
    qputenv("PROCTOR_BOOT_ID", "b");
    ProcessIdentity other = ProcessIdentity::current();
    other.pid = 1 << 30;
    qunsetenv("PROCTOR_MACHINE_ID");
    qunsetenv("PROCTOR_BOOT_ID");
    write(other, 30);
    const auto lock = RunLock::acquire(path());
    QVERIFY(!lock);
    QVERIFY(lock.error().message.contains(other.machine));
    QVERIFY(holder()->process == other);

    // Seen from that machine the same process is known to be gone.
    qputenv("PROCTOR_MACHINE_ID", "elsewhere");
    qputenv("PROCTOR_BOOT_ID", "b");
    QVERIFY(RunLock::acquire(path()));
}

void TestRunLock::goesToOneOfManyThatStartTogether()
{
    static constexpr int processes = 8;
    for (int round = 0; round < 10; ++round) {
        // A dead holder, whose lock all of them find at the same time.
        ProcessIdentity dead = ProcessIdentity::current();
        dead.pid = 1 << 30;
        write(dead, 1000);

        int start[2], answers[2], finish[2];
        QVERIFY(pipe(start) == 0 && pipe(answers) == 0 && pipe(finish) == 0);
        QList<pid_t> children;
        for (int i = 0; i < processes; ++i) {
            const pid_t child = fork();
            if (child == 0) {
                ::close(start[1]);
                ::close(finish[1]);
                char byte = 0;
                static_cast<void>(!::read(start[0], &byte, 1));
                byte = RunLock::acquire(path()) ? 'y' : 'n';
                static_cast<void>(!::write(answers[1], &byte, 1));
                // Who got it stays alive until all have tried.
                static_cast<void>(!::read(finish[0], &byte, 1));
                _exit(0);
            }
            children << child;
        }
        ::close(start[1]);
        QByteArray got;
        while (got.size() < processes) {
            char byte = 0;
            QCOMPARE(::read(answers[0], &byte, 1), 1);
            got += byte;
        }
        ::close(finish[1]);
        for (const pid_t child : children)
            waitpid(child, nullptr, 0);
        for (const int fd : {start[0], answers[0], answers[1], finish[0]})
            ::close(fd);
        QCOMPARE(got.count('y'), 1);
    }
}

void TestRunLock::isLostToWhoTookItMeanwhile()
{
    auto lock = RunLock::acquire(path());
    QVERIFY(lock);
    const ProcessIdentity other{u"elsewhere"_s, u"b"_s, 12, 1};
    write(other, 60);
    const auto renewed = lock->renew();
    QVERIFY(!renewed);
    QVERIFY(lock->isLost());
    QVERIFY(renewed.error().message.contains(other.machine));
    QVERIFY(holder()->process == other);
}

void TestRunLock::isRenewed()
{
    auto lock = RunLock::acquire(path());
    QVERIFY(lock);
    QVERIFY(!lock->needsRenewal());
    const ProcessIdentity self = ProcessIdentity::current();
    write(self, 1);
    QVERIFY(lock->renew());
    QVERIFY(holder()->leaseUntil > QDateTime::currentDateTimeUtc().addSecs(RunLock::leaseSeconds - 5));

    QVERIFY(QFile::remove(path()));
    QVERIFY(lock->renew());
    QVERIFY(holder()->process == self);
}

void TestRunLock::leavesTheLockOfAnother()
{
    auto lock = RunLock::acquire(path());
    QVERIFY(lock);
    const ProcessIdentity other{u"elsewhere"_s, u"b"_s, 12, 1};
    write(other, 60);
    lock->release();
    QVERIFY(holder()->process == other);
}

void TestRunLock::explainsWhenItCannotBeWritten()
{
    write("x");
    const QString below = path() + u"/run.lock"_s;
    const auto lock = RunLock::acquire(below);
    QVERIFY(!lock);
    QCOMPARE(lock.error().file, below);
}

QTEST_GUILESS_MAIN(TestRunLock)
#include "tst_runlock.moc"
