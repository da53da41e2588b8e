// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/examspec.h"

#include "app/agents/hostcommand.h"
#include "models/core/version.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QJsonArray>

namespace proctor
{

static QString tr(const char *text)
{
    return QCoreApplication::translate("proctor", text);
}

static QJsonValue orNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QString ExamSpec::resultsFolder() const
{
    return QDir::cleanPath(QDir(config.runner.outputDir).absoluteFilePath(config.dataset.config));
}

QString ExamSpec::agent() const
{
    if (!agentName.isEmpty())
        return agentName;
    if (!config.agent.name.isEmpty())
        return config.agent.name;
    return config.usesBuiltInAgent() ? QStringLiteral("built-in") : QStringLiteral("command");
}

QString ExamSpec::title() const
{
    return config.dataset.config + QStringLiteral(" · ") + agent();
}

/// What of a registration changes what an agent can do; an empty object without one.
static QJsonObject registrationObject(const std::optional<AgentRegistration> &registration)
{
    if (!registration)
        return {};
    QJsonObject object{{QStringLiteral("protocol"), registration->protocol},
                       {QStringLiteral("cwd"), registration->cwd},
                       {QStringLiteral("pass_env"), QJsonArray::fromStringList(registration->passEnv)}};
    if (registration->wall == AgentRegistration::Wall::Bubblewrap)
        object.insert(QStringLiteral("sandbox"), QStringLiteral("bubblewrap"));
    return object;
}

static QJsonObject sandboxObject(const EvalConfig &config)
{
    QJsonObject object{{QStringLiteral("kind"), toWord(config.runner.sandbox)}};
    if (config.runner.sandbox == EvalConfig::SandboxKind::Local)
        return object;
    const EvalConfig::Docker &docker = config.docker;
    object.insert(QStringLiteral("network"), docker.network);
    object.insert(QStringLiteral("memory"), orNull(docker.memory));
    object.insert(QStringLiteral("pids"), docker.pids);
    object.insert(QStringLiteral("cpus"), docker.cpus ? QJsonValue(*docker.cpus) : QJsonValue());
    return object;
}

RunIdentity ExamSpec::identity() const
{
    const QJsonObject datasetObject{{QStringLiteral("repo_id"), config.dataset.path.isEmpty()
                                                                    ? QJsonValue(config.dataset.repoId)
                                                                    : QJsonValue()},
                                    {QStringLiteral("config"), config.dataset.config},
                                    {QStringLiteral("split"), config.dataset.split},
                                    {QStringLiteral("revision"), QJsonValue()},
                                    {QStringLiteral("instances"), dataset.instances.size()},
                                    {QStringLiteral("fingerprint"), dataset.fingerprint}};
    const auto &registration = config.agent.registration;
    const QJsonObject agentObject{
        {QStringLiteral("name"), agent()},
        {QStringLiteral("kind"), registration ? QStringLiteral("host") : QStringLiteral("sandbox")},
        {QStringLiteral("command"),
         registration ? QJsonArray::fromStringList(registration->command) : QJsonArray{config.agent.cmd}},
        {QStringLiteral("registration"), registrationObject(registration)},
        {QStringLiteral("model"), config.agent.llmModel},
        {QStringLiteral("parameters"), QJsonObject()}};
    const QJsonObject limits{{QStringLiteral("agent"), config.agent.timeoutSec},
                             {QStringLiteral("verifier"), config.verifier.timeoutSec},
                             {QStringLiteral("tool"), config.runner.toolTimeoutSec}};
    RunIdentity identity;
    identity.json = {
        {QStringLiteral("schema_version"), 1},
        {QStringLiteral("proctor"), proctorVersion()},
        {QStringLiteral("created"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate)},
        {QStringLiteral("dataset"), datasetObject},
        {QStringLiteral("agent"), agentObject},
        {QStringLiteral("judge"), QJsonObject{{QStringLiteral("model"), orNull(config.verifier.judgeModel)}}},
        {QStringLiteral("limits"), limits},
        {QStringLiteral("sandbox"), sandboxObject(config)},
        {QStringLiteral("images"), QJsonObject()},
        {QStringLiteral("runs"), selection.runs},
        {QStringLiteral("replay"), QJsonValue()},
        {QStringLiteral("faults"), QJsonValue()}};
    return identity;
}

static Diagnostic problem(const QString &message, const QString &file, const QString &key)
{
    return {Diagnostic::Severity::Error, {message, file, 0, 0}, key};
}

static Diagnostics unsupported(const EvalConfig &config)
{
    Diagnostics diagnostics;
    if (config.agent.registration) {
        diagnostics += programProblems(config);
    } else if (config.usesBuiltInAgent() && config.runner.sandbox == EvalConfig::SandboxKind::Local) {
        diagnostics << problem(
            tr("The built-in agent calls a model, and the local sandbox has no network: use the Docker "
               "sandbox (runner.sandbox), or set agent.cmd to a command in the bundle"),
            config.file, QStringLiteral("agent.cmd"));
    } else if (config.usesBuiltInAgent() && config.docker.network == QLatin1String("none")) {
        diagnostics << problem(
            tr("The built-in agent calls a model, and docker.network is none: set it to bridge"), config.file,
            QStringLiteral("docker.network"));
    }
    return diagnostics;
}

PreparedExam prepareExam(EvalConfig config, RunSelection selection, const QString &agentName)
{
    PreparedExam prepared;
    prepared.diagnostics = unsupported(config);
    if (config.dataset.path.isEmpty()) {
        prepared.diagnostics << problem(
            tr("The dataset %1 is on the Hub, and this version of Proctor reads local files only: "
               "name one with dataset.path")
                .arg(config.dataset.repoId),
            config.file, QStringLiteral("dataset.path"));
    } else {
        prepared.spec.dataset = loadDataset(config.dataset.path);
        prepared.diagnostics += prepared.spec.dataset.diagnostics;
        const bool isLocal = config.runner.sandbox == EvalConfig::SandboxKind::Local;
        prepared.diagnostics +=
            missingSources(prepared.spec.dataset.instances,
                           isLocal ? InstanceSource::Bundle : InstanceSource::Image, config.dataset.path);
    }
    prepared.spec.config = std::move(config);
    prepared.spec.selection = std::move(selection);
    prepared.spec.agentName = agentName;
    return prepared;
}

} // namespace proctor
