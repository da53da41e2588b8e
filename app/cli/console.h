// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"

namespace proctor
{

/// What the command line says: results on standard output, remarks about them on standard error. Every line
/// is out when the function returns, which waits for a reader that does not read: only the main thread
/// prints. Lines may hold what strangers wrote; control characters in them are spelled out (see
/// printable()).

void printLine(const QString &line = {});
/// Several lines of our own, and a newline.
void printText(const QByteArray &text);
/// A line of JSON. Control characters that JSON allows in strings are escaped.
void printJson(const QByteArray &line);
void printRemark(const QString &line);
/// "error: sentence" on standard error.
void printError(const QString &sentence);
/// "file:line:column: severity: sentence" on standard error.
void printDiagnostics(const Diagnostics &diagnostics);

/// The last line of a terminal, rewritten in place. Off a terminal it writes nothing.
class TerminalLine
{
public:
    TerminalLine();
    ~TerminalLine() { clear(); }
    TerminalLine(const TerminalLine &) = delete;
    TerminalLine &operator=(const TerminalLine &) = delete;

    bool isOnTerminal() const { return m_isOnTerminal; }
    /// Cut to the width of the terminal.
    void show(const QString &text);
    /// Makes room for ordinary lines.
    void clear();

private:
    bool m_isOnTerminal;
    bool m_isShown = false;
};

} // namespace proctor
