// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/agentregistration.h"
#include "models/core/diagnostic.h"

#include <QMap>
#include <QStringList>

#include <optional>

namespace proctor
{

/// The built-in agent's command line; agent.cmd equal to it selects the built-in agent.
inline const QString builtInAgentCommand = QStringLiteral("python3 /app/mini_swe_agent.py");

/// The values of an evaluation configuration, defaults filled in. Times are in seconds.
/// Members that the peer does not know are Proctor's own additions under keys that it ignores.
struct EvalConfig {
    enum class Engine { Docker, Podman };
    enum class Pull { Missing, Always, Never };
    enum class Entrypoint { Replace, Keep };
    enum class SandboxKind { Docker, Local };
    enum class OnTimeout { Fail, Verify };

    struct Dataset {
        QString repoId = QStringLiteral("FlyaiLab/ecommerce_last_exam");
        QString config = QStringLiteral("travel");
        QString split = QStringLiteral("test");
        /// Local dataset file, absolute (written relative to the configuration); ours. Empty = from the Hub.
        QString path;
    } dataset;

    struct Docker {
        QString registry;
        QString platform = QStringLiteral("linux/amd64");
        Engine engine = Engine::Docker;
        QString context;
        Pull pull = Pull::Missing;
        QString network = QStringLiteral("bridge");
        /// Empty = unlimited.
        QString memory = QStringLiteral("4g");
        /// Absent = unlimited.
        std::optional<double> cpus;
        static constexpr int leastPids = 64, mostPids = 1 << 20;
        /// Processes and threads of a container, leastPids to mostPids.
        int pids = 512;
        /// What a container may write to its own layer; empty = unlimited. Few storage drivers can limit it.
        QString disk;
        /// Keep: the image's own entrypoint is the container's main process, and the bridge joins it.
        /// Replace: the bridge is the main process, which costs one command instead of three.
        Entrypoint entrypoint = Entrypoint::Replace;
        /// Globs relative to /app, `**` allowed: what the agent must not see besides tests and databases.
        QStringList hide;
    } docker;

    struct Agent {
        /// Empty = the agent in the sandbox (`cmd`).
        QString name;
        QString cmd = builtInAgentCommand;
        /// What a host agent writes besides answer.json and answer.md, normalised; see declaredOutputs(). The
        /// selected registration's own paths and time limit have taken the place of those of this section.
        QStringList outputPaths;
        double timeoutSec = 1800;
        QString llmBaseUrl = QStringLiteral("http://host.docker.internal:4000");
        /// Secret: never printed, logged or written.
        QString llmApiKey;
        QString llmModel = QStringLiteral("qwen3.7-plus");
        /// The registration that `name` selects.
        std::optional<AgentRegistration> registration;
    } agent;

    struct Verifier {
        double timeoutSec = 1200;
        QString judgeBaseUrl = QStringLiteral("http://host.docker.internal:4000");
        /// Secret: never printed, logged or written.
        QString judgeApiKey;
        QString judgeModel = QStringLiteral("qwen3.7-plus");
    } verifier;

    struct Runner {
        static constexpr int mostConcurrency = 1024, mostRuns = 1000;

        /// Attempts at a time, 1 to mostConcurrency.
        int concurrency = 1;
        /// Relative to the current folder, as the peer has it.
        QString outputDir = QStringLiteral("./eval_results");
        /// First N instances; absent = all.
        std::optional<int> limit;
        bool skipDone = true;
        SandboxKind sandbox = SandboxKind::Docker;
        /// 1 to mostRuns.
        int runs = 1;
        OnTimeout onTimeout = OnTimeout::Fail;
        double toolTimeoutSec = 60;
        /// Tools of one attempt that may run at once, 1 to 8.
        int toolParallel = 1;
    } runner;

    QMap<QString, AgentRegistration> agents;

    /// Absolute path of the file, empty for pure defaults.
    QString file;
    /// Folder that relative paths of registrations and dataset.path refer to.
    QString configDir;

    bool usesBuiltInAgent() const { return agent.name.isEmpty() && agent.cmd == builtInAgentCommand; }
};

/// What the command line overrides; an absent member leaves the configuration's value.
struct ConfigOverrides {
    std::optional<QString> datasetConfig, outputDir, registry, agent;
    std::optional<int> limit, concurrency, runs;
    std::optional<EvalConfig::SandboxKind> sandbox;
    /// No registered agent is selected, whatever the configuration says: a command takes its place.
    bool withoutRegisteredAgent = false;
};

/// A configuration with everything there is to say about it. With errors among the diagnostics `config` holds
/// what could be read and must not be run.
struct LoadedConfig {
    EvalConfig config;
    Diagnostics diagnostics;

    bool isUsable() const { return !hasErrors(diagnostics); }
};

/// Reads YAML text as the peer does (YAML 1.1 scalars, last of equal keys wins, known sections merged over
/// the defaults) but reports every problem, with line and column, several at once. `path` is for messages and
/// configDir.
LoadedConfig parseEvalConfig(const QByteArray &yaml, const QString &path,
                             const ConfigOverrides &overrides = {});

/// Reads the file; one that does not exist is an error. An empty path gives the pure defaults.
LoadedConfig loadEvalConfig(const QString &path, const ConfigOverrides &overrides = {});

QString toWord(EvalConfig::SandboxKind kind);
std::optional<EvalConfig::SandboxKind> sandboxKindFromWord(const QString &word);

} // namespace proctor
