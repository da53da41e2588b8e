// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace proctor
{

static void write(FILE *stream, const QByteArray &bytes)
{
    std::fwrite(bytes.constData(), 1, static_cast<size_t>(bytes.size()), stream);
    std::fflush(stream);
}

/// What a terminal would obey, spelled out: texts of agents and verifiers, ids and paths come from anywhere.
static QByteArray harmless(const QString &text)
{
    QString spelled;
    spelled.reserve(text.size());
    for (const QChar character : text) {
        const bool isPlain = character.category() != QChar::Other_Control || character == u'\n';
        if (isPlain || character == u'\t')
            spelled += character;
        else
            spelled += QStringLiteral("\\x%1").arg(character.unicode(), 2, 16, QLatin1Char('0'));
    }
    return spelled.toUtf8();
}

void printLine(const QString &line)
{
    printBytes(harmless(line));
}

void printBytes(const QByteArray &line)
{
    write(stdout, line + '\n');
}

void printRemark(const QString &line)
{
    write(stderr, harmless(line) + '\n');
}

void printError(const QString &sentence)
{
    printRemark(QStringLiteral("error: ") + sentence);
}

void printDiagnostics(const Diagnostics &diagnostics)
{
    for (const Diagnostic &diagnostic : diagnostics)
        printRemark(toText(diagnostic));
}

TerminalLine::TerminalLine()
    : m_isOnTerminal(isatty(STDOUT_FILENO) == 1)
{
}

/// Columns of the terminal; 80 where it does not say.
static int terminalWidth()
{
    winsize size{};
    const bool isKnown = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : 80;
}

void TerminalLine::show(const QString &text)
{
    if (!m_isOnTerminal)
        return;
    write(stdout, "\r\x1b[K" + text.left(terminalWidth() - 1).toUtf8());
    m_isShown = true;
}

void TerminalLine::clear()
{
    if (m_isShown)
        write(stdout, "\r\x1b[K");
    m_isShown = false;
}

} // namespace proctor
