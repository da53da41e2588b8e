// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/enginefacts.h"

#include "app/sandbox/dockercommand.h"
#include "app/sandbox/enginecall.h"
#include "app/sandbox/enginewords.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QVersionNumber>

using namespace std::chrono_literals;

namespace proctor
{

namespace
{
struct Engine {
    Q_DECLARE_TR_FUNCTIONS(proctor::DockerSandbox)
};
} // namespace

/// For a question that an engine at work answers at once.
static constexpr auto answerLimit = 15s;

QJsonObject EngineFacts::toJson() const
{
    return {{QStringLiteral("version"), version},
            {QStringLiteral("architecture"), architecture},
            {QStringLiteral("storage_driver"), storageDriver}};
}

/// The names that images use, for those of the kernel.
static QString imageArchitecture(const QString &machine)
{
    if (machine == QLatin1String("x86_64"))
        return QStringLiteral("amd64");
    if (machine == QLatin1String("aarch64"))
        return QStringLiteral("arm64");
    return machine;
}

static QString backingFilesystem(const QJsonArray &status)
{
    for (const QJsonValue &row : status) {
        if (row.toArray().first().toString() == QLatin1String("Backing Filesystem"))
            return row.toArray().last().toString();
    }
    return {};
}

static EngineFacts dockerFacts(const QJsonObject &info)
{
    EngineFacts facts;
    facts.version = info.value(QLatin1String("ServerVersion")).toString();
    facts.architecture = imageArchitecture(info.value(QLatin1String("Architecture")).toString());
    facts.operatingSystem = info.value(QLatin1String("OSType")).toString();
    facts.storageDriver = info.value(QLatin1String("Driver")).toString();
    facts.backingFilesystem = backingFilesystem(info.value(QLatin1String("DriverStatus")).toArray());
    facts.limitsMemory = info.value(QLatin1String("MemoryLimit")).toBool(true);
    facts.limitsPids = info.value(QLatin1String("PidsLimit")).toBool(true);
    facts.limitsCpus = info.value(QLatin1String("CpuCfsQuota")).toBool(true);
    facts.hasHostGateway = QVersionNumber::fromString(facts.version) >= QVersionNumber(20, 10);
    return facts;
}

static EngineFacts podmanFacts(const QJsonObject &info)
{
    const QJsonObject host = info.value(QLatin1String("host")).toObject();
    const QJsonObject store = info.value(QLatin1String("store")).toObject();
    const QJsonObject graph = store.value(QLatin1String("graphStatus")).toObject();
    const QJsonArray controllers = host.value(QLatin1String("cgroupControllers")).toArray();
    EngineFacts facts;
    facts.version =
        info.value(QLatin1String("version")).toObject().value(QLatin1String("Version")).toString();
    facts.architecture = host.value(QLatin1String("arch")).toString();
    facts.operatingSystem = host.value(QLatin1String("os")).toString();
    facts.storageDriver = store.value(QLatin1String("graphDriverName")).toString();
    facts.backingFilesystem = graph.value(QLatin1String("Backing Filesystem")).toString();
    facts.limitsMemory = controllers.isEmpty() || controllers.contains(QStringLiteral("memory"));
    facts.limitsPids = controllers.isEmpty() || controllers.contains(QStringLiteral("pids"));
    facts.limitsCpus = controllers.isEmpty() || controllers.contains(QStringLiteral("cpu"));
    facts.hasHostGateway = QVersionNumber::fromString(facts.version) >= QVersionNumber(4, 7);
    return facts;
}

Expected<EngineFacts> engineFactsFrom(const QByteArray &json, EvalConfig::Engine engine)
{
    const QJsonObject info = QJsonDocument::fromJson(json).object();
    const bool isPodman = engine == EvalConfig::Engine::Podman;
    const EngineFacts facts = isPodman ? podmanFacts(info) : dockerFacts(info);
    if (facts.version.isEmpty()) {
        QStringList errors;
        for (const QJsonValue &error : info.value(QLatin1String("ServerErrors")).toArray())
            errors << error.toString();
        return Error{errors.isEmpty() ? Engine::tr("it says nothing of itself") : errors.join(u' ')};
    }
    if (!facts.operatingSystem.isEmpty() && facts.operatingSystem != QLatin1String("linux"))
        return Error{Engine::tr("it runs containers of %1, and task images are made for Linux")
                         .arg(facts.operatingSystem)};
    return facts;
}

/// overlay2 limits a container's disk on xfs alone (mounted with pquota); these do by themselves.
static bool limitsDisk(const EngineFacts &facts)
{
    static const QStringList drivers{QStringLiteral("btrfs"), QStringLiteral("zfs"),
                                     QStringLiteral("devicemapper"), QStringLiteral("windowsfilter")};
    return drivers.contains(facts.storageDriver) || facts.backingFilesystem == QLatin1String("xfs");
}

QStringList engineWarnings(const EngineFacts &facts, const EvalConfig::Docker &docker)
{
    QStringList warnings;
    const QString wanted = docker.platform.section(u'/', 1, 1);
    if (!wanted.isEmpty() && wanted != facts.architecture)
        warnings << Engine::tr("The images are made for %1 and the engine's processor is %2: they run by "
                               "emulation, if at all, and slowly; time limits may be too short")
                        .arg(docker.platform, facts.architecture);
    if (!docker.memory.isEmpty() && !facts.limitsMemory)
        warnings << Engine::tr("The engine cannot limit memory: docker.memory has no effect");
    if (!facts.limitsPids)
        warnings << Engine::tr("The engine cannot limit processes: docker.pids has no effect");
    if (docker.cpus && !facts.limitsCpus)
        warnings << Engine::tr("The engine cannot limit processor time: docker.cpus has no effect");
    if (!docker.disk.isEmpty() && !limitsDisk(facts))
        warnings << Engine::tr(
                        "The engine's storage driver (%1 on %2) most likely cannot limit disk space: with "
                        "docker.disk containers may not start")
                        .arg(facts.storageDriver, facts.backingFilesystem.isEmpty()
                                                      ? Engine::tr("an unknown file system")
                                                      : facts.backingFilesystem);
    if (!facts.hasHostGateway && docker.network != QLatin1String("none"))
        warnings << Engine::tr("The engine (%1) is too old to name the host in a container: "
                               "host.docker.internal will not "
                               "be found there")
                        .arg(facts.version);
    return warnings;
}

static QString howToFix(const EvalConfig::Docker &docker)
{
    if (!docker.context.isEmpty())
        return Engine::tr("check docker.context (`%1 context ls`)").arg(engineProgram(docker));
    return Engine::tr("start it, check DOCKER_HOST and that you may use it, or set runner.sandbox to local");
}

QCoro::Task<Stepped<EngineFacts>> askForFacts(EvalConfig::Docker docker, CancellationToken token)
{
    const QString program = engineProgram(docker);
    if (QStandardPaths::findExecutable(program).isEmpty()) {
        const StepFailure missing{
            StepFailure::Kind::Failed,
            Engine::tr("The command %1 is not there. Install it, or set runner.sandbox to local")
                .arg(program)};
        co_return missing;
    }
    const QStringList question{QStringLiteral("info"), QStringLiteral("--format"),
                               QStringLiteral("{{json .}}")};
    const ProcessEnd end = co_await askEngine(docker, question, answerLimit, token);
    if (token.isCancelled()) {
        const StepFailure cancelled{StepFailure::Kind::Cancelled, token.reason()};
        co_return cancelled;
    }
    if (end.kind == ProcessEnd::Kind::TimedOut) {
        const StepFailure hangs{StepFailure::Kind::TimedOut,
                                Engine::tr("The engine behind %1 has not answered for %2 s: %3")
                                    .arg(program)
                                    .arg(answerLimit / 1s)
                                    .arg(howToFix(docker))};
        co_return hangs;
    }
    const auto facts = engineFactsFrom(end.output, docker.engine);
    if (facts)
        co_return *facts;
    const QString words = engineWords(end.errors);
    const QString why = !words.isEmpty() ? words : end.succeeded() ? facts.error().message : end.sentence();
    const StepFailure absent{
        StepFailure::Kind::Failed,
        Engine::tr("No engine can be used through %1; %2. It said: %3").arg(program, howToFix(docker), why)};
    co_return absent;
}

/// What the engine's clock says, so that its events up to now can be asked for; "0s" where the client's own
/// clock has to do.
static QCoro::Task<Stepped<QString>> engineTime(EvalConfig::Docker docker)
{
    const bool isPodman = docker.engine == EvalConfig::Engine::Podman;
    const QString wanted =
        isPodman ? QStringLiteral("{{.Version.Version}}") : QStringLiteral("{{.SystemTime}}");
    const QStringList question{QStringLiteral("info"), QStringLiteral("--format"), wanted};
    const ProcessEnd end = co_await askEngine(docker, question, answerLimit);
    const QString time = QString::fromUtf8(end.output).trimmed();
    if (end.succeeded() && !time.isEmpty())
        co_return isPodman ? QStringLiteral("0s") : time;
    const QString words = engineWords(end.errors);
    const StepFailure silent{StepFailure::Kind::Failed, words.isEmpty() ? end.sentence() : words};
    co_return silent;
}

QCoro::Task<Stepped<QStringList>> eventsOf(EvalConfig::Docker docker, QString container)
{
    const auto now = co_await engineTime(docker);
    if (!now)
        co_return now.error();
    const bool isPodman = docker.engine == EvalConfig::Engine::Podman;
    const QStringList question{QStringLiteral("events"),
                               QStringLiteral("--since"),
                               QStringLiteral("24h"),
                               QStringLiteral("--until"),
                               *now,
                               QStringLiteral("--filter"),
                               QStringLiteral("container=") + container,
                               QStringLiteral("--format"),
                               isPodman ? QStringLiteral("{{.Status}}") : QStringLiteral("{{.Action}}")};
    const ProcessEnd end = co_await askEngine(docker, question, answerLimit);
    if (!end.succeeded()) {
        const QString words = engineWords(end.errors);
        const StepFailure silent{StepFailure::Kind::Failed, words.isEmpty() ? end.sentence() : words};
        co_return silent;
    }
    co_return QString::fromUtf8(end.output).split(u'\n', Qt::SkipEmptyParts);
}

} // namespace proctor
