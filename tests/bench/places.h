// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/sandboxagent.h"
#include "app/runner/attemptrun.h"
#include "app/sandbox/dockersandboxes.h"
#include "app/sandbox/localsandboxes.h"
#include "tests/support/await.h"
#include "tests/support/engine.h"
#include "tests/support/trialbundle.h"

#include <QDirIterator>
#include <QTextStream>

/// Where benches let attempts happen.
namespace measure
{

using namespace proctor;

/// Whether there is a container engine to measure on, which is then the one that `docker` asks; says so if
/// not.
inline bool hasEngine()
{
    const QString missing = test::engineMissing();
    if (missing.isEmpty())
        test::useEngine();
    else
        QTextStream(stderr) << QStringLiteral("not measured in containers: %1\n").arg(missing);
    return missing.isEmpty();
}

/// An exam's configuration as it is by default, with another agent.
inline EvalConfig configuration(EvalConfig::SandboxKind kind, const QString &agent)
{
    EvalConfig config;
    config.runner.sandbox = kind;
    config.agent.cmd = agent;
    return config;
}

inline AttemptSpec attemptSpec(const EvalConfig &config, const Instance &instance, const QString &folder)
{
    AttemptSpec spec;
    spec.instance = instance;
    spec.slot = {instance.id, 1};
    spec.folder = folder;
    spec.config = config;
    return spec;
}

/// A sandbox that was set up with the trial bundle and waits for orders.
class TrialSandbox
{
public:
    explicit TrialSandbox(EvalConfig::SandboxKind kind)
        : m_kind(kind)
        , m_source(makeSandboxSource(configuration(kind, QStringLiteral("true")), m_folder.path()))
    {
        m_bundle.write(QStringLiteral("tools/nothing"), "#!/bin/sh\n", true);
        Instance instance;
        instance.id = QStringLiteral("trial");
        instance.image = test::testImage(QStringLiteral("base"));
        instance.bundle = m_bundle.path();
        if (const auto problem = test::await(m_source->problem({})))
            qFatal("%s", qPrintable(*problem));
        m_sandbox = m_source->make(instance);
        QCoro::waitFor(begin());
    }
    ~TrialSandbox() { QCoro::waitFor(m_sandbox->clean()); }
    Q_DISABLE_COPY_MOVE(TrialSandbox)

    QString place() const
    {
        return m_kind == EvalConfig::SandboxKind::Docker ? QStringLiteral("container")
                                                         : QStringLiteral("local sandbox");
    }
    QString bundle() const { return m_bundle.path(); }
    Bridge *bridge() const { return m_sandbox->bridge(); }
    BridgeReady ready() const { return m_ready; }

private:
    template<typename Value>
    static void demand(const Stepped<Value> &step)
    {
        if (!step)
            qFatal("the sandbox does not work: %s", qPrintable(step.error().message));
    }

    QCoro::Task<void> begin()
    {
        demand(co_await m_sandbox->pull({}));
        demand(co_await m_sandbox->start({}));
        if (m_kind == EvalConfig::SandboxKind::Docker)
            co_await fill();
        const auto ready = co_await m_sandbox->setUp({});
        demand(ready);
        m_ready = *ready;
    }

    /// The image has no bundle of its own.
    QCoro::Task<void> fill()
    {
        QDirIterator files(m_bundle.path(), QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            const QString path = QStringLiteral("/app") + file.mid(m_bundle.path().size());
            demand(co_await bridge()->put(file, path, files.fileInfo().isExecutable() ? 0755 : 0644, {}));
        }
    }

    EvalConfig::SandboxKind m_kind;
    QTemporaryDir m_folder;
    test::TrialBundle m_bundle;
    std::unique_ptr<SandboxSource> m_source;
    std::unique_ptr<Sandbox> m_sandbox;
    BridgeReady m_ready;
};

/// The kinds of sandbox that can be measured in on this machine.
inline QList<EvalConfig::SandboxKind> sandboxKinds()
{
    QList<EvalConfig::SandboxKind> kinds{EvalConfig::SandboxKind::Local};
    if (hasEngine())
        kinds << EvalConfig::SandboxKind::Docker;
    return kinds;
}

} // namespace measure
