// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"
#include "models/run/slot.h"

namespace proctor
{

/// Where the files of each slot lie: `<instance>/` when the folder holds one run, else `<instance>/run_<k>/`;
/// earlier attempts in `attempts/<n>/` below that.
class SlotFolders
{
public:
    SlotFolders() = default;
    SlotFolders(const QString &resultsFolder, bool hasRuns)
        : m_root(resultsFolder)
        , m_hasRuns(hasRuns)
    {
    }

    bool hasRuns() const { return m_hasRuns; }
    QString slotFolder(const Slot &slot) const;
    QString attemptFolder(const Slot &slot, int attempt, int newest) const;

    /// Moves what lies in the slot's folder to attempts/<attempt>/, if anything does, and makes the folder.
    /// The result goes last: as long as it is there, so may be others of its attempt.
    Expected<Nothing> archive(const Slot &slot, int attempt) const;
    /// Moves the files of an instance that was run once into run_1/. Does nothing when there are none, so it
    /// can be called again after it was interrupted.
    Expected<Nothing> moveIntoFirstRun(const QString &instanceId) const;

private:
    QString instanceFolder(const QString &instanceId) const;

    QString m_root;
    bool m_hasRuns = false;
};

} // namespace proctor
