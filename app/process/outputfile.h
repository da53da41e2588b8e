// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>

namespace proctor
{

/// A log file that takes what a child prints, up to a bound; the rest is counted, not written. Whatever
/// happens to the file, the child is not disturbed.
class OutputFile
{
public:
    OutputFile(const QString &path, qint64 bound);

    void add(const QByteArray &bytes);
    /// Says in the file how much is missing, and closes it.
    void finish();
    /// Why something is missing, empty if nothing is.
    QString problem() const { return m_problem; }

private:
    void write(const QByteArray &bytes);

    QFile m_file;
    qint64 m_room;
    qint64 m_dropped = 0;
    QString m_problem;
};

} // namespace proctor
