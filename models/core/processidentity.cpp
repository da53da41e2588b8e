// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/processidentity.h"

#include <QCryptographicHash>
#include <QFile>
#include <QStringList>
#include <QSysInfo>

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace proctor
{

namespace
{

QByteArray content(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray pidNamespace()
{
    char target[64];
    const ssize_t length = readlink("/proc/self/ns/pid", target, sizeof target);
    return length > 0 ? QByteArray(target, length) : QByteArray();
}

QString thisMachine()
{
    QByteArray machine = qgetenv("PROCTOR_MACHINE_ID");
    if (machine.isEmpty()) {
        machine = content(QStringLiteral("/etc/machine-id")).trimmed();
        if (machine.isEmpty())
            machine = QSysInfo::machineHostName().toUtf8();
        machine += ' ' + pidNamespace();
    }
    // The machine id is meant to stay private (machine-id(5)), so only a hash of it is written to files.
    const QByteArray hash = QCryptographicHash::hash("proctor " + machine, QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex().left(16));
}

QString thisBoot()
{
    const QByteArray replaced = qgetenv("PROCTOR_BOOT_ID");
    if (!replaced.isEmpty())
        return QString::fromUtf8(replaced);
    return QString::fromLatin1(content(QStringLiteral("/proc/sys/kernel/random/boot_id")).trimmed());
}

struct Stat {
    char state = '?';
    quint64 startTime = 0;
};

std::optional<Stat> statOf(qint64 pid)
{
    const QByteArray line = content(QStringLiteral("/proc/%1/stat").arg(pid));
    // The second field is the program's name in brackets and may itself hold blanks and brackets.
    const auto nameEnd = line.lastIndexOf(')');
    if (nameEnd < 0)
        return std::nullopt;
    const QList<QByteArray> fields = line.mid(nameEnd + 2).split(' ');
    constexpr int startTimeField = 22 - 3;
    if (fields.size() <= startTimeField || fields.first().isEmpty())
        return std::nullopt;
    return Stat{fields.first().front(), fields.at(startTimeField).toULongLong()};
}

bool hasEnded(const Stat &stat)
{
    return stat.state == 'Z' || stat.state == 'X';
}

} // namespace

ProcessIdentity ProcessIdentity::current()
{
    const qint64 pid = getpid();
    const auto stat = statOf(pid);
    return {thisMachine(), thisBoot(), pid, stat ? stat->startTime : 0};
}

std::optional<ProcessIdentity> ProcessIdentity::of(qint64 pid)
{
    const auto stat = statOf(pid);
    if (!stat || hasEnded(*stat))
        return std::nullopt;
    return ProcessIdentity{thisMachine(), thisBoot(), pid, stat->startTime};
}

bool ProcessIdentity::isOfThisMachine() const
{
    return machine == thisMachine();
}

bool ProcessIdentity::isOfThisBoot() const
{
    return isOfThisMachine() && boot == thisBoot();
}

ProcessIdentity::Life ProcessIdentity::life() const
{
    if (!isOfThisMachine())
        return Life::Unknown;
    if (boot != thisBoot() || pid <= 0)
        return Life::Gone;
    if (const auto stat = statOf(pid))
        return stat->startTime == startTime && !hasEnded(*stat) ? Life::Lives : Life::Gone;
    // /proc may hide other users' processes (hidepid); such a process is rather left alone than taken for
    // dead.
    const bool hidden = kill(static_cast<pid_t>(pid), 0) != 0 && errno == EPERM;
    return hidden ? Life::Lives : Life::Gone;
}

QString ProcessIdentity::toText() const
{
    return QStringLiteral("%1:%2:%3:%4").arg(machine, boot).arg(pid).arg(startTime);
}

std::optional<ProcessIdentity> ProcessIdentity::fromText(const QString &text)
{
    const QStringList parts = text.split(u':');
    if (parts.size() != 4 || parts.at(0).isEmpty() || parts.at(1).isEmpty())
        return std::nullopt;
    bool pidIsNumber = false;
    bool startIsNumber = false;
    const ProcessIdentity identity{parts.at(0), parts.at(1), parts.at(2).toLongLong(&pidIsNumber),
                                   parts.at(3).toULongLong(&startIsNumber)};
    if (!pidIsNumber || !startIsNumber || identity.pid <= 0)
        return std::nullopt;
    return identity;
}

} // namespace proctor
