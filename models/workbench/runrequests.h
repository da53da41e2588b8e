// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/slot.h"

#include <QObject>

namespace proctor
{

/// What the Run page asks for. Whoever holds the engine connects to it; the page never knows who does.
class RunRequests : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

signals:
    /// A configuration file, a results folder or (empty) the demo exam.
    void openRequested(const QString &path);
    void demoRequested();
    void startRequested();
    void pauseRequested();
    void resumeRequested();
    void stopRequested();
    void stopAttemptRequested(const proctor::Slot &slot);
    /// Words as in --retry-failed: "agent", "harness", "lost", "cancelled".
    void retryFailedRequested(const QStringList &faults);
    void concurrencyRequested(int concurrency);
    /// The log of this slot is on screen; an empty id means none is.
    void logRequested(const proctor::Slot &slot);
    /// Show the files of this slot in the desktop's file browser.
    void openFolderRequested(const proctor::Slot &slot);
};

} // namespace proctor
