// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/homepath.h"

#include <QDir>

namespace proctor
{

QString withHome(const QString &path)
{
    const bool isHome = path == QLatin1String("~") || path.startsWith(QLatin1String("~/"));
    return isHome ? QDir::homePath() + path.mid(1) : path;
}

} // namespace proctor
