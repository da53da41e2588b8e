// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/httpcall.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QNetworkRequest>

#include <algorithm>
#include <cstring>

namespace proctor
{

namespace
{

/// The bytes of a request that cannot be had a second time: QNetworkAccessManager would send a request whose
/// connection was cut again, twice, and a tool would do its work three times.
class OnceDevice : public QIODevice
{
public:
    explicit OnceDevice(QByteArray bytes)
        : m_bytes(std::move(bytes))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }

    qint64 size() const override { return m_bytes.size(); }
    bool seek(qint64) override { return false; }
    bool reset() override { return false; }

protected:
    qint64 readData(char *data, qint64 most) override
    {
        const qint64 count = std::min<qint64>(most, m_bytes.size() - m_position);
        std::memcpy(data, m_bytes.constData() + m_position, static_cast<size_t>(count));
        m_position += count;
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_bytes;
    qint64 m_position = 0;
};

class DirectAtHome : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override
    {
        const QString host = query.peerHostName();
        if (host == QLatin1String("localhost") || host.endsWith(QLatin1String(".localhost")) ||
            QHostAddress(host).isLoopback())
            return {QNetworkProxy::NoProxy};
        return systemProxyForQuery(query);
    }
};

/// Whether there is a whole answer. Errors below 200 are those of the network; also with them there may be a
/// status, when a connection was cut.
bool isAnswer(const QNetworkReply &reply)
{
    const QNetworkReply::NetworkError error = reply.error();
    return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).isValid() &&
           (error == QNetworkReply::NoError || error > QNetworkReply::UnknownProxyError) &&
           error != QNetworkReply::ProtocolFailure;
}

} // namespace

QByteArray HttpAnswer::header(const QByteArray &name) const
{
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto &header) {
        return header.first.compare(name, Qt::CaseInsensitive) == 0;
    });
    return found == headers.end() ? QByteArray() : found->second;
}

HttpCall::HttpCall(QNetworkAccessManager *network, HttpPost post, QObject *parent)
    : QObject(parent)
    , m_network(network)
    , m_post(std::move(post))
    , m_completion(StepFailure{StepFailure::Kind::Cancelled, tr("The request was given up")})
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        const double seconds = static_cast<double>(m_post.limit.count()) / 1000;
        fail(StepFailure::Kind::TimedOut, tr("no complete answer within %1 s").arg(seconds));
    });
}

HttpCall::~HttpCall()
{
    letGo();
}

QCoro::Task<Stepped<HttpAnswer>> HttpCall::run(CancellationToken token)
{
    start();
    m_cancellation =
        token.onCancelled(this, [this, token] { fail(StepFailure::Kind::Cancelled, token.reason()); });
    co_return co_await m_completion;
}

void HttpCall::start()
{
    QNetworkRequest request(m_post.url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    request.setHeader(QNetworkRequest::ContentLengthHeader, m_post.body.size());
    for (const auto &[name, value] : std::as_const(m_post.headers))
        request.setRawHeader(name, value);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);

    auto *body = new OnceDevice(m_post.body);
    m_reply = m_network->post(request, body);
    body->setParent(m_reply);
    connect(m_reply, &QNetworkReply::readyRead, this, &HttpCall::read);
    connect(m_reply, &QNetworkReply::finished, this, &HttpCall::onFinished);
    m_limit.start(m_post.limit);
}

void HttpCall::read()
{
    m_body += m_reply->readAll();
    if (m_body.size() > m_post.answerMax) {
        const qint64 mebibytes = m_post.answerMax >> 20;
        fail(StepFailure::Kind::Failed, tr("the answer is larger than %1 MiB").arg(mebibytes));
    }
}

void HttpCall::onFinished()
{
    read();
    if (!m_reply)
        return;
    if (!isAnswer(*m_reply)) {
        fail(StepFailure::Kind::Failed, m_reply->errorString());
        return;
    }
    HttpAnswer answer;
    answer.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    answer.headers = m_reply->rawHeaderPairs();
    answer.body = std::exchange(m_body, {});
    conclude(answer);
}

void HttpCall::fail(StepFailure::Kind kind, const QString &message)
{
    conclude(StepFailure{kind, message});
}

void HttpCall::conclude(const Stepped<HttpAnswer> &end)
{
    letGo();
    m_completion.complete(end);
}

void HttpCall::letGo()
{
    m_limit.stop();
    m_cancellation.remove();
    if (QNetworkReply *reply = std::exchange(m_reply, nullptr)) {
        reply->disconnect(this);
        reply->abort();
        reply->deleteLater();
    }
}

std::unique_ptr<QNetworkAccessManager> makeNetwork()
{
    auto network = std::make_unique<QNetworkAccessManager>();
    network->setProxyFactory(new DirectAtHome);
    return network;
}

QCoro::Task<Nothing> pauseFor(std::chrono::milliseconds time, CancellationToken token)
{
    Completion<Nothing> over;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&over] { over.complete({}); });
    const auto registration = token.onCancelled(&timer, [&over] { over.complete({}); });
    timer.start(time);
    co_return co_await over;
}

} // namespace proctor
