// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"

namespace proctor
{

/// What the command line says: results on standard output, remarks about them on standard error. Every line
/// is out when the function returns. Control characters in texts are spelled out (\x1b), except tab and
/// newline.

void printLine(const QString &line = {});
/// The bytes as they are, and a newline.
void printBytes(const QByteArray &line);
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
