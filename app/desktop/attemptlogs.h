// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/logkind.h"
#include "models/run/slot.h"

#include <QObject>
#include <QStringDecoder>
#include <QTimer>

#include <array>

namespace proctor
{

/// The texts of the one attempt that is looked at: what its files hold, and what is added while it runs, in
/// batches of at most 20 a second. The last 1 MiB of each text is sent, in pieces that a window takes in one
/// turn of its event loop. Reads files, so it lives on the engine's thread.
class AttemptLogs : public QObject
{
    Q_OBJECT

public:
    explicit AttemptLogs(QObject *parent = nullptr);

    /// Sends what the files in the slot's `folder` hold. An empty id means that nothing is looked at.
    void watch(const Slot &slot, const QString &folder);
    const Slot &slot() const { return m_slot; }
    /// Sends the files again: the attempt has ended, or another has begun.
    void reload();
    /// Bytes of a running attempt as they come.
    void add(LogKind kind, const QByteArray &bytes);

signals:
    void loaded(const proctor::Slot &slot, proctor::LogKind kind, const QString &text);
    void appended(const proctor::Slot &slot, proctor::LogKind kind, const QString &text);

private:
    struct Stream {
        QByteArray pending;
        QStringDecoder decoder{QStringDecoder::Utf8};
    };

    void send(LogKind kind, const QByteArray &bytes);
    void flush();

    Slot m_slot;
    QString m_folder;
    std::array<Stream, logKindCount> m_streams;
    QTimer m_batch;
};

} // namespace proctor
