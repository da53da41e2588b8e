// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/evalconfig.h"
#include "models/core/diagnostic.h"
#include "models/exam/dataset.h"
#include "models/run/runidentity.h"
#include "models/run/runplan.h"

namespace proctor
{

/// An exam that can be run: a configuration, its tasks, and which of them.
struct ExamSpec {
    EvalConfig config;
    LoadedDataset dataset;
    RunSelection selection;
    /// What the agent is called in run.json and on screen; empty = taken from the configuration.
    QString agentName;
    /// See ResultStore::WriteOptions.
    bool mix = false;
    bool adopt = false;

    /// <output_dir>/<dataset.config>, absolute.
    QString resultsFolder() const;
    /// The configuration's registered name, "built-in", or "command".
    QString agent() const;
    /// "travel · careful"
    QString title() const;
    RunIdentity identity() const;
};

/// Reads the dataset that a configuration names and says what keeps the exam from being run, before anything
/// starts: no local dataset, broken ids, instances without bundle, an agent or sandbox that this version does
/// not have.
struct PreparedExam {
    ExamSpec spec;
    Diagnostics diagnostics;
};
PreparedExam prepareExam(EvalConfig config, RunSelection selection, const QString &agentName = {});

} // namespace proctor
