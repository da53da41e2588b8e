// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/configreport.h"

#include <algorithm>
#include <limits>

namespace proctor
{

void ConfigReport::error(const YamlMark &mark, const QString &key, const QString &message)
{
    add(Diagnostic::Severity::Error, mark, key, message);
}

void ConfigReport::warning(const YamlMark &mark, const QString &key, const QString &message)
{
    add(Diagnostic::Severity::Warning, mark, key, message);
}

void ConfigReport::hint(const YamlMark &mark, const QString &key, const QString &message)
{
    add(Diagnostic::Severity::Hint, mark, key, message);
}

void ConfigReport::add(Diagnostic::Severity severity, const YamlMark &mark, const QString &key,
                       const QString &message)
{
    const QString file = mark.line > 0 ? m_file : QString();
    m_diagnostics << Diagnostic{severity, {message, file, mark.line, mark.column}, key};
}

Diagnostics ConfigReport::sorted() const
{
    const auto place = [](const Diagnostic &diagnostic) {
        const int line = diagnostic.where.line > 0 ? diagnostic.where.line : std::numeric_limits<int>::max();
        return std::pair(line, diagnostic.where.column);
    };
    Diagnostics list = m_diagnostics;
    std::stable_sort(list.begin(), list.end(),
                     [&place](const Diagnostic &a, const Diagnostic &b) { return place(a) < place(b); });
    return list;
}

} // namespace proctor
