// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/functionagent.h"

#include "app/agents/finalanswer.h"
#include "models/core/savefile.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace proctor
{

/// A call as the model asks for it.
struct FunctionAgent::ToolCall {
    QJsonObject source;
    QString id;
    QString name;
    QString arguments;

    static QList<ToolCall> listIn(const QJsonObject &message, int turn);
    static QString names(const QList<ToolCall> &calls);
    QJsonObject forMemory() const;
};

static const QString answerJson = QStringLiteral("answer.json");
static const QString answerMd = QStringLiteral("answer.md");
static const QString trajectoryPath = QStringLiteral("artifacts/trajectory.jsonl");

static const QString defaultSystemPrompt = QStringLiteral(
    "You solve one task of a benchmark with the functions you are given, and answer with one JSON object.");
static const QString hostRules = QStringLiteral(
    "How you work here: the tools are functions, so call them as functions. You have no shell and cannot "
    "write files; where the task tells you to run a command line or to write answer files, call the function "
    "instead and leave the files to the program that reads you. Once you know the answer, call no more "
    "functions and reply with the final answer alone, as valid JSON: what the task wants in answer.json, or "
    "{\"answer_json\": ..., \"answer_md\": \"...\"} if it wants a text in answer.md as well.");
static const QString noMoreTools = QStringLiteral(
    "There are no more function calls. Give the final answer now with what you know: one valid JSON object "
    "and nothing else. The program that reads you writes the answer files.");
static const QString emptyReply =
    QStringLiteral("That reply was empty. Call a function, or give the final answer as one JSON object.");

static QString textIn(const QJsonObject &message)
{
    const QJsonValue content = message.value(QLatin1String("content"));
    QString text = content.toString();
    const QJsonArray parts = content.toArray();
    for (const QJsonValue &part : parts)
        text += part.toObject().value(QLatin1String("text")).toString();
    return text;
}

static QJsonObject withoutNulls(QJsonObject object)
{
    for (auto member = object.begin(); member != object.end();)
        member = member.value().isNull() ? object.erase(member) : std::next(member);
    return object;
}

QList<FunctionAgent::ToolCall> FunctionAgent::ToolCall::listIn(const QJsonObject &message, int turn)
{
    QList<ToolCall> calls;
    const QJsonArray array = message.value(QLatin1String("tool_calls")).toArray();
    for (const QJsonValue &value : array) {
        const QJsonObject call = value.toObject();
        const QJsonObject function = call.value(QLatin1String("function")).toObject();
        const QJsonValue arguments = function.value(QLatin1String("arguments"));
        ToolCall toolCall;
        toolCall.source = call;
        toolCall.id = call.value(QLatin1String("id")).toString();
        if (toolCall.id.isEmpty())
            toolCall.id = QStringLiteral("call_%1_%2").arg(turn).arg(calls.size() + 1);
        toolCall.name = function.value(QLatin1String("name")).toString();
        // Some endpoints send the object itself.
        toolCall.arguments =
            arguments.isObject()
                ? QString::fromUtf8(QJsonDocument(arguments.toObject()).toJson(QJsonDocument::Compact))
                : arguments.toString();
        calls << toolCall;
    }
    return calls;
}

QString FunctionAgent::ToolCall::names(const QList<ToolCall> &calls)
{
    QStringList names;
    for (const ToolCall &call : calls)
        names << call.name;
    return names.join(QStringLiteral(", "));
}

/// As the model is reminded of it. Endpoints would refuse every further request if a broken name or broken
/// arguments were in it; what was wrong is said in the result. Members of the endpoint's own stay.
QJsonObject FunctionAgent::ToolCall::forMemory() const
{
    const bool isSound = ToolClient::areArguments(arguments) && !arguments.trimmed().isEmpty();
    QJsonObject function;
    function.insert(QLatin1String("name"),
                    ToolClient::isToolName(name) ? name : QStringLiteral("invalid_name"));
    function.insert(QLatin1String("arguments"), isSound ? arguments : QStringLiteral("{}"));
    QJsonObject call = source;
    call.insert(QLatin1String("id"), id);
    call.insert(QLatin1String("type"), QLatin1String("function"));
    call.insert(QLatin1String("function"), function);
    return call;
}

/// An endpoint that has answered nothing for so many turns, each with several tries, will not in the others.
static constexpr int patientTurns = 3;

FunctionAgent::FunctionAgent(const HostManifest &manifest, const QString &key,
                             const FunctionAgentOptions &options, QObject *parent)
    : QObject(parent)
    , m_manifest(manifest)
    , m_options(options)
    , m_network(makeNetwork())
    , m_model(m_network.get(), {manifest.llmUrl, manifest.model, key}, options.patience)
    , m_tools(m_network.get(), manifest.toolsUrl, options.toolLimit)
{
    connect(&m_model, &ModelClient::retrying, this, &FunctionAgent::warned);
    const QString task =
        manifest.systemPrompt.trimmed().isEmpty() ? defaultSystemPrompt : manifest.systemPrompt;
    say("system", task + QStringLiteral("\n\n") + hostRules);
    say("user", manifest.userPrompt);
}

FunctionAgent::~FunctionAgent() = default;

Expected<Nothing> FunctionAgent::prepare()
{
    const QString folder = m_manifest.outputFolder;
    if (!QDir().mkpath(folder) || !QFileInfo(folder).isWritable())
        return Error::ofMachine(QStringLiteral("The output folder cannot be written to"), folder);
    for (const QString &path : std::as_const(m_manifest.outputPaths)) {
        if (path == trajectoryPath) {
            auto opened = m_trajectory.open(QDir(folder).filePath(path));
            if (!opened)
                return opened;
        } else if (path != answerJson && path != answerMd) {
            emit warned(
                QStringLiteral("“%1” is wanted as an output too; this agent does not make it").arg(path));
        }
    }
    return Nothing{};
}

QCoro::Task<Expected<Nothing>> FunctionAgent::run(CancellationToken token)
{
    const Expected<QString> text = co_await converse(token);
    if (!text)
        co_return text.error();
    co_return write(*text);
}

/// The text that is the answer.
QCoro::Task<Expected<QString>> FunctionAgent::converse(CancellationToken token)
{
    bool wasAnswered = false;
    for (int turn = 1; turn <= m_options.maxTurns; ++turn) {
        const ModelMessage reply =
            co_await m_model.complete(conversation(), m_manifest.toolDefinitions, token);
        if (token.isCancelled())
            co_return Error{token.reason()};
        if (reply) {
            wasAnswered = true;
            const QString text = co_await takeTurn(turn, *reply, token);
            if (!text.isEmpty())
                co_return text;
            continue;
        }
        const ModelFailure failure = reply.error();
        m_trajectory.llmError(turn, failure.message);
        const bool isLast = turn == m_options.maxTurns;
        const bool isHopeless = !wasAnswered && (isLast || turn == patientTurns);
        if (failure.isPermanent || isHopeless)
            co_return Error{failure.message};
        emit warned(QStringLiteral("Turn %1 is lost: %2").arg(turn).arg(failure.message));
    }
    co_return co_await askForAnswer(token);
}

/// The answer, if it is one.
QCoro::Task<QString> FunctionAgent::takeTurn(int turn, QJsonObject reply, CancellationToken token)
{
    QJsonObject message = withoutNulls(reply);
    message.insert(QLatin1String("role"), QLatin1String("assistant"));
    m_trajectory.assistant(turn, message);
    const QString where = QStringLiteral("Turn %1 of %2").arg(turn).arg(m_options.maxTurns);
    const QList<ToolCall> calls = ToolCall::listIn(message, turn);
    if (calls.isEmpty()) {
        const QString text = textIn(message).trimmed();
        if (text.isEmpty()) {
            emit warned(QStringLiteral("%1: the model said nothing").arg(where));
            say("user", emptyReply);
        } else {
            emit progressed(QStringLiteral("%1: the model answers").arg(where));
        }
        co_return text;
    }
    emit progressed(QStringLiteral("%1: the model calls %2").arg(where, ToolCall::names(calls)));
    QJsonArray remembered;
    for (const ToolCall &call : calls)
        remembered.append(call.forMemory());
    message.insert(QLatin1String("tool_calls"), remembered);
    say(message);
    for (const ToolCall &call : calls) {
        const ToolResult result = co_await m_tools.call(call.name, call.arguments, token);
        m_trajectory.tool(turn, call.id, call.name, call.arguments, result.content);
        tell(call, result);
    }
    co_return QString();
}

void FunctionAgent::tell(const ToolCall &call, const ToolResult &result)
{
    const QString status = result.status ? QString::number(result.status) : QStringLiteral("no answer");
    emit progressed(QStringLiteral("  %1: %2, %3 bytes").arg(call.name, status).arg(result.content.size()));
    QJsonObject message;
    message.insert(QLatin1String("role"), QLatin1String("tool"));
    message.insert(QLatin1String("tool_call_id"), call.id);
    message.insert(QLatin1String("content"), QString::fromUtf8(result.content));
    say(message);
}

/// When the turns are used up.
QCoro::Task<Expected<QString>> FunctionAgent::askForAnswer(CancellationToken token)
{
    const int turn = m_options.maxTurns + 1;
    emit progressed(QStringLiteral("The turns are used up: asking for the answer"));
    say("user", noMoreTools);
    const ModelMessage reply = co_await m_model.complete(conversation(), {}, token);
    if (!reply) {
        m_trajectory.finalError(turn, reply.error().message);
        co_return Error{reply.error().message};
    }
    m_trajectory.finalAssistant(turn, withoutNulls(*reply));
    const QString text = textIn(*reply).trimmed();
    if (text.isEmpty()) {
        const QString sentence = QStringLiteral("The model gave no answer when its turns were used up");
        m_trajectory.finalError(turn, sentence);
        co_return Error{sentence};
    }
    co_return text;
}

Expected<Nothing> FunctionAgent::write(const QString &text)
{
    const FinalAnswer answer = FinalAnswer::of(text);
    // Who waits for answer.json shall find both.
    auto written = writeFile(answerMd, answer.markdown);
    return written ? writeFile(answerJson, answer.json) : written;
}

Expected<Nothing> FunctionAgent::writeFile(const QString &name, const QByteArray &content)
{
    auto saved = saveFile(QDir(m_manifest.outputFolder).filePath(name), content);
    if (saved)
        emit progressed(QStringLiteral("%1: %2 bytes").arg(name).arg(content.size()));
    return saved;
}

void FunctionAgent::say(const QJsonObject &message)
{
    m_messages << QJsonDocument(message).toJson(QJsonDocument::Compact);
}

void FunctionAgent::say(const char *role, const QString &text)
{
    QJsonObject message;
    message.insert(QLatin1String("role"), QLatin1String(role));
    message.insert(QLatin1String("content"), text);
    say(message);
}

QByteArray FunctionAgent::conversation() const
{
    return '[' + m_messages.join(',') + ']';
}

} // namespace proctor
