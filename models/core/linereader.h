// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QFile>

namespace proctor
{

/// The lines of a file one after another, in constant memory. What is appended after it was opened is not
/// read.
class LineReader
{
public:
    explicit LineReader(const QString &path);

    bool isOpen() const { return m_file.isOpen(); }
    /// Sets `line` to the next line without its end ("\n" or "\r\n"), valid until the next call. False at the
    /// end.
    bool next(QByteArrayView &line);
    /// Number of the line that next() gave last, from 1.
    int number() const { return m_number; }
    /// Whether the line that next() gave last ends in a newline; only the last of a file may not.
    bool isComplete() const { return m_complete; }

private:
    bool readMore();
    /// Where the next newline is, or -1.
    qsizetype findEnd(qsizetype from) const;

    QFile m_file;
    qint64 m_left = 0;
    QByteArray m_buffer;
    qsizetype m_at = 0;
    int m_number = 0;
    bool m_complete = true;
};

} // namespace proctor
