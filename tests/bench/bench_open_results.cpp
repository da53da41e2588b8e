// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to open a results folder with very many records, beside Python reading its scores.jsonl
// alone. Usage: bench_open_results [records] [rounds]. Fails when Proctor is less than three times as fast.
#include "models/run/resultstore.h"
#include "tests/bench/measure.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;

namespace
{

constexpr double leastRatio = 3;

const QString python = u"/usr/bin/python3"_s;
const QString reference = u"import json,sys,time\n"
                          "start=time.perf_counter()\n"
                          "for line in open(sys.argv[1],encoding=\"utf-8\"): json.loads(line)\n"
                          "print((time.perf_counter()-start)*1000)"_s;

Result resultOf(int number)
{
    Result result;
    result.instanceId = u"hotel_hangzhou_cheap_%1"_s.arg(number);
    result.domain = u"domain_%1"_s.arg(number % 7);
    result.durationSec = 7.5 + number % 100;
    if (number % 10 == 0)
        result.outcome =
            Outcome::failed(FailurePhase::Agent, u"agent exit 1: something went wrong in the agent"_s);
    else
        result.outcome = Outcome::scored((number % 101) / 100.0,
                                         number % 20 == 1 ? QStringList{u"no_answer"_s} : QStringList());
    return result;
}

QByteArray eventLine(JournalEvent::Kind kind, const Result &result, std::optional<Phase> phase = {})
{
    JournalEvent event;
    event.at = QDateTime(QDate(2026, 11, 30), QTime(12, 0), Qt::UTC);
    event.kind = kind;
    event.slot = result.slot();
    event.attempt = result.attempt;
    event.phase = phase;
    if (kind == JournalEvent::Kind::Outcome)
        event.result = result;
    return event.toJsonLine() + '\n';
}

bool writeFolder(const QString &folder, int records)
{
    QFile identity(folder + u"/run.json"_s), scores(folder + u"/scores.jsonl"_s),
        journal(folder + u"/events.jsonl"_s);
    for (QFile *file : {&identity, &scores, &journal}) {
        if (!file->open(QIODevice::WriteOnly))
            return false;
    }
    identity.write("{\"schema_version\": 1, \"dataset\": {\"config\": \"travel\"}, \"runs\": 1}\n");
    journal.write("{\"schema_version\": 1}\n");
    for (int i = 0; i < records; ++i) {
        const Result result = resultOf(i);
        scores.write(result.toJsonLine() + '\n');
        journal.write(eventLine(JournalEvent::Kind::Started, result));
        for (const Phase phase : allPhases())
            journal.write(eventLine(JournalEvent::Kind::Phase, result, phase));
        journal.write(eventLine(JournalEvent::Kind::Outcome, result));
    }
    return identity.flush() && scores.flush() && journal.flush();
}

/// Ends the folder's run as Proctor does, which leaves a checkpoint in run.json.
bool closeFolder(const QString &folder)
{
    const auto looked = ResultStore::openReadOnly(folder);
    if (!looked)
        return false;
    const auto store = ResultStore::openForWriting(folder, {*(*looked)->identity(), 1, false, false});
    return store && (*store)->close();
}

/// Of this program alone; getrusage() counts what the parent had before it became this program.
double peakKilobytes()
{
    QFile status(u"/proc/self/status"_s);
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = status.readAll();
    const qsizetype at = text.indexOf("VmHWM:");
    return text.mid(at + 6, text.indexOf("kB", at) - at - 6).trimmed().toDouble();
}

/// In a process of its own, so that its peak memory is that of one opening: prints milliseconds, records and
/// kilobytes.
int openOnce(const QString &folder)
{
    QElapsedTimer timer;
    timer.start();
    const auto store = ResultStore::openReadOnly(folder);
    const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    const double kilobytes = peakKilobytes();
    const QList<Result> results = store ? (*store)->results() : QList<Result>();
    QTextStream(stdout) << milliseconds << ' ' << results.size() << ' ' << kilobytes << Qt::endl;
    return store ? 0 : 1;
}

/// The numbers that a child printed; empty when it failed.
QList<double> numbersFrom(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(program, arguments);
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        return {};
    QList<double> numbers;
    for (const QByteArray &word : process.readAllStandardOutput().simplified().split(' '))
        numbers << word.toDouble();
    return numbers;
}

int fail(const QString &sentence)
{
    QTextStream(stderr) << sentence << Qt::endl;
    return 1;
}

struct Measured {
    QList<double> ours, theirs, ratios, memory;
};

/// Interleaved; the first round only warms the page cache. Empty when one of the two did not read all
/// records.
Measured compareOpening(const QString &folder, int records, int rounds)
{
    Measured measured;
    for (int round = 0; round <= rounds; ++round) {
        const QList<double> opened =
            numbersFrom(QCoreApplication::applicationFilePath(), {u"--open"_s, folder});
        const QList<double> parsed = numbersFrom(python, {u"-c"_s, reference, folder + u"/scores.jsonl"_s});
        if (opened.size() != 3 || static_cast<int>(opened[1]) != records || parsed.size() != 1)
            return {};
        if (round == 0)
            continue;
        measured.ours << opened[0];
        measured.memory << opened[2] / 1024;
        measured.theirs << parsed[0];
        measured.ratios << parsed[0] / opened[0];
    }
    return measured;
}

void print(const QString &what, const Measured &measured)
{
    measure::printRow(what, measured.ours, u"ms"_s, u"json.loads of its scores.jsonl"_s);
    measure::printRow(
        u"  the reference"_s, measured.theirs, u"ms"_s,
        u"%1 -c $'%2' scores.jsonl"_s.arg(python, QString(reference).replace(u"\n"_s, u"\\n"_s)));
    measure::printRow(u"  times faster than the reference"_s, measured.ratios, u"x"_s,
                      u"the two above, interleaved"_s);
    measure::printRow(u"  peak memory"_s, measured.memory, u"MB"_s, u"none"_s);
}

int compare(int records, int rounds)
{
    const QTemporaryDir parent;
    if (!writeFolder(parent.path(), records))
        return fail(u"The folder cannot be written."_s);
    const Measured interrupted = compareOpening(parent.path(), records, rounds);
    if (!closeFolder(parent.path()))
        return fail(u"The folder cannot be closed."_s);
    const Measured closed = compareOpening(parent.path(), records, rounds);
    if (interrupted.ours.isEmpty() || closed.ours.isEmpty())
        return fail(u"One of the two did not read all records."_s);

    measure::printMachine();
    print(
        u"open %1 records of a run that was closed (at least %2 times faster)"_s.arg(records).arg(leastRatio),
        closed);
    print(u"open %1 records of a run that was killed (whole journal read)"_s.arg(records), interrupted);
    return measure::median(closed.ratios) >= leastRatio ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 3 && arguments[1] == u"--open"_s)
        return openOnce(arguments[2]);
    const int records = arguments.size() > 1 ? arguments[1].toInt() : 100'000;
    const int rounds = arguments.size() > 2 ? arguments[2].toInt() : 7;
    return compare(std::max(1, records), std::max(1, rounds));
}
