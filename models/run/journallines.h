// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QFile>

#include <algorithm>
#include <cstring>
#include <vector>

namespace proctor
{

/// The lines of a journal, read in blocks: it may be very long, and mapped into memory it would end the
/// program when somebody shortens it. What is appended after the first reading is not seen.
class JournalLines
{
public:
    /// Reads the file from byte `from` on, where a line begins; safe to be done in any thread.
    JournalLines(const QString &path, qint64 from);

    struct Line {
        QByteArrayView text;
        /// In the file, from 1; 0 = unknown, because not all of it was read.
        int number = 0;
        /// Whether it ends in a newline; only the last may not.
        bool isComplete = true;
    };

    bool hasFile() const { return m_hasFile; }
    /// Those that say more than which phase an attempt entered. That is what most do, and it matters for
    /// attempts that never ended alone.
    const std::vector<Line> &withoutPhases() const { return m_lines; }

    /// Reads the file again and calls `take(Line)` for each line that is not empty. The text lives as long as
    /// the call.
    template<typename Take>
    void forEach(Take take) const
    {
        QFile file(m_path);
        if (file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) && file.seek(m_from))
            forEachIn(file, take);
    }

private:
    template<typename Take>
    void forEachIn(QFile &file, Take take) const
    {
        static constexpr qsizetype blockBytes = 256 * 1024;
        QByteArray block(blockBytes, Qt::Uninitialized);
        qint64 left = m_bytes;
        qsizetype begun = 0; // of a line that the blocks so far have not ended
        const auto numbered = [this](int number) { return m_from == 0 ? number : 0; };
        for (int number = 1;;) {
            if (begun == block.size())
                block.resize(2 * block.size());
            const qint64 count =
                file.read(block.data() + begun, std::min<qint64>(left, block.size() - begun));
            if (count <= 0) {
                if (begun > 0)
                    take(Line{{block.constData(), begun}, numbered(number), false});
                return;
            }
            left -= count;
            const char *at = block.constData(), *const end = at + begun + count;
            const char *newline = nullptr;
            for (; (newline = newlineIn(at, end)); at = newline + 1, ++number) {
                if (newline != at)
                    take(Line{{at, newline - at}, numbered(number), true});
            }
            begun = end - at;
            std::memmove(block.data(), at, static_cast<size_t>(begun));
        }
    }

    static const char *newlineIn(const char *at, const char *end)
    {
        return static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    }

    QByteArrayView kept(QByteArrayView text);

    QString m_path;
    qint64 m_from = 0, m_bytes = 0;
    bool m_hasFile = false;
    /// The text of m_lines; none of these ever grows beyond what was reserved for it.
    std::vector<QByteArray> m_texts;
    std::vector<Line> m_lines;
};

} // namespace proctor
