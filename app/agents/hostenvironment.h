// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/evalconfig.h"

#include <QProcessEnvironment>

namespace proctor
{

/// The environment of a registered agent: of `parent` only PATH, HOME, USER, LOGNAME, TMPDIR, TMP, TEMP,
/// LANG, LC_ALL, SYSTEMROOT, WINDIR and what the registration's pass_env names; then LLM_BASE_URL,
/// LLM_API_KEY and LLM_MODEL, which are always set and take the place of what pass_env let in; and what makes
/// Python write at once and in UTF-8.
QProcessEnvironment hostEnvironment(const EvalConfig &config, const QProcessEnvironment &parent);

/// The key of the agent's model: agent.llm_api_key, else LLM_API_KEY of `parent`, else nothing.
QString modelKey(const EvalConfig &config, const QProcessEnvironment &parent);

/// agent.llm_base_url as an agent on the host can use it: host.docker.internal is this machine as containers
/// see it, and becomes 127.0.0.1. Everything else of the address stays as it is.
QString hostModelUrl(const QString &url);

/// Values that must not get into any file: the keys of model and judge, wherever they come from, and
/// variables in pass_env whose names speak of a secret.
QStringList secretsOf(const EvalConfig &config, const QProcessEnvironment &parent);

} // namespace proctor
