// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/printable.h"

namespace proctor
{

static bool isObeyed(QChar c)
{
    const bool isControl = c < QChar(0x20) || (c >= QChar(0x7f) && c < QChar(0xa0));
    const bool turnsDirection =
        (c >= QChar(0x202a) && c <= QChar(0x202e)) || (c >= QChar(0x2066) && c <= QChar(0x2069));
    return isControl || turnsDirection;
}

static bool isSpacing(QChar c)
{
    return c == u'\n' || c == u'\t' || c == QChar::LineSeparator || c == QChar::ParagraphSeparator;
}

QString printable(QString text)
{
    text.replace(QLatin1String("\r\n"), QLatin1String(" "));
    QString line;
    line.reserve(text.size());
    for (const QChar c : std::as_const(text)) {
        if (isSpacing(c))
            line += u' ';
        else if (isObeyed(c))
            line += QStringLiteral("\\x%1").arg(c.unicode(), 2, 16, QLatin1Char('0'));
        else
            line += c;
    }
    return line;
}

} // namespace proctor
