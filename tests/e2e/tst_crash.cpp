// SPDX-License-Identifier: GPL-3.0-or-later
//
// Proctor is killed in every phase of an attempt. Nothing may be left running, nothing that was there may be
// lost, and the next start finishes the exam with one verdict a slot.
#include "models/run/journal.h"
#include "models/run/resultstore.h"
#include "tests/support/trialbundle.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <QUuid>

#include <csignal>
#include <memory>

using namespace proctor;
using proctor::test::TrialBundle;

namespace
{

/// How often a phase is tried for; the shortest take about a millisecond.
constexpr int tries = 40;
constexpr int instances = 3;

/// An exam of a few instances in which one phase is slow enough to be hit.
class Exam
{
public:
    explicit Exam(Phase slow)
        : m_marker(QUuid::createUuid().toString(QUuid::WithoutBraces))
    {
        QString agent = QStringLiteral("echo '{}' > /app/answer.json");
        switch (slow) {
        case Phase::Pull:
            for (int i = 0; i < 3000; ++i)
                QDir().mkpath(m_bundle.path() + QStringLiteral("/folders/%1").arg(i));
            break;
        case Phase::Setup:
            m_bundle.write(QStringLiteral("large.bin"), QByteArray(16 << 20, 'x'));
            break;
        case Phase::Agent:
            agent += QStringLiteral("; sleep 1");
            break;
        case Phase::Outputs:
            agent += QStringLiteral("; head -c 32M /dev/urandom > /app/artifacts/large.bin");
            break;
        case Phase::Verifier:
            m_bundle.setVerifier("sleep 1; echo 0.5 > /app/reward.txt");
            break;
        default:
            break;
        }
        QByteArray dataset;
        for (int i = 0; i < instances; ++i) {
            dataset += "{\"instance_id\":\"trial_" + QByteArray::number(i) +
                       "\",\"domain\":\"d\",\"bundle\":\"" + m_bundle.path().toUtf8() + "\"}\n";
        }
        write(QStringLiteral("tasks.jsonl"), dataset);
        write(QStringLiteral("exam.yaml"),
              "dataset: {config: trial, path: ./tasks.jsonl}\nrunner: {sandbox: local, concurrency: "
              "2}\nagent:\n  timeout_sec: 30\n  cmd: |\n    : " +
                  m_marker.toUtf8() + "\n    " + agent.toUtf8() + "\n");
    }

    QString results() const { return m_folder.filePath(QStringLiteral("out/trial")); }

    void start(QProcess *process) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PROCTOR_TEST_MARK"), m_marker);
        process->setProcessEnvironment(environment);
        process->start(QStringLiteral(PROCTOR_BUILD_DIR "/bin/proctor"),
                       {QStringLiteral("run"), QStringLiteral("--json"), QStringLiteral("--config"),
                        m_folder.filePath(QStringLiteral("exam.yaml")), QStringLiteral("--output-dir"),
                        m_folder.filePath(QStringLiteral("out"))});
    }

    /// Processes that this exam started and that are still there.
    int processes() const
    {
        int count = 0;
        for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            bool isProcess = false;
            name.toInt(&isProcess);
            if (isProcess && (holdsMarker(name, "cmdline") || holdsMarker(name, "environ")))
                ++count;
        }
        return count;
    }

    /// Files that only exist while something is being written.
    QStringList temporaryFiles() const
    {
        QStringList found;
        QDirIterator files(m_folder.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        static const QRegularExpression temporary(QStringLiteral("\\.tail[01]$|\\.[A-Za-z0-9]{6}$|\\.lock$"));
        while (files.hasNext()) {
            const QString path = files.next();
            // What the killed attempt itself left stays with it.
            if (!path.contains(QLatin1String("/attempts/")) && temporary.match(path).hasMatch())
                found << path;
        }
        return found;
    }

private:
    bool holdsMarker(const QString &process, const char *file) const
    {
        QFile content(QStringLiteral("/proc/%1/%2").arg(process, QLatin1String(file)));
        return content.open(QIODevice::ReadOnly) && content.readAll().contains(m_marker.toUtf8());
    }

    void write(const QString &name, const QByteArray &content)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(name));
    }

    QString m_marker;
    TrialBundle m_bundle;
    QTemporaryDir m_folder;
};

QList<JournalEvent> journalOf(const QString &folder)
{
    QList<JournalEvent> events;
    QFile file(folder + QStringLiteral("/events.jsonl"));
    if (!file.open(QIODevice::ReadOnly))
        return events;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (const auto event = JournalEvent::fromJson(line))
            events << *event;
    }
    return events;
}

/// Starts the exam and kills Proctor as soon as it says that a slot entered `phase`. Nothing if that came too
/// late: the journal says that the slot was further by then.
std::optional<Slot> killIn(Phase phase, const Exam &exam)
{
    QProcess proctor;
    exam.start(&proctor);
    QByteArray rest;
    std::optional<Slot> hit;
    while (!hit && proctor.waitForReadyRead(30'000)) {
        rest += proctor.readAllStandardOutput();
        for (qsizetype end = rest.indexOf('\n'); !hit && end >= 0; end = rest.indexOf('\n')) {
            const auto event = JournalEvent::fromJson(rest.left(end));
            rest.remove(0, end + 1);
            if (event && event->kind == JournalEvent::Kind::Phase && event->phase == phase)
                hit = event->slot;
        }
    }
    kill(static_cast<pid_t>(proctor.processId()), SIGKILL);
    proctor.waitForFinished(10'000);
    if (!hit)
        return std::nullopt;
    // When an attempt is cleaned up, it is judged already.
    if (phase == Phase::Clean)
        return hit;
    std::optional<Phase> last;
    for (const JournalEvent &event : journalOf(exam.results())) {
        if (event.slot == *hit && event.kind == JournalEvent::Kind::Outcome)
            return std::nullopt;
        if (event.slot == *hit && event.kind == JournalEvent::Kind::Phase)
            last = event.phase;
    }
    return last == phase ? hit : std::nullopt;
}

} // namespace

class TestCrash : public QObject
{
    Q_OBJECT

private slots:
    void killedInEveryPhase_data()
    {
        QTest::addColumn<proctor::Phase>("phase");
        for (const Phase phase : allPhases())
            QTest::newRow(qPrintable(toWord(phase))) << phase;
    }

    void killedInEveryPhase()
    {
        QFETCH(proctor::Phase, phase);
        std::unique_ptr<Exam> exam;
        std::optional<Slot> slot;
        for (int i = 0; i < tries && !slot; ++i) {
            exam = std::make_unique<Exam>(phase);
            slot = killIn(phase, *exam);
            QTRY_COMPARE_WITH_TIMEOUT(exam->processes(), 0, 4000);
        }
        QVERIFY2(slot.has_value(), "the phase was never hit");

        const auto before = ResultStore::openReadOnly(exam->results());
        QVERIFY2(before.hasValue(), "the folder of a killed run opens");
        QList<Result> scored;
        for (const Result &result : (*before)->results()) {
            if (result.outcome.state == State::Scored)
                scored << result;
        }

        QProcess again;
        exam->start(&again);
        QVERIFY(again.waitForFinished(60'000));
        QVERIFY2(again.exitCode() == 0, again.readAllStandardError());

        const auto store = ResultStore::openReadOnly(exam->results());
        QVERIFY(store.hasValue());
        QCOMPARE((*store)->results().size(), instances);
        for (const Result &result : (*store)->results())
            QCOMPARE(result.outcome.state, State::Scored);
        for (const Result &result : std::as_const(scored))
            QCOMPARE(*(*store)->result(result.slot()), result);
        QCOMPARE(linesOf(exam->results() + QStringLiteral("/scores.jsonl")), instances);
        const bool wasJudged = phase == Phase::Clean;
        QCOMPARE((*store)->attempts(*slot), wasJudged ? 1 : 2);
        QVERIFY(QFileInfo::exists((*store)->attemptFolder(*slot, 1)));
        QCOMPARE(exam->processes(), 0);
        QCOMPARE(exam->temporaryFiles(), QStringList());
        const auto journal = journalOf(exam->results());
        const bool recovered = std::any_of(journal.begin(), journal.end(), [&](const JournalEvent &event) {
            return event.kind == JournalEvent::Kind::Recovered && event.slot == *slot;
        });
        QCOMPARE(recovered, !wasJudged);
    }

private:
    static int linesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? static_cast<int>(file.readAll().count('\n')) : -1;
    }
};

QTEST_GUILESS_MAIN(TestCrash)
#include "tst_crash.moc"
