// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QStringList>

namespace proctor
{

/// One output path of a host agent, normalised ("./artifacts//a/" becomes "artifacts/a"). It is relative to
/// the attempt's folder and either an answer file or below artifacts/. Errors: empty, a backslash or NUL,
/// absolute, a "..", any other place.
Expected<QString> normalisedOutputPath(const QString &path);

/// Everything a host agent has to produce: answer.json, answer.md, then the configured ones without repeats.
/// `configured` are normalised paths (EvalConfig::Agent::outputPaths).
QStringList declaredOutputs(const QStringList &configured);

} // namespace proctor
