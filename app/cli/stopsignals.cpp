// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stopsignals.h"

#include "app/cli/exitcode.h"

#include <QSocketNotifier>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace proctor
{

static constexpr int stopSignals[] = {SIGINT, SIGTERM, SIGHUP};
static int readEnd = -1, writeEnd = -1;
static std::atomic<bool> wasAsked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// Runs in the middle of anything: only calls that are safe there.
static void onSignal(int number)
{
    const bool again = wasAsked.exchange(true);
    if (again && number != SIGHUP)
        _exit(exitSomethingFailed);
    const int savedError = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(writeEnd, &byte, 1);
    errno = savedError;
}

static void install(void (*handler)(int))
{
    struct sigaction action {
    };
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int number : stopSignals)
        sigaction(number, &action, nullptr);
}

StopSignals::StopSignals(QObject *parent)
    : QObject(parent)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // Signals then end the program as they do any other.
    readEnd = ends[0];
    writeEnd = ends[1];
    wasAsked = false;
    m_notifier = std::make_unique<QSocketNotifier>(readEnd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &StopSignals::read);
    install(onSignal);
}

StopSignals::~StopSignals()
{
    if (!m_notifier)
        return;
    install(SIG_DFL);
    m_notifier.reset();
    close(readEnd);
    close(writeEnd);
}

void StopSignals::read()
{
    char bytes[16];
    while (::read(readEnd, bytes, sizeof bytes) > 0) {
    }
    emit stopRequested();
}

} // namespace proctor
