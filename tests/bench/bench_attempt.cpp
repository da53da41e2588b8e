// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Proctor adds to an attempt in the local sandbox, with an agent that does nothing, beside the bare
// nested bubblewrap calls that such an attempt cannot do without. Both in turn, so that a busy machine slows
// both.
#include "app/agents/sandboxagent.h"
#include "app/runner/attemptrun.h"
#include "app/sandbox/bubblewrap.h"
#include "app/sandbox/localsandbox.h"
#include "tests/bench/measure.h"
#include "tests/support/trialbundle.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace proctor;

static constexpr int rounds = 20;

/// The inner wall as far as it costs time: own namespaces and a view of /usr and /app.
static QStringList innerCommand()
{
    return QStringLiteral(
               "bwrap --unshare-user --unshare-pid --unshare-ipc --disable-userns --new-session --cap-drop "
               "ALL "
               "--clearenv --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib "
               "--symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --ro-bind /app /app "
               "--remount-ro / true")
        .split(QLatin1Char(' '));
}

static double bareMilliseconds(ProcessSpec spec)
{
    Process process(std::move(spec));
    QElapsedTimer clock;
    clock.start();
    const ProcessEnd end = QCoro::waitFor(process.run());
    if (!end.succeeded())
        qFatal("the bare call does not work: %s", qPrintable(end.sentence()));
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

static double attemptMilliseconds(const QString &bundle)
{
    QTemporaryDir folder;
    AttemptSpec spec;
    spec.slot = {QStringLiteral("trial"), 1};
    spec.folder = folder.path();
    spec.config.agent.cmd = QStringLiteral("true");
    LocalSandboxSpec sandbox;
    sandbox.bundle = bundle;
    sandbox.setup.wall = bubblewrapWall;
    QElapsedTimer clock;
    clock.start();
    AttemptRun run(spec, std::make_unique<LocalSandbox>(sandbox), std::make_unique<SandboxAgent>(spec.config),
                   {});
    Outcome outcome;
    QObject::connect(&run, &AttemptRun::judged, &run, [&](const Outcome &judged) { outcome = judged; });
    QCoro::waitFor(run.run());
    if (outcome.state != State::Scored)
        qFatal("the attempt does not work: %s", qPrintable(outcome.error));
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const test::TrialBundle bundle;
    OuterWall wall;
    wall.appSize = 64 << 20;
    wall.command = innerCommand();
    ProcessSpec bare;
    bare.program = QStringLiteral("bwrap");
    bare.arguments = bubblewrapArguments(wall);
    bare.workingDirectory = QStringLiteral("/");
    if (geteuid() == 0)
        bare.dropTo = Credentials{20000, 20000};

    QList<double> attempts, bares;
    for (int round = 0; round < rounds; ++round) {
        bares << bareMilliseconds(bare);
        attempts << attemptMilliseconds(bundle.path());
    }
    measure::printMachine();
    const QString command = QStringLiteral("bwrap … ") + innerCommand().join(QLatin1Char(' '));
    measure::printRow(QStringLiteral("attempt that does nothing, local sandbox"), attempts,
                      QStringLiteral("ms"),
                      QStringLiteral("median %1 ms of nested %2: Proctor adds %3 ms")
                          .arg(measure::median(bares), 0, 'f', 1)
                          .arg(command)
                          .arg(measure::median(attempts) - measure::median(bares), 0, 'f', 1));
    return 0;
}
