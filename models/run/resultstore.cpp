// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/resultstore.h"

#include "models/run/resultstore_p.h"

namespace proctor
{

static Diagnostic newerSchema(const QString &folder, int version)
{
    const QString sentence =
        ResultStore::Private::tr(
            "These results were written by a newer Proctor (schema version %1, this one knows %2). "
            "They are shown read-only and may be incomplete.")
            .arg(version)
            .arg(knownSchemaVersion);
    return {Diagnostic::Severity::Warning, {sentence, folder, 0, 0}, {}};
}

ResultStore::ResultStore(std::unique_ptr<Private> content)
    : d(std::move(content))
{
}

Expected<std::unique_ptr<ResultStore>> ResultStore::openReadOnly(const QString &folder)
{
    auto content = readFolder(folder);
    if (!content)
        return content.error();
    if (!content->hasScores && !content->hasJournal && !content->identity)
        return Error{Private::tr("No results found at %1: it holds no scores.jsonl.").arg(folder), {}, 0, 0};
    if (content->schemaVersion > knownSchemaVersion)
        content->warnings << newerSchema(folder, content->schemaVersion);

    // A move into runs that was interrupted is not finished here, but it is shown as if it were.
    if (content->isIdentityOfRuns())
        content->verdicts.nameRuns();

    auto d = std::make_unique<Private>();
    d->folder = folder;
    d->layout = SlotFolders(folder, content->hasRuns());
    d->content = std::move(*content);
    return std::unique_ptr<ResultStore>(new ResultStore(std::move(d)));
}

QString ResultStore::folder() const
{
    return d->folder;
}

bool ResultStore::isWritable() const
{
    return d->isWritable();
}

const Diagnostics &ResultStore::warnings() const
{
    return d->content.warnings;
}

const std::optional<RunIdentity> &ResultStore::identity() const
{
    return d->content.identity;
}

QList<Result> ResultStore::results() const
{
    return d->content.verdicts.results();
}

std::optional<Result> ResultStore::result(const Slot &slot) const
{
    const Verdicts::Entry *entry = d->content.verdicts.find(slot);
    return entry ? entry->result : std::nullopt;
}

int ResultStore::attempts(const Slot &slot) const
{
    const Verdicts::Entry *entry = d->content.verdicts.find(slot);
    return entry ? entry->attempts : 0;
}

QString ResultStore::slotFolder(const Slot &slot) const
{
    return d->layout.slotFolder(slot);
}

QString ResultStore::attemptFolder(const Slot &slot, int attempt) const
{
    return d->layout.attemptFolder(slot, attempt, attempts(slot));
}

} // namespace proctor
