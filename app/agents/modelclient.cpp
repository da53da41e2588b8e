// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/modelclient.h"

#include "app/agents/retryafter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>

#include <algorithm>
#include <optional>

namespace proctor
{

/// What an answer is good for.
struct ModelClient::Judgement {
    std::optional<QJsonObject> message;
    QString failure;
    bool isPermanent = false;
    bool mayPass = false;
    /// What the endpoint asks for.
    std::optional<std::chrono::milliseconds> wait;
};

static constexpr int errorLength = 400;

/// The sentence in an error answer, in the forms that endpoints use; empty if it has none of them.
static QString sentenceIn(const QByteArray &body)
{
    const QJsonObject answer = QJsonDocument::fromJson(body).object();
    const QJsonValue error = answer.value(QLatin1String("error"));
    for (const QJsonValue &candidate :
         {error.toObject().value(QLatin1String("message")), error, answer.value(QLatin1String("message")),
          answer.value(QLatin1String("detail"))}) {
        if (candidate.isString())
            return candidate.toString().left(errorLength);
    }
    return {};
}

static QString reasonIn(const QByteArray &body)
{
    const QString sentence = sentenceIn(body);
    return sentence.isEmpty() ? QString::fromUtf8(body.left(errorLength)).simplified() : sentence;
}

static bool hasVersion(const QUrl &base)
{
    return base.path().split(u'/').contains(QLatin1String("v1"));
}

static QUrl below(QUrl base, const QString &path)
{
    base.setPath(base.path() + path);
    return base;
}

ModelClient::ModelClient(QNetworkAccessManager *network, const ModelEndpoint &endpoint,
                         const ModelPatience &patience, QObject *parent)
    : QObject(parent)
    , m_network(network)
    , m_endpoint(endpoint)
    , m_patience(patience)
    , m_scrubber({endpoint.key})
    , m_knowsBase(hasVersion(endpoint.base))
{
}

QCoro::Task<ModelMessage> ModelClient::complete(QByteArray messages, QByteArray tools,
                                                CancellationToken token)
{
    for (int attempt = 1;; ++attempt) {
        const Stepped<HttpAnswer> answer = co_await post(body(messages, tools), token);
        const Judgement judgement = judge(answer);
        if (judgement.message)
            co_return *judgement.message;
        if (m_sendsTemperature && answer && answer->status == 400 &&
            judgement.failure.contains(QLatin1String("temperature"))) {
            m_sendsTemperature = false;
            continue;
        }
        if (!judgement.mayPass || attempt >= m_patience.tries || token.isCancelled()) {
            const ModelFailure failure{judgement.failure, judgement.isPermanent};
            co_return failure;
        }
        const auto pause = pauseBehind(attempt, judgement);
        emit retrying(QStringLiteral("%1; trying again in %2 s")
                          .arg(judgement.failure)
                          .arg(static_cast<double>(pause.count()) / 1000, 0, 'f', 1));
        co_await pauseFor(pause, token);
    }
}

QCoro::Task<Stepped<HttpAnswer>> ModelClient::post(QByteArray body, CancellationToken token)
{
    Stepped<HttpAnswer> answer = co_await postTo(m_endpoint.base, body, token);
    if (!answer || m_knowsBase)
        co_return answer;
    m_knowsBase = true;
    if (answer->status != 404)
        co_return answer;
    const QUrl versioned = below(m_endpoint.base, QStringLiteral("/v1"));
    Stepped<HttpAnswer> other = co_await postTo(versioned, body, token);
    if (!other || other->status != 404) {
        m_endpoint.base = versioned;
        co_return other;
    }
    // The one that says why: at the right address it may be the model that does not exist.
    co_return sentenceIn(answer->body).isEmpty() ? other : answer;
}

QCoro::Task<Stepped<HttpAnswer>> ModelClient::postTo(QUrl base, QByteArray body, CancellationToken token)
{
    HttpPost post;
    post.url = below(base, QStringLiteral("/chat/completions"));
    post.body = body;
    post.limit = m_patience.limit;
    if (!m_endpoint.key.isEmpty())
        post.headers.append({QByteArrayLiteral("Authorization"), "Bearer " + m_endpoint.key.toUtf8()});
    HttpCall call(m_network, post);
    co_return co_await call.run(token);
}

QByteArray ModelClient::body(const QByteArray &messages, const QByteArray &tools) const
{
    QJsonObject object;
    object.insert(QLatin1String("model"), m_endpoint.model);
    if (m_sendsTemperature)
        object.insert(QLatin1String("temperature"), 0.1);
    if (!tools.isEmpty())
        object.insert(QLatin1String("tool_choice"), QLatin1String("auto"));
    QByteArray body = QJsonDocument(object).toJson(QJsonDocument::Compact);
    body.chop(1);
    body += ",\"messages\":" + messages;
    if (!tools.isEmpty())
        body += ",\"tools\":" + tools;
    return body + '}';
}

ModelClient::Judgement ModelClient::judge(const Stepped<HttpAnswer> &answer) const
{
    Judgement judgement;
    if (!answer) {
        judgement = judgeFailure(answer.error());
    } else if (!answer->isSuccess()) {
        judgement = judgeStatus(*answer);
    } else {
        const QJsonObject object = QJsonDocument::fromJson(answer->body).object();
        const QJsonObject choice = object.value(QLatin1String("choices")).toArray().at(0).toObject();
        const QJsonValue message = choice.value(QLatin1String("message"));
        if (message.isObject())
            judgement.message = message.toObject();
        judgement.failure = QStringLiteral("%1 gave an answer that is no chat completion: %2")
                                .arg(address(), reasonIn(answer->body));
        judgement.mayPass = true;
    }
    judgement.failure = m_scrubber.scrubbed(judgement.failure);
    return judgement;
}

ModelClient::Judgement ModelClient::judgeFailure(const StepFailure &failure) const
{
    Judgement judgement;
    judgement.failure = QStringLiteral("%1 cannot be asked: %2").arg(address(), failure.message);
    // The default of the configuration is meant for agents in containers.
    const bool isContainersName = m_endpoint.base.host() == QLatin1String("host.docker.internal");
    if (isContainersName) {
        judgement.failure +=
            QStringLiteral(" (that name is known in containers only: on the host say 127.0.0.1)");
    }
    judgement.isPermanent = isContainersName;
    judgement.mayPass = !isContainersName && failure.kind != StepFailure::Kind::Cancelled;
    return judgement;
}

ModelClient::Judgement ModelClient::judgeStatus(const HttpAnswer &answer) const
{
    Judgement judgement;
    const int status = answer.status;
    const bool isRedirection = status >= 300 && status < 400;
    judgement.failure =
        isRedirection
            ? QStringLiteral("%1 says that it has moved to %2: use that as the base URL")
                  .arg(address(), QString::fromUtf8(answer.header("Location")))
            : QStringLiteral("%1 answered %2: %3").arg(address()).arg(status).arg(reasonIn(answer.body));
    judgement.isPermanent = isRedirection || status == 401 || status == 404;
    judgement.mayPass = status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
    judgement.wait = retryAfter(answer.header("Retry-After"), QDateTime::currentDateTimeUtc());
    return judgement;
}

QString ModelClient::address() const
{
    return m_endpoint.base.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery);
}

std::chrono::milliseconds ModelClient::pauseBehind(int attempt, const Judgement &judgement) const
{
    if (judgement.wait)
        return std::min(*judgement.wait, m_patience.longestPause);
    const auto pause =
        std::min(m_patience.firstPause * (1 << std::min(attempt - 1, 16)), m_patience.longestPause);
    // Attempts that failed together should not come back together.
    const double part = 0.75 + 0.5 * QRandomGenerator::global()->generateDouble();
    return std::chrono::milliseconds(std::llround(static_cast<double>(pause.count()) * part));
}

} // namespace proctor
