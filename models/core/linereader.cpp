// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linereader.h"

#include <algorithm>
#include <cstring>

namespace proctor
{

// Small enough that what was read is still in the processor's cache when it is searched.
static constexpr qint64 chunkBytes = 1 << 18;

LineReader::LineReader(const QString &path)
    : m_file(path)
{
    if (m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        m_left = m_file.size();
}

/// Keeps the begun line and reads on behind it.
bool LineReader::readMore()
{
    m_buffer.remove(0, m_at);
    m_at = 0;
    const qsizetype kept = m_buffer.size();
    const qsizetype wanted = std::min(m_left, chunkBytes);
    m_buffer.resize(kept + wanted);
    const qint64 count = wanted > 0 ? m_file.read(m_buffer.data() + kept, wanted) : 0;
    m_buffer.resize(kept + std::max<qint64>(0, count));
    m_left = count > 0 ? m_left - count : 0;
    return count > 0;
}

qsizetype LineReader::findEnd(qsizetype from) const
{
    const char *begin = m_buffer.constData();
    const auto *end = static_cast<const char *>(
        std::memchr(begin + from, '\n', static_cast<size_t>(m_buffer.size() - from)));
    return end ? end - begin : -1;
}

bool LineReader::next(QByteArrayView &line)
{
    qsizetype end = findEnd(m_at);
    while (end < 0) {
        const qsizetype searched = m_buffer.size() - m_at;
        if (!readMore())
            break;
        end = findEnd(searched);
    }
    m_complete = end >= 0;
    if (!m_complete && m_at == m_buffer.size())
        return false;

    const qsizetype lineEnd = m_complete ? end : m_buffer.size();
    line = QByteArrayView(m_buffer.constData() + m_at, lineEnd - m_at);
    if (line.endsWith('\r'))
        line.chop(1);
    m_at = m_complete ? end + 1 : lineEnd;
    ++m_number;
    return true;
}

} // namespace proctor
