// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QHash>
#include <QStringList>

namespace proctor
{

/// The placeholders that a registered agent's command may hold: context, output_dir, instance_id,
/// tool_server_url, system_prompt_path, instruction_path, tool_defs_path, task_context_path, config_dir.
const QStringList &commandPlaceholders();

/// Fills in one argument of a command. Braces are read as Python's str.format reads them: `{name}` is a
/// placeholder,
/// `{{` and `}}` are braces. Errors, also for checking before anything runs: an unbalanced brace, a name that
/// is none of commandPlaceholders(), a conversion (`!r`) or a format (`:>9`). A placeholder without a value
/// becomes nothing.
Expected<QString> fillPlaceholders(const QString &argument, const QHash<QString, QString> &values);

} // namespace proctor
