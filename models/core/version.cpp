// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/version.h"

namespace proctor
{

QString proctorVersion()
{
    return QStringLiteral(PROCTOR_VERSION);
}

} // namespace proctor
