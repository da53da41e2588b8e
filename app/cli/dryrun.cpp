// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dryrun.h"

#include "app/cli/console.h"
#include "app/cli/exitcode.h"
#include "app/sandbox/dockercommand.h"
#include "models/run/resultstore.h"

#include <QFileInfo>

namespace proctor
{

static constexpr int shownItems = 5;

static Expected<QHash<Slot, Result>> verdictsIn(const QString &folder)
{
    QHash<Slot, Result> verdicts;
    if (!QFileInfo(folder).isDir())
        return verdicts;
    const auto store = ResultStore::openReadOnly(folder);
    if (!store)
        return store.error();
    for (const Result &result : (*store)->results())
        verdicts.insert(result.slot(), result);
    return verdicts;
}

/// Where the instance comes from in the chosen kind of sandbox.
static QString sourceOf(const Instance &instance, const EvalConfig &config)
{
    const bool isLocal = config.runner.sandbox == EvalConfig::SandboxKind::Local;
    return isLocal ? instance.bundle : imageWithRegistry(instance.image, config.docker.registry);
}

static QString describe(const RunPlan::Item &item, const EvalConfig &config, int runs)
{
    QString text = QStringLiteral("  %1").arg(item.instance.id);
    if (runs > 1)
        text += QStringLiteral(" run_%1").arg(item.slot.run);
    return text + QStringLiteral(" [%1] → %2")
                      .arg(item.instance.domain.value_or(QString()), sourceOf(item.instance, config));
}

static Expected<Nothing> show(const ExamSpec &exam)
{
    const auto verdicts = verdictsIn(exam.resultsFolder());
    if (!verdicts)
        return verdicts.error();
    const auto plan = RunPlan::make(exam.dataset.instances, exam.selection, *verdicts);
    if (!plan)
        return plan.error();
    const int runs = exam.selection.runs;
    printLine(QStringLiteral("%1   %2").arg(exam.title(), exam.resultsFolder()));
    printLine(QStringLiteral("%1 of %2 attempts would run (%3 already done, %4 at a time)")
                  .arg(plan->items.size())
                  .arg(plan->selected)
                  .arg(plan->alreadyDone)
                  .arg(exam.config.runner.concurrency));
    for (const RunPlan::Item &item : plan->items.mid(0, shownItems))
        printLine(describe(item, exam.config, runs));
    if (plan->items.size() > shownItems)
        printLine(QStringLiteral("  ... and %1 more").arg(plan->items.size() - shownItems));
    if (runs > 1)
        printLine(QStringLiteral("  %1 runs each, in run_1 to run_%1 of each instance's folder").arg(runs));
    return Nothing{};
}

int showDryRun(const QList<ExamSpec> &exams)
{
    int code = exitAllWell;
    for (const ExamSpec &exam : exams) {
        const auto shown = show(exam);
        if (!shown) {
            printError(shown.error().text());
            code = exitWrongInput;
        }
    }
    return code;
}

} // namespace proctor
