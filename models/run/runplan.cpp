// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runplan.h"

#include "models/core/nearname.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace proctor
{

namespace
{
struct Plan {
    Q_DECLARE_TR_FUNCTIONS(proctor::RunPlan)
};
} // namespace

Expected<RetryChoice> RetryChoice::fromWords(const QString &words)
{
    if (words.trimmed().isEmpty())
        return RetryChoice{true, true, true, true};
    RetryChoice choice;
    const QHash<QString, bool *> members{{QStringLiteral("agent"), &choice.agent},
                                         {QStringLiteral("harness"), &choice.harness},
                                         {QStringLiteral("lost"), &choice.lost},
                                         {QStringLiteral("cancelled"), &choice.cancelled}};
    for (const QString &part : words.split(u',')) {
        const QString word = part.trimmed();
        bool *member = members.value(word);
        if (!member)
            return Error{
                Plan::tr("'%1' cannot be retried; there are agent, harness, lost and cancelled").arg(word),
                {}};
        *member = true;
    }
    return choice;
}

static bool runsAgain(const Outcome &outcome, const RetryChoice &choice)
{
    switch (outcome.state) {
    case State::NotRun:
        return true;
    case State::Scored:
        return false;
    case State::Cancelled:
        return choice.cancelled;
    case State::Lost:
        return choice.lost;
    case State::Failed:
        break;
    }
    return outcome.fault == Fault::Agent ? choice.agent : choice.harness;
}

static QString nothingMatches(const QStringList &entries, const QList<Instance> &instances)
{
    static constexpr qsizetype mostGuesses = 3;
    static constexpr qsizetype mostEntries = 5;
    QStringList ids;
    for (const Instance &instance : instances)
        ids << instance.id;
    QStringList parts;
    for (const QString &entry : entries.first(std::min(entries.size(), mostEntries))) {
        const QStringList near = nearestNames(entry, ids, mostGuesses);
        parts << (near.isEmpty() ? QStringLiteral("'%1'").arg(entry)
                                 : Plan::tr("'%1' (near: %2)").arg(entry, near.join(QStringLiteral(", "))));
    }
    if (entries.size() > mostEntries)
        parts << Plan::tr("%n more", nullptr, int(entries.size() - mostEntries));
    return Plan::tr("no instance matches %1").arg(parts.join(QStringLiteral(", ")));
}

/// Whether each instance is chosen by an entry of `only`.
static Expected<QList<bool>> chosenBy(const QStringList &only, const QList<Instance> &instances)
{
    QHash<QString, qsizetype> placeOf;
    for (qsizetype i = 0; i < instances.size(); ++i)
        placeOf.insert(instances[i].id, i);

    QList<bool> chosen(instances.size(), false);
    QStringList unmatched;
    for (const QString &entry : only) {
        if (const auto exact = placeOf.constFind(entry); exact != placeOf.constEnd()) {
            chosen[*exact] = true;
            continue;
        }
        const QRegularExpression glob(QRegularExpression::wildcardToRegularExpression(entry));
        bool matches = false;
        for (qsizetype i = 0; glob.isValid() && i < instances.size(); ++i) {
            if (glob.match(instances[i].id).hasMatch())
                matches = chosen[i] = true;
        }
        if (!matches)
            unmatched << entry;
    }
    if (!unmatched.isEmpty())
        return Error{nothingMatches(unmatched, instances), {}};
    return chosen;
}

static Expected<QList<Instance>> select(const QList<Instance> &instances, const RunSelection &selection)
{
    QList<Instance> selected = instances;
    if (!selection.only.isEmpty()) {
        QStringList entries = selection.only;
        entries.removeIf([](const QString &entry) { return entry.trimmed().isEmpty(); });
        if (entries.isEmpty())
            return Error{Plan::tr("the selection of instances is empty"), {}};
        const auto chosen = chosenBy(entries, instances);
        if (!chosen)
            return chosen.error();
        selected.clear();
        for (qsizetype i = 0; i < instances.size(); ++i) {
            if (chosen->at(i))
                selected << instances[i];
        }
    }
    const int limit = selection.limit.value_or(0);
    return limit > 0 ? selected.first(std::min<qsizetype>(limit, selected.size())) : selected;
}

Expected<RunPlan> RunPlan::make(const QList<Instance> &instances, const RunSelection &selection,
                                const QHash<Slot, Result> &verdicts)
{
    if (selection.limit.value_or(0) < 0)
        return Error{Plan::tr("the limit must not be negative, but it is %1").arg(*selection.limit), {}};
    if (selection.runs < 1)
        return Error{Plan::tr("the number of runs must be at least 1, but it is %1").arg(selection.runs), {}};
    const auto selected = select(instances, selection);
    if (!selected)
        return selected.error();

    static constexpr RetryChoice plain{false, true, true, true};
    const RetryChoice again = selection.retry.value_or(plain);
    RunPlan plan;
    plan.selected = int(selected->size()) * selection.runs;
    for (int run = 1; run <= selection.runs; ++run) {
        for (const Instance &instance : *selected) {
            const Slot slot{instance.id, run};
            const auto verdict = verdicts.constFind(slot);
            if (!selection.skipDone || verdict == verdicts.constEnd() || runsAgain(verdict->outcome, again))
                plan.items << Item{instance, slot};
            else
                ++plan.alreadyDone;
        }
    }
    return plan;
}

} // namespace proctor
