// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/boundedlog.h"

#include <QCoreApplication>

namespace proctor
{

static constexpr qint64 copySize = 1 << 20;
static constexpr qsizetype lastBytesKept = 400;

BoundedLog::BoundedLog(const QString &path, qint64 bound)
    : m_head(path)
    , m_tail(path + QStringLiteral(".tail0"))
    , m_olderTail(path + QStringLiteral(".tail1"))
    , m_headBound(bound / 2)
    , m_tailBound(bound / 4)
{
    if (!m_head.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        m_problem = m_head.errorString();
}

BoundedLog::~BoundedLog()
{
    close();
}

void BoundedLog::write(const QByteArray &bytes)
{
    m_last = (m_last + bytes.right(lastBytesKept)).right(lastBytesKept);
    const qsizetype room = static_cast<qsizetype>(qMax<qint64>(0, m_headBound - m_head.size()));
    append(m_head, bytes.left(room));
    const QByteArray rest = bytes.mid(room);
    if (rest.isEmpty())
        return;
    if (!m_tail.isOpen() && !m_tail.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        m_problem = m_tail.errorString();
    append(m_tail, rest);
    if (m_tail.size() >= m_tailBound)
        turnTail();
}

void BoundedLog::append(QFile &file, const QByteArray &bytes)
{
    if (bytes.isEmpty() || !m_problem.isEmpty())
        return;
    if (file.write(bytes) != bytes.size())
        m_problem = file.errorString();
}

/// The newest tail becomes the older one, and what was the older one is left out.
void BoundedLog::turnTail()
{
    m_leftOut += QFile(m_olderTail.fileName()).size();
    m_tail.close();
    QFile::remove(m_olderTail.fileName());
    if (!QFile::rename(m_tail.fileName(), m_olderTail.fileName()))
        m_problem =
            QCoreApplication::translate("proctor::BoundedLog", "Cannot rename %1").arg(m_tail.fileName());
}

void BoundedLog::joinTails()
{
    if (isTruncated()) {
        append(m_head,
               QStringLiteral("\n[… %1 bytes left out …]\n").arg(m_leftOut + m_lostElsewhere).toUtf8());
    }
    for (QFile *tail : {&m_olderTail, &m_tail}) {
        if (tail->exists() && tail->open(QIODevice::ReadOnly)) {
            while (!tail->atEnd() && m_problem.isEmpty())
                append(m_head, tail->read(copySize));
            tail->close();
        }
        tail->remove();
    }
}

void BoundedLog::close()
{
    if (!m_head.isOpen())
        return;
    m_tail.close();
    joinTails();
    m_head.close();
}

} // namespace proctor
