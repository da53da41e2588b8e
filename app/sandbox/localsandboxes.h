// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/sandbox/sandboxsource.h"

namespace proctor
{

/// Local sandboxes for the bundles of an exam.
class LocalSandboxes : public SandboxSource
{
public:
    LocalSandboxes(const EvalConfig &config, QString resultsFolder);

    QCoro::Task<std::optional<QString>> problem(CancellationToken token) override;
    std::unique_ptr<Sandbox> make(const Instance &instance) override;

private:
    BridgeSetup m_setup;
    QString m_resultsFolder;
};

} // namespace proctor
