// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/enginethread.h"

#include "app/desktop/engine.h"

namespace proctor
{

/// An agent that does not end when it is told to has 20 s, its sandbox some more to give back its files; an
/// attempt that is not waited for would be recorded as lost. Sandboxes die with this thread in any case.
static constexpr int shutDownLimit = 45'000;

EngineThread::EngineThread(QObject *parent)
    : EngineThread(new Engine, parent)
{
}

EngineThread::EngineThread(Engine *engine, QObject *parent)
    : ProcessThread(engine, parent)
    , m_engine(engine)
{
    connect(m_engine, &Engine::idle, this, &QThread::quit, Qt::DirectConnection);
}

EngineThread::~EngineThread()
{
    QMetaObject::invokeMethod(m_engine, &Engine::shutDown, Qt::QueuedConnection);
    wait(shutDownLimit);
}

} // namespace proctor
