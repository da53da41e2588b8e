// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/journal.h"

namespace proctor
{

/// Appends to events.jsonl: one write(2) a line, so that a crash leaves at most one half line, at the end.
class JournalWriter
{
public:
    JournalWriter() = default;
    ~JournalWriter();
    Q_DISABLE_COPY_MOVE(JournalWriter)

    /// Opens the journal and, when it is new, writes its first line.
    Expected<Nothing> open(const QString &path);
    void close();

    Expected<Nothing> append(const JournalEvent &event);
    /// Waits until what was appended is on the disk.
    Expected<Nothing> sync();

private:
    Expected<Nothing> appendLine(const QByteArray &line);
    Error failure() const;

    QString m_path;
    int m_fd = -1;
    /// The file ends within a line that was never finished.
    bool m_insideLine = false;
};

} // namespace proctor
