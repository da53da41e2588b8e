// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/pullprogress.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace proctor
{

bool PullProgress::add(const QString &line)
{
    static const QRegularExpression form(QStringLiteral("\\A([0-9a-f]{12}): (.+)\\z"));
    const auto match = form.match(line.trimmed());
    if (!match.hasMatch())
        return false;
    const QString state = match.captured(2);
    const bool isThere =
        state.startsWith(QLatin1String("Pull complete")) || state.startsWith(QLatin1String("Already exists"));
    const QString before = text();
    bool &known = m_layers[match.captured(1)];
    known = known || isThere;
    return text() != before;
}

QString PullProgress::text() const
{
    if (m_layers.isEmpty())
        return {};
    const auto there = std::count(m_layers.begin(), m_layers.end(), true);
    return QCoreApplication::translate("proctor::DockerSandbox", "%1 of %2 layers")
        .arg(there)
        .arg(m_layers.size());
}

} // namespace proctor
