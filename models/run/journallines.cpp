// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/journallines.h"

namespace proctor
{

/// Known without a look at the rest of the line: what we write before the kind of an event always has one
/// length.
static bool isPhase(QByteArrayView text)
{
    static constexpr char example[] = "{\"at\": \"2026-11-30T12:00:00.000Z";
    static constexpr char phase[] = "\", \"event\": \"phase\", ";
    static constexpr std::size_t begin = sizeof(example) - 1, length = sizeof(phase) - 1;
    return static_cast<std::size_t>(text.size()) > begin + length &&
           std::memcmp(text.data() + begin, phase, length) == 0;
}

JournalLines::JournalLines(const QString &path, qint64 from)
    : m_path(path)
    , m_from(from)
{
    QFile file(path);
    m_hasFile = file.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    if (!m_hasFile || !file.seek(from))
        return;
    m_bytes = file.size() - from;
    forEachIn(file, [this](const Line &line) {
        if (!isPhase(line.text))
            m_lines.push_back({kept(line.text), line.number, line.isComplete});
    });
}

QByteArrayView JournalLines::kept(QByteArrayView text)
{
    static constexpr qsizetype usualBytes = 1024 * 1024;
    if (m_texts.empty() || m_texts.back().capacity() - m_texts.back().size() < text.size()) {
        m_texts.emplace_back();
        m_texts.back().reserve(std::max(usualBytes, text.size()));
    }
    QByteArray &last = m_texts.back();
    const qsizetype at = last.size();
    last.append(text);
    return QByteArrayView(last).sliced(at);
}

} // namespace proctor
