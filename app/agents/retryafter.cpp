// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/retryafter.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace proctor
{

/// What a server means by more is not waiting, and the count must not overflow.
static constexpr double longestSeconds = 365.0 * 24 * 3600;

static std::chrono::milliseconds milliseconds(double seconds)
{
    return std::chrono::milliseconds(std::llround(std::clamp(seconds, 0.0, longestSeconds) * 1000));
}

std::optional<std::chrono::milliseconds> retryAfter(const QByteArray &header, const QDateTime &now)
{
    const QByteArray value = header.trimmed();
    bool isNumber = false;
    const double seconds = value.toDouble(&isNumber);
    if (isNumber)
        return std::isnan(seconds) ? std::nullopt : std::optional(milliseconds(seconds));
    QDateTime date = QLocale::c().toDateTime(QString::fromLatin1(value),
                                             QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"));
    if (!date.isValid())
        return std::nullopt;
    date.setTimeSpec(Qt::UTC);
    return milliseconds(static_cast<double>(now.msecsTo(date)) / 1000);
}

} // namespace proctor
