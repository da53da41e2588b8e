// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/foldercontent.h"
#include "models/run/journalwriter.h"
#include "models/run/resultstore.h"
#include "models/run/runlock.h"
#include "models/run/scoreswriter.h"
#include "models/run/slotfolders.h"

#include <QCoreApplication>

namespace proctor
{

class ResultStore::Private
{
    Q_DECLARE_TR_FUNCTIONS(ResultStore)

public:
    bool isWritable() const { return lock.has_value(); }

    /// The steps of opening for writing, in their order. They can be interrupted anywhere: done again they
    /// come to the same end.
    Expected<Nothing> openForWriting(const WriteOptions &options);

    Expected<Nothing> append(JournalEvent::Kind kind, const Slot &slot, int attempt,
                             std::optional<Phase> phase = {}, const std::optional<Result> &result = {});
    /// To be called before anything is written: fails when the store is read-only or the lock went to
    /// another.
    Expected<Nothing> checkLock();
    Expected<Nothing> renewLock();
    /// Journals what the peer appended to scores.jsonl since we last wrote it, then writes it.
    Expected<Nothing> writeScores();
    Expected<Nothing> writeResultFile(const Result &result) const;
    Expected<Nothing> writeSummary() const;
    Expected<Nothing> writeCheckpoint();
    /// The result as this folder keeps it: with a run id when there are several runs, without when there is
    /// one.
    Result inThisLayout(Result result) const;
    Expected<Nothing> finish();

    QString folder;
    SlotFolders layout;
    FolderContent content;
    int runs = 1;
    std::optional<RunLock> lock;
    /// Why there is no lock any more.
    std::optional<Error> lockLoss;
    JournalWriter journal;
    ScoresWriter scores;

private:
    Expected<Nothing> checkIdentity(const WriteOptions &options) const;
    Expected<Nothing> keepOriginalScores(bool adopting) const;
    void takeUpRuns(int wanted);
    Expected<Nothing> nameFirstRun();
    Expected<Nothing> writeIdentity(const WriteOptions &options);
    Expected<Nothing> importAppended(const QList<Result> &appended);
    Expected<Nothing> recoverOpenAttempts();
    Expected<Nothing> recover(const OpenAttempt &attempt);
    Expected<Nothing> archiveEarlier(const OpenAttempt &attempt) const;
    std::optional<QString> domainOf(const QString &instanceId) const;
    void removeLeftovers() const;
};

} // namespace proctor
