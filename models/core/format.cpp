// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/format.h"

#include <QCoreApplication>

#include <cmath>

namespace proctor
{

namespace
{
struct Format {
    Q_DECLARE_TR_FUNCTIONS(proctor::Format)
};
} // namespace

static constexpr qint64 minute = 60;
static constexpr qint64 hour = 60 * minute;

QString clockText(qint64 seconds)
{
    if (seconds < 0)
        return {};
    if (seconds < minute)
        return Format::tr("%1 s").arg(seconds);
    if (seconds < hour)
        return Format::tr("%1 m %2 s").arg(seconds / minute).arg(seconds % minute);
    return Format::tr("%1 h %2 m").arg(seconds / hour).arg(seconds % hour / minute);
}

QString durationText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return {};
    const double tenths = std::round(seconds * 10) / 10;
    if (tenths < 10)
        return Format::tr("%1 s").arg(QString::number(tenths, 'f', 1));
    return clockText(std::llround(seconds));
}

QString roughDurationText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return {};
    const qint64 whole = std::llround(seconds);
    if (whole < minute || whole >= hour)
        return clockText(whole);
    return Format::tr("%1 m").arg((whole + minute / 2) / minute);
}

QString rewardText(double reward)
{
    return std::isfinite(reward) ? QString::number(reward, 'f', 3) : QString();
}

QString shareText(double share)
{
    return std::isfinite(share) ? Format::tr("%1 %").arg(std::llround(share * 100)) : QString();
}

QString moneyText(double dollars)
{
    if (!std::isfinite(dollars))
        return {};
    if (dollars > 0 && dollars < 0.005)
        return QStringLiteral("<$0.01");
    return QLatin1Char('$') + QString::number(dollars, 'f', 2);
}

} // namespace proctor
