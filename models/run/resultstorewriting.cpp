// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/resultstore_p.h"

#include "models/core/jsonmembers.h"
#include "models/core/pythontext.h"
#include "models/core/savefile.h"
#include "models/run/checkpoint.h"
#include "models/run/summary.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonObject>
#include <QSet>

namespace proctor
{

Expected<Nothing> ResultStore::Private::append(JournalEvent::Kind kind, const Slot &slot, int attempt,
                                               std::optional<Phase> phase,
                                               const std::optional<Result> &result)
{
    JournalEvent event;
    event.at = QDateTime::currentDateTimeUtc();
    event.kind = kind;
    event.slot = slot;
    event.attempt = attempt;
    event.phase = phase;
    event.result = result;
    return journal.append(event);
}

Expected<Nothing> ResultStore::Private::checkLock()
{
    if (lockLoss)
        return *lockLoss;
    if (!lock)
        return Error{tr("The results folder is open for looking only."), folder, 0, 0};
    return lock->needsRenewal() ? renewLock() : Nothing{};
}

Expected<Nothing> ResultStore::Private::renewLock()
{
    const auto renewed = lock->renew();
    if (lock->isLost()) {
        lockLoss = renewed.error();
        lock.reset();
        journal.close();
    }
    return renewed;
}

Result ResultStore::Private::inThisLayout(Result result) const
{
    if (layout.hasRuns())
        result.runId = result.slot().run;
    else
        result.runId.reset();
    return result;
}

Expected<Nothing> ResultStore::Private::writeScores()
{
    if (scores.isChangedByOthers()) {
        const QList<Result> appended = takeAppended(content.verdicts, appendedIn(scores.path()));
        if (const auto imported = importAppended(appended); !imported)
            return imported;
    }
    return scores.write(content.verdicts);
}

Expected<Nothing> ResultStore::Private::writeResultFile(const Result &result) const
{
    const Verdicts::Entry *entry = content.verdicts.find(result.slot());
    const int newest = entry ? entry->attempts : result.attempt;
    const QString path = layout.attemptFolder(result.slot(), result.attempt, newest);
    if (!QDir().mkpath(path))
        return Error::ofMachine(
            tr("The folder cannot be made. Is there room on the disk and the right to write?"), path);
    return saveFile(path + QStringLiteral("/result.json"), result.toJsonFile());
}

/// Our summary, and behind it the members that another program had put into the file.
static QByteArray withUnknownMembers(const QByteArray &summary, const QByteArray &before)
{
    const auto ours = jsonMembers(summary);
    const auto theirs = jsonMembers(before);
    if (!ours || !theirs)
        return summary;
    QSet<QString> known;
    for (const JsonMember &member : *ours)
        known << member.key;
    QByteArray joined = summary.chopped(1).trimmed();
    for (const JsonMember &member : *theirs) {
        if (known.contains(member.key))
            continue;
        joined += ',';
        appendPythonString(joined, member.key);
        joined += ':';
        joined += member.raw;
    }
    return indentedJson(joined + '}');
}

Expected<Nothing> ResultStore::Private::writeSummary() const
{
    const RunIdentity identity = content.identity.value_or(RunIdentity());
    const QJsonObject dataset = identity.json[QLatin1String("dataset")].toObject();
    const QString config = dataset[QLatin1String("config")].toString(QFileInfo(folder).fileName());
    const Summary summary = Summary::of(content.verdicts.results(), config, identity.plannedSlots());

    QFile file(pathIn(folder, folderfile::summary));
    const QByteArray before = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    file.close();
    return saveFile(file.fileName(), withUnknownMembers(summary.toJson(), before));
}

Expected<Nothing> ResultStore::rewriteSummary(const QString &folder)
{
    Private store;
    store.folder = folder;
    // Read once without the lock, because even that leaves a trace in a folder that is not to be touched.
    auto seen = readFolder(folder);
    if (!seen)
        return seen.error();
    if (seen->schemaVersion > knownSchemaVersion)
        return Error(Private::tr("The results were written by a newer Proctor, so nothing is changed there."),
                     folder);
    auto acquired = RunLock::acquire(pathIn(folder, folderfile::lock));
    if (!acquired)
        return acquired.error();
    auto read = readFolder(folder);
    if (read) {
        store.content = std::move(*read);
        if (store.content.isIdentityOfRuns())
            store.content.verdicts.nameRuns();
    }
    const auto written = read ? store.writeSummary() : Expected<Nothing>(read.error());
    acquired->release();
    return written;
}

Expected<Nothing> ResultStore::Private::writeCheckpoint()
{
    QJsonObject json = content.identity->json;
    const auto checkpoint = Checkpoint::of(folder, content.verdicts);
    if (checkpoint)
        json[checkpointKey] = checkpoint->toJson();
    else
        json.remove(checkpointKey);
    if (json == content.identity->json)
        return Nothing{};
    content.identity->json = json;
    return saveFile(pathIn(folder, folderfile::identity), content.identity->toFile());
}

Expected<Nothing> ResultStore::recordImage(const QString &image, const QString &id)
{
    if (const auto held = d->checkLock(); !held)
        return held;
    QJsonObject images = d->content.identity->json[QLatin1String("images")].toObject();
    if (images[image] == id)
        return Nothing{};
    images[image] = id;
    d->content.identity->json[QLatin1String("images")] = images;
    return saveFile(pathIn(d->folder, folderfile::identity), d->content.identity->toFile());
}

Expected<Nothing> ResultStore::Private::finish()
{
    if (const auto held = checkLock(); !held)
        return held;
    auto done = writeScores();
    if (done)
        done = writeCheckpoint();
    const auto summarised = writeSummary();
    journal.close();
    lock->release();
    lock.reset();
    return done ? summarised : done;
}

ResultStore::~ResultStore()
{
    if (d->isWritable())
        static_cast<void>(d->finish());
}

Expected<int> ResultStore::beginAttempt(const Slot &slot)
{
    if (const auto held = d->checkLock(); !held)
        return held.error();
    if (slot.run > 1 && !d->layout.hasRuns())
        return Error{
            Private::tr("The results folder was opened for a single run, so run %1 has no place in it.")
                .arg(slot.run),
            d->folder, 0, 0};
    const int before = attempts(slot);
    const int attempt = before + 1;
    // Journaled first: should we end here, opening the folder again finds the attempt and moves the files.
    if (const auto journaled = d->append(JournalEvent::Kind::Started, slot, attempt); !journaled)
        return journaled.error();
    Verdicts::Entry &entry = d->content.verdicts.at(d->content.verdicts.place(slot));
    entry.attempts = entry.begun = attempt;
    if (const auto archived = d->layout.archive(slot, before); !archived)
        return archived.error();
    return attempt;
}

Expected<Nothing> ResultStore::recordPhase(const Slot &slot, int attempt, Phase phase)
{
    if (const auto held = d->checkLock(); !held)
        return held;
    return d->append(JournalEvent::Kind::Phase, slot, attempt, phase);
}

Expected<Nothing> ResultStore::recordOutcome(const Result &result)
{
    if (const auto held = d->checkLock(); !held)
        return held;
    const Result kept = d->inThisLayout(result);
    Verdicts::Entry &entry = d->content.verdicts.at(d->content.verdicts.place(kept.slot()));
    d->content.verdicts.apply(entry, kept);
    entry.ended = std::max(entry.ended, kept.attempt);
    d->scores.touch();

    auto done = d->append(JournalEvent::Kind::Outcome, kept.slot(), kept.attempt, {}, kept);
    if (done)
        done = d->journal.sync();
    // What one file has no room for may still find some in another.
    const auto written = d->writeResultFile(kept);
    if (done)
        done = written;
    if (d->scores.isDue()) {
        const auto scored = d->writeScores();
        if (done)
            done = scored;
    }
    return done;
}

Expected<Nothing> ResultStore::recordRunEvent(JournalEvent::Kind kind)
{
    if (const auto held = d->checkLock(); !held)
        return held;
    return d->append(kind, {}, 0);
}

Expected<Nothing> ResultStore::renewLease()
{
    if (const auto held = d->checkLock(); !held)
        return held;
    if (const auto renewed = d->renewLock(); !renewed)
        return renewed;
    return d->scores.isDue() ? d->writeScores() : Nothing{};
}

Expected<Nothing> ResultStore::close()
{
    return d->isWritable() ? d->finish() : Nothing{};
}

} // namespace proctor
