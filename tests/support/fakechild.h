// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/processspec.h"

/// A spec that runs tests/support/fakechild.cpp with these steps ("line hello exit 3").
inline proctor::ProcessSpec fakeChild(const QString &steps)
{
    proctor::ProcessSpec spec;
    spec.program = QStringLiteral(PROCTOR_BUILD_DIR "/bin/fakechild");
    spec.arguments = steps.split(u' ', Qt::SkipEmptyParts);
    return spec;
}
