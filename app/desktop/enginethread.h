// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/processthread.h"

namespace proctor
{

class Engine;

/// The thread on which the engine lives, for the whole life of the program.
class EngineThread : public ProcessThread
{
    Q_OBJECT

public:
    explicit EngineThread(QObject *parent = nullptr);
    /// Stops what runs and waits until its end is recorded, less than a minute.
    ~EngineThread() override;

    /// Lives until this object is destroyed.
    Engine *engine() const { return m_engine; }

private:
    explicit EngineThread(Engine *engine, QObject *parent);

    Engine *m_engine;
};

} // namespace proctor
