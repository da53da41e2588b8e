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
    : m_file(std::make_unique<QFile>(path))
    , m_from(from)
{
    if (!m_file->open(QIODevice::ReadOnly))
        return;
    const qint64 size = m_file->size() - from;
    const uchar *bytes = size > 0 ? m_file->map(from, size) : nullptr;
    if (!bytes)
        return;
    m_text = {bytes, size};
    forEach([this](const Line &line) {
        if (!isPhase(line.text))
            m_lines.push_back(line);
    });
}

} // namespace proctor
