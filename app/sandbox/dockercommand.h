// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/ownermark.h"
#include "models/config/evalconfig.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace proctor
{

/// Labels of every container of Proctor: whose it is, see OwnerMark.
inline const QString ownerLabel = QStringLiteral("proctor.owner");
inline const QString runLabel = QStringLiteral("proctor.run");

/// What a container is made with.
struct ContainerSpec {
    EvalConfig::Docker docker;
    /// Unique, see containerName().
    QString name;
    /// As the engine knows it, registry included.
    QString image;
    OwnerMark owner;
    /// Whether host.docker.internal is to be the host; not every engine can.
    bool hasHostGateway = false;
    /// Seconds after which a container with its own entrypoint ends by itself.
    double deadline = 3600;
};

/// The file name of the engine's client.
QString engineProgram(const EvalConfig::Docker &docker);
/// The client's arguments for a sub-command: the context first.
QStringList engineArguments(const EvalConfig::Docker &docker, const QStringList &command);

/// The argument lists below are for the client itself, the context included. None of them holds a secret:
/// they can be read by every user of the machine and by everybody who may ask the engine.

/// A container whose main process is the bridge, on the client's standard streams; removed by its end.
QStringList runArguments(const ContainerSpec &spec);
/// A container whose main process is the image's own entrypoint, with a `sleep` as its command; in the
/// background.
QStringList keepArguments(const ContainerSpec &spec);
/// The bridge in such a container, on the client's standard streams.
QStringList joinArguments(const ContainerSpec &spec);
/// Ends and removes containers with their volumes; without the context, as a command for askEngine().
QStringList removeCommand(const QStringList &containers);

/// The capabilities that set-up needs; all others are dropped.
QStringList keptCapabilities();

/// The image with the registry in front, by the peer's rule: only if a registry is set, the image has a "/",
/// and it does not begin with the registry already.
QString imageWithRegistry(const QString &image, const QString &registry);
/// Why a text cannot be given to the engine as an image, or nothing.
std::optional<QString> imageProblem(const QString &image);

/// A name that no other container of any Proctor has: from the owner, which is unique to this process, and a
/// number that is unique in it. The id makes it readable and decides nothing. At most 63 characters.
QString containerName(const OwnerMark &owner, const QString &instanceId);

} // namespace proctor
