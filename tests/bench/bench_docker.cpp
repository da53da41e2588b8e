// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an attempt in a container costs with an agent that does nothing, beside `docker run` of a Python that
// does nothing with the same flags: one and four at a time, both in turn, so that a busy machine slows both.
// Measured from the start to the verdict or to Python's end; the removal of the container is left out on both
// sides, and awaited before the next begin. The client's commands are counted where it is called: a script
// that takes a line for each comes first in PATH, for both sides.
#include "app/sandbox/dockersandbox.h"
#include "app/sandbox/enginecall.h"
#include "app/sandbox/enginefacts.h"
#include "tests/bench/measure.h"
#include "tests/bench/places.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QStandardPaths>

#include <vector>

using namespace proctor;

static constexpr int rounds = 20;
static constexpr qsizetype instanceCount = 8;
static constexpr double bar = 1.3;

/// Takes the place of `docker` in PATH while it lives, and takes a line for every call.
class CountedClient
{
public:
    CountedClient()
        : m_path(qgetenv("PATH"))
    {
        const QString client = QStandardPaths::findExecutable(QStringLiteral("docker"));
        const QString script =
            QStringLiteral("#!/bin/sh\nprintf '%s\\n' \"$1 $2\" >>'%1'\nexec '%2' \"$@\"\n")
                .arg(m_folder.filePath(QStringLiteral("calls")), client);
        const QString program = m_folder.filePath(QStringLiteral("docker"));
        if (!test::writeFile(program, script.toUtf8()) ||
            !QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner))
            qFatal("cannot write %s", qPrintable(program));
        qputenv("PATH", QFile::encodeName(m_folder.path()) + ':' + m_path);
    }
    ~CountedClient() { qputenv("PATH", m_path); }
    Q_DISABLE_COPY_MOVE(CountedClient)

    /// The calls since the last time: their first two words.
    QByteArrayList take()
    {
        QByteArrayList calls =
            test::contentOf(m_folder.filePath(QStringLiteral("calls"))).trimmed().split('\n');
        if (calls.first().isEmpty())
            calls.clear();
        QFile::remove(m_folder.filePath(QStringLiteral("calls")));
        return calls;
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_path;
};

/// Several that begin together: measured until the last of them is through.
struct Batch {
    QElapsedTimer clock;
    int open = 0;
    double milliseconds = 0;

    void oneThrough()
    {
        if (--open == 0)
            milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    }
};

/// How long each phase of the attempts took.
using PhaseTimes = QMap<Phase, QList<double>>;

class Containers
{
public:
    explicit Containers(const EvalConfig &config)
        : m_config(config)
        , m_pulls(config.docker)
    {
        const auto facts = test::await(askForFacts(config.docker, {}));
        if (!facts)
            qFatal("%s", qPrintable(facts.error().message));
        m_hasHostGateway = facts->hasHostGateway;
    }

    QCoro::Task<void> attempt(QString id, Batch *batch, PhaseTimes *phases)
    {
        QTemporaryDir folder;
        DockerSandboxSpec sandbox;
        sandbox.container = container(id);
        sandbox.setup = bridgeSetupOf(m_config);
        Instance instance;
        instance.id = id;
        instance.image = sandbox.container.image;
        const AttemptSpec spec = measure::attemptSpec(m_config, instance, folder.path());
        AttemptRun run(spec, std::make_unique<DockerSandbox>(sandbox, &m_pulls),
                       std::make_unique<SandboxAgent>(m_config), {});
        std::optional<Phase> phase;
        QElapsedTimer clock;
        const auto enter = [&](Phase next) {
            if (phase)
                (*phases)[*phase] << static_cast<double>(clock.nsecsElapsed()) / 1e6;
            clock.start();
            phase = next;
        };
        QObject::connect(&run, &AttemptRun::phaseEntered, &run, enter);
        QObject::connect(&run, &AttemptRun::judged, &run, [batch](const Outcome &outcome) {
            if (outcome.state != State::Scored)
                qFatal("the attempt does not work: %s", qPrintable(outcome.error));
            batch->oneThrough();
        });
        co_await run.run();
        enter(Phase::Clean);
    }

    /// The line comes when Python ends; the client ends only when the container has been removed.
    QCoro::Task<void> bare(QString id, Batch *batch, PhaseTimes *)
    {
        const ContainerSpec spec = container(id);
        QStringList arguments = runArguments(spec);
        arguments = arguments.first(arguments.indexOf(spec.image) + 1);
        arguments << QStringLiteral("-c") << QStringLiteral("print()");
        ProcessSpec process = engineProcess(m_config.docker, arguments);
        process.keepInputOpen = true;
        Process client(process);
        bool isThrough = false;
        QObject::connect(&client, &Process::standardOutput, &client, [&] {
            if (!std::exchange(isThrough, true))
                batch->oneThrough();
        });
        const ProcessEnd end = co_await client.run();
        if (!end.succeeded() || !isThrough)
            qFatal("the bare call does not work: %s %s", qPrintable(end.sentence()), end.errors.constData());
    }

private:
    /// What both sides are made with.
    ContainerSpec container(const QString &id) const
    {
        ContainerSpec spec;
        spec.docker = m_config.docker;
        spec.image = test::testImage(id);
        spec.owner = OwnerMark::current(QDir::tempPath());
        spec.name = containerName(spec.owner, id);
        spec.hasHostGateway = m_hasHostGateway;
        return spec;
    }

    EvalConfig m_config;
    ImagePulls m_pulls;
    bool m_hasHostGateway = false;
};

class Bench
{
public:
    explicit Bench(const EvalConfig &config)
        : m_containers(config)
    {
        // Both layouts, in turn.
        const QStringList all = test::demoInstances();
        const qsizetype half = all.size() / 2;
        for (qsizetype i = 0; i < instanceCount; ++i)
            m_instances << all.at((i % 2) * half + i / 2);
        countOfRun(config);
        countOfImages();
    }

    void measureAtATime(int parallel)
    {
        QList<double> attempts, bares, ratios, commands;
        PhaseTimes phases, none;
        for (int round = 0; round < rounds; ++round) {
            const QStringList instances = nextInstances(parallel);
            bares << millisecondsEach(&Containers::bare, instances, &none);
            m_client.take();
            attempts << millisecondsEach(&Containers::attempt, instances, &phases);
            commands << static_cast<double>(m_client.take().size()) / parallel;
            ratios << attempts.last() / bares.last();
        }
        const QString at = QStringLiteral("%1 at a time").arg(parallel);
        measure::printRow(QStringLiteral("attempt that does nothing in a container, %1").arg(at), attempts,
                          QStringLiteral("ms"), describe(phases));
        measure::printRow(QStringLiteral("docker run -i --rm of python3, same flags, %1").arg(at), bares,
                          QStringLiteral("ms"),
                          QStringLiteral("both: time to the last verdict or end, by %1").arg(parallel));
        const double ratio = measure::median(attempts) / measure::median(bares);
        measure::printRow(
            QStringLiteral("attempt / docker run, %1").arg(at), ratios, QStringLiteral("times"),
            QStringLiteral("medians: %1 times; the bar is %2").arg(ratio, 0, 'f', 2).arg(bar, 0, 'f', 1), 2);
        measure::printRow(QStringLiteral("docker commands an attempt, %1").arg(at), commands, QString(),
                          QStringLiteral("apart: an image “%1”; a run “%2”").arg(m_ofImage, m_ofRun));
    }

private:
    using Work = QCoro::Task<void> (Containers::*)(QString, Batch *, PhaseTimes *);

    QStringList nextInstances(int count)
    {
        QStringList next;
        for (int i = 0; i < count; ++i)
            next << m_instances.at(m_next++ % m_instances.size());
        return next;
    }

    double millisecondsEach(Work work, const QStringList &instances, PhaseTimes *phases)
    {
        Batch batch;
        batch.open = static_cast<int>(instances.size());
        batch.clock.start();
        std::vector<QCoro::Task<void>> tasks;
        for (const QString &id : instances)
            tasks.push_back((m_containers.*work)(id, &batch, phases));
        for (auto &task : tasks)
            QCoro::waitFor(std::move(task));
        return batch.milliseconds / static_cast<double>(instances.size());
    }

    static QString describe(const PhaseTimes &phases)
    {
        QStringList parts;
        for (auto it = phases.begin(); it != phases.end(); ++it)
            parts
                << QStringLiteral("%1 %2").arg(toWord(it.key())).arg(measure::median(it.value()), 0, 'f', 0);
        return QStringLiteral("medians in ms: ") + parts.join(QStringLiteral(", "));
    }

    void countOfRun(const EvalConfig &config)
    {
        m_client.take();
        QTemporaryDir folder;
        DockerSandboxes sandboxes(config, folder.path());
        if (const auto problem = test::await(sandboxes.problem({})))
            qFatal("%s", qPrintable(*problem));
        m_ofRun = QString::fromUtf8(m_client.take().join("”, “"));
    }

    /// The first attempt of every image; what follows finds what is known of the image.
    void countOfImages()
    {
        PhaseTimes none;
        for (const QString &id : std::as_const(m_instances)) {
            millisecondsEach(&Containers::attempt, {id}, &none);
            QByteArrayList calls = m_client.take();
            calls.removeAll("run -i");
            m_ofImage = QString::fromUtf8(calls.join("”, “"));
        }
    }

    CountedClient m_client;
    Containers m_containers;
    QStringList m_instances;
    qsizetype m_next = 0;
    QString m_ofImage, m_ofRun;
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (!measure::hasEngine())
        return 0;
    measure::printMachine();
    Bench bench(measure::configuration(EvalConfig::SandboxKind::Docker, QStringLiteral("true")));
    bench.measureAtATime(1);
    bench.measureAtATime(4);
    return 0;
}
