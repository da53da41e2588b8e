// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/configsection.h"
#include "models/config/evalconfig.h"

namespace proctor
{

/// Turns the text of a configuration into its values: sections over the defaults, then what the command line
/// overrides, then the registration that this selects. Use once.
class EvalConfigReader
{
public:
    EvalConfigReader(const QString &path, const ConfigOverrides &overrides);

    LoadedConfig read(const QByteArray &yaml);

private:
    YamlNodePtr readRoot(const QByteArray &yaml);
    void readSections();
    ConfigSection section(const QString &name);
    void applyOverrides();
    void overrideNumber(const std::optional<int> &value, const QString &option, int most, int &target);
    void readRegistrations();
    void readRegistered(const YamlEntry &entry);
    void selectRegistration();

    ConfigOverrides m_overrides;
    ConfigReport m_report;
    EvalConfig m_config;
    /// The top mapping, null when there is none.
    YamlNodePtr m_root;
    /// Registrations that are none, already reported.
    QStringList m_broken;
    /// Where agent.name stands; no place when the command line names the agent.
    YamlMark m_namePlace;
};

} // namespace proctor
