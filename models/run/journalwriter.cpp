// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journalwriter.h"

#include "models/run/journalreader.h"

#include <QCoreApplication>
#include <QFile>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace proctor
{

JournalWriter::~JournalWriter()
{
    close();
}

void JournalWriter::close()
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

Error JournalWriter::failure() const
{
    return Error::ofMachine(QCoreApplication::translate(
                                "ResultStore", "The journal cannot be written: %1. What it holds is safe; "
                                               "make room or the right to write, then start again.")
                                .arg(QString::fromLocal8Bit(std::strerror(errno))),
                            m_path);
}

Expected<Nothing> JournalWriter::open(const QString &path)
{
    m_path = path;
    m_fd = ::open(QFile::encodeName(path).constData(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    struct stat status = {};
    if (m_fd < 0 || ::fstat(m_fd, &status) != 0)
        return failure();
    if (status.st_size == 0)
        return appendLine("{\"schema_version\": " + QByteArray::number(knownSchemaVersion) + '}');
    char last = '\n';
    if (::pread(m_fd, &last, 1, status.st_size - 1) != 1)
        return failure();
    m_insideLine = last != '\n';
    return Nothing{};
}

Expected<Nothing> JournalWriter::append(const JournalEvent &event)
{
    return appendLine(event.toJsonLine());
}

Expected<Nothing> JournalWriter::appendLine(const QByteArray &line)
{
    struct stat status = {};
    if (::fstat(m_fd, &status) == 0 && status.st_nlink == 0)
        return Error::ofMachine(QCoreApplication::translate(
                                    "ResultStore",
                                    "The journal was removed while the run was writing to it. The run ends "
                                    "here; start it again in a folder that stays."),
                                m_path);
    const QByteArray bytes = (m_insideLine ? "\n" + line : line) + '\n';
    ssize_t written = 0;
    do {
        written = ::write(m_fd, bytes.constData(), static_cast<size_t>(bytes.size()));
    } while (written < 0 && errno == EINTR);
    if (written == bytes.size()) {
        m_insideLine = false;
        return Nothing{};
    }
    // A short write tells no cause; there is one when room or a quota ran out on the way.
    if (written >= 0)
        errno = ENOSPC;
    m_insideLine = m_insideLine || written > 0;
    return failure();
}

Expected<Nothing> JournalWriter::sync()
{
    // Not every file system offers it, and then there is nothing to wait for.
    if (::fdatasync(m_fd) == 0 || errno == EINVAL || errno == EROFS)
        return Nothing{};
    return failure();
}

} // namespace proctor
