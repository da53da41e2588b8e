// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/attemptlogs.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr auto batchInterval = 50ms;
static constexpr qsizetype textBound = 1024 * 1024;
/// What a text view lays out within a few milliseconds.
static constexpr qsizetype pieceSize = 32 * 1024;

static QStringList filesOf(LogKind kind)
{
    switch (kind) {
    case LogKind::AgentOutput:
        return {QStringLiteral("agent_stdout.txt")};
    case LogKind::AgentErrors:
        return {QStringLiteral("agent_stderr.txt")};
    case LogKind::Verifier:
        return {QStringLiteral("verifier_stdout.txt"), QStringLiteral("verifier_stderr.txt")};
    case LogKind::Answer:
        return {QStringLiteral("answer.json")};
    }
    return {};
}

/// The last `bound` bytes at most.
static QByteArray endOf(const QString &path, qint64 bound)
{
    QFile file(path);
    // A sandbox's output may be a link or a pipe by mistake or malice.
    const QFileInfo info(path);
    if (!info.isFile() || info.isSymLink() || !file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - bound));
    return file.read(bound);
}

/// A log that is being written keeps its end in two files beside it, the older one moved aside last.
static QByteArray logText(const QString &path)
{
    QByteArray text;
    for (const char *ending : {"", ".tail1", ".tail0"})
        text += endOf(path + QLatin1String(ending), textBound);
    return text.right(textBound);
}

AttemptLogs::AttemptLogs(QObject *parent)
    : QObject(parent)
    , m_batch(this) // so that it moves to another thread with this object
{
    m_batch.setInterval(batchInterval);
    m_batch.setSingleShot(true);
    connect(&m_batch, &QTimer::timeout, this, &AttemptLogs::flush);
}

void AttemptLogs::watch(const Slot &slot, const QString &folder)
{
    m_slot = slot;
    m_folder = folder;
    reload();
}

void AttemptLogs::reload()
{
    m_batch.stop();
    for (int i = 0; i < logKindCount; ++i) {
        const auto kind = static_cast<LogKind>(i);
        m_streams[static_cast<size_t>(i)] = {};
        if (m_slot.instanceId.isEmpty())
            continue;
        QByteArray text;
        for (const QString &name : filesOf(kind))
            text += logText(m_folder + QLatin1Char('/') + name);
        emit loaded(m_slot, kind, {});
        send(kind, text.right(textBound));
    }
}

void AttemptLogs::add(LogKind kind, const QByteArray &bytes)
{
    QByteArray &pending = m_streams[static_cast<size_t>(kind)].pending;
    pending += bytes;
    if (pending.size() > textBound)
        pending = pending.right(textBound);
    if (!m_batch.isActive())
        m_batch.start();
}

void AttemptLogs::send(LogKind kind, const QByteArray &bytes)
{
    QStringDecoder &decoder = m_streams[static_cast<size_t>(kind)].decoder;
    for (qsizetype at = 0; at < bytes.size(); at += pieceSize)
        emit appended(m_slot, kind,
                      decoder(QByteArrayView(bytes).sliced(at, std::min(pieceSize, bytes.size() - at))));
}

void AttemptLogs::flush()
{
    for (int i = 0; i < logKindCount; ++i)
        send(static_cast<LogKind>(i), std::exchange(m_streams[static_cast<size_t>(i)].pending, {}));
}

} // namespace proctor
