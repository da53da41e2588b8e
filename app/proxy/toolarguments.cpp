// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/toolarguments.h"

#include "models/core/pythonjson.h"
#include "models/core/pythontext.h"

#include <QCryptographicHash>

#include <algorithm>

namespace proctor
{

static constexpr qsizetype recordLimit = 64 * 1024;

static bool isLetterOrDigit(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
}

bool isToolName(QStringView name)
{
    return !name.isEmpty() && isLetterOrDigit(name.front()) &&
           std::all_of(name.begin(), name.end(),
                       [](QChar c) { return isLetterOrDigit(c) || c == u'_' || c == u'.' || c == u'-'; });
}

/// The body as it is recorded, no larger than a line of the record should be.
static QByteArray recordOf(const QByteArray &json)
{
    if (json.size() <= recordLimit)
        return json;
    const QByteArray hash = QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex();
    QByteArray record = "{\"cut\": {\"text\": ";
    appendPythonString(record, QString::fromUtf8(json.first(recordLimit)));
    return record + ", \"size\": " + QByteArray::number(json.size()) + ", \"sha256\": \"" + hash + "\"}}";
}

Expected<ToolArguments, QString> toolArguments(const QByteArray &body)
{
    ToolArguments arguments;
    if (body.trimmed().isEmpty())
        return arguments;
    const auto json = readPythonJson(body);
    if (!json)
        return QStringLiteral("invalid JSON body");
    if (json->value.kind != PythonValue::Kind::Dict)
        return QStringLiteral("JSON body must be an object");
    for (const PythonMember &member : json->members) {
        const QString value = member.value.str();
        if (member.key.isEmpty() || member.key.startsWith(u'-'))
            return QStringLiteral("invalid tool argument name: '%1'").arg(member.key);
        if (member.key.contains(QChar::Null) || value.contains(QChar::Null))
            return QStringLiteral("invalid tool argument: '%1'").arg(member.key);
        arguments.commandLine << QLatin1String("--") + member.key << value;
    }
    arguments.record = recordOf(json->value.dumped);
    return arguments;
}

} // namespace proctor
