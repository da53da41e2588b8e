// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/evalconfig.h"

#include "models/config/evalconfigreader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace proctor
{

namespace
{
struct Config {
    Q_DECLARE_TR_FUNCTIONS(proctor::EvalConfig)
};
} // namespace

/// Far above any configuration; keeps a mistaken path from filling the memory.
static constexpr qint64 mostBytes = 16 * 1024 * 1024;

static LoadedConfig unreadable(const QString &path, const QString &message)
{
    LoadedConfig loaded;
    loaded.config.configDir = QDir::currentPath();
    loaded.diagnostics << Diagnostic{Diagnostic::Severity::Error, {message, path, 0, 0}, {}};
    return loaded;
}

LoadedConfig parseEvalConfig(const QByteArray &yaml, const QString &path, const ConfigOverrides &overrides)
{
    return EvalConfigReader(path, overrides).read(yaml);
}

LoadedConfig loadEvalConfig(const QString &path, const ConfigOverrides &overrides)
{
    if (path.isEmpty())
        return parseEvalConfig({}, path, overrides);
    const QFileInfo info(path);
    if (!info.exists())
        return unreadable(path, Config::tr("there is no such configuration file"));
    if (info.isDir())
        return unreadable(path, Config::tr("this is a folder; a configuration is a YAML file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, Config::tr("the configuration cannot be read (%1)").arg(file.errorString()));
    const QByteArray yaml = file.read(mostBytes + 1);
    if (yaml.size() > mostBytes)
        return unreadable(path, Config::tr("this file is too large for a configuration"));
    return parseEvalConfig(yaml, path, overrides);
}

} // namespace proctor
