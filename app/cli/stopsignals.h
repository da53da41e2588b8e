// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace proctor
{

/// Turns SIGINT, SIGTERM and SIGHUP into a Qt signal. A second SIGINT or SIGTERM ends the program at once,
/// also when its event loop hangs: sandboxes end by themselves when their pipe does. A second SIGHUP does
/// not, because a terminal that goes away sends two. At most one object at a time.
class StopSignals : public QObject
{
    Q_OBJECT

public:
    explicit StopSignals(QObject *parent = nullptr);
    ~StopSignals() override;

signals:
    void stopRequested();

private:
    void read();

    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace proctor
