// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>

namespace proctor
{

/// A log file that keeps the beginning and the end of what is written to it, however much that is. While it
/// is open the end is in files beside it (NAME.tail0, NAME.tail1); close() joins them behind a line that says
/// how much is left out.
class BoundedLog
{
public:
    /// `bound` in bytes, half for the beginning and half for the end.
    BoundedLog(const QString &path, qint64 bound);
    ~BoundedLog();
    BoundedLog(const BoundedLog &) = delete;
    BoundedLog &operator=(const BoundedLog &) = delete;

    void write(const QByteArray &bytes);
    /// Counts bytes that never arrived here as left out.
    void addLost(qint64 bytes) { m_lostElsewhere += bytes; }
    void close();

    bool isTruncated() const { return m_lostElsewhere > 0 || m_leftOut > 0; }
    /// The last bytes written, however little of them is in the file by now.
    const QByteArray &lastBytes() const { return m_last; }
    /// The first error of the disk, empty while there is none.
    QString problem() const { return m_problem; }

private:
    void append(QFile &file, const QByteArray &bytes);
    void turnTail();
    void joinTails();

    QFile m_head;
    QFile m_tail, m_olderTail;
    qint64 m_headBound, m_tailBound;
    qint64 m_leftOut = 0;
    qint64 m_lostElsewhere = 0;
    QByteArray m_last;
    QString m_problem;
};

} // namespace proctor
