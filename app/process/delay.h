// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"

#include <QCoroTask>

#include <chrono>

namespace proctor
{

/// Lets time pass; less of it when `token` is cancelled.
QCoro::Task<void> delay(std::chrono::milliseconds time, CancellationToken token = {});

} // namespace proctor
