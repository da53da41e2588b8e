// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

namespace proctor
{

/// A thread for an object that starts children. They die with the thread that started them, so it lives as
/// long as they may; and it never waits for a window or a terminal, or sandboxes would miss their sign of
/// life.
class ProcessThread : public QThread
{
    Q_OBJECT

public:
    /// Takes over `inhabitant`, which lives here until this object is destroyed.
    explicit ProcessThread(QObject *inhabitant, QObject *parent = nullptr);
    /// Waits for the inhabitant's end; what it had running dies.
    ~ProcessThread() override;
};

} // namespace proctor
