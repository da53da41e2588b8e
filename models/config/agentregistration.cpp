// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/agentregistration.h"

#include "models/config/homepath.h"

#include <QDir>

namespace proctor
{

QString AgentRegistration::workingFolder(const QString &configDir) const
{
    return QDir::cleanPath(QDir(configDir).absoluteFilePath(withHome(cwd)));
}

} // namespace proctor
