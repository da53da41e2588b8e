// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/examoptions.h"
#include "app/cli/exitcode.h"
#include "app/cli/leftovers.h"
#include "app/sandbox/leftcontainers.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace proctor
{

namespace
{
struct CleanupOptions {
    ExamOptions exam;
    bool all = false, dryRun = false;
};
} // namespace

/// The engines of a configuration, or those that are there by default; nothing if the configuration cannot be
/// read.
static std::optional<QList<EvalConfig::Docker>> enginesOf(const ExamOptions &exam)
{
    EvalConfig::Docker docker, podman;
    podman.engine = EvalConfig::Engine::Podman;
    if (!exam.config)
        return QList<EvalConfig::Docker>{docker, podman};
    const auto config = exam.load();
    if (!config)
        return std::nullopt;
    return QList<EvalConfig::Docker>{config->docker};
}

static LeftContainers cleanUpEngine(const EvalConfig::Docker &engine, const CleanupOptions &options)
{
    const auto choice =
        options.all ? LeftContainer::Choice::NotOfTheLiving : LeftContainer::Choice::OfTheDead;
    return QCoro::waitFor(options.dryRun ? findLeftContainers(engine, choice)
                                         : removeLeftContainers(engine, choice));
}

static int cleanUp(const CleanupOptions &options)
{
    const auto engines = enginesOf(options.exam);
    if (!engines)
        return exitWrongInput;
    const Leftovers leftovers = options.dryRun ? Reaper().find() : Reaper().remove();
    QStringList lines = leftoverLines(leftovers);
    bool isDone = leftovers.problems.isEmpty();
    for (const EvalConfig::Docker &engine : *engines) {
        const LeftContainers containers = cleanUpEngine(engine, options);
        lines += containers.lines();
        isDone = isDone && containers.problems.isEmpty();
    }
    if (lines.isEmpty()) {
        printLine(QStringLiteral("Nothing is left of an earlier Proctor"));
        return exitAllWell;
    }
    printLine(options.dryRun ? QStringLiteral("Would remove:") : QStringLiteral("Removed:"));
    for (const QString &line : std::as_const(lines))
        printLine(QStringLiteral("  ") + line);
    return isDone ? exitAllWell : exitBroken;
}

void addCleanupCommand(CLI::App &app, CommandAction &action)
{
    CLI::App *command = app.add_subcommand(
        "cleanup", "Remove processes, folders and containers that Proctors which\nwere killed left behind");
    const auto options = std::make_shared<CleanupOptions>();
    command->add_flag("--dry-run", options->dryRun, "Only say what would be removed");
    command->add_flag("--all", options->all,
                      "Also the containers on this engine of Proctors on other machines,\nwhich may still be "
                      "running; never those of one that runs here");
    command
        ->add_option("--config", options->exam.config,
                     "Configuration that names the engine; without it those that\ndocker and podman use by "
                     "themselves")
        ->type_name("FILE");
    command->final_callback([&action, options] { action = [options] { return cleanUp(*options); }; });
}

} // namespace proctor
