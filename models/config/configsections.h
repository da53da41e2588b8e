// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/configsection.h"
#include "models/config/evalconfig.h"

namespace proctor
{

/// Keys of the section `agent` that the peer once had and now refuses.
const QStringList &legacyAgentKeys();

// Each reads one section into the configuration, whose defaults stay where the section says nothing.

void readDataset(const ConfigSection &section, const QString &configDir, EvalConfig::Dataset &target);
void readDocker(const ConfigSection &section, EvalConfig::Docker &target);
/// Without what depends on the selected registration.
void readAgent(const ConfigSection &section, EvalConfig::Agent &target);
void readVerifier(const ConfigSection &section, EvalConfig::Verifier &target);
void readRunner(const ConfigSection &section, EvalConfig::Runner &target);

/// A text or a list of texts, each a path as normalisedOutputPath() wants it; without repeats.
/// Nothing when the key is absent or null; what is wrong is reported.
std::optional<QStringList> readOutputPaths(const ConfigSection &section, const QString &key);

} // namespace proctor
