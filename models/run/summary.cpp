// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/summary.h"

#include "models/core/pythontext.h"
#include "models/statistics/means.h"

#include <QHash>

#include <algorithm>

namespace proctor
{

namespace
{

/// What a record adds to a mean under one of the three policies, or nothing when it is left out.
using Policy = std::optional<double> (*)(const Outcome &);

std::optional<double> headlineValue(const Outcome &outcome)
{
    if (outcome.state == State::Scored)
        return outcome.reward;
    if (outcome.state == State::Failed && outcome.fault == Fault::Agent)
        return 0.0;
    return std::nullopt;
}

std::optional<double> scoredValue(const Outcome &outcome)
{
    return outcome.state == State::Scored ? outcome.reward : std::nullopt;
}

std::optional<double> strictValue(const Outcome &outcome)
{
    if (outcome.state == State::NotRun)
        return std::nullopt;
    return outcome.reward.value_or(0.0);
}

/// One mean an instance, over those of its runs that count; instances in order of first appearance.
QList<double> instanceMeans(const QList<Result> &results, Policy policy)
{
    QHash<QString, qsizetype> places;
    QList<QList<double>> values;
    for (const Result &result : results) {
        const auto value = policy(result.outcome);
        if (!value)
            continue;
        const auto place = places.constFind(result.instanceId);
        if (place == places.constEnd()) {
            places.insert(result.instanceId, values.size());
            values << QList<double>{*value};
        } else {
            values[*place] << *value;
        }
    }
    QList<double> means;
    for (const QList<double> &ofInstance : values)
        means << *mean(ofInstance);
    return means;
}

QMap<QString, Summary::Domain> domainsOf(const QList<Result> &results)
{
    QMap<QString, QList<double>> rewards;
    for (const Result &result : results) {
        if (const auto reward = scoredValue(result.outcome))
            rewards[result.domain.value_or(QStringLiteral("null"))] << *reward;
    }
    QMap<QString, Summary::Domain> domains;
    for (auto it = rewards.cbegin(); it != rewards.cend(); ++it) {
        const auto [min, max] = std::minmax_element(it->cbegin(), it->cend());
        domains.insert(it.key(), {static_cast<int>(it->size()), *mean(*it), *min, *max});
    }
    return domains;
}

/// Means of each run, by run id and rounded as they are published; empty when no scored record names a run.
QList<double> runScoresOf(const QList<Result> &results)
{
    QMap<int, QList<double>> rewards;
    bool anyRun = false;
    for (const Result &result : results) {
        if (const auto reward = scoredValue(result.outcome)) {
            rewards[result.slot().run] << *reward;
            anyRun = anyRun || result.runId.has_value();
        }
    }
    QList<double> scores;
    if (anyRun) {
        for (const QList<double> &ofRun : rewards)
            scores << pythonRound(*mean(ofRun), 4);
    }
    return scores;
}

void countFailure(QList<std::pair<QString, int>> &breakdown, const Outcome &outcome)
{
    const QString phase = outcome.phase ? toWord(*outcome.phase) : QStringLiteral("unknown");
    for (auto &[name, count] : breakdown) {
        if (name == phase) {
            ++count;
            return;
        }
    }
    breakdown.append({phase, 1});
}

} // namespace

/// Counts one record by its end.
static void count(Summary &summary, const Outcome &outcome)
{
    switch (outcome.state) {
    case State::Scored:
        ++summary.scored;
        break;
    case State::Failed:
        ++(outcome.fault == Fault::Agent ? summary.agentFailed : summary.harnessFailed);
        break;
    case State::Cancelled:
        ++summary.cancelled;
        break;
    case State::Lost:
        ++summary.lost;
        break;
    case State::NotRun:
        break;
    }
}

Summary Summary::of(const QList<Result> &all, const QString &config, std::optional<int> planned)
{
    QList<Result> results = all;
    results.removeIf([](const Result &result) { return result.outcome.state == State::NotRun; });

    Summary summary;
    summary.config = config;
    for (const Result &result : results) {
        count(summary, result.outcome);
        if (!scoredValue(result.outcome))
            countFailure(summary.failureBreakdown, result.outcome);
    }
    summary.total = static_cast<int>(results.size());
    summary.completed = summary.scored;
    summary.failed = summary.total - summary.completed;
    if (planned && *planned >= summary.total)
        summary.notRun = *planned - summary.total;

    summary.runScores = runScoresOf(results);
    summary.runs = std::max(1, static_cast<int>(summary.runScores.size()));
    summary.std = sampleStandardDeviation(summary.runScores).value_or(0);
    summary.byDomain = domainsOf(results);

    const QList<double> headline = instanceMeans(results, headlineValue);
    summary.headlineMean = mean(headline);
    summary.headlineHalfWidth = halfWidth95(headline);
    summary.peerMean = mean(instanceMeans(results, scoredValue));
    summary.strictMean = mean(instanceMeans(results, strictValue));
    summary.avgReward = summary.peerMean.value_or(0);
    return summary;
}

static QByteArray rounded(double value)
{
    return pythonFloat(pythonRound(value, 4));
}

static QByteArray roundedOrNull(const std::optional<double> &value)
{
    return value ? rounded(*value) : QByteArrayLiteral("null");
}

static QByteArray quoted(const QString &text)
{
    QByteArray out;
    appendPythonString(out, text);
    return out;
}

using Members = QList<std::pair<QByteArray, QByteArray>>;

static QByteArray object(const Members &members)
{
    QByteArrayList texts;
    for (const auto &[key, value] : members)
        texts << key + ": " + value;
    return '{' + texts.join(", ") + '}';
}

static QByteArray domainsText(const QMap<QString, Summary::Domain> &domains)
{
    Members members;
    for (auto it = domains.cbegin(); it != domains.cend(); ++it) {
        const QByteArray domain = object({{"\"count\"", QByteArray::number(it->count)},
                                          {"\"avg_reward\"", rounded(it->mean)},
                                          {"\"min\"", rounded(it->min)},
                                          {"\"max\"", rounded(it->max)}});
        members.append({quoted(it.key()), domain});
    }
    return object(members);
}

QByteArray Summary::toJson() const
{
    QByteArrayList scores;
    for (const double score : runScores)
        scores << pythonFloat(score);
    Members failures;
    for (const auto &[phase, count] : failureBreakdown)
        failures.append({quoted(phase), QByteArray::number(count)});

    return indentedJson(object({
        {"\"config\"", quoted(config)},
        {"\"total\"", QByteArray::number(total)},
        {"\"completed\"", QByteArray::number(completed)},
        {"\"failed\"", QByteArray::number(failed)},
        // Without a score the peer's average is the integer 0.
        {"\"avg_reward\"", completed > 0 ? rounded(avgReward) : QByteArrayLiteral("0")},
        {"\"runs\"", QByteArray::number(runs)},
        {"\"std\"", rounded(std)},
        {"\"run_scores\"", '[' + scores.join(", ") + ']'},
        {"\"by_domain\"", domainsText(byDomain)},
        {"\"failure_breakdown\"", object(failures)},
        {"\"scored\"", QByteArray::number(scored)},
        {"\"agent_failed\"", QByteArray::number(agentFailed)},
        {"\"harness_failed\"", QByteArray::number(harnessFailed)},
        {"\"cancelled\"", QByteArray::number(cancelled)},
        {"\"lost\"", QByteArray::number(lost)},
        {"\"not_run\"", notRun ? QByteArray::number(*notRun) : QByteArrayLiteral("null")},
        {"\"headline_mean\"", roundedOrNull(headlineMean)},
        {"\"headline_half_width\"", roundedOrNull(headlineHalfWidth)},
        {"\"peer_mean\"", roundedOrNull(peerMean)},
        {"\"strict_mean\"", roundedOrNull(strictMean)},
    }));
}

} // namespace proctor
