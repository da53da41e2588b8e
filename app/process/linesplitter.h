// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace proctor
{

/// Cuts a stream of bytes into lines at '\n'. A line is decoded as a whole, so no character is broken
/// however the bytes arrive. A line longer than `maximum` bytes is given out in pieces of that size.
class LineSplitter
{
public:
    explicit LineSplitter(qsizetype maximum = 1024 * 1024)
        : m_maximum(maximum)
    {
    }

    struct Line {
        /// Without the '\n'.
        QByteArray bytes;
        /// False for a piece of a line that is too long and for a last line without '\n'.
        bool isComplete = true;

        bool operator==(const Line &) const = default;
    };

    /// The lines that `bytes` ended.
    QList<Line> add(const QByteArray &bytes);
    /// What is left at the end of the stream: nothing or one line.
    QList<Line> finish();
    /// Bytes waiting for the end of their line, at most `maximum`.
    qsizetype pending() const { return m_rest.size(); }

private:
    void cutLongLine(QList<Line> *lines);

    qsizetype m_maximum;
    QByteArray m_rest;
};

/// UTF-8 to text; what is no UTF-8 becomes U+FFFD. Only for whole lines. A '\r' at the end is left out.
QString decodeLine(const QByteArray &bytes);

} // namespace proctor
