// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/reward.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace proctor
{

static constexpr qsizetype quotedLength = 100;

static QString tr(const char *text)
{
    return QCoreApplication::translate("proctor::Reward", text);
}

static QString quoted(const QString &text)
{
    QString oneLine = text.left(quotedLength);
    oneLine.replace(QLatin1Char('\n'), QLatin1Char(' '));
    return QStringLiteral("“%1”").arg(oneLine);
}

Expected<double> parseReward(const QByteArray &text)
{
    static const QRegularExpression number(
        QRegularExpression::anchoredPattern(QStringLiteral(R"([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)")));
    const QString trimmed = QString::fromUtf8(text).trimmed();
    if (trimmed.isEmpty())
        return Error{tr("The verifier left the reward file empty")};
    if (!number.match(trimmed).hasMatch())
        return Error{tr("The verifier's reward %1 is no decimal number").arg(quoted(trimmed))};
    const double reward = trimmed.toDouble();
    if (!(reward >= 0.0 && reward <= 1.0))
        return Error{tr("The verifier's reward %1 is not between 0 and 1").arg(quoted(trimmed))};
    return reward;
}

} // namespace proctor
