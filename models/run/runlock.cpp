// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runlock.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace proctor
{

static QString translated(const char *sentence)
{
    return QCoreApplication::translate("RunLock", sentence);
}

bool LockHolder::isLive(const QDateTime &now) const
{
    return process.isOfThisBoot() ? process.life() == ProcessIdentity::Life::Lives : leaseUntil > now;
}

QString LockHolder::text() const
{
    if (process.isOfThisBoot())
        return translated(QT_TRANSLATE_NOOP("RunLock", "process %1 on this machine")).arg(process.pid);
    return translated(
               QT_TRANSLATE_NOOP("RunLock", "process %1 on the machine with the id %2, until %3 at least"))
        .arg(process.pid)
        .arg(process.machine, leaseUntil.toLocalTime().toString(Qt::ISODate));
}

QByteArray LockHolder::toJson() const
{
    const QJsonObject json{
        {QStringLiteral("machine"), process.machine},
        {QStringLiteral("boot"), process.boot},
        {QStringLiteral("pid"), process.pid},
        {QStringLiteral("start"), static_cast<qint64>(process.startTime)},
        {QStringLiteral("lease_until"), leaseUntil.toUTC().toString(Qt::ISODate)},
    };
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<LockHolder> LockHolder::fromJson(const QByteArray &json)
{
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    LockHolder holder;
    holder.process.machine = object[QLatin1String("machine")].toString();
    holder.process.boot = object[QLatin1String("boot")].toString();
    holder.process.pid = object[QLatin1String("pid")].toInteger();
    holder.process.startTime = static_cast<quint64>(object[QLatin1String("start")].toInteger());
    holder.leaseUntil = QDateTime::fromString(object[QLatin1String("lease_until")].toString(), Qt::ISODate);
    if (holder.process.pid <= 0)
        return std::nullopt;
    return holder;
}

namespace
{

/// run.lock, open and locked against the other processes that look at it.
class LockedFile
{
public:
    explicit LockedFile(const QString &path)
        : m_path(QFile::encodeName(path))
    {
        open();
    }
    ~LockedFile() { shut(); }
    Q_DISABLE_COPY_MOVE(LockedFile)

    bool isOpen() const { return m_fd >= 0; }
    int error() const { return m_error; }

    std::optional<LockHolder> holder() const
    {
        QByteArray bytes(4096, Qt::Uninitialized);
        const ssize_t count = ::pread(m_fd, bytes.data(), static_cast<size_t>(bytes.size()), 0);
        bytes.truncate(std::max<ssize_t>(0, count));
        return LockHolder::fromJson(bytes);
    }

    /// Overwrites in place: a renewal needs no room on the disk.
    bool write(const QByteArray &bytes)
    {
        const auto size = static_cast<size_t>(bytes.size());
        const bool done = ::pwrite(m_fd, bytes.constData(), size, 0) == bytes.size() &&
                          ::ftruncate(m_fd, bytes.size()) == 0;
        m_error = done ? 0 : errno;
        return done;
    }

    void remove() { ::unlink(m_path.constData()); }

private:
    void open()
    {
        // Whoever holds the file lock only reads or writes one line, unless it was stopped just then.
        static constexpr int tries = 500;
        static constexpr unsigned long pauseMs = 10;
        for (int i = 0; i < tries; ++i) {
            if (m_fd < 0)
                m_fd = ::open(m_path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
            if (m_fd < 0) {
                m_error = errno;
                return;
            }
            if (::flock(m_fd, LOCK_EX | LOCK_NB) != 0) {
                m_error = errno;
                if (m_error != EWOULDBLOCK && m_error != EINTR)
                    break;
                QThread::msleep(pauseMs);
            } else if (isStillThere()) {
                m_error = 0;
                return;
            } else {
                shut();
            }
        }
        shut();
    }

    /// A holder that gave the lock back has removed the file that we waited for.
    bool isStillThere() const
    {
        struct stat opened = {}, named = {};
        return ::fstat(m_fd, &opened) == 0 && ::stat(m_path.constData(), &named) == 0 &&
               opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
    }

    void shut()
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
    }

    QByteArray m_path;
    int m_fd = -1;
    int m_error = 0;
};

} // namespace

static Error unusable(const QString &path, int error)
{
    return Error::ofMachine(
        translated(QT_TRANSLATE_NOOP("RunLock", "The results folder cannot be locked for writing: %1."))
            .arg(QString::fromLocal8Bit(std::strerror(error))),
        path);
}

static Error heldBy(const LockHolder &holder, const QString &path, bool renewing)
{
    const QString sentence =
        renewing ? translated(QT_TRANSLATE_NOOP("RunLock",
                                                "This run has lost its results folder to %1 because it did "
                                                "not renew its lease in time. It writes no more there."))
                 : translated(QT_TRANSLATE_NOOP("RunLock",
                                                "Another run is writing to this results folder: %1. Wait "
                                                "for it to end, or choose another folder."));
    return {sentence.arg(holder.text()), path, 0, 0};
}

Expected<Nothing> RunLock::take(bool renewing)
{
    LockedFile file(m_path);
    if (!file.isOpen())
        return unusable(m_path, file.error());
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto holder = file.holder();
    const bool isOurs = renewing && holder && holder->process == m_self;
    m_lost = renewing && holder && !isOurs;
    if (m_lost || (holder && !isOurs && holder->isLive(now)))
        return heldBy(*holder, m_path, renewing);

    const QDateTime until = now.addSecs(leaseSeconds);
    if (!file.write(LockHolder{m_self, until}.toJson()))
        return unusable(m_path, file.error());
    m_leaseUntil = until;
    return Nothing{};
}

Expected<RunLock> RunLock::acquire(const QString &path)
{
    RunLock lock(path);
    if (const auto taken = lock.take(false); !taken)
        return taken.error();
    return lock;
}

Expected<Nothing> RunLock::renew()
{
    return take(true);
}

bool RunLock::needsRenewal() const
{
    return QDateTime::currentDateTimeUtc().secsTo(m_leaseUntil) < leaseSeconds / 3;
}

void RunLock::release()
{
    LockedFile file(m_path);
    if (!file.isOpen())
        return;
    const auto holder = file.holder();
    if (!holder || holder->process == m_self)
        file.remove();
}

} // namespace proctor
