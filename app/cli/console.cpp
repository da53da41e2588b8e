// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "models/core/printable.h"

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

void printLine(const QString &line)
{
    write(stdout, printable(line).toUtf8() + '\n');
}

void printText(const QByteArray &text)
{
    write(stdout, text + '\n');
}

/// JSON has to escape only what is below U+0020; terminals also obey U+0080 to U+009F, which are C2 80 to
/// C2 9F in UTF-8. All of these can only stand in strings.
void printJson(const QByteArray &line)
{
    QByteArray safe;
    safe.reserve(line.size() + 1);
    for (qsizetype i = 0; i < line.size(); ++i) {
        const auto byte = static_cast<uchar>(line[i]);
        const uchar next = i + 1 < line.size() ? static_cast<uchar>(line[i + 1]) : 0;
        const bool isC1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        if (isC1)
            ++i;
        if (isC1 || byte == 0x7f)
            safe += "\\u00" + QByteArray::number(isC1 ? next : byte, 16);
        else
            safe += line[i];
    }
    write(stdout, safe + '\n');
}

void printRemark(const QString &line)
{
    write(stderr, printable(line).toUtf8() + '\n');
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
    write(stdout, "\r\x1b[K" + printable(text).left(terminalWidth() - 1).toUtf8());
    m_isShown = true;
}

void TerminalLine::clear()
{
    if (m_isShown)
        write(stdout, "\r\x1b[K");
    m_isShown = false;
}

} // namespace proctor
