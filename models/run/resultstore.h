// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"
#include "models/run/journal.h"
#include "models/run/result.h"
#include "models/run/runidentity.h"

#include <QHash>
#include <QList>

#include <memory>

namespace proctor
{

/// The results folder `<output_dir>/<dataset.config>`: the peer's files and ours beside them.
///
/// Opening reads run.json, scores.jsonl and events.jsonl only. Slots are deduplicated: the last verdict of a
/// slot counts, and a cancelled or lost attempt never replaces a scored or failed one. A broken line is
/// skipped with a warning. All functions block on the disk; use it from one thread that is not the GUI
/// thread.
class ResultStore
{
public:
    /// Opens an existing folder for looking only: takes no lock, changes no file.
    static Expected<std::unique_ptr<ResultStore>> openReadOnly(const QString &folder);

    struct WriteOptions {
        RunIdentity identity;
        /// Number of runs; more than 1 puts each attempt below run_<k>.
        int runs = 1;
        /// Go on although the folder holds another identity.
        bool mix = false;
        /// Take over a folder that the peer made (no run.json); scores.jsonl is kept as scores.jsonl.orig.
        bool adopt = false;
    };
    /// Opens or creates a folder for a run and takes its lock. Errors: another live writer (named), another
    /// identity (differences named), a peer's folder without `adopt`, a newer schema; of the machine's kind:
    /// no room on the disk, no right to write. What a crashed run left behind is put right: journal entries
    /// missing from scores.jsonl, attempts that started and never ended become Lost.
    static Expected<std::unique_ptr<ResultStore>> openForWriting(const QString &folder,
                                                                 const WriteOptions &options);

    /// Writes summary.json anew, keeping members that are not ours, without opening the folder for a run.
    /// Errors, before which nothing is changed: a live writer, who will write it (named), a newer schema; of
    /// the machine's kind: no room on the disk, no right to write.
    static Expected<Nothing> rewriteSummary(const QString &folder);

    /// Closes as close() does; what goes wrong then is lost.
    ~ResultStore();

    QString folder() const;
    bool isWritable() const;
    /// Broken lines, recovered attempts, a newer schema, … found while opening.
    const Diagnostics &warnings() const;
    const std::optional<RunIdentity> &identity() const;

    /// Last verdict of each slot, in the order in which slots first appeared.
    QList<Result> results() const;
    std::optional<Result> result(const Slot &slot) const;
    /// Attempts begun in this slot so far, whatever became of them.
    int attempts(const Slot &slot) const;

    /// Where the newest attempt of a slot keeps its files (it need not exist).
    QString slotFolder(const Slot &slot) const;
    /// Where the files of an attempt are: the slot's folder for the newest, attempts/<n>/ below it for
    /// earlier ones.
    QString attemptFolder(const Slot &slot, int attempt) const;

    /// Moves the files of an earlier attempt to attempts/<n>/, makes an empty slot folder and journals the
    /// start. Returns the number of the new attempt.
    Expected<int> beginAttempt(const Slot &slot);
    Expected<Nothing> recordPhase(const Slot &slot, int attempt, Phase phase);
    /// Writes, in this order: events.jsonl, result.json, scores.jsonl (the latter at most every 5 s, more
    /// seldom when it is long, and in close()).
    Expected<Nothing> recordOutcome(const Result &result);
    /// Notes in run.json which image, by its id, a name stands for.
    Expected<Nothing> recordImage(const QString &image, const QString &id);
    /// Journals an event of the whole run (Stopped, Resumed).
    Expected<Nothing> recordRunEvent(JournalEvent::Kind kind);
    /// To be called every 10 s while the store is open for writing. Also writes scores.jsonl when it lags
    /// behind. An error that says another writer took the folder over is final: the store can no longer
    /// write.
    Expected<Nothing> renewLease();
    /// Writes scores.jsonl and summary.json and gives the lock back.
    Expected<Nothing> close();

    class Private;

private:
    explicit ResultStore(std::unique_ptr<Private> content);

    std::unique_ptr<Private> d;
};

} // namespace proctor
