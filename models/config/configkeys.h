// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace proctor
{

/// The sections of an evaluation configuration, `agents` included.
const QStringList &configSections();

/// The keys of a section; "agents" stands for one registration. Legacy keys that are refused are not among
/// them.
const QStringList &configKeys(const QString &section);

/// The first section that has this key.
std::optional<QString> sectionWithKey(const QString &key);

} // namespace proctor
