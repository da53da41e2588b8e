// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/proxy/httpconnection.h"
#include "app/proxy/httpresponder.h"
#include "models/core/expected.h"

#include <QTcpServer>
#include <QTimer>

#include <functional>

namespace proctor
{

struct HttpServerLimits {
    HttpParserLimits request;
    HttpConnectionLimits times;
    /// Above this the one that has been idle the longest makes room; if none is idle, the new one is refused.
    int connections = 2000;
    /// Bytes of request bodies of all connections together.
    qint64 bodies = 256LL << 20;
};

/// HTTP for programs on this machine: listens on 127.0.0.1 alone, on a port the system chooses, and lets
/// `answer` answer each request, now or later. A browser can reach such a port with what a foreign page tells
/// it: a request whose Host is not a loopback name with our port, or whose Origin is foreign, is refused
/// with 403 before `answer` sees it. Lives on the thread that made it.
class HttpServer : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void(const HttpRequest &request, HttpResponder responder)>;

    explicit HttpServer(Answer answer, HttpServerLimits limits = {}, QObject *parent = nullptr);
    ~HttpServer() override;

    Expected<Nothing> listen();
    quint16 port() const { return m_server.serverPort(); }
    /// Listens no longer and breaks every connection; answers under way find their client gone.
    void close();

    int connectionCount() const { return static_cast<int>(m_connections.size()); }

    // For its connections.
    const HttpServerLimits &limits() const { return m_limits; }
    void answer(const HttpRequest &request, const HttpResponder &responder) const;
    void markUsed(HttpConnection *connection);
    void countHeld(qint64 difference) { m_held += difference; }
    bool holdsTooMuch() const { return m_held > m_limits.bodies; }

private:
    void takeConnections();
    void takeConnection(QTcpSocket *socket);
    void remove(HttpConnection *connection);
    bool makeRoom();
    void acceptFailed();
    void checkTimes();
    bool namesUs(QByteArrayView authority) const;

    Answer m_answer;
    HttpServerLimits m_limits;
    QTcpServer m_server;
    /// In the order of their last use, so that the first idle one is the one that is idle the longest.
    QList<HttpConnection *> m_connections;
    QTimer m_clock;
    qint64 m_held = 0;
};

} // namespace proctor
