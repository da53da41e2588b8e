// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/childsetup.h"

#include <QCoreApplication>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace proctor
{

static void resetSignals() noexcept
{
    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL); // fails for SIGKILL, SIGSTOP and libc's own, which is as it should be
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Not closed but marked: QProcess learns through one of them whether exec worked.
static void closeDescriptorsOnExec(int highest) noexcept
{
    constexpr int first = STDERR_FILENO + 1;
    if (close_range(first, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int descriptor = first; descriptor <= highest; ++descriptor)
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

ChildSetup::ChildSetup(const ProcessSpec &spec)
    : m_drops(spec.dropTo.has_value())
    , m_uid(spec.dropTo ? spec.dropTo->uid : 0)
    , m_gid(spec.dropTo ? spec.dropTo->gid : 0)
    , m_setsUmask(spec.umask.has_value())
    , m_umask(spec.umask.value_or(0))
    , m_diesWithThread(spec.dieWithThread)
    , m_parent(getpid())
    , m_highestDescriptor(static_cast<int>(std::clamp(sysconf(_SC_OPEN_MAX), 1024L, 65536L)))
{
    void *page = mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED)
        m_report = static_cast<Report *>(page); // zero-filled: None
}

ChildSetup::~ChildSetup()
{
    if (m_report)
        munmap(m_report, sizeof(Report));
}

void ChildSetup::apply() const noexcept
{
    setsid();
    resetSignals();
    if (m_setsUmask)
        ::umask(m_umask);
    if (m_drops)
        dropCredentials();
    // A change of credentials takes the parent-death signal back, so it comes last.
    if (m_diesWithThread)
        bindToParent();
    closeDescriptorsOnExec(m_highestDescriptor);
}

void ChildSetup::dropCredentials() const noexcept
{
    if (setgroups(0, nullptr) != 0)
        giveUp(SetGroups);
    if (setresgid(m_gid, m_gid, m_gid) != 0)
        giveUp(SetGid);
    if (setresuid(m_uid, m_uid, m_uid) != 0)
        giveUp(SetUid);
}

void ChildSetup::bindToParent() const noexcept
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != m_parent)
        giveUp(ParentGone); // it died before the line above
}

void ChildSetup::giveUp(Step step) const noexcept
{
    if (m_report)
        *m_report = {step, errno};
    _exit(127);
}

QString ChildSetup::failure() const
{
    if (!m_report || m_report->step == None)
        return {};
    if (m_report->step == ParentGone)
        return QCoreApplication::translate("ChildSetup", "its parent had ended");
    return QCoreApplication::translate("ChildSetup", "cannot change to user %1, group %2: %3")
        .arg(m_uid)
        .arg(m_gid)
        .arg(qt_error_string(m_report->error));
}

} // namespace proctor
