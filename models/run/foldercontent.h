// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/journalreader.h"
#include "models/run/runidentity.h"

namespace proctor
{

/// The names of the files that a results folder holds for all its slots.
namespace folderfile
{
inline constexpr char identity[] = "run.json";
inline constexpr char lock[] = "run.lock";
inline constexpr char scores[] = "scores.jsonl";
inline constexpr char originalScores[] = "scores.jsonl.orig";
inline constexpr char summary[] = "summary.json";
inline constexpr char journal[] = "events.jsonl";
} // namespace folderfile

/// The member of run.json that holds the Checkpoint.
inline constexpr QLatin1String checkpointKey("checkpoint");

QString pathIn(const QString &folder, const char *name);

/// What run.json, scores.jsonl and events.jsonl say together. Reading it changes nothing.
struct FolderContent {
    Verdicts verdicts;
    std::optional<RunIdentity> identity;
    /// Broken lines and whatever else had to be left out.
    Diagnostics warnings;
    bool hasScores = false, hasJournal = false;
    /// scores.jsonl has lines that cannot be read.
    bool hasBrokenScores = false;
    /// Highest schema_version met.
    int schemaVersion = knownSchemaVersion;
    /// Records that the peer appended to scores.jsonl; they are among the verdicts, the journal lacks them.
    QList<Result> appendedByPeer;
    QList<OpenAttempt> openAttempts;

    /// Whether attempts lie below run_<k>: some record or the identity speaks of more than one run.
    bool hasRuns() const;
    bool isIdentityOfRuns() const;
};

/// Fails when there is no such folder or its run.json cannot be read.
Expected<FolderContent> readFolder(const QString &folder);

/// Takes the records that the peer appended to `scores` into the verdicts, as attempts after those that are
/// known, and returns them. Records that are already there are left out.
QList<Result> takeAppended(Verdicts &verdicts, const QList<Result> &appended);

/// The records in the file that lack our members, in order.
QList<Result> appendedIn(const QString &scoresPath);

} // namespace proctor
