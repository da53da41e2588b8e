// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/localsandboxes.h"

#include "app/sandbox/localsandbox.h"

namespace proctor
{

LocalSandboxes::LocalSandboxes(const EvalConfig &config, QString resultsFolder)
    : m_setup(bridgeSetupOf(config))
    , m_resultsFolder(std::move(resultsFolder))
{
    m_setup.wall = bubblewrapWall;
}

QCoro::Task<std::optional<QString>> LocalSandboxes::problem(CancellationToken token)
{
    return LocalSandbox::problem(token);
}

std::unique_ptr<Sandbox> LocalSandboxes::make(const Instance &instance)
{
    return std::make_unique<LocalSandbox>(LocalSandboxSpec{instance.bundle, m_setup, m_resultsFolder});
}

} // namespace proctor
