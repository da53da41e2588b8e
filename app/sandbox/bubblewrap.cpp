// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bubblewrap.h"

#include <QFileInfo>

namespace proctor
{

static QStringList options(const char *words)
{
    return QString::fromLatin1(words).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

static QStringList sizedTmpfs(const QString &path, const QString &mode, qint64 size)
{
    return {QStringLiteral("--perms"), mode, QStringLiteral("--size"), QString::number(size),
            QStringLiteral("--tmpfs"), path};
}

/// /bin, /lib and the like: links into /usr on a merged system, folders on others.
static QStringList systemFolders()
{
    QStringList arguments = options("--ro-bind /usr /usr");
    for (const char *name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
        const QString path = QLatin1Char('/') + QLatin1String(name);
        const QFileInfo info(path);
        if (info.isSymLink())
            arguments << QStringLiteral("--symlink") << QStringLiteral("usr/") + QLatin1String(name) << path;
        else if (info.isDir())
            arguments << QStringLiteral("--ro-bind") << path << path;
    }
    return arguments;
}

static QStringList configurationFolder()
{
    QStringList arguments = sizedTmpfs(QStringLiteral("/etc"), QStringLiteral("0755"), 1 << 20);
    for (const char *name : {"alternatives", "ssl", "ld.so.cache", "localtime"}) {
        const QString path = QStringLiteral("/etc/") + QLatin1String(name);
        arguments << QStringLiteral("--ro-bind-try") << path << path;
    }
    return arguments;
}

QStringList bubblewrapArguments(const OuterWall &wall)
{
    QStringList arguments = options("--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts "
                                    "--unshare-cgroup-try --as-pid-1 --die-with-parent --new-session "
                                    "--hostname sandbox --cap-drop ALL --clearenv "
                                    "--setenv PATH /usr/local/bin:/usr/bin:/bin --setenv LANG C.UTF-8");
    arguments += systemFolders();
    arguments += options("--proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev");
    arguments += configurationFolder();
    arguments += sizedTmpfs(QStringLiteral("/tmp"), QStringLiteral("1777"), wall.temporarySize);
    arguments += sizedTmpfs(QStringLiteral("/run"), QStringLiteral("0755"), 16 << 20);
    arguments += sizedTmpfs(QStringLiteral("/logs"), QStringLiteral("0755"), 64 << 20);
    arguments += sizedTmpfs(QStringLiteral("/app"), QStringLiteral("0755"), wall.appSize);
    arguments += options("--remount-ro / --chdir /app");
    return arguments + wall.command;
}

} // namespace proctor
