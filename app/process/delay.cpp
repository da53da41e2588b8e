// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/delay.h"

#include "app/process/completion.h"

#include <QTimer>

namespace proctor
{

QCoro::Task<void> delay(std::chrono::milliseconds time, CancellationToken token)
{
    const auto over = std::make_shared<Completion<bool>>();
    QObject context;
    QTimer::singleShot(time, &context, [over] { over->complete(true); });
    const auto cancelling = token.onCancelled(&context, [over] { over->complete(false); });
    co_await *over;
}

} // namespace proctor
