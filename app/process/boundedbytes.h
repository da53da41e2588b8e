// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace proctor
{

/// The beginning and the end of a stream of any length, in bounded memory (one and a half times the bound).
class BoundedBytes
{
public:
    explicit BoundedBytes(qint64 bound)
        : m_half(qMax<qint64>(bound, 0) / 2)
    {
    }

    void add(const QByteArray &bytes);
    /// Head and tail; between them, if something was dropped, a line of its own that says how many bytes.
    /// Empty if nothing is to be kept.
    QByteArray bytes() const;
    qint64 dropped() const { return m_total - m_head.size() - qMin<qint64>(m_tail.size(), m_half); }
    qint64 total() const { return m_total; }

private:
    qint64 m_half;
    qint64 m_total = 0;
    QByteArray m_head;
    QByteArray m_tail;
};

} // namespace proctor
