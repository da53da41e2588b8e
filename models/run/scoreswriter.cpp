// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/scoreswriter.h"

#include "models/core/savefile.h"

#include <QFile>

#include <sys/stat.h>

namespace proctor
{

ScoresWriter::ScoresWriter(const QString &path)
    : m_path(path)
    , m_stamp(currentStamp())
{
}

ScoresWriter::Stamp ScoresWriter::currentStamp() const
{
    struct stat status = {};
    if (::stat(QFile::encodeName(m_path).constData(), &status) != 0)
        return {};
    static constexpr qint64 second = 1'000'000'000;
    return {status.st_size, status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec, status.st_ino};
}

bool ScoresWriter::isDue() const
{
    return m_behind && (!m_sinceWriting.isValid() || m_sinceWriting.elapsed() >= m_pauseMs);
}

bool ScoresWriter::isChangedByOthers() const
{
    return currentStamp() != m_stamp;
}

static QByteArray linesOf(const Verdicts &verdicts)
{
    static constexpr qsizetype usualLineBytes = 256;
    QByteArray lines;
    lines.reserve(verdicts.entries().size() * usualLineBytes);
    for (const Verdicts::Entry &entry : verdicts.entries()) {
        if (entry.result) {
            lines += entry.result->toJsonLine();
            lines += '\n';
        }
    }
    return lines;
}

static bool holds(const QString &path, const QByteArray &content)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.size() == content.size() && file.readAll() == content;
}

Expected<Nothing> ScoresWriter::write(const Verdicts &verdicts)
{
    QElapsedTimer writing;
    writing.start();
    const QByteArray lines = linesOf(verdicts);
    if (!holds(m_path, lines)) {
        if (const auto saved = saveFile(m_path, lines); !saved)
            return saved.error();
    }
    m_stamp = currentStamp();
    m_behind = false;
    m_pauseMs = pauseAfter(writing.elapsed());
    m_sinceWriting.start();
    return Nothing{};
}

} // namespace proctor
