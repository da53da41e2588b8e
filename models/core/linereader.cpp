// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linereader.h"

#include <algorithm>

namespace proctor
{

static constexpr qint64 chunkBytes = 1 << 20;

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

bool LineReader::next(QByteArrayView &line)
{
    qsizetype searched = 0;
    qsizetype end = m_buffer.indexOf('\n', m_at);
    while (end < 0) {
        searched = m_buffer.size() - m_at;
        if (!readMore())
            break;
        end = m_buffer.indexOf('\n', searched);
    }
    m_complete = end >= 0;
    if (!m_complete && m_at == m_buffer.size())
        return false;

    const qsizetype lineEnd = m_complete ? end : m_buffer.size();
    line = QByteArrayView(m_buffer).sliced(m_at, lineEnd - m_at);
    if (line.endsWith('\r'))
        line.chop(1);
    m_at = m_complete ? end + 1 : lineEnd;
    ++m_number;
    return true;
}

} // namespace proctor
