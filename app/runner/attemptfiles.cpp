// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/attemptfiles.h"

#include <QJsonDocument>

namespace proctor
{

static constexpr qint64 logBound = 50LL << 20;
static constexpr qsizetype lastWordsLength = 300;

AttemptFiles::AttemptFiles(const QString &folder, int attempt)
    : m_folder(folder)
    , m_agentOutput(path(QStringLiteral("agent_stdout.txt")), logBound)
    , m_agentErrors(path(QStringLiteral("agent_stderr.txt")), logBound)
    , m_verifierOutput(path(QStringLiteral("verifier_stdout.txt")), logBound)
    , m_verifierErrors(path(QStringLiteral("verifier_stderr.txt")), logBound)
    , m_trace(path(QStringLiteral("tool_trace.jsonl")))
{
    if (!m_trace.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        m_traceProblem = m_trace.errorString();
    writeTraceLine({{QStringLiteral("schema_version"), 1}, {QStringLiteral("attempt"), attempt}});
}

QString AttemptFiles::path(const QString &name) const
{
    return m_folder + QLatin1Char('/') + name;
}

static QJsonValue responseOf(const BridgeToolCall &call)
{
    const QJsonDocument document = QJsonDocument::fromJson(call.response);
    if (document.isObject())
        return document.object();
    if (document.isArray())
        return document.array();
    return QString::fromUtf8(call.response);
}

void AttemptFiles::trace(const BridgeToolCall &call)
{
    QJsonObject line{{QStringLiteral("id"), call.id},
                     {QStringLiteral("at"), call.at},
                     {QStringLiteral("ms"), call.milliseconds},
                     {QStringLiteral("queued"), call.queued},
                     {QStringLiteral("who"), call.who},
                     {QStringLiteral("tool"), call.name},
                     {QStringLiteral("args"), call.arguments},
                     {QStringLiteral("status"), call.status},
                     {QStringLiteral("bytes"), call.bytes},
                     {QStringLiteral("response"), responseOf(call)},
                     {QStringLiteral("truncated"), call.truncated}};
    line.insert(QStringLiteral("code"), call.code ? QJsonValue(*call.code) : QJsonValue());
    writeTraceLine(line);
}

void AttemptFiles::writeTraceLine(const QJsonObject &line)
{
    const QByteArray bytes = QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
    if (m_trace.write(bytes) != bytes.size() && m_traceProblem.isEmpty())
        m_traceProblem = m_trace.errorString();
}

void AttemptFiles::close()
{
    for (BoundedLog *log : {&m_agentOutput, &m_agentErrors, &m_verifierOutput, &m_verifierErrors})
        log->close();
    m_trace.close();
}

QString AttemptFiles::lastWords(const QString &file)
{
    QFile log(file);
    if (!log.open(QIODevice::ReadOnly))
        return {};
    log.seek(qMax<qint64>(0, log.size() - lastWordsLength));
    return QString::fromUtf8(log.readAll()).trimmed();
}

QString AttemptFiles::problem() const
{
    for (const BoundedLog *log : {&m_agentOutput, &m_agentErrors, &m_verifierOutput, &m_verifierErrors}) {
        if (!log->problem().isEmpty())
            return log->problem();
    }
    return m_traceProblem;
}

} // namespace proctor
