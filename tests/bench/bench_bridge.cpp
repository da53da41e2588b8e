// SPDX-License-Identifier: GPL-3.0-or-later
//
// What passes through the one pipe into a sandbox: questions and their answers, files, an agent's output, and
// the round trip of an agent's model request. The references are those of a prototype with the same protocol,
// measured on another day: compare their order of magnitude.
#include "tests/bench/measure.h"
#include "tests/bench/places.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>

using namespace proctor;

static constexpr int questions = 200;
static constexpr int streams = 5;
static constexpr qint64 streamSize = 50'000'000;

static double secondsOf(const QElapsedTimer &clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1e9;
}

template<typename Value>
static Value demanded(QCoro::Task<Stepped<Value>> step)
{
    const Stepped<Value> end = test::await(std::move(step));
    if (!end)
        qFatal("the bridge does not work: %s", qPrintable(end.error().message));
    return *end;
}

static SandboxCommand agentCommand(const QString &script)
{
    SandboxCommand command;
    command.arguments = {QStringLiteral("bash"), QStringLiteral("-c"), script};
    command.limit = 300;
    command.outputCap = 2 * streamSize;
    return command;
}

/// Standard output of an agent with this script, as it comes.
static void runAgent(Bridge *bridge, const QString &script,
                     const std::function<void(const QByteArray &)> &take)
{
    QObject context;
    QByteArray errors;
    QObject::connect(bridge, &Bridge::output, &context,
                     [&](SandboxCommand::Who, int stream, const QByteArray &bytes) {
                         if (stream == 1)
                             take(bytes);
                         else
                             errors += bytes;
                     });
    const CommandEnd end = demanded(bridge->run(agentCommand(script), {}));
    if (end.code != 0)
        qFatal("the agent does not work: %s", errors.constData());
}

/// The smallest question: closing ports that are closed.
static void measureQuestions(const measure::TrialSandbox &sandbox)
{
    QList<double> times;
    demanded(sandbox.bridge()->closePorts());
    for (int i = 0; i < questions; ++i) {
        QElapsedTimer clock;
        clock.start();
        demanded(sandbox.bridge()->closePorts());
        times << secondsOf(clock) * 1000;
    }
    measure::printRow(QStringLiteral("smallest question to the bridge and its answer, ") + sandbox.place(),
                      times, QStringLiteral("ms"), QStringLiteral("prototype: ping 0.6–0.9 ms"), 2);
}

/// Timed by the agent itself: requests that nobody answers on the host come back as a refusal from there.
static void measureRequests(const measure::TrialSandbox &sandbox, const QString &what, int port,
                            const QString &method, const QString &path, int status, const QString &reference)
{
    const QString script =
        QStringLiteral("exec python3 - <<'END'\n"
                       "import http.client, json, time\n"
                       "connection, times = http.client.HTTPConnection('127.0.0.1', %1), []\n"
                       "for _ in range(%2):\n"
                       "    connection.connect()\n"
                       "    began = time.perf_counter()\n"
                       "    connection.request('%3', '%4', '{}' if '%3' == 'POST' else None)\n"
                       "    answer = connection.getresponse()\n"
                       "    answer.read()\n"
                       "    times.append((time.perf_counter() - began) * 1000)\n"
                       "    connection.close()\n"
                       "    assert answer.status == %5, answer.status\n"
                       "print(json.dumps(times))\n"
                       "END\n")
            .arg(port)
            .arg(questions)
            .arg(method, path)
            .arg(status);
    QByteArray output;
    runAgent(sandbox.bridge(), script, [&output](const QByteArray &bytes) { output += bytes; });
    QList<double> times;
    for (const QJsonValue &value : QJsonDocument::fromJson(output).array())
        times << value.toDouble();
    measure::printRow(what + QStringLiteral(", ") + sandbox.place(), times, QStringLiteral("ms"), reference,
                      2);
}

static void printSpeeds(const QString &what, const QList<double> &seconds, const QString &reference)
{
    QList<double> speeds;
    for (const double time : seconds)
        speeds << static_cast<double>(streamSize) / 1e6 / time;
    measure::printRow(what, speeds, QStringLiteral("MB/s"), reference);
}

static void measureOutput(const measure::TrialSandbox &sandbox)
{
    QList<double> seconds;
    for (int i = 0; i < streams; ++i) {
        qint64 received = 0;
        QElapsedTimer clock;
        clock.start();
        runAgent(sandbox.bridge(), QStringLiteral("head -c %1 /dev/urandom").arg(streamSize),
                 [&received](const QByteArray &bytes) { received += bytes.size(); });
        seconds << secondsOf(clock);
        if (received != streamSize)
            qFatal("only %lld bytes came", received);
    }
    printSpeeds(QStringLiteral("50 MB of an agent's output, ") + sandbox.place(), seconds,
                QStringLiteral("prototype: 29 MB/s with a Qt host, 40–78 with one in Python"));
}

static void measureFiles(const measure::TrialSandbox &sandbox)
{
    QTemporaryDir folder;
    const QString source = folder.filePath(QStringLiteral("there"));
    const QString target = folder.filePath(QStringLiteral("back"));
    const QString inside = QStringLiteral("/app/stream");
    if (!test::writeFile(source, QByteArray(streamSize, 'x')))
        qFatal("cannot write %s", qPrintable(source));
    QList<double> there, back;
    for (int i = 0; i < streams; ++i) {
        QElapsedTimer clock;
        clock.start();
        demanded(sandbox.bridge()->put(source, inside, 0644, {}));
        there << secondsOf(clock);
        clock.start();
        demanded(sandbox.bridge()->save(inside, target, 2 * streamSize));
        back << secondsOf(clock);
        if (QFileInfo(target).size() != streamSize)
            qFatal("only %lld bytes came back", QFileInfo(target).size());
    }
    printSpeeds(QStringLiteral("50 MB as a file into a ") + sandbox.place(), there,
                QStringLiteral("prototype: 22 MB/s with a Qt host, 34–69 with one in Python"));
    printSpeeds(QStringLiteral("50 MB as a file out of a ") + sandbox.place(), back, QString());
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    measure::printMachine();
    for (const EvalConfig::SandboxKind kind : measure::sandboxKinds()) {
        const measure::TrialSandbox sandbox(kind);
        measureRequests(
            sandbox, QStringLiteral("model request of an agent: inside, host, inside"), 9998,
            QStringLiteral("POST"), QStringLiteral("/v1/chat/completions"), 503,
            QStringLiteral("prototype: 1.3–2.0 ms; here the host refuses, which takes the same way"));
        measureRequests(sandbox, QStringLiteral("GET /health of an agent: inside, bridge, inside"), 9999,
                        QStringLiteral("GET"), QStringLiteral("/health"), 200,
                        QStringLiteral("prototype: 0.12–0.16 ms"));
        measureOutput(sandbox);
        measureFiles(sandbox);
        measureQuestions(sandbox);
    }
    return 0;
}
