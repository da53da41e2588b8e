// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpconnection.h"

#include "app/proxy/httpexchange.h"
#include "app/proxy/httpresponder.h"
#include "app/proxy/httpserver.h"

#include <sys/socket.h>

#include <utility>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr qint64 readSize = 64 * 1024;
/// With more unsent than this a further request has to wait.
static constexpr qint64 pipelineLimit = 64 * 1024;
/// How long a client may take to notice that its connection is over.
static constexpr auto drainTime = 2s;

HttpConnection::HttpConnection(QTcpSocket *socket, HttpServer *server)
    : QObject(server)
    , m_socket(socket)
    , m_server(server)
    , m_parser(server->limits().request)
    , m_deadline(server->limits().times.request)
{
    m_socket->setParent(this);
    // What a client sends while it is not listened to piles up in the kernel, not here.
    m_socket->setReadBufferSize(readSize);
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(m_socket, &QTcpSocket::readyRead, this, &HttpConnection::proceed);
    connect(m_socket, &QTcpSocket::bytesWritten, this, &HttpConnection::bytesSent);
    connect(m_socket, &QTcpSocket::disconnected, this,
            [this] { close(QStringLiteral("The client hung up")); });
}

void HttpConnection::proceed()
{
    if (m_step == Step::Draining)
        m_socket->skip(m_socket->bytesAvailable());
    while (m_step == Step::Open && !m_isAnswering && unsent() <= pipelineLimit && readRequest())
        startExchange();
}

/// Whether a request is complete.
bool HttpConnection::readRequest()
{
    while (!m_parser.isComplete()) {
        if (m_input.isEmpty())
            m_input = m_socket->read(readSize);
        if (m_input.isEmpty())
            return false;
        if (m_parser.isFresh())
            m_deadline.setRemainingTime(m_server->limits().times.request);
        m_input.remove(0, m_parser.feed(m_input));
        hold(m_parser.held());
        if (m_parser.refusal()) {
            refuse(*m_parser.refusal());
            return false;
        }
        if (m_server->holdsTooMuch()) {
            refuse({503, "too much is being sent at once"});
            return false;
        }
        if (m_parser.awaitsContinue() && m_input.isEmpty())
            send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    return true;
}

void HttpConnection::startExchange()
{
    const HttpRequest request = m_parser.take();
    const auto exchange = std::make_shared<HttpExchange>(this, request);
    m_exchange = exchange;
    m_isAnswering = true;
    m_server->markUsed(this);
    m_server->answer(request, HttpResponder(exchange));
}

void HttpConnection::exchangeEnded(bool keepsAlive)
{
    m_isAnswering = false;
    hold(0);
    if (m_step != Step::Open)
        return;
    if (!keepsAlive)
        return leave();
    m_deadline.setRemainingTime(m_server->limits().times.idle);
    // Not from here: a client that sends a thousand requests at once must not fill the stack.
    QMetaObject::invokeMethod(this, &HttpConnection::proceed, Qt::QueuedConnection);
}

void HttpConnection::exchangeBroken()
{
    m_isAnswering = false;
    close({});
}

void HttpConnection::send(const QByteArray &bytes)
{
    if (m_step == Step::Closed)
        return;
    if (unsent() == 0)
        m_stalled.setRemainingTime(m_server->limits().times.stalled);
    m_socket->write(bytes);
}

void HttpConnection::bytesSent()
{
    m_stalled.setRemainingTime(m_server->limits().times.stalled);
    if (const auto exchange = m_exchange.lock())
        exchange->sent();
    if (m_step == Step::Leaving && unsent() == 0)
        drain();
    else
        proceed();
}

void HttpConnection::refuse(HttpRefusal refusal)
{
    if (m_step != Step::Open)
        return;
    const QByteArray body = QByteArrayLiteral("{\"error\":\"") + refusal.sentence + "\"}";
    QByteArray head = "HTTP/1.1 " + QByteArray::number(refusal.status) + ' ';
    head.append(httpReason(refusal.status));
    send(head + "\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: " +
         QByteArray::number(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
    hold(0);
    leave();
}

void HttpConnection::leave()
{
    m_step = Step::Leaving;
    m_input.clear();
    if (unsent() == 0)
        drain();
}

/// Closing a socket with unread input would reset the connection and destroy the answer on its way: our side
/// is ended, and what the client still sends is read until it ends, too.
void HttpConnection::drain()
{
    m_step = Step::Draining;
    m_deadline.setRemainingTime(drainTime);
    ::shutdown(static_cast<int>(m_socket->socketDescriptor()), SHUT_WR);
    proceed();
}

void HttpConnection::checkTime()
{
    if (unsent() > 0) {
        if (m_stalled.hasExpired())
            close(QStringLiteral("The client took nothing of its answer"));
    } else if (!m_isAnswering && m_deadline.hasExpired()) {
        if (m_step == Step::Open && !m_parser.isFresh())
            refuse({408, "the request did not come in time"});
        else
            close(QStringLiteral("The connection was idle"));
    }
}

void HttpConnection::close(const QString &reason)
{
    if (std::exchange(m_step, Step::Closed) == Step::Closed)
        return;
    m_isAnswering = false;
    m_socket->abort();
    hold(0);
    if (const auto exchange = m_exchange.lock())
        exchange->detach(reason);
    emit closed();
}

void HttpConnection::hold(qint64 bytes)
{
    m_server->countHeld(bytes - std::exchange(m_held, bytes));
}

} // namespace proctor
