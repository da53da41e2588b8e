// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/plaintext.h"

#include <QPlainTextEdit>
#include <QTimer>

namespace proctor
{

/// Output of a program as plain text, to be read only. Takes any amount at any speed: it is shown ten times a
/// second, more than fits into one turn of the event loop in several turns, and the last 20,000 lines are
/// kept.
class LogView : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit LogView(QWidget *parent = nullptr);

    void setLog(const QString &text);
    void appendLog(const QString &text);
    /// Whether new output is scrolled to.
    void setFollowing(bool following);

private:
    void hold(const QString &text);
    QString takePiece();
    void flush();

    PlainText m_plain;
    QString m_pending;
    qsizetype m_pendingLines = 0;
    QTimer m_batch;
    bool m_following = true;
};

} // namespace proctor
