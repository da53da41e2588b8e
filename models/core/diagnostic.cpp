// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/diagnostic.h"

#include <algorithm>

namespace proctor
{

static QString location(const Error &error)
{
    QString text = error.file;
    if (error.line > 0)
        text += QStringLiteral(":%1").arg(error.line);
    if (error.line > 0 && error.column > 0)
        text += QStringLiteral(":%1").arg(error.column);
    return text.isEmpty() ? text : text + QStringLiteral(": ");
}

static QString word(Diagnostic::Severity severity)
{
    switch (severity) {
    case Diagnostic::Severity::Error:
        return QStringLiteral("error");
    case Diagnostic::Severity::Warning:
        return QStringLiteral("warning");
    case Diagnostic::Severity::Hint:
        return QStringLiteral("hint");
    }
    return {};
}

QString Error::text() const
{
    return location(*this) + message;
}

bool hasErrors(const Diagnostics &diagnostics)
{
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Diagnostic::Severity::Error;
    });
}

QString toText(const Diagnostic &diagnostic)
{
    return location(diagnostic.where) + word(diagnostic.severity) + QStringLiteral(": ") +
           diagnostic.where.message;
}

} // namespace proctor
