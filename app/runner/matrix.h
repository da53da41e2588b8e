// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/evalconfig.h"
#include "models/core/diagnostic.h"

namespace proctor
{

/// One combination of a matrix, ready to be prepared. Its output folder is one of its own:
/// <output_dir>/<model>_<agent>, without what the matrix does not vary.
struct MatrixEntry {
    EvalConfig config;
    /// What the agent is called; empty = as in the configuration.
    QString agentName;
};

/// What surrounds a matrix file.
struct MatrixContext {
    /// With it `configs` are dataset configs of this one file; without it they are files beside the matrix.
    /// Without both every entry has the defaults.
    QString configFile;
    ConfigOverrides overrides;
};

/// All combinations, configs outermost, then models, then agents, in the order of the file.
struct LoadedMatrix {
    QList<MatrixEntry> entries;
    Diagnostics diagnostics;

    bool isUsable() const { return !hasErrors(diagnostics); }
};

/// Reads a matrix of configurations, models and agents:
///
///     configs: [travel, e_commerce]   # files beside this one: travel stands for travel.yaml
///     agents:                         # names of registered agents, or commands of their own
///       - careful
///       - {name: hasty, cmd: python3 /app/agent/hasty.py}
///     models: [m1, m2]                # take the place of agent.llm_model
///
/// An axis that is missing is the configuration's own. Errors stand with line and column, several at once;
/// two combinations that would share a results folder are one.
LoadedMatrix loadMatrix(const QString &path, const MatrixContext &context);

} // namespace proctor
