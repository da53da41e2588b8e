// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/dockercommand.h"

#include "app/sandbox/bridgeprogram.h"
#include "models/exam/imagereference.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QRegularExpression>

#include <atomic>
#include <cmath>

namespace proctor
{

static QString word(const char *text)
{
    return QString::fromLatin1(text);
}

QString engineProgram(const EvalConfig::Docker &docker)
{
    return docker.engine == EvalConfig::Engine::Podman ? word("podman") : word("docker");
}

QStringList engineArguments(const EvalConfig::Docker &docker, const QStringList &command)
{
    if (docker.context.isEmpty())
        return command;
    const bool isPodman = docker.engine == EvalConfig::Engine::Podman;
    return QStringList{isPodman ? word("--connection") : word("--context"), docker.context} + command;
}

static QStringList bridgeCommand()
{
    return {word("-I"), word("-S"), word("-u"), word("-c"), bridgeBoot()};
}

QStringList keptCapabilities()
{
    return {word("CHOWN"),  word("DAC_OVERRIDE"), word("FOWNER"),
            word("SETUID"), word("SETGID"),       word("KILL")};
}

/// The wall around the container, the same for both forms.
static QStringList hardening(const ContainerSpec &spec)
{
    const EvalConfig::Docker &docker = spec.docker;
    QStringList flags{word("--pull"),
                      word("never"),
                      word("--log-driver"),
                      word("none"),
                      word("--network"),
                      docker.network,
                      word("--user"),
                      word("0:0"),
                      word("--no-healthcheck"),
                      word("--security-opt"),
                      word("no-new-privileges"),
                      word("--cap-drop"),
                      word("ALL")};
    for (const QString &capability : keptCapabilities())
        flags << word("--cap-add") << capability;
    flags << word("--pids-limit") << QString::number(docker.pids);
    // The same twice: no swap, which would only make the limit slow.
    if (!docker.memory.isEmpty())
        flags << word("--memory") << docker.memory << word("--memory-swap") << docker.memory;
    if (docker.cpus)
        flags << word("--cpus") << QString::number(*docker.cpus);
    if (!docker.disk.isEmpty())
        flags << word("--storage-opt") << word("size=") + docker.disk;
    flags << word("--platform") << docker.platform;
    if (spec.hasHostGateway && docker.network != word("none"))
        flags << word("--add-host") << word("host.docker.internal:host-gateway");
    return flags;
}

static QStringList marks(const ContainerSpec &spec)
{
    QStringList flags{word("--name"), spec.name, word("--label"),
                      ownerLabel + u'=' + spec.owner.owner.toText()};
    if (!spec.owner.run.isEmpty())
        flags << word("--label") << runLabel + u'=' + spec.owner.run;
    return flags;
}

QStringList runArguments(const ContainerSpec &spec)
{
    const QStringList command = QStringList{word("run"), word("-i"), word("--rm")} + hardening(spec) +
                                marks(spec) + QStringList{word("--entrypoint"), word("python3"), spec.image} +
                                bridgeCommand();
    return engineArguments(spec.docker, command);
}

QStringList keepArguments(const ContainerSpec &spec)
{
    const QString seconds = QString::number(static_cast<qint64>(std::ceil(spec.deadline)));
    const QStringList command = QStringList{word("run"), word("-d")} + hardening(spec) + marks(spec) +
                                QStringList{spec.image, word("sleep"), seconds};
    return engineArguments(spec.docker, command);
}

QStringList joinArguments(const ContainerSpec &spec)
{
    const QStringList command =
        QStringList{word("exec"), word("-i"), word("-u"), word("0:0"), spec.name, word("python3")} +
        bridgeCommand();
    return engineArguments(spec.docker, command);
}

QStringList removeCommand(const QStringList &containers)
{
    return QStringList{word("rm"), word("-f"), word("-v")} + containers;
}

QString imageWithRegistry(const QString &image, const QString &registry)
{
    if (registry.isEmpty() || !image.contains(u'/') || image.startsWith(registry))
        return image;
    return registry + u'/' + image;
}

std::optional<QString> imageProblem(const QString &image)
{
    if (isImageReference(image))
        return std::nullopt;
    return QCoreApplication::translate("proctor::DockerSandbox", "“%1” cannot name an image")
        .arg(image.left(80));
}

QString containerName(const OwnerMark &owner, const QString &instanceId)
{
    static constexpr qsizetype readableLength = 30;
    static std::atomic<quint32> lastNumber = 0;
    const QByteArray hash =
        QCryptographicHash::hash(owner.owner.toText().toUtf8(), QCryptographicHash::Sha256);
    QString readable = instanceId.left(readableLength);
    static const QRegularExpression unusual(QStringLiteral("[^A-Za-z0-9_.-]"));
    readable.replace(unusual, QStringLiteral("_"));
    return QStringLiteral("proctor-%1-%2-%3")
        .arg(QString::fromLatin1(hash.toHex().left(12)), QString::number(++lastNumber, 36), readable);
}

} // namespace proctor
