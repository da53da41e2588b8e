// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/processthread.h"

namespace proctor
{

ProcessThread::ProcessThread(QObject *inhabitant, QObject *parent)
    : QThread(parent)
{
    setObjectName(QStringLiteral("engine"));
    inhabitant->moveToThread(this);
    connect(this, &QThread::finished, inhabitant, &QObject::deleteLater);
    start();
}

ProcessThread::~ProcessThread()
{
    quit();
    wait();
}

} // namespace proctor
