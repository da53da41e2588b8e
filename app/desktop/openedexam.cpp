// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/openedexam.h"

#include "app/runner/demoexam.h"
#include "models/run/resultstore.h"
#include "models/run/summary.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace proctor
{

static AttemptUpdate updateOf(const Result &result)
{
    AttemptUpdate update;
    update.slot = result.slot();
    update.domain = result.domain.value_or(QString());
    update.attempt = result.attempt;
    update.durationSec = result.durationSec;
    update.outcome = result.outcome;
    return update;
}

static RunStatus statusOf(const QList<Result> &results, const QString &title, std::optional<int> planned)
{
    const Summary summary = Summary::of(results, title, planned);
    RunStatus status;
    status.title = title;
    status.total = summary.total + summary.notRun.value_or(0);
    status.scored = summary.scored;
    status.agentFailed = summary.agentFailed;
    status.harnessFailed = summary.harnessFailed + summary.cancelled + summary.lost;
    status.notRun = summary.notRun;
    status.mean = summary.headlineMean;
    status.halfWidth = summary.headlineHalfWidth;
    return status;
}

static OpenedExam refused(const QString &problem)
{
    OpenedExam opened;
    opened.status.problem = problem;
    return opened;
}

static OpenedExam fromFolder(const QString &folder)
{
    const auto store = ResultStore::openReadOnly(folder);
    if (!store)
        return refused(store.error().text());
    const QList<Result> results = (*store)->results();
    if (results.isEmpty())
        return refused(OpenedExam::tr("There are no results in %1: open a folder with a scores.jsonl in it")
                           .arg(folder));
    OpenedExam opened;
    const bool hasRuns = std::any_of(results.begin(), results.end(),
                                     [](const Result &result) { return result.runId.has_value(); });
    opened.folders = SlotFolders(folder, hasRuns);
    for (const Diagnostic &warning : (*store)->warnings())
        opened.warnings << toText(warning);
    for (const Result &result : results)
        opened.updates << updateOf(result);
    opened.status = statusOf(results, QDir(folder).dirName(),
                             (*store)->identity().value_or(RunIdentity()).plannedSlots());
    opened.status.activity = RunStatus::Activity::Finished;
    return opened;
}

/// Sorts what there is to say about an exam into what forbids to run it and what does not.
static OpenedExam fromDiagnostics(const QList<ExamSpec> &exams, const Diagnostics &diagnostics)
{
    QStringList problems, warnings;
    for (const Diagnostic &diagnostic : diagnostics)
        (diagnostic.severity == Diagnostic::Severity::Error ? problems : warnings) << toText(diagnostic);
    problems.removeDuplicates();
    if (!problems.isEmpty())
        return refused(problems.join(u'\n'));
    OpenedExam opened = OpenedExam::fromExams(exams);
    opened.warnings = warnings;
    return opened;
}

static OpenedExam fromConfiguration(const QString &file)
{
    const LoadedConfig loaded = loadEvalConfig(file);
    if (!loaded.isUsable())
        return fromDiagnostics({}, loaded.diagnostics);
    RunSelection selection;
    selection.limit = loaded.config.runner.limit;
    selection.runs = loaded.config.runner.runs;
    selection.skipDone = loaded.config.runner.skipDone;
    const PreparedExam prepared = prepareExam(loaded.config, selection);
    return fromDiagnostics({prepared.spec}, loaded.diagnostics + prepared.diagnostics);
}

OpenedExam OpenedExam::fromPath(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return refused(tr("There is no file or folder %1").arg(info.absoluteFilePath()));
    const auto demo = demoExamFolder();
    if (demo && info.canonicalFilePath() == QFileInfo(*demo).canonicalFilePath())
        return fromDemo();
    return info.isDir() ? fromFolder(info.absoluteFilePath()) : fromConfiguration(info.absoluteFilePath());
}

OpenedExam OpenedExam::fromDemo()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
    const PreparedDemo demo = prepareDemoInFreeFolder(data + QStringLiteral("/demo"));
    return fromDiagnostics(demo.exams, demo.diagnostics);
}

OpenedExam OpenedExam::fromExams(const QList<ExamSpec> &exams)
{
    const ExamSpec &exam = exams.first();
    RunSelection everything = exam.selection;
    everything.skipDone = false;
    everything.retry.reset();
    const auto plan = RunPlan::make(exam.dataset.instances, everything, {});
    if (!plan)
        return refused(plan.error().text());

    OpenedExam opened;
    opened.exams = exams;
    opened.folders = SlotFolders(exam.resultsFolder(), exam.selection.runs > 1);
    const auto store = ResultStore::openReadOnly(exam.resultsFolder());
    QList<Result> results;
    for (const RunPlan::Item &item : plan->items) {
        const auto result = store ? (*store)->result(item.slot) : std::nullopt;
        AttemptUpdate update = result ? updateOf(*result) : AttemptUpdate();
        update.slot = item.slot;
        update.domain = item.instance.domain.value_or(QString());
        opened.updates << update;
        if (result)
            results << *result;
    }
    opened.status = statusOf(results, exam.title(), static_cast<int>(plan->items.size()));
    opened.status.concurrency = exam.config.runner.concurrency;
    return opened;
}

} // namespace proctor
