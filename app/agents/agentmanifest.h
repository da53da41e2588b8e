// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>
#include <QStringList>

namespace proctor
{

/// What a registered agent is told, by protocol manifest-v1. There is no key among it: the agent finds that
/// in its environment.
struct AgentManifest {
    QString instanceId;
    /// Text of the prompts, empty where the task has none.
    QString system, user;
    QString toolUrl;
    /// JSON text: a list with at least one element.
    QByteArray toolDefinitions;
    /// JSON text; blank = null.
    QByteArray taskContext;
    QString outputFolder;
    QStringList outputPaths;
    QString modelUrl, model;

    /// The file's text: members in the protocol's order, indented by two, characters as they are; what came
    /// as JSON keeps its order and the spelling of its numbers. The error names the part that is none.
    Expected<QByteArray> toJson() const;
};

} // namespace proctor
