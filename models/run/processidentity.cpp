// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/processidentity.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QSysInfo>

namespace proctor
{

static QByteArray contentOf(const QString &path)
{
    QFile file(path);
    // Files below /proc say that they are empty, so what is wanted is a number of bytes.
    static constexpr qint64 enough = 4096;
    return file.open(QIODevice::ReadOnly) ? file.read(enough).trimmed() : QByteArray();
}

static QString machineId()
{
    const QString chosen = qEnvironmentVariable("PROCTOR_MACHINE_ID");
    if (!chosen.isEmpty())
        return chosen;
    // The id itself is confidential by its manual page; containers often have none.
    QByteArray id = contentOf(QStringLiteral("/etc/machine-id"));
    if (id.isEmpty())
        id = QSysInfo::machineHostName().toUtf8();
    const QByteArray hash = QCryptographicHash::hash("proctor:" + id, QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex().left(32));
}

static QString bootId()
{
    const QString chosen = qEnvironmentVariable("PROCTOR_BOOT_ID");
    return chosen.isEmpty()
               ? QString::fromLatin1(contentOf(QStringLiteral("/proc/sys/kernel/random/boot_id")))
               : chosen;
}

std::optional<qint64> startOfProcess(qint64 pid)
{
    // "pid (name) state ppid …": the name may hold anything, brackets too; the start is field 22, state is
    // field 3.
    const QByteArray stat = contentOf(QStringLiteral("/proc/%1/stat").arg(pid));
    const QByteArrayList fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    static constexpr qsizetype startField = 22 - 3;
    if (fields.size() <= startField || fields[0] == "Z" || fields[0] == "X")
        return std::nullopt;
    return fields[startField].toLongLong();
}

ProcessIdentity ProcessIdentity::ofThisProcess()
{
    const qint64 pid = QCoreApplication::applicationPid();
    return {machineId(), bootId(), pid, startOfProcess(pid).value_or(0)};
}

bool ProcessIdentity::isOfThisBoot() const
{
    return machine == machineId() && boot == bootId();
}

bool ProcessIdentity::isAlive() const
{
    return startOfProcess(pid) == start;
}

} // namespace proctor
