// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/enginethread.h"

#include "app/desktop/engine.h"

namespace proctor
{

/// An attempt ends within a few seconds of being stopped; sandboxes die with this thread in any case.
static constexpr int shutDownLimit = 10'000;

EngineThread::EngineThread(QObject *parent)
    : QThread(parent)
    , m_engine(new Engine)
{
    setObjectName(QStringLiteral("engine"));
    m_engine->moveToThread(this);
    connect(m_engine, &Engine::idle, this, &QThread::quit, Qt::DirectConnection);
    connect(this, &QThread::finished, m_engine, &QObject::deleteLater);
    start();
}

EngineThread::~EngineThread()
{
    QMetaObject::invokeMethod(m_engine, &Engine::shutDown, Qt::QueuedConnection);
    if (!wait(shutDownLimit)) {
        quit();
        wait();
    }
}

} // namespace proctor
