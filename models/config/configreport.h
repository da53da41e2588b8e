// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/yamldocument.h"

namespace proctor
{

/// Collects what there is to say about a configuration. No message may quote a value that could be a secret.
class ConfigReport
{
public:
    explicit ConfigReport(const QString &file)
        : m_file(file)
    {
    }

    void error(const YamlMark &mark, const QString &key, const QString &message);
    void warning(const YamlMark &mark, const QString &key, const QString &message);
    void hint(const YamlMark &mark, const QString &key, const QString &message);
    void add(const Diagnostics &diagnostics) { m_diagnostics += diagnostics; }

    /// Everything so far by place in the file; remarks without a place come last.
    Diagnostics sorted() const;
    const QString &file() const { return m_file; }

private:
    void add(Diagnostic::Severity severity, const YamlMark &mark, const QString &key, const QString &message);

    QString m_file;
    Diagnostics m_diagnostics;
};

} // namespace proctor
