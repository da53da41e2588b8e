// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/logview.h"

#include <QFontDatabase>
#include <QScrollBar>

#include <algorithm>

namespace proctor
{

static constexpr int linesKept = 20'000;
static constexpr int batchMs = 100;
/// What is laid out and painted within a few milliseconds, and the pause until the next such piece.
static constexpr qsizetype pieceLines = 200, pieceSize = 16 * 1024;
static constexpr int pieceMs = 10;
/// More than the lines kept could show in any reasonable log; what comes before it would be dropped right
/// away.
static constexpr qsizetype pendingLimit = 2'000'000;

/// Where `count` lines from the beginning end, or the text.
static qsizetype behindLines(const QString &text, qsizetype count)
{
    qsizetype at = 0;
    for (qsizetype line = 0; line < count; ++line) {
        const qsizetype end = text.indexOf(u'\n', at);
        if (end < 0)
            return text.size();
        at = end + 1;
    }
    return at;
}

static qsizetype linesOf(const QString &text)
{
    return text.count(u'\n');
}

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
    connect(&m_batch, &QTimer::timeout, this, &LogView::flush);
}

void LogView::setLog(const QString &text)
{
    m_batch.stop();
    m_pending.clear();
    m_pendingLines = 0;
    m_plain.restart();
    clear();
    hold(text);
    flush();
}

void LogView::appendLog(const QString &text)
{
    hold(text);
    if (!m_batch.isActive())
        m_batch.start(batchMs);
}

/// Drops of a flood what would be gone again as soon as it were shown.
void LogView::hold(const QString &text)
{
    m_pending += text;
    m_pendingLines += linesOf(text);
    if (m_pending.size() > pendingLimit) {
        m_pending = m_pending.right(pendingLimit);
        m_pendingLines = linesOf(m_pending);
    }
    if (m_pendingLines > 2 * linesKept) {
        m_pending.remove(0, behindLines(m_pending, m_pendingLines - linesKept));
        m_pendingLines = linesKept;
    }
}

QString LogView::takePiece()
{
    const qsizetype size = behindLines(m_pending.left(pieceSize), pieceLines);
    const QString piece = m_pending.left(size);
    m_pending.remove(0, size);
    m_pendingLines -= linesOf(piece);
    return piece;
}

void LogView::setFollowing(bool following)
{
    m_following = following;
    if (following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogView::flush()
{
    const QString text = m_plain.next(takePiece());
    if (!m_pending.isEmpty())
        m_batch.start(pieceMs);
    if (text.isEmpty())
        return;
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (m_following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

} // namespace proctor
