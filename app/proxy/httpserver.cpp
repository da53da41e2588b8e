// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpserver.h"

#include <QNetworkProxy>

#include <sys/resource.h>

#include <algorithm>
#include <array>

using namespace std::chrono_literals;

namespace proctor
{

/// How long nobody is let in after the process has run out of files.
static constexpr auto acceptPause = 100ms;
/// Idle connections that are given up then.
static constexpr int acceptReserve = 16;
static constexpr rlim_t wantedFiles = 16384;

/// The usual soft limit of 1024 open files is less than one server's connections. Once for the process.
static void raiseFileLimit()
{
    static const bool raised = [] {
        rlimit limit{};
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wantedFiles)
            return false;
        limit.rlim_cur = std::min(limit.rlim_max, wantedFiles);
        return setrlimit(RLIMIT_NOFILE, &limit) == 0;
    }();
    Q_UNUSED(raised)
}

HttpServer::HttpServer(Answer answer, HttpServerLimits limits, QObject *parent)
    : QObject(parent)
    , m_answer(std::move(answer))
    , m_limits(limits)
{
    const auto shortest = std::min({m_limits.times.idle, m_limits.times.request, m_limits.times.stalled});
    m_clock.setInterval(std::clamp<std::chrono::milliseconds>(shortest / 4, 10ms, 1000ms));
    connect(&m_clock, &QTimer::timeout, this, &HttpServer::checkTimes);
    connect(&m_server, &QTcpServer::newConnection, this, &HttpServer::takeConnections);
    connect(&m_server, &QTcpServer::acceptError, this, &HttpServer::acceptFailed);
}

HttpServer::~HttpServer()
{
    close();
}

Expected<Nothing> HttpServer::listen()
{
    raiseFileLimit();
    m_server.setProxy(QNetworkProxy::NoProxy);
    m_server.setListenBacklogSize(1024);
    m_server.setMaxPendingConnections(m_limits.connections);
    if (!m_server.listen(QHostAddress::LocalHost, 0))
        return Error::ofMachine(tr("Cannot listen on 127.0.0.1: %1").arg(m_server.errorString()));
    return Nothing{};
}

void HttpServer::close()
{
    m_server.close();
    m_clock.stop();
    const auto connections = std::exchange(m_connections, {});
    for (HttpConnection *connection : connections) {
        disconnect(connection, nullptr, this, nullptr);
        connection->close(QStringLiteral("The server was closed"));
        connection->deleteLater();
    }
}

void HttpServer::takeConnections()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection())
        takeConnection(socket);
}

void HttpServer::takeConnection(QTcpSocket *socket)
{
    const bool hasRoom = connectionCount() < m_limits.connections || makeRoom();
    auto *connection = new HttpConnection(socket, this);
    m_connections << connection;
    connect(connection, &HttpConnection::closed, this, [this, connection] { remove(connection); });
    if (!hasRoom)
        connection->refuse({503, "too many connections"});
    if (!m_clock.isActive())
        m_clock.start();
}

void HttpServer::remove(HttpConnection *connection)
{
    m_connections.removeOne(connection);
    connection->deleteLater();
    if (m_connections.isEmpty())
        m_clock.stop();
}

void HttpServer::markUsed(HttpConnection *connection)
{
    m_connections.move(m_connections.indexOf(connection), m_connections.size() - 1);
}

bool HttpServer::makeRoom()
{
    const auto idle = std::find_if(m_connections.begin(), m_connections.end(),
                                   [](const HttpConnection *connection) { return connection->isIdle(); });
    if (idle == m_connections.end())
        return false;
    (*idle)->close(QStringLiteral("The connection made room for another"));
    return true;
}

/// Out of files, most of all: Qt lets nobody in any more until it is told to.
void HttpServer::acceptFailed()
{
    for (int i = 0; i < acceptReserve && makeRoom(); ++i) {
    }
    QTimer::singleShot(acceptPause, this, [this] { m_server.resumeAccepting(); });
}

void HttpServer::checkTimes()
{
    const auto connections = m_connections;
    for (HttpConnection *connection : connections)
        connection->checkTime();
}

bool HttpServer::namesUs(QByteArrayView authority) const
{
    const qsizetype colon = authority.lastIndexOf(':');
    if (colon < 0 || authority.sliced(colon + 1) != QByteArray::number(port()))
        return false;
    static constexpr std::array<QByteArrayView, 3> names{"127.0.0.1", "localhost", "[::1]"};
    const QByteArray name = authority.first(colon).toByteArray().toLower();
    return std::find(names.begin(), names.end(), name) != names.end();
}

void HttpServer::answer(const HttpRequest &request, const HttpResponder &responder) const
{
    static constexpr QByteArrayView scheme = "http://";
    const QByteArray origin = request.header("origin");
    if (!namesUs(request.header("host"))) {
        responder.respond(403, R"({"error":"the Host header does not name this server"})");
    } else if (request.hasHeader("origin") &&
               !(origin.startsWith(scheme) && namesUs(QByteArrayView(origin).sliced(scheme.size())))) {
        responder.respond(403, R"({"error":"requests from web pages are refused"})");
    } else {
        m_answer(request, responder);
    }
}

} // namespace proctor
