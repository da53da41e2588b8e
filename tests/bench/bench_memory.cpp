// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory of Proctor with many attempts in flight: all agents are at work at the same moment, then all come to
// their verdicts. In containers where there is an engine, else in local sandboxes.
#include "tests/bench/measure.h"
#include "tests/bench/places.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <vector>

using namespace proctor;

static constexpr int attemptsInFlight = 64;
/// Sandboxes that are on their way to their agent at a time: what a small machine can start in time.
static constexpr int startsAtOnce = 4;

/// Works for as long as the tools' port is open.
static const QString agent =
    QStringLiteral("while (: </dev/tcp/127.0.0.1/9999) 2>/dev/null; do sleep 1; done");

/// A number of kB from a file of /proc, in MiB.
static double mebibytes(const QString &file, const QString &field)
{
    const QRegularExpression line(QStringLiteral("^%1:\\s+(\\d+) kB$").arg(field),
                                  QRegularExpression::MultilineOption);
    return line.match(QString::fromLatin1(test::contentOf(file))).captured(1).toDouble() / 1024;
}

static double ownMebibytes(const QString &field)
{
    return mebibytes(QStringLiteral("/proc/self/status"), field);
}

/// What the clients of the engine, or the sandboxes themselves, take: shared pages are divided.
static double childrensMebibytes()
{
    double sum = 0;
    const QByteArray children = test::contentOf(
        QStringLiteral("/proc/self/task/%1/children").arg(QCoreApplication::applicationPid()));
    for (const QByteArray &child : children.simplified().split(' '))
        sum += mebibytes(QStringLiteral("/proc/%1/smaps_rollup").arg(QString::fromLatin1(child)),
                         QStringLiteral("Pss"));
    return sum;
}

class Flight : public QObject
{
public:
    explicit Flight(EvalConfig::SandboxKind kind)
        : m_config(measure::configuration(kind, agent))
        , m_source(makeSandboxSource(m_config, m_results.path()))
    {
        if (const auto problem = test::await(m_source->problem({})))
            qFatal("%s", qPrintable(*problem));
    }

    void measureFlight()
    {
        resetPeak();
        const double base = ownMebibytes(QStringLiteral("VmRSS"));
        for (int i = 0; i < startsAtOnce; ++i)
            begin();
        while (m_verdicts < attemptsInFlight)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        for (auto &task : m_tasks)
            QCoro::waitFor(std::move(task));
        const double peak = ownMebibytes(QStringLiteral("VmHWM"));
        const bool isDocker = m_config.runner.sandbox == EvalConfig::SandboxKind::Docker;
        const QString where =
            isDocker ? QStringLiteral("in containers") : QStringLiteral("in local sandboxes");
        const QString what =
            QStringLiteral("memory of Proctor, %1 attempts in flight %2").arg(attemptsInFlight).arg(where);
        measure::printRow(what + QStringLiteral(", peak"), {peak}, QStringLiteral("MiB"),
                          QStringLiteral("%1 MiB before; all agents at work: %2 MiB, and %3 MiB of the %4")
                              .arg(base, 0, 'f', 1)
                              .arg(m_atWork, 0, 'f', 1)
                              .arg(m_childrenAtWork, 0, 'f', 0)
                              .arg(isDocker ? QStringLiteral("engine's clients")
                                            : QStringLiteral("outermost bubblewraps")));
        measure::printRow(what + QStringLiteral(", an attempt"), {(peak - base) * 1024 / attemptsInFlight},
                          QStringLiteral("KiB"), QStringLiteral("the peak less what was there before"));
    }

private:
    static void resetPeak()
    {
        if (!test::writeFile(QStringLiteral("/proc/self/clear_refs"), "5"))
            qFatal("the kernel does not forget the peak");
    }

    void begin()
    {
        if (m_begun < attemptsInFlight)
            m_tasks.push_back(attempt(m_begun++));
    }

    QCoro::Task<void> attempt(int number)
    {
        const QStringList instances = test::demoInstances();
        Instance instance;
        instance.id = instances.at(number % instances.size());
        instance.image = test::testImage(instance.id);
        instance.bundle = m_bundle.path();
        QTemporaryDir folder;
        std::unique_ptr<Sandbox> sandbox = m_source->make(instance);
        Sandbox *const place = sandbox.get();
        AttemptRun run(measure::attemptSpec(m_config, instance, folder.path()), std::move(sandbox),
                       std::make_unique<SandboxAgent>(m_config), {});
        connect(&run, &AttemptRun::phaseEntered, this, [this, place](Phase phase) {
            if (phase == Phase::Agent)
                arrived(place);
        });
        connect(&run, &AttemptRun::judged, this, [this](const Outcome &outcome) {
            if (outcome.state != State::Scored)
                qFatal("the attempt does not work: %s", qPrintable(outcome.error));
            ++m_verdicts;
        });
        co_await run.run();
    }

    void arrived(Sandbox *place)
    {
        m_atWorkNow << place;
        QMetaObject::invokeMethod(this, &Flight::begin, Qt::QueuedConnection);
        if (m_atWorkNow.size() == attemptsInFlight)
            QMetaObject::invokeMethod(this, &Flight::letGo, Qt::QueuedConnection);
    }

    void letGo()
    {
        m_atWork = ownMebibytes(QStringLiteral("VmRSS"));
        m_childrenAtWork = childrensMebibytes();
        for (Sandbox *place : std::as_const(m_atWorkNow))
            m_goes.push_back(place->bridge()->closePorts());
    }

    EvalConfig m_config;
    QTemporaryDir m_results;
    test::TrialBundle m_bundle;
    std::unique_ptr<SandboxSource> m_source;
    QList<Sandbox *> m_atWorkNow;
    std::vector<QCoro::Task<void>> m_tasks;
    std::vector<QCoro::Task<Stepped<Nothing>>> m_goes;
    int m_begun = 0, m_verdicts = 0;
    double m_atWork = 0, m_childrenAtWork = 0;
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    measure::printMachine();
    Flight(measure::sandboxKinds().last()).measureFlight();
    return 0;
}
