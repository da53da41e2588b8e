// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/leftovers.h"

#include "app/cli/console.h"

namespace proctor
{

QStringList leftoverLines(const Leftovers &leftovers)
{
    QStringList lines;
    for (const Leftovers::LeftProcess &process : leftovers.processes)
        lines << QStringLiteral("process %1: %2").arg(process.pid).arg(process.command);
    for (const QString &folder : leftovers.folders)
        lines << QStringLiteral("folder %1").arg(folder);
    return lines + leftovers.problems;
}

void removeLeftovers()
{
    const Leftovers leftovers = Reaper().remove();
    if (leftovers.isEmpty())
        return;
    printRemark(QStringLiteral("Removed what a Proctor that ended unexpectedly had left:"));
    for (const QString &line : leftoverLines(leftovers))
        printRemark(QStringLiteral("  ") + line);
}

} // namespace proctor
