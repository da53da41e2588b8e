// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/toolclient.h"

#include "models/core/jsonmembers.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace proctor
{

static bool continuesCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Head and tail, never a part of a character.
static QByteArray bounded(const QByteArray &bytes)
{
    const QByteArray text = QString::fromUtf8(bytes).toUtf8();
    if (text.size() <= ToolClient::contentMax)
        return text;
    qsizetype headEnd = ToolClient::contentMax / 2;
    qsizetype tailBegin = text.size() - ToolClient::contentMax / 2;
    while (continuesCharacter(text[headEnd]))
        --headEnd;
    while (tailBegin < text.size() && continuesCharacter(text[tailBegin]))
        ++tailBegin;
    return text.first(headEnd) + "\n[" + QByteArray::number(tailBegin - headEnd) + " bytes left out]\n" +
           text.sliced(tailBegin);
}

static ToolResult failure(const QString &sentence, int status = 0)
{
    QJsonObject object;
    object.insert(QLatin1String("error"), sentence);
    if (status)
        object.insert(QLatin1String("status"), status);
    return {QJsonDocument(object).toJson(QJsonDocument::Compact), status};
}

bool ToolClient::isToolName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9_.-]*\\z"));
    return pattern.match(name).hasMatch();
}

bool ToolClient::areArguments(const QString &arguments)
{
    const QByteArray json = arguments.toUtf8();
    return json.trimmed().isEmpty() || jsonMembers(json).hasValue();
}

QCoro::Task<ToolResult> ToolClient::call(QString name, QString arguments, CancellationToken token)
{
    if (!isToolName(name))
        co_return failure(QStringLiteral("invalid tool name: '%1'").arg(name.left(100)));
    if (!areArguments(arguments)) {
        const auto members = jsonMembers(arguments.toUtf8());
        co_return failure(
            QStringLiteral("The arguments are no JSON object: %1").arg(members.error().message));
    }
    HttpPost post;
    post.url = m_url;
    post.url.setPath(m_url.path() + QStringLiteral("/call/") + name);
    post.body = arguments.trimmed().isEmpty() ? QByteArrayLiteral("{}") : arguments.toUtf8();
    post.limit = m_limit;
    HttpCall call(m_network, post);
    const Stepped<HttpAnswer> answer = co_await call.run(token);
    if (!answer)
        co_return failure(QStringLiteral("The tool server cannot be asked: %1").arg(answer.error().message));
    const QByteArray content = bounded(answer->body);
    if (!answer->isSuccess())
        co_return failure(QString::fromUtf8(content), answer->status);
    const ToolResult result{content, answer->status};
    co_return result;
}

} // namespace proctor
