// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/process/ownermark.h"
#include "models/config/evalconfig.h"

#include <QCoroTask>
#include <QStringList>

#include <optional>

namespace proctor
{

/// A container of some Proctor on an engine.
struct LeftContainer {
    /// OfTheDead: its Proctor was of this machine and is no more. NotOfTheLiving: also what belongs to
    /// another machine, or to nobody that can be told; only what a living Proctor of this machine owns is
    /// spared.
    enum class Choice { OfTheDead, NotOfTheLiving };

    QString id, name;
    /// Nothing if the label is not of our shape.
    std::optional<ProcessIdentity> owner;

    bool isLeft(Choice choice) const;
};

/// What was found or removed on an engine.
struct LeftContainers {
    QList<LeftContainer> containers;
    /// What could not be done and why, a sentence each.
    QStringList problems;

    /// One a container or problem, for people.
    QStringList lines() const;
};

/// From lines "id<tab>name<tab>owner".
QList<LeftContainer> leftContainersFrom(const QByteArray &listing);

/// An engine that is absent or does not answer within some seconds has nothing of ours to tell.
QCoro::Task<LeftContainers> findLeftContainers(EvalConfig::Docker docker, LeftContainer::Choice choice,
                                               CancellationToken token = {});
/// The same, and removes them with their volumes.
QCoro::Task<LeftContainers> removeLeftContainers(EvalConfig::Docker docker, LeftContainer::Choice choice,
                                                 CancellationToken token = {});

} // namespace proctor
