// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/proxy/httpparser.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QTcpSocket>

#include <chrono>
#include <memory>

namespace proctor
{

class HttpExchange;
class HttpServer;

struct HttpConnectionLimits {
    /// A connection between two requests.
    std::chrono::milliseconds idle = std::chrono::minutes(5);
    /// From the start of the connection, or the first byte of a later request, to the request's end.
    std::chrono::milliseconds request = std::chrono::minutes(1);
    /// A client that takes nothing of an answer that waits for it.
    std::chrono::milliseconds stalled = std::chrono::minutes(2);
};

/// One client of an HttpServer: reads its requests one after the other, the next one only when the answer to
/// the one before has been written and mostly been taken. So a client that sends without reading is not read
/// from, and costs two small buffers. Ends with the
/// socket, and is closed before it is destroyed.
class HttpConnection : public QObject
{
    Q_OBJECT

public:
    HttpConnection(QTcpSocket *socket, HttpServer *server);

    /// No request of it is being answered.
    bool isIdle() const { return !m_isAnswering; }
    /// Ends what is over its time.
    void checkTime();
    /// At once; what is unsent is lost, and a request under way is told `reason`.
    void close(const QString &reason);
    /// Answers and ends the connection.
    void refuse(HttpRefusal refusal);

    // For the exchange.
    void send(const QByteArray &bytes);
    qint64 unsent() const { return m_socket->bytesToWrite(); }
    void exchangeEnded(bool keepsAlive);
    void exchangeBroken();

signals:
    void closed();

private:
    /// Leaving: the last answer is being sent. Draining: it has been sent, the client's end is awaited.
    enum class Step { Open, Leaving, Draining, Closed };

    void proceed();
    bool readRequest();
    void startExchange();
    void bytesSent();
    void leave();
    void drain();
    void hold(qint64 bytes);

    QTcpSocket *m_socket;
    HttpServer *m_server;
    HttpParser m_parser;
    Step m_step = Step::Open;
    /// Read from the socket and not parsed yet: the beginning of what comes behind the request under way.
    QByteArray m_input;
    bool m_isAnswering = false;
    std::weak_ptr<HttpExchange> m_exchange;
    QDeadlineTimer m_deadline, m_stalled;
    /// Bytes of body that the server counts for this connection.
    qint64 m_held = 0;
};

} // namespace proctor
