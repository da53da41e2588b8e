// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/attemptfiles.h"

#include "models/core/savefile.h"

#include "models/core/pythonjson.h"
#include "models/core/pythontext.h"

#include <QJsonDocument>
#include <QRegularExpression>

namespace proctor
{

static constexpr qint64 logBound = 50LL << 20;
static constexpr qsizetype lastWordsLength = 300;
static const QRegularExpression wordBreak(QStringLiteral("\\s"));

AttemptFiles::AttemptFiles(const QString &folder, int attempt, const QStringList &secrets)
    : m_folder(folder)
    , m_scrubber(secrets)
    , m_trace(path(QStringLiteral("tool_trace.jsonl")))
    , m_trajectory(path(QStringLiteral("trajectory.jsonl")))
{
    static const std::array<QString, 4> names{
        QStringLiteral("agent_stdout.txt"), QStringLiteral("agent_stderr.txt"),
        QStringLiteral("verifier_stdout.txt"), QStringLiteral("verifier_stderr.txt")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_logs[i].file = std::make_unique<BoundedLog>(path(names[i]), logBound);
        m_logs[i].scrubber = m_scrubber;
    }
    if (!m_trace.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        m_traceProblem = m_trace.errorString();
    writeTraceLine({{QStringLiteral("schema_version"), 1}, {QStringLiteral("attempt"), attempt}});
}

QString AttemptFiles::path(const QString &name) const
{
    return m_folder + QLatin1Char('/') + name;
}

AttemptFiles::Log &AttemptFiles::log(SandboxCommand::Who who, int stream)
{
    return m_logs[(who == SandboxCommand::Who::Agent ? 0 : 2) + (stream == 1 ? 0 : 1)];
}

QByteArray AttemptFiles::keep(SandboxCommand::Who who, int stream, const QByteArray &bytes)
{
    Log &kept = log(who, stream);
    const QByteArray clean = kept.scrubber.feed(bytes);
    kept.file->write(clean);
    return clean;
}

bool AttemptFiles::endOutput(SandboxCommand::Who who, qint64 dropped)
{
    bool truncated = false;
    log(who, 1).file->addLost(dropped);
    for (const int stream : {1, 2}) {
        Log &ended = log(who, stream);
        ended.file->write(ended.scrubber.finish());
        truncated = truncated || ended.file->isTruncated();
    }
    return truncated;
}

QString AttemptFiles::lastWords(SandboxCommand::Who who) const
{
    const Log &errors = m_logs[who == SandboxCommand::Who::Agent ? 1 : 3];
    QString words = QString::fromUtf8(errors.file->lastBytes());
    const bool isCut = words.size() > lastWordsLength;
    words = words.right(lastWordsLength);
    if (isCut && words.contains(wordBreak))
        words = QStringLiteral("… ") + words.mid(words.indexOf(wordBreak));
    for (QChar &character : words) {
        const bool harmless = character.isPrint() || character.isSurrogate();
        if (!harmless || character == QChar::ReplacementCharacter)
            character = QLatin1Char(' ');
    }
    return words.simplified();
}

/// What is no object or array is written as text.
static QByteArray responseOf(const BridgeToolCall &call)
{
    const QByteArray response = call.response.trimmed();
    if ((response.startsWith('{') || response.startsWith('[')) && isJson(response))
        return compactJson(response);
    QByteArray text;
    appendPythonString(text, QString::fromUtf8(call.response));
    return text;
}

void AttemptFiles::trace(const BridgeToolCall &call)
{
    QJsonObject line{{QStringLiteral("id"), call.id},
                     {QStringLiteral("at"), call.at},
                     {QStringLiteral("ms"), call.milliseconds},
                     {QStringLiteral("queued"), call.queued},
                     {QStringLiteral("who"), call.who},
                     {QStringLiteral("tool"), call.name},
                     {QStringLiteral("status"), call.status},
                     {QStringLiteral("bytes"), call.bytes},
                     {QStringLiteral("truncated"), call.truncated}};
    line.insert(QStringLiteral("code"), call.code ? QJsonValue(*call.code) : QJsonValue());
    // As they were sent: QJsonObject sorts keys and rounds numbers.
    writeTraceLine(line, ",\"args\":" + call.arguments + ",\"response\":" + responseOf(call));
}

void AttemptFiles::writeTraceLine(const QJsonObject &line, const QByteArray &furtherMembers)
{
    const QByteArray members = QJsonDocument(line).toJson(QJsonDocument::Compact).chopped(1);
    writeLine(&m_trace, members + furtherMembers + '}');
}

void AttemptFiles::step(const QJsonObject &step)
{
    if (!m_trajectory.isOpen() && m_traceProblem.isEmpty() &&
        !m_trajectory.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        m_traceProblem = m_trajectory.errorString();
    writeLine(&m_trajectory, QJsonDocument(step).toJson(QJsonDocument::Compact));
}

void AttemptFiles::writeLine(QFile *file, const QByteArray &line)
{
    const QByteArray bytes = m_scrubber.scrubbed(QString::fromUtf8(line)).toUtf8() + '\n';
    if (file->write(bytes) != bytes.size() && m_traceProblem.isEmpty())
        m_traceProblem = file->errorString();
}

void AttemptFiles::scrubFile(const QString &name)
{
    QFile file(path(name));
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QByteArray content = file.readAll();
    file.close();
    Scrubber scrubber = m_scrubber;
    QByteArray clean = scrubber.feed(content);
    clean += scrubber.finish();
    if (clean == content)
        return;
    const auto saved = saveFile(file.fileName(), clean);
    if (!saved && m_traceProblem.isEmpty())
        m_traceProblem = saved.error().text();
}

void AttemptFiles::close()
{
    for (Log &open : m_logs)
        open.file->close();
    m_trace.close();
    m_trajectory.close();
}

QString AttemptFiles::problem() const
{
    for (const Log &kept : m_logs) {
        if (!kept.file->problem().isEmpty())
            return kept.file->problem();
    }
    return m_traceProblem;
}

} // namespace proctor
