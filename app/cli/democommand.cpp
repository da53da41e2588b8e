// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/examsession.h"
#include "app/cli/exitcode.h"
#include "app/cli/figures.h"
#include "app/cli/leftovers.h"
#include "app/runner/demoexam.h"
#include "models/core/format.h"
#include "models/run/resultstore.h"

#include <CLI/CLI.hpp>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>

#include <memory>

namespace proctor
{

namespace
{

struct DemoOptions {
    std::optional<std::string> outputDir;
    bool json = false;
};

} // namespace

static QList<Result> resultsOf(const ExamSpec &exam)
{
    const auto store = ResultStore::openReadOnly(exam.resultsFolder());
    return store ? (*store)->results() : QList<Result>();
}

/// One table over both halves an agent.
static void printAgent(const QString &agent, const QList<Result> &results, int instances)
{
    FolderSummary summary;
    summary.summary = Summary::of(results, agent, instances);
    printLine();
    printStatus(summary);
}

static void printAgents(const QList<EndedExam> &exams)
{
    QStringList agents;
    QHash<QString, QList<Result>> results;
    QHash<QString, int> instances;
    for (const EndedExam &exam : exams) {
        const QString agent = exam.spec.agent();
        if (!agents.contains(agent))
            agents << agent;
        results[agent] += resultsOf(exam.spec);
        instances[agent] += static_cast<int>(exam.spec.dataset.instances.size());
    }
    for (const QString &agent : std::as_const(agents))
        printAgent(agent, results.value(agent), instances.value(agent));
}

/// The demo has gone well also where the hasty agent fails, which it does on purpose.
static int demoExitCode(const QList<EndedExam> &exams)
{
    const int code = exitCodeOf(exams);
    const bool allDone =
        std::all_of(exams.begin(), exams.end(), [](const EndedExam &exam) { return isDone(exam.spec); });
    return code == exitSomethingFailed && allDone ? exitAllWell : code;
}

static int demo(const DemoOptions &options)
{
    const QDir here = QDir::current();
    const PreparedDemo prepared =
        options.outputDir ? prepareDemo(here.absoluteFilePath(fromArgument(*options.outputDir)))
                          : prepareDemoInFreeFolder(here.absoluteFilePath(QStringLiteral("proctor-demo")));
    printDiagnostics(prepared.diagnostics);
    if (!prepared.isUsable())
        return exitBroken;
    removeLeftovers();
    if (!options.json) {
        printLine(
            QStringLiteral("The demo exam: 12 instances, set to two scripted agents, careful and hasty. "
                           "It needs no Docker, network, key or model."));
    }
    QElapsedTimer clock;
    clock.start();
    const auto style = options.json ? RunProgress::Style::Json : RunProgress::Style::Lines;
    const QList<EndedExam> ended = runExams(prepared.exams, style);
    if (!options.json && exitCodeOf(ended) != exitBroken) {
        printAgents(ended);
        printLine();
        printLine(QStringLiteral("Took %1. One failure of hasty is on purpose. Results: %2")
                      .arg(durationText(static_cast<double>(clock.elapsed()) / 1000),
                           QFileInfo(prepared.exams.first().config.runner.outputDir).absolutePath()));
    }
    return demoExitCode(ended);
}

void addDemoCommand(CLI::App &app, CommandAction &action)
{
    CLI::App *command = app.add_subcommand(
        "demo", "Run the demo exam with two scripted agents: no\nDocker, network, key or model needed");
    const auto options = std::make_shared<DemoOptions>();
    command
        ->add_option(
            "--output-dir", options->outputDir,
            "Folder of the results; what is done there is not\nrun again. Without it ./proctor-demo, or\n"
            "proctor-demo-2 and so on when that is done")
        ->type_name("DIR");
    command->add_flag("--json", options->json,
                      "Print what happens as JSON, one object a line,\nand nothing else");
    command->final_callback([&action, options] { action = [options] { return demo(*options); }; });
}

} // namespace proctor
