// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/evalconfig.h"
#include "models/run/runplan.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI
{
class App;
class Option;
} // namespace CLI

namespace proctor
{

/// --config and what overrides it, as written on the command line.
struct ExamOptions {
    std::optional<std::string> config;
    std::optional<std::string> datasetConfig, outputDir, registry, agent, sandbox;
    std::optional<int> limit, concurrency, runs;

    /// --config may stand before the subcommand and behind it.
    void addConfig(CLI::App &command);
    /// The options of status and report: which results folder.
    void addFolder(CLI::App &command);
    /// All of them.
    void addAll(CLI::App &command);

    ConfigOverrides overrides() const;
    /// The file that is read: --config, else ./eval_config.yaml if it is there, else "" for the defaults.
    /// Without
    /// --config it is said which.
    QString chooseFile() const;
    /// The configuration, or nothing when it has errors; all there is to say about it has been said.
    std::optional<EvalConfig> load() const;
};

/// --only and --retry-failed.
struct SelectionOptions {
    std::vector<std::string> only;
    /// One element at most, which may be empty.
    std::vector<std::string> retryFailed;
    /// Also says whether it was given, which a list without elements cannot.
    const CLI::Option *retryOption = nullptr;

    void addTo(CLI::App &command);
    /// Reads in what @file names. Number of runs and the like are the configuration's.
    Expected<RunSelection> selection(const EvalConfig &config) const;
};

QString fromArgument(const std::string &text);

} // namespace proctor
