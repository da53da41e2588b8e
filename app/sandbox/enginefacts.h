// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/sandbox/step.h"
#include "models/config/evalconfig.h"

#include <QCoroTask>
#include <QJsonObject>
#include <QStringList>

#include <chrono>

namespace proctor
{

/// What an engine says of itself.
struct EngineFacts {
    QString version;
    /// As images name it: "amd64".
    QString architecture;
    QString operatingSystem;
    QString storageDriver;
    QString backingFilesystem;
    bool limitsMemory = true, limitsPids = true, limitsCpus = true;
    /// Whether "host-gateway" can be given as an address.
    bool hasHostGateway = true;

    QJsonObject toJson() const;
};

/// From `info --format '{{json .}}'` of either client. Errors: no engine behind it, not Linux.
Expected<EngineFacts> engineFactsFrom(const QByteArray &json, EvalConfig::Engine engine);

/// What will not be as the configuration wants it, a sentence each.
QStringList engineWarnings(const EngineFacts &facts, const EvalConfig::Docker &docker);

/// Asks the engine. The failure says what to do; in bounded time.
QCoro::Task<Stepped<EngineFacts>> askForFacts(EvalConfig::Docker docker, CancellationToken token);

/// What the engine remembers to have happened to a container ("create", "oom", "kill", "die", ...), also to
/// one that is removed. A failure means that the engine does not answer (any more).
QCoro::Task<Stepped<QStringList>> eventsOf(EvalConfig::Docker docker, QString container);

} // namespace proctor
