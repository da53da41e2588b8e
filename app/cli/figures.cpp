// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figures.h"

#include "app/cli/console.h"
#include "app/runner/examspec.h"
#include "models/run/resultstore.h"

#include <QDir>
#include <QFileInfo>

namespace proctor
{

/// Four decimals, as the peer's report has them.
static QString figure(double value)
{
    return QString::number(value, 'f', 4);
}

static QString figure(const std::optional<double> &value)
{
    return value ? figure(*value) : QStringLiteral("-");
}

Expected<FolderSummary> summarise(const QString &folder, const QString &config)
{
    const QString absolute = QDir::cleanPath(QDir::current().absoluteFilePath(folder));
    if (!QFileInfo(absolute).isDir()) {
        return Error(QStringLiteral("There are no results yet: the folder %1 does not exist. Start with "
                                    "“proctor run”, or name another folder with --output-dir and "
                                    "--dataset-config")
                         .arg(absolute));
    }
    const auto store = ResultStore::openReadOnly(absolute);
    if (!store)
        return store.error();
    printDiagnostics((*store)->warnings());
    const QList<Result> results = (*store)->results();
    if (results.isEmpty()) {
        return Error(QStringLiteral("There are no results in %1 yet: it holds no scores.jsonl with a record "
                                    "in it. Start with “proctor run”")
                         .arg(absolute));
    }
    const auto planned = (*store)->identity().value_or(RunIdentity()).plannedSlots();
    return FolderSummary{absolute, Summary::of(results, config, planned)};
}

std::optional<FolderSummary> summarise(const ExamOptions &options)
{
    const auto config = options.load();
    if (!config)
        return std::nullopt;
    ExamSpec spec;
    spec.config = *config;
    const auto summary = summarise(spec.resultsFolder(), config->dataset.config);
    if (!summary) {
        printError(summary.error().text());
        return std::nullopt;
    }
    return *summary;
}

static void printCounts(const Summary &summary)
{
    printLine(QStringLiteral("  Completed: %1/%2 (failed: %3)")
                  .arg(summary.completed)
                  .arg(summary.total)
                  .arg(summary.failed));
    QString counts = QStringLiteral("  Scored %1 · agent failed %2 · harness failed %3 · not run %4")
                         .arg(summary.scored)
                         .arg(summary.agentFailed)
                         .arg(summary.harnessFailed)
                         .arg(summary.notRun ? QString::number(*summary.notRun) : QStringLiteral("unknown"));
    if (summary.cancelled > 0)
        counts += QStringLiteral(" · cancelled %1").arg(summary.cancelled);
    if (summary.lost > 0)
        counts += QStringLiteral(" · lost %1").arg(summary.lost);
    printLine(counts);
}

static void printMeans(const Summary &summary)
{
    printLine(QStringLiteral("  Average reward: %1").arg(figure(summary.avgReward)));
    if (summary.runs > 1) {
        printLine(QStringLiteral("  Runs: %1   standard deviation: ±%2")
                      .arg(summary.runs)
                      .arg(figure(summary.std)));
        QStringList scores;
        for (const double score : summary.runScores)
            scores << figure(score);
        printLine(QStringLiteral("  Per run: %1").arg(scores.join(QStringLiteral(", "))));
    }
    QString headline = QStringLiteral("  Means: headline %1").arg(figure(summary.headlineMean));
    if (summary.headlineHalfWidth)
        headline += QStringLiteral(" ± %1").arg(figure(*summary.headlineHalfWidth));
    headline +=
        QStringLiteral(" (agent failures count 0) · scored only %1 · strict %2 (all failures count 0)")
            .arg(figure(summary.peerMean), figure(summary.strictMean));
    printLine(headline);
}

static void printHeader(const FolderSummary &summary)
{
    printLine(summary.folder.isEmpty()
                  ? summary.summary.config
                  : QStringLiteral("%1   %2").arg(summary.summary.config, summary.folder));
    printCounts(summary.summary);
    printMeans(summary.summary);
}

static void printDomains(const Summary &summary, bool withSpread)
{
    if (summary.byDomain.isEmpty())
        return;
    printLine(QStringLiteral("  By domain:"));
    for (auto it = summary.byDomain.begin(); it != summary.byDomain.end(); ++it) {
        QString line = QStringLiteral("    %1: %2 (n=%3)").arg(it.key(), figure(it->mean)).arg(it->count);
        if (withSpread)
            line += QStringLiteral("   lowest %1, highest %2").arg(figure(it->min), figure(it->max));
        printLine(line);
    }
}

void printStatus(const FolderSummary &summary)
{
    printHeader(summary);
    printDomains(summary.summary, false);
}

void printReport(const FolderSummary &summary)
{
    printHeader(summary);
    printDomains(summary.summary, true);
    if (summary.summary.failureBreakdown.isEmpty())
        return;
    printLine(QStringLiteral("  Failed at:"));
    for (const auto &[phase, count] : summary.summary.failureBreakdown)
        printLine(QStringLiteral("    %1: %2").arg(phase).arg(count));
}

} // namespace proctor
