// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/commandtemplate.h"

#include "models/core/nearname.h"

#include <QCoreApplication>

namespace proctor
{

namespace
{
struct CommandTemplate {
    Q_DECLARE_TR_FUNCTIONS(proctor::CommandTemplate)
};

/// What stands between the braces of a placeholder.
struct Field {
    QString name;
    /// A conversion or a format that is not empty.
    bool isFormatted = false;
};

class Template
{
public:
    explicit Template(const QString &argument)
        : m_text(argument)
    {
    }

    Expected<QString> fill(const QHash<QString, QString> &values);

private:
    bool atEnd() const { return m_at == m_text.size(); }
    Expected<Field> takeField();
    bool skipFormat();
    Error unbalanced() const;

    const QString &m_text;
    qsizetype m_at = 0;
};
} // namespace

const QStringList &commandPlaceholders()
{
    static const QStringList names{
        QStringLiteral("context"),
        QStringLiteral("output_dir"),
        QStringLiteral("instance_id"),
        QStringLiteral("tool_server_url"),
        QStringLiteral("system_prompt_path"),
        QStringLiteral("instruction_path"),
        QStringLiteral("tool_defs_path"),
        QStringLiteral("task_context_path"),
        QStringLiteral("config_dir"),
    };
    return names;
}

static std::optional<Error> fieldProblem(const Field &field, const QString &argument)
{
    if (!commandPlaceholders().contains(field.name)) {
        QString message =
            CommandTemplate::tr("unknown placeholder '{%1}' in '%2'; ").arg(field.name, argument);
        if (const auto guess = nearestName(field.name, commandPlaceholders()))
            message += CommandTemplate::tr("did you mean '{%1}'?").arg(*guess);
        else
            message +=
                CommandTemplate::tr("there are {%1}").arg(commandPlaceholders().join(QStringLiteral("}, {")));
        return Error{message, {}};
    }
    if (field.isFormatted)
        return Error{CommandTemplate::tr("the placeholder '{%1}' in '%2' cannot use formatting")
                         .arg(field.name, argument),
                     {}};
    return std::nullopt;
}

Expected<QString> Template::fill(const QHash<QString, QString> &values)
{
    QString filled;
    while (!atEnd()) {
        const QChar c = m_text[m_at++];
        if (c != u'{' && c != u'}') {
            filled += c;
        } else if (!atEnd() && m_text[m_at] == c) {
            filled += m_text[m_at++];
        } else if (c == u'}') {
            return unbalanced();
        } else {
            const auto field = takeField();
            if (!field)
                return field.error();
            if (auto problem = fieldProblem(*field, m_text))
                return *problem;
            filled += values.value(field->name);
        }
    }
    return filled;
}

/// Reads what follows an opening brace up to and with the closing one.
Expected<Field> Template::takeField()
{
    Field field;
    while (!atEnd()) {
        const QChar c = m_text[m_at++];
        if (c == u'}')
            return field;
        if (c == u'{')
            return unbalanced();
        if (c == u'!' || c == u':') {
            const bool isEmptyFormat = c == u':' && !atEnd() && m_text[m_at] == u'}';
            field.isFormatted = !isEmptyFormat;
            if (!skipFormat())
                return unbalanced();
            return field;
        }
        field.name += c;
        if (c == u'[') { // an index may hold anything up to its bracket
            while (!atEnd() && m_text[m_at] != u']')
                field.name += m_text[m_at++];
        }
    }
    return unbalanced();
}

bool Template::skipFormat()
{
    int open = 1;
    while (!atEnd() && open > 0) {
        const QChar c = m_text[m_at++];
        if (c == u'{')
            ++open;
        else if (c == u'}')
            --open;
    }
    return open == 0;
}

Error Template::unbalanced() const
{
    return {CommandTemplate::tr("a brace in '%1' has no partner; write {{ or }} to mean the character")
                .arg(m_text),
            {}};
}

Expected<QString> fillPlaceholders(const QString &argument, const QHash<QString, QString> &values)
{
    return Template(argument).fill(values);
}

} // namespace proctor
