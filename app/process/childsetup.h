// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/processspec.h"

#include <sys/types.h>

namespace proctor
{

/// What a child does to itself between fork and exec, and the word it leaves if that fails.
class ChildSetup
{
public:
    explicit ChildSetup(const ProcessSpec &spec);
    ~ChildSetup();
    Q_DISABLE_COPY_MOVE(ChildSetup)

    /// In the child. Calls only what is async-signal-safe; does not return if the child must not run.
    void apply() const noexcept;

    /// In the parent, after the child ended: why apply() gave up, empty if it did not.
    QString failure() const;

private:
    enum Step : int { None, SetGroups, SetGid, SetUid, ParentGone };
    struct Report {
        int step;
        int error;
    };

    void giveUp(Step step) const noexcept;
    void dropCredentials() const noexcept;
    void bindToParent() const noexcept;

    bool m_drops = false;
    uid_t m_uid = 0;
    gid_t m_gid = 0;
    bool m_setsUmask = false;
    mode_t m_umask = 0;
    bool m_diesWithThread = false;
    pid_t m_parent = 0;
    int m_highestDescriptor = 0;
    /// A page shared with the child; null if there was no memory for it.
    Report *m_report = nullptr;
};

} // namespace proctor
