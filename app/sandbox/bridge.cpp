// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bridge.h"

#include "app/sandbox/bridgeprogram.h"

#include <QFile>

using namespace std::chrono_literals;

namespace proctor
{

/// How long the bridge may take to answer what it does by itself; it works on small files and has one thread.
static constexpr auto answerLimit = 60s;
static constexpr auto pingInterval = 5s;
/// Pings without a word of the bridge after which it is given up: whatever carries the pipe hangs. Counted,
/// and not timed, so that a Proctor that was itself held up does not blame the bridge.
static constexpr int mostUnheardPings = 12;
static constexpr auto leaveLimit = 5s;
/// What may wait unsent in the pipe.
static constexpr qint64 sendBufferLimit = 1 << 20;

static StepFailure lost(const QString &why)
{
    return {StepFailure::Kind::Lost, why};
}

/// The protocol is taken as it comes; only the last words on standard error are wanted at the end.
static ProcessSpec pipeOnly(ProcessSpec spec)
{
    spec.keepInputOpen = true;
    spec.memoryBound = 16 * 1024;
    return spec;
}

/// What the bridge means by the exit codes that are not its own failure (see its description); else empty.
static QString meaningOf(const ProcessEnd &end)
{
    static const QHash<int, QString> meanings{
        {70, Bridge::tr("The sandbox was told from outside to end")},
        {71, Bridge::tr("The sandbox heard nothing from Proctor for too long")},
        {72, Bridge::tr("The sandbox reached the age at which it ends itself")}};
    const bool hasCode = end.kind == ProcessEnd::Kind::Finished && end.signal == 0;
    return hasCode ? meanings.value(end.exitCode) : QString();
}

Bridge::Bridge(ProcessSpec sandbox, QObject *parent)
    : QObject(parent)
    , m_process(pipeOnly(std::move(sandbox)))
    , m_lines(bridgeLineLimit)
    , m_toolCalls([this](const QByteArray &line) { m_process.write(line); },
                  [this](const QString &reason) { lose(reason); })
{
    m_ping.setInterval(pingInterval);
    connect(&m_ping, &QTimer::timeout, this, &Bridge::ping);
    connect(&m_process, &Process::standardOutput, this, [this](const QByteArray &bytes) {
        for (const LineSplitter::Line &line : m_lines.add(bytes))
            readLine(line);
    });
    connect(&m_process, &Process::bytesWritten, this, [this] {
        if (m_room && m_process.bytesToWrite() < sendBufferLimit / 2)
            m_room->complete({});
    });
    connect(&m_toolCalls, &BridgeToolCalls::started, this, &Bridge::toolStarted);
    connect(&m_toolCalls, &BridgeToolCalls::finished, this, &Bridge::toolFinished);
    connect(&m_process, &Process::ended, this, &Bridge::processEnded);
}

Bridge::~Bridge()
{
    lose(tr("The bridge was given up"));
}

QCoro::Task<Stepped<BridgeHello>> Bridge::start(std::chrono::milliseconds limit, CancellationToken token)
{
    m_hello = std::make_shared<Question>();
    const QuestionPointer hello = m_hello;
    m_open = true;
    m_process.start();
    const QByteArray program = bridgeProgram();
    m_process.write(QByteArray::number(program.size()) + '\n' + program);

    const Stepped<Answer> answered =
        co_await answerWithoutId(hello, limit, token, tr("The sandbox did not start in time"));
    if (!answered)
        co_return answered.error();
    const BridgeHello greeting = helloFrom(answered->message);
    if (greeting.version != bridgeProtocolVersion) {
        const StepFailure strange{StepFailure::Kind::Failed,
                                  tr("The sandbox speaks another version of the protocol")};
        co_return strange;
    }
    m_ping.start();
    co_return greeting;
}

QCoro::Task<Stepped<Bridge::Answer>> Bridge::answerWithoutId(QuestionPointer question,
                                                             std::chrono::milliseconds limit,
                                                             CancellationToken token, QString late)
{
    QTimer::singleShot(limit, this, [question, late] {
        question->answer.complete(StepFailure{StepFailure::Kind::TimedOut, late});
    });
    const auto cancelling = token.onCancelled(this, [question, token] {
        question->answer.complete(StepFailure{StepFailure::Kind::Cancelled, token.reason()});
    });
    co_return co_await question->answer;
}

QCoro::Task<Stepped<BridgeReady>> Bridge::setUp(BridgeSetup setup, CancellationToken token)
{
    m_ready = std::make_shared<Question>();
    send(initMessage(setup));
    if (!m_open)
        m_ready->answer.complete(lost(m_lossReason));
    const QuestionPointer ready = m_ready;
    const Stepped<Answer> answered =
        co_await answerWithoutId(ready, answerLimit, token, tr("The sandbox was not set up in time"));
    if (!answered)
        co_return answered.error();
    co_return readyFrom(answered->message);
}

QCoro::Task<Stepped<Nothing>> Bridge::put(QString hostFile, QString path, int mode, CancellationToken token)
{
    QFile file(hostFile);
    if (!file.open(QIODevice::ReadOnly)) {
        const StepFailure unreadable{StepFailure::Kind::Failed,
                                     tr("Cannot read %1: %2").arg(hostFile, file.errorString())};
        co_return unreadable;
    }
    const qint64 id = ++m_lastId;
    const auto question = std::make_shared<Question>();
    m_questions.insert(id, question);
    for (bool last = false; !last && m_open && !token.isCancelled();) {
        const QByteArray chunk = file.read(bridgeChunkSize);
        if (file.error() != QFileDevice::NoError) {
            answer(id, StepFailure{StepFailure::Kind::Failed,
                                   tr("Cannot read %1: %2").arg(hostFile, file.errorString())});
            break;
        }
        last = file.atEnd() || chunk.isEmpty();
        send(putMessage(id, path, mode, chunk, last));
        if (m_process.bytesToWrite() > sendBufferLimit)
            co_await roomToSend(token);
    }
    if (!m_open)
        answer(id, lost(m_lossReason));
    if (token.isCancelled())
        answer(id, StepFailure{StepFailure::Kind::Cancelled, token.reason()});
    answerInTime(id, answerLimit);
    const Stepped<Answer> answered = co_await question->answer;
    if (!answered)
        co_return answered.error();
    co_return Nothing{};
}

QCoro::Task<Stepped<FetchedFile>> Bridge::get(QString path, qint64 maximum)
{
    const Stepped<Answer> answered = co_await askAndWait(getMessage(path, maximum), answerLimit);
    if (!answered)
        co_return answered.error();
    FetchedFile file;
    file.content = answered->data;
    file.truncated = answered->message.value(QLatin1String("truncated")).toBool();
    co_return file;
}

QCoro::Task<Stepped<bool>> Bridge::save(QString path, QString hostFile, qint64 maximum)
{
    return saveTo(hostFile, getMessage(path, maximum));
}

QCoro::Task<Stepped<bool>> Bridge::saveChanges(QString hostFile, qint64 maximum)
{
    return saveTo(hostFile,
                  {{QStringLiteral("t"), QStringLiteral("diff")}, {QStringLiteral("max"), maximum}});
}

QCoro::Task<Stepped<bool>> Bridge::saveTo(QString hostFile, QJsonObject message)
{
    auto file = std::make_unique<QSaveFile>(hostFile);
    if (!file->open(QIODevice::WriteOnly)) {
        const StepFailure unwritable{StepFailure::Kind::HostFailed,
                                     tr("Cannot write %1: %2").arg(hostFile, file->errorString())};
        co_return unwritable;
    }
    const QuestionPointer question = ask(message);
    question->sink = std::move(file);
    answerInTime(m_lastId, answerLimit);
    const Stepped<Answer> answered = co_await question->answer;
    if (!answered)
        co_return answered.error();
    // commit() does not notice when the last of what it buffers finds no room.
    if (!question->sink->flush() || !question->sink->commit()) {
        const StepFailure unwritable{StepFailure::Kind::HostFailed,
                                     tr("Cannot write %1: %2").arg(hostFile, question->sink->errorString())};
        co_return unwritable;
    }
    co_return answered->message.value(QLatin1String("truncated")).toBool();
}

QCoro::Task<Stepped<QList<BridgeEntry>>> Bridge::list(QString path, int maximum)
{
    const Stepped<Answer> answered = co_await askAndWait(listMessage(path, maximum), answerLimit);
    if (!answered)
        co_return answered.error();
    co_return entriesFrom(answered->message);
}

QCoro::Task<Stepped<CommandEnd>> Bridge::run(SandboxCommand command, CancellationToken token)
{
    QJsonObject message = runMessage(command);
    const QuestionPointer question = ask(message);
    const qint64 id = m_lastId;
    question->who = command.who;

    const auto killAndInsist = [this, id, question] {
        question->killed = true;
        send({{QStringLiteral("t"), QStringLiteral("kill")}, {QStringLiteral("id"), id}});
        QTimer::singleShot(killGrace, this, [this, id] {
            if (m_questions.contains(id))
                lose(tr("A process in the sandbox could not be ended"));
        });
    };
    const auto cancelling = token.onCancelled(this, killAndInsist);
    // The bridge keeps the limit itself; this is for a bridge that no longer does.
    const auto patience = std::chrono::milliseconds(static_cast<qint64>(command.limit * 1000)) + killGrace;
    QTimer::singleShot(patience, this, [this, id] {
        if (m_questions.contains(id))
            lose(tr("The sandbox did not keep its time limit"));
    });
    const Stepped<Answer> answered = co_await question->answer;
    if (!answered)
        co_return answered.error();
    co_return commandEndFrom(answered->message);
}

QCoro::Task<Stepped<ToolCallEnd>> Bridge::callTool(ToolRequest request, CancellationToken token)
{
    if (!m_open)
        co_return lost(m_lossReason);
    co_return co_await m_toolCalls.call(++m_lastId, std::move(request), token);
}

QCoro::Task<Stepped<Nothing>> Bridge::snapshot()
{
    QJsonObject message{{QStringLiteral("t"), QStringLiteral("snapshot")}};
    const Stepped<Answer> answered = co_await askAndWait(message, answerLimit);
    if (!answered)
        co_return answered.error();
    co_return Nothing{};
}

QCoro::Task<Stepped<Nothing>> Bridge::closePorts()
{
    QJsonObject message{{QStringLiteral("t"), QStringLiteral("ports")},
                        {QStringLiteral("tools"), false},
                        {QStringLiteral("models"), false}};
    const Stepped<Answer> answered = co_await askAndWait(message, answerLimit);
    if (!answered)
        co_return answered.error();
    co_return Nothing{};
}

QCoro::Task<void> Bridge::leave()
{
    m_ping.stop();
    bool leaves = false;
    if (m_open) {
        QJsonObject message{{QStringLiteral("t"), QStringLiteral("bye")}};
        const auto goodbye = co_await askAndWait(message, leaveLimit);
        leaves = goodbye.hasValue();
    }
    m_process.closeInput();
    if (!m_process.isRunning())
        co_return;
    if (!leaves)
        m_process.kill(tr("The sandbox did not leave by itself"));
    QTimer::singleShot(leaveLimit, this, [this] { m_process.kill(tr("The sandbox did not leave in time")); });
    co_await m_gone;
}

Bridge::QuestionPointer Bridge::ask(QJsonObject message)
{
    const auto question = std::make_shared<Question>();
    const qint64 id = ++m_lastId;
    message.insert(QStringLiteral("id"), id);
    if (!m_open) {
        question->answer.complete(lost(m_lossReason));
        return question;
    }
    m_questions.insert(id, question);
    send(message);
    return question;
}

QCoro::Task<Stepped<Bridge::Answer>> Bridge::askAndWait(QJsonObject message, std::chrono::milliseconds limit)
{
    const QuestionPointer question = ask(message);
    answerInTime(m_lastId, limit);
    co_return co_await question->answer;
}

void Bridge::answerInTime(qint64 id, std::chrono::milliseconds limit)
{
    if (const QuestionPointer question = m_questions.value(id))
        question->patience.setRemainingTime(limit);
    QTimer::singleShot(limit, this, [this, id] {
        const QuestionPointer question = m_questions.value(id);
        if (!question)
            return;
        if (question->patience.hasExpired())
            answer(id, StepFailure{StepFailure::Kind::TimedOut, tr("The sandbox did not answer in time")});
        else
            answerInTime(id, std::chrono::milliseconds(question->patience.remainingTime()));
    });
}

void Bridge::send(const QJsonObject &message)
{
    if (m_open)
        m_process.write(encodeMessage(message));
}

QCoro::Task<void> Bridge::roomToSend(CancellationToken token)
{
    m_room = std::make_shared<Completion<Nothing>>();
    const auto room = m_room;
    QTimer::singleShot(answerLimit, this, [this, room] {
        if (!room->isComplete())
            lose(tr("The sandbox takes no more input"));
    });
    const auto cancelling = token.onCancelled(this, [room] { room->complete({}); });
    co_await *room;
}

void Bridge::readLine(const LineSplitter::Line &line)
{
    m_unheardPings = 0;
    if (!m_open)
        return;
    if (!line.isComplete)
        return lose(tr("The sandbox sent a line that is longer than the protocol allows"));
    const Expected<QJsonObject> message = decodeMessage(line.bytes);
    if (message)
        receive(*message, line.bytes);
    else
        lose(message.error().message);
}

void Bridge::receive(const QJsonObject &message, const QByteArray &line)
{
    const QString name = message.value(QLatin1String("t")).toString();
    const QJsonValue idValue = message.value(QLatin1String("id"));
    const qint64 id = idValue.isDouble() ? idValue.toInteger() : 0;
    const QuestionPointer question = m_questions.value(id);

    if (name == QLatin1String("hello") && m_hello) {
        m_hello->answer.complete(Answer{message, {}});
    } else if (name == QLatin1String("ready") && m_ready) {
        m_ready->answer.complete(Answer{message, {}});
    } else if (name == QLatin1String("out") && question && question->who) {
        emit output(*question->who, message.value(QLatin1String("s")).toInt(), payloadOf(message));
    } else if (name == QLatin1String("data") && question) {
        question->patience.setRemainingTime(answerLimit);
        if (question->sink)
            question->sink->write(payloadOf(message));
        else
            question->data += payloadOf(message);
    } else if (name == QLatin1String("fail")) {
        const StepFailure failure{StepFailure::Kind::Failed, message.value(QLatin1String("why")).toString()};
        // The answer to a kill that came too late overtakes the run's own end.
        if (question && question->killed)
            return;
        if (question)
            answer(id, failure);
        else if (m_toolCalls.isOpen(id))
            m_toolCalls.end(id, failure);
        else if (m_ready)
            m_ready->answer.complete(failure);
    } else if (name.startsWith(QLatin1String("tool_"))) {
        m_toolCalls.receive(message, line);
    } else if (name == QLatin1String("step")) {
        emit stepTaken(stepFrom(message));
    } else if (name == QLatin1String("http")) {
        for (const QJsonObject &part : modelRefusal(message.value(QLatin1String("id"))))
            send(part);
    } else if (question && name != QLatin1String("started")) {
        if (name == QLatin1String("pong"))
            m_outOfMemoryKills = outOfMemoryKillsIn(message);
        answer(id, Answer{message, question->data});
    }
}

void Bridge::answer(qint64 id, Stepped<Answer> value)
{
    const QuestionPointer question = m_questions.take(id);
    if (question)
        question->answer.complete(std::move(value));
}

void Bridge::ping()
{
    if (++m_unheardPings > mostUnheardPings)
        return lose(tr("The sandbox has not answered for %1 s").arg(mostUnheardPings * pingInterval / 1s));
    ask({{QStringLiteral("t"), QStringLiteral("ping")}});
}

void Bridge::lose(const QString &reason)
{
    if (!m_open)
        return;
    m_open = false;
    m_lossReason = reason;
    m_ping.stop();
    m_process.closeInput();
    if (m_room)
        m_room->complete({});
    m_toolCalls.endAll(lost(reason));
    const auto questions = std::exchange(m_questions, {});
    for (const QuestionPointer &question : questions)
        question->answer.complete(lost(reason));
    for (const QuestionPointer &question : {m_hello, m_ready}) {
        if (question)
            question->answer.complete(lost(reason));
    }
}

void Bridge::processEnded(const ProcessEnd &end)
{
    m_gone.complete({});
    m_end = end;
    const QString meaning = meaningOf(end);
    m_brokeByItself = m_open && meaning.isEmpty() && end.kind == ProcessEnd::Kind::Finished;
    const QString last = QString::fromUtf8(end.errors).simplified().right(400);
    QString sentence = meaning.isEmpty() ? end.sentence() : meaning;
    if (!last.isEmpty() && sentence.endsWith(QLatin1Char('.')))
        sentence.chop(1);
    lose(last.isEmpty() ? sentence : QStringLiteral("%1: %2").arg(sentence, last));
}

} // namespace proctor
