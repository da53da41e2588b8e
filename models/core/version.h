// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// Version of this build, as in run.json and --version.
QString proctorVersion();

} // namespace proctor
