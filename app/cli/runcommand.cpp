// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/dryrun.h"
#include "app/cli/examsession.h"
#include "app/cli/exitcode.h"
#include "app/cli/figures.h"
#include "app/cli/leftovers.h"
#include "app/runner/matrix.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace proctor
{

namespace
{

struct RunOptions {
    SelectionOptions selection;
    std::optional<std::string> matrix;
    bool dryRun = false, mix = false, adopt = false, json = false;
};

} // namespace

/// What is to be run: one entry, or those of the matrix. Nothing when something is wrong, which has been
/// said.
static std::optional<QList<MatrixEntry>> entriesOf(const ExamOptions &exam, const RunOptions &run)
{
    if (!run.matrix) {
        const auto config = exam.load();
        if (!config)
            return std::nullopt;
        return QList<MatrixEntry>{{*config, {}}};
    }
    MatrixContext context;
    context.overrides = exam.overrides();
    if (exam.config)
        context.configFile = fromArgument(*exam.config);
    const LoadedMatrix matrix = loadMatrix(fromArgument(*run.matrix), context);
    printDiagnostics(matrix.diagnostics);
    if (!matrix.isUsable())
        return std::nullopt;
    return matrix.entries;
}

static std::optional<QList<ExamSpec>> prepare(const QList<MatrixEntry> &entries, const RunOptions &run)
{
    QList<ExamSpec> exams;
    Diagnostics diagnostics;
    for (const MatrixEntry &entry : entries) {
        const auto selection = run.selection.selection(entry.config);
        if (!selection) {
            printError(selection.error().text());
            return std::nullopt;
        }
        PreparedExam prepared = prepareExam(entry.config, *selection, entry.agentName);
        prepared.spec.mix = run.mix;
        prepared.spec.adopt = run.adopt;
        exams << prepared.spec;
        for (const Diagnostic &diagnostic : std::as_const(prepared.diagnostics)) {
            // Entries of a matrix share configurations and datasets.
            if (!diagnostics.contains(diagnostic))
                diagnostics << diagnostic;
        }
    }
    printDiagnostics(diagnostics);
    if (hasErrors(diagnostics))
        return std::nullopt;
    return exams;
}

static void printSummaries(const QList<EndedExam> &ended)
{
    for (const EndedExam &exam : ended) {
        const bool hasRun = exam.end && exam.end->problem.isEmpty();
        if (!hasRun)
            continue;
        const auto summary = summarise(exam.spec.resultsFolder(), exam.spec.config.dataset.config);
        printLine();
        printLine(exam.spec.title());
        if (summary)
            printStatus(*summary);
        else
            printError(summary.error().text());
    }
}

static int run(const ExamOptions &exam, const RunOptions &options)
{
    const auto entries = entriesOf(exam, options);
    if (!entries)
        return exitWrongInput;
    const auto exams = prepare(*entries, options);
    if (!exams)
        return exitWrongInput;
    if (options.dryRun)
        return showDryRun(*exams);
    removeLeftovers();
    const auto style = options.json ? RunProgress::Style::Json : RunProgress::Style::Lines;
    const QList<EndedExam> ended = runExams(*exams, style);
    if (!options.json)
        printSummaries(ended);
    return exitCodeOf(ended);
}

void addRunCommand(CLI::App &app, ExamOptions &exam, CommandAction &action)
{
    CLI::App *command =
        app.add_subcommand("run", "Run an exam: what has no verdict yet in its results folder");
    const auto options = std::make_shared<RunOptions>();
    exam.addAll(*command);
    options->selection.addTo(*command);
    command
        ->add_option(
            "--matrix", options->matrix,
            "Run every combination of the configs, agents and\nmodels in this YAML file, one after another")
        ->type_name("FILE");
    CLI::Option *dryRun = command->add_flag("--dry-run", options->dryRun, "Only say what would be run");
    command->add_flag("--mix", options->mix,
                      "Go on in a results folder that another agent,\nmodel or dataset began");
    command->add_flag(
        "--adopt", options->adopt,
        "Take over a results folder without run.json\n(scores.jsonl is kept as scores.jsonl.orig)");
    command
        ->add_flag("--json", options->json,
                   "Print what happens as JSON, one object a line,\nand nothing else")
        ->excludes(dryRun);
    command->final_callback(
        [&exam, &action, options] { action = [&exam, options] { return run(exam, *options); }; });
}

} // namespace proctor
