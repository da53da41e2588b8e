// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/plaintext.h"

#include <QPlainTextEdit>
#include <QTimer>

namespace proctor
{

/// Output of a program as plain text, to be read only. Takes any amount at any speed: pieces are shown in
/// batches ten times a second, and the last 20,000 lines are kept.
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
    void flush();

    PlainText m_plain;
    QString m_pending;
    QTimer m_batch;
    bool m_following = true;
};

} // namespace proctor
