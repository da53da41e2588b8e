// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

namespace proctor
{

class Engine;

/// The thread on which the engine lives, for the whole life of the program: children that it starts die with
/// it.
class EngineThread : public QThread
{
    Q_OBJECT

public:
    explicit EngineThread(QObject *parent = nullptr);
    /// Stops what runs and waits until it has ended, some seconds at most.
    ~EngineThread() override;

    /// Lives until this object is destroyed.
    Engine *engine() const { return m_engine; }

private:
    Engine *m_engine;
};

} // namespace proctor
