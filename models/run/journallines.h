// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QFile>

#include <cstring>
#include <memory>
#include <vector>

namespace proctor
{

/// The lines of a journal, mapped into memory: nothing of it is copied, and nobody ever shortens a journal.
/// What is appended after it was opened is not seen.
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

    bool hasFile() const { return m_file->isOpen(); }
    /// Those that say more than which phase an attempt entered. That is what most do, and it matters for
    /// attempts that never ended alone.
    const std::vector<Line> &withoutPhases() const { return m_lines; }

    /// Calls `take(Line)` for each line that is not empty.
    template<typename Take>
    void forEach(Take take) const
    {
        const char *at = m_text.data(), *const end = at + m_text.size();
        for (int number = 1; at != end; ++number) {
            const auto *newline =
                static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
            const char *lineEnd = newline ? newline : end;
            if (lineEnd != at)
                take(Line{{at, lineEnd - at}, m_from == 0 ? number : 0, newline != nullptr});
            at = newline ? newline + 1 : end;
        }
    }

private:
    std::unique_ptr<QFile> m_file;
    qint64 m_from = 0;
    QByteArrayView m_text{"", 0};
    std::vector<Line> m_lines;
};

} // namespace proctor
