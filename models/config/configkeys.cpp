// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/configkeys.h"

#include <QHash>

namespace proctor
{

static QStringList words(const char *list)
{
    return QString::fromLatin1(list).split(u' ');
}

const QStringList &configSections()
{
    static const QStringList sections = words("dataset docker agent verifier runner agents");
    return sections;
}

const QStringList &configKeys(const QString &section)
{
    static const QHash<QString, QStringList> keys{
        {QStringLiteral("dataset"), words("repo_id config split path")},
        {QStringLiteral("docker"), words("registry platform engine context pull network memory cpus pids "
                                         "disk entrypoint hide")},
        {QStringLiteral("agent"),
         words("name cmd output_paths output_path timeout_sec llm_base_url llm_api_key llm_model")},
        {QStringLiteral("verifier"), words("timeout_sec judge_base_url judge_api_key judge_model")},
        {QStringLiteral("runner"), words("concurrency output_dir limit skip_done sandbox runs on_timeout "
                                         "tool_timeout_sec tool_parallel")},
        {QStringLiteral("agents"), words("protocol command cwd timeout_sec output_paths pass_env sandbox")},
    };
    static const QStringList none;
    const auto found = keys.constFind(section);
    return found == keys.constEnd() ? none : *found;
}

std::optional<QString> sectionWithKey(const QString &key)
{
    for (const QString &section : configSections()) {
        if (section != QLatin1String("agents") && configKeys(section).contains(key))
            return section;
    }
    return std::nullopt;
}

} // namespace proctor
