// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/boundedbytes.h"

namespace proctor
{

void BoundedBytes::add(const QByteArray &bytes)
{
    m_total += bytes.size();
    const qint64 toHead = qMin<qint64>(bytes.size(), m_half - m_head.size());
    m_head.append(bytes.constData(), toHead);
    const qint64 toTail = qMin<qint64>(bytes.size() - toHead, m_half);
    m_tail.append(bytes.constData() + bytes.size() - toTail, toTail);
    if (m_tail.size() >= 2 * m_half)
        m_tail = m_tail.right(m_half);
}

QByteArray BoundedBytes::bytes() const
{
    if (dropped() == 0 || m_half == 0)
        return m_head + m_tail;
    return m_head + "\n[" + QByteArray::number(dropped()) + " bytes left out]\n" + m_tail.right(m_half);
}

} // namespace proctor
