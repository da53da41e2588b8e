// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/process.h"

#include "app/process/linesplitter.h"
#include "app/process/processtable.h"
#include "tests/support/fakechild.h"

#include <QCoroTask>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

using namespace proctor;
using namespace std::chrono_literals;

namespace
{

using Kind = ProcessEnd::Kind;

#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitizerKeepsFreedMemory = true;
#else
constexpr bool sanitizerKeepsFreedMemory = false;
#endif

ProcessEnd runToEnd(const ProcessSpec &spec, const CancellationToken &token = {})
{
    Process process(spec);
    return QCoro::waitFor(process.run(token));
}

/// Processes of a session or group that are no zombies.
QList<qint64> aliveIn(qint64 group)
{
    QList<qint64> pids;
    for (const ProcessEntry &entry : processTable()) {
        if (!entry.hasEnded() && (entry.session == group || entry.group == group))
            pids.append(entry.pid);
    }
    return pids;
}

qint64 residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

bool isZombie(qint64 pid)
{
    const auto table = processTable();
    return table.contains(pid) && table.value(pid).hasEnded();
}

} // namespace

class TestProcess : public QObject
{
    Q_OBJECT

private slots:
    void cleanup();
    void endsInAValue_data();
    void endsInAValue();
    void failsToStartAtOnce_data();
    void failsToStartAtOnce();
    void failsToStartWithinTheCall();
    void cancelledBeforeTheStart();
    void inputIsFed();
    void inputIsNullUnlessFed();
    void talksInBothDirections();
    void keepsCharactersIntact();
    void hugeOutputStaysBounded();
    void spillsToFiles();
    void unwritableFileDisturbsNothing();
    void mergesStreams();
    void inheritsNothing();
    void marksItsChildren();
    void destroyedWhileRunning();
    void destroyedWhileAwaited();
    void deletedBySlot_data();
    void deletedBySlot();
    void interruptReachesTheChild();
    void grandchildDoesNotHoldTheResultBack();
    void groupMayBeLeft();
    void daemonsAreEnded();
    void dropsCredentials();
    void cannotDropCredentials();
    void givesUpOnWhatCannotBeEnded();
    void isBoundToItsParent();
    void endsWithItsThread();
};

void TestProcess::cleanup()
{
    QTRY_COMPARE(liveProcesses(), 0);
}

void TestProcess::endsInAValue_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<bool>("endsByItself");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("cause");

    struct Behaviour {
        const char *steps;
        bool endsByItself;
        int exitCode;
        int signal;
        QByteArray output;
    };
    const QList<Behaviour> behaviours = {
        {"line hello", true, 0, 0, "hello\n"},
        {"print half", true, 0, 0, "half"},
        {"exit 3", true, 3, 0, {}},
        {"signal 15", true, -1, SIGTERM, {}},
        {"crash", true, -1, SIGABRT, {}},
        {"bytes ff00fe0a", true, 0, 0, QByteArray("\xff\0\xfe\n", 4)},
        {"lines 3 0", true, 0, 0, "1\n2\n3\n"},
        {"line up grandchild 60000", true, 0, 0, "up\n"},
        {"line up ignore-term grandchild 60000", true, 0, 0, "up\n"},
        {"line up close-output", true, 0, 0, "up\n"},
        {"line up sleep 60000", false, -1, SIGTERM, "up\n"},
        {"ignore-term line up sleep 60000", false, -1, SIGKILL, "up\n"},
        {"line up grandchild 60000 sleep 60000", false, -1, SIGTERM, "up\n"},
        {"ignore-term line up grandchild 60000 sleep 60000", false, -1, SIGKILL, "up\n"},
        {"line up close-output sleep 60000", false, -1, SIGTERM, "up\n"},
        {"line up stop", false, -1, SIGTERM, "up\n"},
        {"line up daemon 1000 sleep 60000", false, -1, SIGTERM, "up\n"},
        {"line up lines 100000 100", false, -1, SIGTERM, "up\n1\n"},
        {"line up huge 100000000000", false, -1, SIGTERM, "up\nxxx"},
        {"echo line done", true, 0, 0, "done\n"},
    };
    for (const Behaviour &behaviour : behaviours) {
        for (const char *cause : {"none", "limit", "cancel"}) {
            if (qstrcmp(cause, "none") == 0 && !behaviour.endsByItself)
                continue;
            QTest::addRow("%s, %s", behaviour.steps, cause)
                << QString::fromLatin1(behaviour.steps) << behaviour.endsByItself << behaviour.exitCode
                << behaviour.signal << behaviour.output << QString::fromLatin1(cause);
        }
    }
}

/// Programs that end by themselves are cancelled or run out of time only afterwards, which must change
/// nothing.
void TestProcess::endsInAValue()
{
    QFETCH(QString, steps);
    QFETCH(bool, endsByItself);
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    QFETCH(QByteArray, output);
    QFETCH(QString, cause);

    ProcessSpec spec = fakeChild(steps);
    spec.grace = 100ms;
    if (cause == u"limit")
        spec.timeLimit = endsByItself ? 30s : 300ms;
    CancellationSource source;
    Process process(spec);
    if (cause == u"cancel" && !endsByItself)
        connect(&process, &Process::standardOutput, this,
                [&, seen = qsizetype(0)](const QByteArray &bytes) mutable {
                    seen += bytes.size();
                    if (seen >= output.size())
                        source.cancel(QStringLiteral("enough"));
                });

    const ProcessEnd end = QCoro::waitFor(process.run(source.token()));
    source.cancel(QStringLiteral("too late"));

    Kind kind = Kind::Finished;
    if (!endsByItself)
        kind = cause == u"limit" ? Kind::TimedOut : Kind::Cancelled;
    QCOMPARE(end.kind, kind);
    QCOMPARE(end.exitCode, exitCode);
    QCOMPARE(end.signal, signal);
    QVERIFY2(endsByItself ? end.output == output : end.output.startsWith(output), end.output.left(100));
    QCOMPARE(end.reason, kind == Kind::Cancelled ? QStringLiteral("enough") : QString());
    QVERIFY(!end.sentence().isEmpty());
    QVERIFY(process.groupId() > 1);
    QTRY_COMPARE(aliveIn(process.groupId()), QList<qint64>());
    QVERIFY(!isZombie(process.processId()));
}

void TestProcess::failsToStartAtOnce_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("directory");
    QTest::newRow("missing path") << QStringLiteral("/nonexistent/program") << QString();
    QTest::newRow("missing name") << QStringLiteral("proctor-no-such-program") << QString();
    QTest::newRow("no program") << QStringLiteral("/etc/hostname") << QString();
    QTest::newRow("a folder") << QStringLiteral("/") << QString();
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("missing directory") << QStringLiteral("/bin/true") << QStringLiteral("/nonexistent");
}

void TestProcess::failsToStartAtOnce()
{
    QFETCH(QString, program);
    QFETCH(QString, directory);
    ProcessSpec spec;
    spec.program = program;
    spec.workingDirectory = directory;
    spec.timeLimit = 20s;
    spec.input = "unread";
    Process process(spec);
    QSignalSpy ended(&process, &Process::ended);
    const ProcessEnd end = QCoro::waitFor(process.run());
    QCOMPARE(end.kind, Kind::FailedToStart);
    QVERIFY(!end.reason.isEmpty());
    QVERIFY(end.duration < 5s);
    QTRY_COMPARE(ended.count(), 1);
}

/// Without a free descriptor QProcess reports the failure from inside start().
void TestProcess::failsToStartWithinTheCall()
{
    Process process(fakeChild(QStringLiteral("line hello")));
    QSignalSpy ended(&process, &Process::ended);
    rlimit before = {};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int firstFree = dup(0);
    close(firstFree);
    const rlimit none = {static_cast<rlim_t>(firstFree), before.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &none), 0);
    process.start();
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &before), 0);
    QVERIFY(!process.isRunning());
    QCOMPARE(ended.count(), 0);
    QCOMPARE(QCoro::waitFor(process.end()).kind, Kind::FailedToStart);
    QTRY_COMPARE(ended.count(), 1);
}

void TestProcess::cancelledBeforeTheStart()
{
    QTemporaryDir folder;
    CancellationSource source;
    source.cancel(QStringLiteral("not today"));
    const ProcessEnd end =
        runToEnd(fakeChild(QStringLiteral("file %1/made").arg(folder.path())), source.token());
    QCOMPARE(end.kind, Kind::Cancelled);
    QCOMPARE(end.reason, QStringLiteral("not today"));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("made"))));
}

void TestProcess::inputIsFed()
{
    ProcessSpec spec = fakeChild(QStringLiteral("echo"));
    spec.memoryBound = 4 * 1024 * 1024;
    spec.input = QByteArray(1024 * 1024, 'i');
    QCOMPARE(runToEnd(spec).output, spec.input);
}

void TestProcess::inputIsNullUnlessFed()
{
    const ProcessEnd end = runToEnd(fakeChild(QStringLiteral("echo line done")));
    QVERIFY(end.succeeded());
    QCOMPARE(end.output, QByteArray("done\n"));
}

void TestProcess::talksInBothDirections()
{
    ProcessSpec spec = fakeChild(QStringLiteral("echo"));
    spec.keepInputOpen = true;
    Process process(spec);
    QByteArray received;
    connect(&process, &Process::standardOutput, this, [&](const QByteArray &bytes) { received += bytes; });
    QSignalSpy ended(&process, &Process::ended);
    process.start();
    QVERIFY(process.write("one\n"));
    QTRY_COMPARE(received, QByteArray("one\n"));
    QVERIFY(process.write("two\n"));
    QTRY_COMPARE(received, QByteArray("one\ntwo\n"));
    QTRY_COMPARE(process.bytesToWrite(), 0);
    process.closeInput();
    QVERIFY(QCoro::waitFor(process.end()).succeeded());
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(!process.write("three\n"));
}

void TestProcess::keepsCharactersIntact()
{
    const QString text = QStringLiteral("杭州 – größer 🙂");
    ProcessSpec spec = fakeChild(QStringLiteral("echo"));
    spec.keepInputOpen = true;
    Process process(spec);
    LineSplitter splitter;
    QStringList lines;
    qsizetype chunks = 0;
    connect(&process, &Process::standardOutput, this, [&](const QByteArray &bytes) {
        ++chunks;
        for (const auto &line : splitter.add(bytes))
            lines.append(decodeLine(line.bytes));
    });
    process.start();
    const QByteArray bytes = text.toUtf8() + '\n';
    for (qsizetype at = 0; at < bytes.size(); ++at) {
        process.write(bytes.mid(at, 1));
        QTRY_COMPARE(chunks, at + 1);
    }
    process.closeInput();
    QVERIFY(QCoro::waitFor(process.end()).succeeded());
    QCOMPARE(lines, QStringList{text});
}

void TestProcess::hugeOutputStaysBounded()
{
    constexpr qint64 size = 200 * 1024 * 1024;
    const qint64 before = residentMegabytes();
    qint64 most = 0;
    qint64 seen = 0;
    Process process(fakeChild(QStringLiteral("huge %1 line end").arg(size)));
    connect(&process, &Process::standardOutput, this, [&](const QByteArray &bytes) {
        seen += bytes.size();
        most = qMax(most, residentMegabytes());
    });
    const ProcessEnd end = QCoro::waitFor(process.run());
    QVERIFY(end.succeeded());
    QCOMPARE(seen, size + 4);
    QVERIFY2(most - before < 50 || sanitizerKeepsFreedMemory,
             qPrintable(QStringLiteral("grew by %1 MB").arg(most - before)));
    QCOMPARE(end.outputDropped, size + 4 - 1024 * 1024);
    QVERIFY(end.output.endsWith("xend\n"));
    QVERIFY(end.output.contains(QByteArray::number(end.outputDropped) + " bytes left out"));
    QVERIFY(end.output.size() < 1024 * 1024 + 100);
}

void TestProcess::spillsToFiles()
{
    QTemporaryDir folder;
    ProcessSpec spec = fakeChild(QStringLiteral("lines 100 0 error oops"));
    spec.outputFile = folder.filePath(QStringLiteral("out.log"));
    spec.errorsFile = folder.filePath(QStringLiteral("err.log"));
    spec.memoryBound = 0;
    spec.fileBound = 10;
    const ProcessEnd end = runToEnd(spec);
    QVERIFY(end.succeeded());
    QFile out(spec.outputFile);
    QVERIFY(out.open(QIODevice::ReadOnly));
    QCOMPARE(out.readAll(), QByteArray("1\n2\n3\n4\n5\n\n[282 bytes left out]\n"));
    QFile err(spec.errorsFile);
    QVERIFY(err.open(QIODevice::ReadOnly));
    QCOMPARE(err.readAll(), QByteArray("oops\n"));
    QVERIFY(end.fileProblem.contains(QStringLiteral("out.log")));
    QCOMPARE(end.outputDropped, 292);
}

void TestProcess::unwritableFileDisturbsNothing()
{
    ProcessSpec spec = fakeChild(QStringLiteral("line hello"));
    spec.outputFile = QStringLiteral("/nonexistent/out.log");
    const ProcessEnd end = runToEnd(spec);
    QVERIFY(end.succeeded());
    QCOMPARE(end.output, QByteArray("hello\n"));
    QVERIFY(end.fileProblem.contains(QStringLiteral("/nonexistent/out.log")));
}

void TestProcess::mergesStreams()
{
    ProcessSpec spec = fakeChild(QStringLiteral("line a error b line c"));
    spec.mergeStreams = true;
    QCOMPARE(runToEnd(spec).output, QByteArray("a\nb\nc\n"));
    spec.mergeStreams = false;
    const ProcessEnd end = runToEnd(spec);
    QCOMPARE(end.output, QByteArray("a\nc\n"));
    QCOMPARE(end.errors, QByteArray("b\n"));
}

void TestProcess::inheritsNothing()
{
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto handler = ::signal(SIGHUP, SIG_IGN);
    int leaking[2];
    QCOMPARE(pipe(leaking), 0);

    QTemporaryDir folder;
    ProcessSpec spec =
        fakeChild(QStringLiteral("signals descriptors session directory umask environment HOME"));
    spec.environment = QProcessEnvironment();
    spec.workingDirectory = QFileInfo(folder.path()).canonicalFilePath();
    spec.umask = 0027;
    Process process(spec);
    const ProcessEnd end = QCoro::waitFor(process.run());

    close(leaking[0]);
    close(leaking[1]);
    ::signal(SIGHUP, handler);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    const QByteArray pid = QByteArray::number(process.processId());
    QCOMPARE(end.output, "\n0 1 2 \n" + pid + ' ' + pid + ' ' + pid + '\n' + spec.workingDirectory.toUtf8() +
                             "\n0027\n(unset)\n");
}

void TestProcess::marksItsChildren()
{
    ProcessSpec spec = fakeChild(QStringLiteral("environment PROCTOR_OWNER environment PROCTOR_RUN"));
    const ProcessEnd plain = runToEnd(spec);
    const QByteArray self = QByteArray::number(getpid());
    QVERIFY2(plain.output.contains(':' + self + ':'), plain.output);
    QVERIFY(plain.output.endsWith("\n(unset)\n"));
    spec.environment = QProcessEnvironment();
    spec.resultsFolder = QStringLiteral("/some/results");
    const ProcessEnd marked = runToEnd(spec);
    QVERIFY2(marked.output.contains(':' + self + ':'), marked.output);
    QVERIFY(!marked.output.contains("(unset)"));
}

void TestProcess::destroyedWhileRunning()
{
    QElapsedTimer clock;
    auto process = std::make_unique<Process>(fakeChild(QStringLiteral("ignore-term line up sleep 60000")));
    QSignalSpy output(process.get(), &Process::standardOutput);
    process->start();
    QTRY_COMPARE(output.count(), 1);
    const qint64 group = process->groupId();
    clock.start();
    process.reset();
    QVERIFY2(clock.elapsed() < 100, "destroying it blocked");
    QCOMPARE(liveProcesses(), 1);
    QTRY_COMPARE(liveProcesses(), 0);
    QCOMPARE(aliveIn(group), QList<qint64>());
    QVERIFY(!isZombie(group));
}

void TestProcess::destroyedWhileAwaited()
{
    auto process = std::make_unique<Process>(fakeChild(QStringLiteral("line up sleep 60000")));
    connect(process.get(), &Process::standardOutput, this, [&] { process.reset(); });
    QCOMPARE(QCoro::waitFor(process->run()).kind, Kind::Cancelled);
}

void TestProcess::deletedBySlot_data()
{
    using Connect = std::function<void(Process *, const std::function<void()> &)>;
    QTest::addColumn<Connect>("connectTo");
    QTest::newRow("started") << Connect([](Process *process, const std::function<void()> &slot) {
        connect(process, &Process::started, process, slot);
    });
    QTest::newRow("output") << Connect([](Process *process, const std::function<void()> &slot) {
        connect(process, &Process::standardOutput, process, slot);
    });
    QTest::newRow("errors") << Connect([](Process *process, const std::function<void()> &slot) {
        connect(process, &Process::standardError, process, slot);
    });
    QTest::newRow("ended") << Connect([](Process *process, const std::function<void()> &slot) {
        connect(process, &Process::ended, process, slot);
    });
}

void TestProcess::deletedBySlot()
{
    QFETCH(std::function<void(Process *, const std::function<void()> &)>, connectTo);
    QPointer<Process> process = new Process(fakeChild(QStringLiteral("line out error err")));
    connectTo(process, [process] { delete process; });
    process->start();
    QTRY_VERIFY(!process);
}

void TestProcess::interruptReachesTheChild()
{
    Process process(fakeChild(QStringLiteral("line up sleep 60000")));
    connect(&process, &Process::standardOutput, &process, &Process::interrupt);
    const ProcessEnd end = QCoro::waitFor(process.run());
    QCOMPARE(end.kind, Kind::Finished);
    QCOMPARE(end.signal, SIGINT);
}

void TestProcess::grandchildDoesNotHoldTheResultBack()
{
    ProcessSpec spec = fakeChild(QStringLiteral("daemon 3000 grandchild 3000 line done"));
    spec.endGroup = false;
    Process process(spec);
    const ProcessEnd end = QCoro::waitFor(process.run());
    QCOMPARE(end.output, QByteArray("done\n"));
    QVERIFY(end.duration < 2s);
    ::kill(static_cast<pid_t>(-process.groupId()), SIGKILL);
}

void TestProcess::groupMayBeLeft()
{
    ProcessSpec spec = fakeChild(QStringLiteral("grandchild 60000"));
    spec.endGroup = false;
    Process process(spec);
    QVERIFY(QCoro::waitFor(process.run()).succeeded());
    QCOMPARE(aliveIn(process.groupId()).size(), 1);
    ::kill(static_cast<pid_t>(-process.groupId()), SIGKILL);
    QTRY_COMPARE(aliveIn(process.groupId()), QList<qint64>());
}

void TestProcess::daemonsAreEnded()
{
    const auto marked = [](const QByteArray &mark) {
        int count = 0;
        for (const ProcessEntry &entry : processTable()) {
            if (!entry.hasEnded() && environmentValue(environmentOf(entry.pid), "DAEMON_TEST") == mark)
                ++count;
        }
        return count;
    };
    const QByteArray mark = QByteArray::number(getpid());
    ProcessSpec spec = fakeChild(QStringLiteral("daemon 60000 daemon 60000"));
    spec.environment = QProcessEnvironment::systemEnvironment();
    spec.environment->insert(QStringLiteral("DAEMON_TEST"), QString::fromLatin1(mark));
    spec.endDaemons = true;
    int during = 0;
    Process process(spec);
    spec.arguments +=
        {QStringLiteral("line"), QStringLiteral("up"), QStringLiteral("sleep"), QStringLiteral("60000")};
    Process sleeping(spec);
    connect(&sleeping, &Process::standardOutput, this, [&] {
        during = marked(mark);
        sleeping.stop({});
    });
    QVERIFY(QCoro::waitFor(process.run()).succeeded());
    QTRY_COMPARE(marked(mark), 0);
    QCOMPARE(QCoro::waitFor(sleeping.run()).kind, Kind::Cancelled);
    QCOMPARE(during, 3);
    QTRY_COMPARE(marked(mark), 0);
}

void TestProcess::dropsCredentials()
{
    if (geteuid() != 0)
        QSKIP("only root can become another user");
    ProcessSpec spec = fakeChild(QStringLiteral("ids"));
    QTemporaryDir folder; // the build folder may be closed to that user
    QVERIFY(QFile::copy(spec.program, folder.filePath(QStringLiteral("child"))));
    QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7755)));
    spec.program = folder.filePath(QStringLiteral("child"));
    spec.dropTo = Credentials{65534, 65533};
    QCOMPARE(runToEnd(spec).output, QByteArray("65534 65534 65534 65533 65533 65533 groups 0\n"));
}

void TestProcess::cannotDropCredentials()
{
    if (geteuid() == 0)
        QSKIP("root may become anybody");
    ProcessSpec spec = fakeChild(QStringLiteral("ids"));
    spec.dropTo = Credentials{65534, 65533};
    const ProcessEnd end = runToEnd(spec);
    QCOMPARE(end.kind, Kind::FailedToStart);
    QVERIFY2(end.reason.contains(QStringLiteral("65534")), qPrintable(end.reason));
}

/// As another user than the child this process may not signal it.
void TestProcess::givesUpOnWhatCannotBeEnded()
{
    if (geteuid() != 0)
        QSKIP("only root can start a child and then lose the right to end it");
    ProcessSpec spec;
    spec.program = QStringLiteral("/bin/sleep");
    spec.arguments = QStringList{QStringLiteral("60")};
    spec.dropTo = Credentials{65534, 65534};
    spec.grace = 100ms;
    Process process(spec);
    connect(&process, &Process::started, this, [&] {
        QVERIFY(seteuid(65533) == 0);
        process.stop(QStringLiteral("enough"));
    });
    const ProcessEnd end = QCoro::waitFor(process.run());
    QCOMPARE(seteuid(0), 0);
    QVERIFY(end.stillRuns);
    QCOMPARE(end.kind, Kind::Cancelled);
    QCOMPARE(aliveIn(process.groupId()).size(), 1);
    // In the background it is tried again.
    QTRY_COMPARE(aliveIn(process.groupId()).size(), 0);
}

void TestProcess::isBoundToItsParent()
{
    ProcessSpec spec = fakeChild(QStringLiteral("parent-death"));
    QCOMPARE(runToEnd(spec).output, QByteArray("9\n"));
    if (geteuid() == 0) {
        spec.dropTo = Credentials{0, 65533};
        QCOMPARE(runToEnd(spec).output, QByteArray("9\n"));
    }
    spec.dieWithThread = false;
    QCOMPARE(runToEnd(spec).output, QByteArray("0\n"));
}

void TestProcess::endsWithItsThread()
{
    qint64 group = 0;
    std::unique_ptr<QThread> thread(QThread::create([&group] {
        ProcessSpec spec = fakeChild(QStringLiteral("ignore-term line up sleep 60000"));
        QEventLoop loop;
        Process process(spec);
        connect(&process, &Process::standardOutput, &loop, &QEventLoop::quit);
        process.start();
        loop.exec();
        group = process.groupId();
        // Destroyed here, and no event loop runs any more that could wait for the child.
    }));
    thread->start();
    QTRY_VERIFY(thread->isFinished());
    QVERIFY(group > 1);
    QTRY_COMPARE(aliveIn(group), QList<qint64>());
}

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
