// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/reaper.h"

#include "app/process/ownedfolder.h"
#include "app/process/ownermark.h"
#include "app/process/processtable.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace proctor;

namespace
{

const QString fakeChildPath = QStringLiteral(PROCTOR_BUILD_DIR "/bin/fakechild");

ProcessIdentity living()
{
    return ProcessIdentity::current();
}

ProcessIdentity dead()
{
    ProcessIdentity identity = living();
    ++identity.startTime;
    return identity;
}

ProcessIdentity elsewhere()
{
    ProcessIdentity identity = dead();
    identity.machine = QStringLiteral("0123456789abcdef");
    return identity;
}

ProcessIdentity ofAnotherBoot()
{
    ProcessIdentity identity = dead();
    identity.boot = QStringLiteral("00000000-0000-0000-0000-000000000000");
    return identity;
}

/// Processes with `word` on their command line.
QList<qint64> processesNamed(const QByteArray &word)
{
    QList<qint64> pids;
    for (const ProcessEntry &entry : processTable()) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(entry.pid));
        if (!entry.hasEnded() && file.open(QIODevice::ReadOnly) && file.readAll().contains(word))
            pids.append(entry.pid);
    }
    return pids;
}

/// Starts a program as if a Proctor with this identity had, and had left it behind.
qint64 leave(const ProcessIdentity &owner, const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProgram(program);
    process.setArguments(arguments);
    process.setStandardOutputFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    OwnerMark{owner, {}}.addTo(&environment);
    process.setProcessEnvironment(environment);
    qint64 pid = 0;
    return process.startDetached(&pid) ? pid : 0;
}

} // namespace

Q_DECLARE_METATYPE(ProcessIdentity)

class TestReaper : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void endsProcessesOfTheDeadOnly_data();
    void endsProcessesOfTheDeadOnly();
    void endsWhatClearedItsEnvironment();
    void removesFoldersOfTheDeadOnly_data();
    void removesFoldersOfTheDeadOnly();
    void ownedFolderRemovesItself();
    void marks_data();
    void marks();

private:
    QByteArray m_name;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestReaper::init()
{
    static int number = 0;
    m_name = "reaped-" + QByteArray::number(getpid()) + '-' + QByteArray::number(++number);
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestReaper::cleanup()
{
    for (const qint64 pid : processesNamed(m_name))
        ::kill(static_cast<pid_t>(pid), SIGKILL);
}

void TestReaper::endsProcessesOfTheDeadOnly_data()
{
    QTest::addColumn<ProcessIdentity>("owner");
    QTest::addColumn<bool>("isEnded");
    QTest::newRow("dead") << dead() << true;
    QTest::newRow("living") << living() << false;
    QTest::newRow("another machine") << elsewhere() << false;
    QTest::newRow("another boot") << ofAnotherBoot() << false;
}

void TestReaper::endsProcessesOfTheDeadOnly()
{
    QFETCH(ProcessIdentity, owner);
    QFETCH(bool, isEnded);
    const QStringList steps = {
        QStringLiteral("ignore-term"), QStringLiteral("daemon"), QStringLiteral("60000"),
        QStringLiteral("grandchild"),  QStringLiteral("60000"),  QStringLiteral("print"),
        QString::fromLatin1(m_name),   QStringLiteral("sleep"),  QStringLiteral("60000")};
    const qint64 pid = leave(owner, fakeChildPath, steps);
    QVERIFY(pid > 0);
    QTRY_COMPARE(processesNamed(m_name).size(), 3);

    const Reaper reaper(m_folder->path());
    const auto isAmong = [pid](const Leftovers &leftovers) {
        return std::any_of(leftovers.processes.begin(), leftovers.processes.end(),
                           [pid](const auto &process) { return process.pid == pid; });
    };
    const Leftovers found = reaper.find();
    QCOMPARE(isAmong(found), isEnded);
    QCOMPARE(processesNamed(m_name).size(), 3);
    const Leftovers removed = reaper.remove();
    QCOMPARE(isAmong(removed), isEnded);
    if (isEnded) {
        QVERIFY(removed.processes.value(0).command.contains(QStringLiteral("fakechild")));
        QTRY_COMPARE(processesNamed(m_name).size(), 0);
        QVERIFY(!isAmong(reaper.find()));
    } else {
        QCOMPARE(processesNamed(m_name).size(), 3);
    }
}

void TestReaper::endsWhatClearedItsEnvironment()
{
    const QString script = QStringLiteral("setsid env -i '%1' print %2 sleep 60000 & wait")
                               .arg(fakeChildPath, QString::fromLatin1(m_name));
    QVERIFY(leave(dead(), QStringLiteral("/bin/sh"), {QStringLiteral("-c"), script}) > 0);
    const auto unmarked = [this] {
        int count = 0;
        for (const qint64 pid : processesNamed(m_name)) {
            if (environmentOf(pid).isEmpty())
                ++count;
        }
        return count;
    };
    QTRY_COMPARE(unmarked(), 1);
    Reaper(m_folder->path()).remove();
    QTRY_COMPARE(processesNamed(m_name).size(), 0);
}

void TestReaper::removesFoldersOfTheDeadOnly_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<bool>("isRemoved");
    const QString name = QStringLiteral("proctor-abc");
    QTest::newRow("dead") << name << dead().toText().toLatin1() << true;
    QTest::newRow("dead, from before the boot") << name << ofAnotherBoot().toText().toLatin1() << true;
    QTest::newRow("living") << name << living().toText().toLatin1() << false;
    QTest::newRow("another machine") << name << elsewhere().toText().toLatin1() << false;
    QTest::newRow("another name") << QStringLiteral("other-abc") << dead().toText().toLatin1() << false;
    QTest::newRow("no owner") << name << QByteArray() << false;
    QTest::newRow("broken owner") << name << QByteArray("whoever") << false;
}

void TestReaper::removesFoldersOfTheDeadOnly()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, owner);
    QFETCH(bool, isRemoved);
    const QString path = m_folder->filePath(name);
    QVERIFY(QDir().mkpath(path + QStringLiteral("/deep/er")));
    QFile file(path + QStringLiteral("/.owner"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(owner);
    file.close();
    // What a link points at is not ours.
    QTemporaryDir foreign;
    QVERIFY(QDir(foreign.path()).mkdir(QStringLiteral("kept")));
    QVERIFY(QFile::link(foreign.path(), path + QStringLiteral("/link")));
    QVERIFY(QFile::link(path, m_folder->filePath(QStringLiteral("proctor-link"))));

    const Reaper reaper(m_folder->path());
    const QStringList expected = isRemoved ? QStringList{path} : QStringList();
    QCOMPARE(reaper.find().folders, expected);
    QVERIFY(QDir(path).exists());
    const Leftovers removed = reaper.remove();
    QCOMPARE(removed.folders, expected);
    QCOMPARE(removed.problems, QStringList());
    QCOMPARE(QDir(path).exists(), !isRemoved);
    QVERIFY(QDir(foreign.filePath(QStringLiteral("kept"))).exists());
}

void TestReaper::ownedFolderRemovesItself()
{
    auto folder = OwnedFolder::create(m_folder->path());
    QVERIFY(folder.hasValue());
    const QString path = (*folder)->path();
    QVERIFY(QDir(path).exists());
    QCOMPARE(OwnedFolder::ownerOf(path)->owner, ProcessIdentity::current());
    QCOMPARE(Reaper(m_folder->path()).find().folders, QStringList());
    folder.value().reset();
    QVERIFY(!QDir(path).exists());

    const auto failed = OwnedFolder::create(QStringLiteral("/nonexistent"));
    QVERIFY(!failed.hasValue());
    QVERIFY(!failed.error().message.isEmpty());
}

void TestReaper::marks_data()
{
    QTest::addColumn<QByteArray>("environment");
    QTest::addColumn<bool>("isMarked");
    QTest::addColumn<QString>("run");
    const QByteArray owner = "PROCTOR_OWNER=" + dead().toText().toLatin1();
    const QByteArray nul(1, '\0');
    QTest::newRow("owner") << owner + nul << true << QString();
    QTest::newRow("owner and run") << "A=b" + nul + owner + nul + "PROCTOR_RUN=r" + nul << true
                                   << QStringLiteral("r");
    QTest::newRow("without the last NUL") << "A=b" + nul + owner << true << QString();
    QTest::newRow("nothing") << QByteArray() << false << QString();
    QTest::newRow("another name") << "X" + owner + nul << false << QString();
    QTest::newRow("cut") << owner.left(30) + nul << false << QString();
}

void TestReaper::marks()
{
    QFETCH(QByteArray, environment);
    QFETCH(bool, isMarked);
    QFETCH(QString, run);
    const auto mark = OwnerMark::fromEnvironment(environment);
    QCOMPARE(mark.has_value(), isMarked);
    if (!mark)
        return;
    QCOMPARE(mark->owner, dead());
    QCOMPARE(mark->run, run);
    QVERIFY(!mark->isAlive());
}

QTEST_GUILESS_MAIN(TestReaper)
#include "tst_reaper.moc"
