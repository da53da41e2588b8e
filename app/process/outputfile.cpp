// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/outputfile.h"

#include <QCoreApplication>

namespace proctor
{

OutputFile::OutputFile(const QString &path, qint64 bound)
    : m_file(path)
    , m_room(bound)
{
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
        m_problem = QCoreApplication::translate("OutputFile", "%1 cannot be written: %2")
                        .arg(path, m_file.errorString());
    }
}

void OutputFile::add(const QByteArray &bytes)
{
    const qint64 fitting = qMin<qint64>(bytes.size(), m_room);
    m_room -= fitting;
    m_dropped += bytes.size() - fitting;
    if (fitting > 0)
        write(bytes.left(fitting));
}

void OutputFile::finish()
{
    if (m_dropped > 0) {
        write("\n[" + QByteArray::number(m_dropped) + " bytes left out]\n");
        if (m_problem.isEmpty()) {
            m_problem =
                QCoreApplication::translate("OutputFile", "%1 was full; %2 bytes are missing at its end")
                    .arg(m_file.fileName())
                    .arg(m_dropped);
        }
    }
    m_file.close();
}

void OutputFile::write(const QByteArray &bytes)
{
    if (!m_file.isOpen() || m_file.write(bytes) == bytes.size())
        return;
    m_problem = QCoreApplication::translate("OutputFile", "%1 cannot be written: %2")
                    .arg(m_file.fileName(), m_file.errorString());
    m_file.close();
}

} // namespace proctor
