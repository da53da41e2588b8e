// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/resultstore_p.h"

#include "models/core/savefile.h"

#include <QDir>
#include <QJsonArray>
#include <QRegularExpression>

namespace proctor
{

static const QLatin1String runsKey("runs"), versionKey("schema_version"), mixedKey("mixed");

Expected<std::unique_ptr<ResultStore>> ResultStore::openForWriting(const QString &folder,
                                                                   const WriteOptions &options)
{
    auto d = std::make_unique<Private>();
    d->folder = folder;
    const auto opened = d->openForWriting(options);
    if (!opened) {
        if (d->lock)
            d->lock->release();
        return opened.error();
    }
    return std::unique_ptr<ResultStore>(new ResultStore(std::move(d)));
}

Expected<Nothing> ResultStore::Private::openForWriting(const WriteOptions &options)
{
    if (!QDir().mkpath(folder))
        return Error::ofMachine(
            tr("The results folder cannot be made. Is there room on the disk and the right to write?"),
            folder);
    auto acquired = RunLock::acquire(pathIn(folder, folderfile::lock));
    if (!acquired)
        return acquired.error();
    lock = std::move(*acquired);

    // Looked at before it is read: what is appended from now on counts as a change by others.
    scores = ScoresWriter(pathIn(folder, folderfile::scores));
    auto read = readFolder(folder);
    if (!read)
        return read.error();
    content = std::move(*read);

    if (const auto same = checkIdentity(options); !same)
        return same;
    if (const auto kept = keepOriginalScores(!content.identity); !kept)
        return kept;
    removeLeftovers();
    takeUpRuns(options.runs);
    // Before anything is moved: whoever opens the folder after us then finishes the move.
    if (const auto written = writeIdentity(options); !written)
        return written;
    if (const auto opened = journal.open(pathIn(folder, folderfile::journal)); !opened)
        return opened;
    if (const auto imported = importAppended(content.appendedByPeer); !imported)
        return imported;
    if (const auto moved = nameFirstRun(); !moved)
        return moved;
    if (const auto recovered = recoverOpenAttempts(); !recovered)
        return recovered;
    if (content.hasScores || !content.verdicts.entries().isEmpty())
        return writeScores();
    return Nothing{};
}

Expected<Nothing> ResultStore::Private::checkIdentity(const WriteOptions &options) const
{
    if (content.schemaVersion > knownSchemaVersion)
        return Error{
            tr("These results were written by a newer Proctor (schema version %1, this one knows %2), so "
               "nothing is added to them. Use the newer Proctor or another folder.")
                .arg(content.schemaVersion)
                .arg(knownSchemaVersion),
            folder, 0, 0};
    if (!content.identity) {
        if (options.adopt || (!content.hasScores && !content.hasJournal))
            return Nothing{};
        return Error{tr("This folder holds results of which nothing says with what they were made. Adopt "
                        "them (--adopt) "
                        "if they belong to this exam, or choose another folder."),
                     folder, 0, 0};
    }
    const QStringList differences = content.identity->differencesFrom(options.identity);
    if (differences.isEmpty() || options.mix)
        return Nothing{};
    return Error{
        tr("This folder holds the results of another exam (%1). Choose another folder, or put both into one "
           "with --mix.")
            .arg(differences.join(QStringLiteral("; "))),
        folder, 0, 0};
}

/// Rewriting scores.jsonl adds our members and drops what cannot be read, so the file as it was stays beside
/// it.
Expected<Nothing> ResultStore::Private::keepOriginalScores(bool adopting) const
{
    const QString original = pathIn(folder, folderfile::originalScores);
    if (!content.hasScores || (!adopting && !content.hasBrokenScores) || QFile::exists(original))
        return Nothing{};
    QFile file(scores.path());
    if (!file.open(QIODevice::ReadOnly))
        return Error::ofMachine(tr("The file cannot be read: %1").arg(file.errorString()), file.fileName());
    return saveFile(original, file.readAll());
}

/// Removes what an interrupted replacement of one of our files left behind.
void ResultStore::Private::removeLeftovers() const
{
    static const QRegularExpression leftover(
        QStringLiteral("^(run\\.json|scores\\.jsonl|scores\\.jsonl\\.orig|summary\\.json)\\.[A-Za-z]{6}$"));
    const QStringList names =
        QDir(folder).entryList({QStringLiteral("*.json*.??????")}, QDir::Files | QDir::NoSymLinks);
    for (const QString &name : names) {
        if (leftover.match(name).hasMatch())
            QFile::remove(folder + QLatin1Char('/') + name);
    }
}

/// A folder with several runs stays one; one with a single run becomes one when more are wanted.
void ResultStore::Private::takeUpRuns(int wanted)
{
    layout = SlotFolders(folder, content.hasRuns() || wanted > 1);
    runs = std::max(1, wanted);
    if (content.identity)
        runs = std::max(runs, content.identity->json[runsKey].toInt(1));
    for (const Verdicts::Entry &entry : content.verdicts.entries())
        runs = std::max(runs, entry.slot.run);
}

/// The results of a single run become those of run 1, if there are several runs now.
Expected<Nothing> ResultStore::Private::nameFirstRun()
{
    if (!layout.hasRuns())
        return Nothing{};
    for (Verdicts::Entry &entry : content.verdicts.entries()) {
        if (entry.slot.run > 1 || (entry.result && entry.result->runId))
            continue;
        if (const auto moved = layout.moveIntoFirstRun(entry.slot.instanceId); !moved)
            return moved;
        if (!entry.result)
            continue;
        entry.result->runId = 1;
        if (QFile::exists(layout.slotFolder(entry.slot))) {
            if (const auto written = writeResultFile(*entry.result); !written)
                return written;
        }
    }
    content.verdicts.nameRuns();
    return Nothing{};
}

Expected<Nothing> ResultStore::Private::writeIdentity(const WriteOptions &options)
{
    QJsonObject json = content.identity ? content.identity->json : options.identity.json;
    if (!json.contains(versionKey))
        json[versionKey] = knownSchemaVersion;
    json[runsKey] = runs;
    if (content.identity && !content.identity->differencesFrom(options.identity).isEmpty()) {
        QJsonArray mixed = json[mixedKey].toArray();
        if (!mixed.contains(options.identity.json))
            mixed.append(options.identity.json);
        json[mixedKey] = mixed;
    }
    if (content.identity && content.identity->json == json)
        return Nothing{};
    content.identity = RunIdentity{json};
    return saveFile(pathIn(folder, folderfile::identity), content.identity->toFile());
}

Expected<Nothing> ResultStore::Private::importAppended(const QList<Result> &appended)
{
    for (const Result &result : appended) {
        const Slot slot = result.slot();
        if (layout.hasRuns() && !result.runId) {
            // The peer, asked for one run, wrote beside our run folders.
            if (const auto archived = layout.archive(slot, result.attempt - 1); !archived)
                return archived;
            if (const auto moved = layout.moveIntoFirstRun(slot.instanceId); !moved)
                return moved;
        }
        const Result kept = inThisLayout(result);
        content.verdicts.apply(content.verdicts.at(content.verdicts.place(slot)), kept);
        if (const auto written = append(JournalEvent::Kind::Outcome, slot, kept.attempt, {}, kept); !written)
            return written;
    }
    return appended.isEmpty() ? Nothing{} : journal.sync();
}

std::optional<QString> ResultStore::Private::domainOf(const QString &instanceId) const
{
    for (const Verdicts::Entry &entry : content.verdicts.entries()) {
        if (entry.slot.instanceId == instanceId && entry.result && entry.result->domain)
            return entry.result->domain;
    }
    return std::nullopt;
}

Expected<Nothing> ResultStore::Private::recoverOpenAttempts()
{
    for (const OpenAttempt &attempt : content.openAttempts) {
        if (const auto recovered = recover(attempt); !recovered)
            return recovered;
    }
    return content.openAttempts.isEmpty() ? Nothing{} : journal.sync();
}

/// An attempt may have begun and its predecessor still lie in its place.
Expected<Nothing> ResultStore::Private::archiveEarlier(const OpenAttempt &attempt) const
{
    QFile file(layout.slotFolder(attempt.slot) + QStringLiteral("/result.json"));
    if (!file.open(QIODevice::ReadOnly))
        return Nothing{};
    const auto there = Result::fromJson(file.readAll());
    file.close();
    return there && there->attempt < attempt.attempt ? layout.archive(attempt.slot, attempt.attempt - 1)
                                                     : Nothing{};
}

Expected<Nothing> ResultStore::Private::recover(const OpenAttempt &attempt)
{
    const QString sentence =
        tr("Proctor ended while the attempt was in the phase '%1'.").arg(toWord(attempt.phase));
    Result result;
    result.instanceId = attempt.slot.instanceId;
    result.runId = attempt.slot.run;
    result.domain = domainOf(attempt.slot.instanceId);
    result.attempt = attempt.attempt;
    result.outcome = Outcome::lost(attempt.phase, sentence);
    if (attempt.begun.isValid() && attempt.lastSeen.isValid())
        result.durationSec = static_cast<double>(attempt.begun.msecsTo(attempt.lastSeen)) / 1000;
    result = inThisLayout(result);

    if (const auto archived = archiveEarlier(attempt); !archived)
        return archived;
    using Kind = JournalEvent::Kind;
    const auto journaled = append(Kind::Recovered, attempt.slot, attempt.attempt, attempt.phase, result);
    if (!journaled)
        return journaled;
    Verdicts::Entry &entry = content.verdicts.at(content.verdicts.place(attempt.slot));
    entry.ended = attempt.attempt;
    content.verdicts.apply(entry, result);
    content.warnings << Diagnostic{Diagnostic::Severity::Warning,
                                   {tr("%1, attempt %2: %3 It counts as lost.")
                                        .arg(attempt.slot.key())
                                        .arg(attempt.attempt)
                                        .arg(sentence),
                                    pathIn(folder, folderfile::journal), 0, 0},
                                   {}};
    return writeResultFile(result);
}

} // namespace proctor
