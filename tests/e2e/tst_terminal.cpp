// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/proctorprogram.h"
#include "tests/support/trialbundle.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace proctor::test;

namespace
{

/// A file descriptor that closes itself.
struct Descriptor {
    int number = -1;

    ~Descriptor() { reset(); }
    void reset()
    {
        if (number >= 0)
            close(std::exchange(number, -1));
    }
    /// What can be read without waiting; true at the end of the file.
    bool readTo(QByteArray &bytes) const
    {
        char buffer[4096];
        ssize_t count = 0;
        while ((count = ::read(number, buffer, sizeof buffer)) > 0)
            bytes.append(buffer, static_cast<qsizetype>(count));
        // The end of a terminal is an error (EIO).
        return count == 0 || (errno != EAGAIN && errno != EINTR);
    }
};

/// The program with its standard output on a descriptor of the test.
class Program
{
public:
    Program(const QStringList &arguments, const QString &folder, int output)
    {
        m_process.setWorkingDirectory(folder);
        m_process.setChildProcessModifier([output] { dup2(output, STDOUT_FILENO); });
        m_process.start(proctorProgram(), arguments);
    }
    QProcess &process() { return m_process; }

private:
    QProcess m_process;
};

} // namespace

/// `proctor run` where its output goes: into a pipe that nobody reads, onto a terminal that obeys what it
/// reads.
class TestTerminal : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void runsThoughNobodyReads();
    void stopsThoughNobodyReads();
    void passesNoControlCharactersOn();
    void escapesControlCharactersInJson();
    void countsTheTimeLeftDown();

private:
    /// An exam of these instances; ids are put into JSON as they are.
    void writeExam(const QList<QByteArray> &ids, const QByteArray &agent, int concurrency = 2);
    QList<QByteArray> recordedLines() const
    {
        const QByteArray text = contentOf(m_folder->filePath(QStringLiteral("out/trial/scores.jsonl")));
        return text.isEmpty() ? QList<QByteArray>() : text.trimmed().split('\n');
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    TrialBundle m_bundle;
};

static constexpr int enough = 60'000;

static QStringList runExam(const QStringList &more = {})
{
    return QStringList{QStringLiteral("run"), QStringLiteral("--config"), QStringLiteral("exam.yaml")} + more;
}

void TestTerminal::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestTerminal::writeExam(const QList<QByteArray> &ids, const QByteArray &agent, int concurrency)
{
    QByteArray dataset;
    for (const QByteArray &id : ids)
        dataset += "{\"instance_id\": \"" + id + "\", \"bundle\": \"" + m_bundle.path().toUtf8() + "\"}\n";
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("exam.jsonl")), dataset));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("exam.yaml")),
                      "dataset: {config: trial, path: exam.jsonl}\nagent: {cmd: " + agent +
                          "}\nrunner: {sandbox: local, output_dir: out, concurrency: " +
                          QByteArray::number(concurrency) + "}\n"));
}

/// A pipe of one page, which a run of many attempts fills soon.
static void openNarrowPipe(Descriptor &readEnd, Descriptor &writeEnd)
{
    int ends[2];
    QCOMPARE(pipe2(ends, O_CLOEXEC), 0);
    readEnd.number = ends[0];
    writeEnd.number = ends[1];
    QVERIFY(fcntl(readEnd.number, F_SETPIPE_SZ, 4096) > 0);
}

void TestTerminal::runsThoughNobodyReads()
{
    static constexpr int instances = 12;
    QList<QByteArray> ids;
    for (int i = 0; i < instances; ++i)
        ids << "instance " + QByteArray::number(i) + QByteArray(60, 'x');
    writeExam(ids, "'echo {} > /app/answer.json'");
    Descriptor readEnd, writeEnd;
    openNarrowPipe(readEnd, writeEnd);
    Program program(runExam({QStringLiteral("--json")}), m_folder->path(), writeEnd.number);
    QVERIFY(program.process().waitForStarted());
    writeEnd.reset();

    QTRY_COMPARE_WITH_TIMEOUT(recordedLines().size(), instances, enough);
    QTRY_VERIFY_WITH_TIMEOUT(
        !contentOf(m_folder->filePath(QStringLiteral("out/trial/summary.json"))).isEmpty(), enough);
    // It waits to be read.
    QCOMPARE(program.process().state(), QProcess::Running);

    QByteArray out;
    fcntl(readEnd.number, F_SETFL, O_NONBLOCK);
    QTRY_VERIFY_WITH_TIMEOUT(readEnd.readTo(out), enough);
    QTRY_COMPARE_WITH_TIMEOUT(program.process().state(), QProcess::NotRunning, enough);
    int outcomes = 0;
    for (const QByteArray &line : out.trimmed().split('\n')) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        QVERIFY2(!event.isEmpty(), line);
        outcomes += event.value(QLatin1String("event")) == QLatin1String("outcome");
    }
    QVERIFY2(outcomes == instances, out);
}

void TestTerminal::stopsThoughNobodyReads()
{
    QList<QByteArray> ids;
    for (int i = 0; i < 12; ++i)
        ids << "instance " + QByteArray::number(i) + QByteArray(60, 'x');
    writeExam(ids, "'sleep 1'", 1);
    Descriptor readEnd, writeEnd;
    openNarrowPipe(readEnd, writeEnd);
    // Beside what the run says, fill the pipe from the beginning.
    QCOMPARE(::write(writeEnd.number, QByteArray(4096, '\n').constData(), 4096), 4096);
    Program program(runExam({QStringLiteral("--json")}), m_folder->path(), writeEnd.number);
    QVERIFY(program.process().waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(recordedLines().size(), 1, enough);
    program.process().terminate();
    QTRY_VERIFY_WITH_TIMEOUT(recordedLines().last().contains("cancelled"), enough);
    QVERIFY(recordedLines().size() < 12);
    program.process().kill();
    program.process().waitForFinished();
}

/// Ids and sentences of a stranger: ESC [ 2 J would wipe the screen, a line end would forge a line.
static const QByteArray evilId = R"(a\u001b[2Jb\u009b31mc)";
static const QByteArray evilAgent =
    R"("printf 'first\\033]0;owned\\007\\n[9/9] forged: 1.000\\n' >&2; exit 3")";

static bool hasControlCharacters(const QByteArray &text)
{
    for (const QChar c : QString::fromUtf8(text)) {
        if (c != u'\n' && (c < QChar(0x20) || (c >= QChar(0x7f) && c < QChar(0xa0))))
            return true;
    }
    return false;
}

void TestTerminal::passesNoControlCharactersOn()
{
    writeExam({evilId}, evilAgent);
    const ProgramEnd end = runProctor(runExam(), m_folder->path());
    QVERIFY2(end.out.contains("failed at agent"), end.out + end.err);
    QVERIFY2(!hasControlCharacters(end.out), end.out.toPercentEncoding(" :/"));
    QVERIFY2(!hasControlCharacters(end.err), end.err.toPercentEncoding(" :/"));
    QVERIFY2(!end.out.contains("\n[9/9] forged"), end.out);
}

void TestTerminal::escapesControlCharactersInJson()
{
    writeExam({evilId}, evilAgent);
    const ProgramEnd end = runProctor(runExam({QStringLiteral("--json")}), m_folder->path());
    QVERIFY2(!hasControlCharacters(end.out), end.out.toPercentEncoding(" :/"));
    for (const QByteArray &line : end.outLines())
        QVERIFY2(QJsonDocument::fromJson(line).isObject(), line);
}

void TestTerminal::countsTheTimeLeftDown()
{
    writeExam({"one", "two"}, "'sleep 5'", 1);
    Descriptor master, terminal;
    master.number = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    QVERIFY(master.number >= 0 && grantpt(master.number) == 0 && unlockpt(master.number) == 0);
    terminal.number = open(ptsname(master.number), O_RDWR | O_NOCTTY | O_CLOEXEC);
    QVERIFY(terminal.number >= 0);
    Program program(runExam(), m_folder->path(), terminal.number);
    QVERIFY(program.process().waitForStarted());
    terminal.reset();
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT(master.readTo(out), enough);
    QTRY_COMPARE_WITH_TIMEOUT(program.process().state(), QProcess::NotRunning, enough);
    static const QRegularExpression left(QStringLiteral("· (\\d+ s) left"));
    QSet<QString> said;
    auto matches = left.globalMatch(QString::fromUtf8(out));
    while (matches.hasNext())
        said << matches.next().captured(1);
    QVERIFY2(said.size() >= 3, out);
}

QTEST_GUILESS_MAIN(TestTerminal)
#include "tst_terminal.moc"
