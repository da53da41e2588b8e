// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/attemptupdate.h"

#include <QStringList>

namespace proctor::madeup
{

/// A run half way through, with every standing in it, as it could look.
QList<AttemptUpdate> attempts(const QDateTime &now);
RunStatus statusOf(const QList<AttemptUpdate> &attempts, RunStatus::Activity activity);
QString agentOutput();
QString verifierOutput();
QString answer();

} // namespace proctor::madeup
