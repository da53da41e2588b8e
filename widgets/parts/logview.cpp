// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/logview.h"

#include <QFontDatabase>
#include <QScrollBar>

namespace proctor
{

static constexpr int linesKept = 20'000;
static constexpr int batchMs = 100;
/// More than the lines kept could show in any reasonable log; what comes before it would be dropped right
/// away.
static constexpr qsizetype pendingLimit = 2'000'000;

LogView::LogView(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setMaximumBlockCount(linesKept);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_batch.setSingleShot(true);
    m_batch.setInterval(batchMs);
    connect(&m_batch, &QTimer::timeout, this, &LogView::flush);
}

void LogView::setLog(const QString &text)
{
    m_batch.stop();
    m_pending.clear();
    m_plain.restart();
    clear();
    m_pending = text.right(pendingLimit);
    flush();
}

void LogView::appendLog(const QString &text)
{
    m_pending += text;
    if (m_pending.size() > pendingLimit)
        m_pending = m_pending.right(pendingLimit);
    if (!m_batch.isActive())
        m_batch.start();
}

void LogView::setFollowing(bool following)
{
    m_following = following;
    if (following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogView::flush()
{
    const QString text = m_plain.next(std::exchange(m_pending, {}));
    if (text.isEmpty())
        return;
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (m_following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

} // namespace proctor
