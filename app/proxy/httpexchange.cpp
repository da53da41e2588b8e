// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpexchange.h"

#include "app/proxy/httpconnection.h"

#include <algorithm>
#include <array>
#include <utility>

namespace proctor
{

/// What may wait unsent before a writer is asked to wait.
static constexpr qint64 roomLimit = 256 * 1024;

/// Headers about one connection are never passed on from another.
static bool isOurs(const QByteArray &name)
{
    static constexpr std::array<QByteArrayView, 7> ours{
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"};
    return std::find(ours.begin(), ours.end(), name.toLower()) != ours.end();
}

static bool hasLineEnd(const QByteArray &text)
{
    return text.contains('\r') || text.contains('\n') || text.contains('\0');
}

static void appendHeader(QByteArray &out, QByteArrayView name, QByteArrayView value)
{
    out.append(name).append(": ").append(value).append("\r\n");
}

HttpExchange::HttpExchange(HttpConnection *connection, const HttpRequest &request)
    : m_connection(connection)
    , m_isHead(request.method == "HEAD")
    , m_minorVersion(request.minorVersion)
    , m_keepsAlive(request.keepsAlive())
{
}

HttpExchange::~HttpExchange()
{
    if (!m_connection || m_step == Step::Ended)
        return;
    if (m_step == Step::Writing) {
        abort();
    } else {
        head(500, {{"Content-Length", "0"}});
        end();
    }
}

void HttpExchange::head(int status, const QList<HttpHeader> &headers)
{
    if (!m_connection || m_step != Step::Waiting)
        return;
    m_step = Step::Writing;
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(status) + ' ';
    bytes.append(httpReason(status)).append("\r\n");
    bool isSized = false;
    for (const HttpHeader &header : headers) {
        if (isOurs(header.name) || hasLineEnd(header.name) || hasLineEnd(header.value))
            continue;
        if (header.name.compare("content-length", Qt::CaseInsensitive) == 0) {
            isSized = true;
            m_left = header.value.toLongLong();
        }
        appendHeader(bytes, header.name, header.value);
    }

    const bool neverHasBody = status == 204 || status == 304 || status < 200;
    if (m_isHead || neverHasBody)
        m_framing = Framing::None;
    else if (isSized)
        m_framing = Framing::Sized;
    else
        m_framing = m_minorVersion >= 1 ? Framing::Chunked : Framing::UntilClose;
    if (m_framing == Framing::Chunked)
        appendHeader(bytes, "Transfer-Encoding", "chunked");
    if (m_framing == Framing::UntilClose)
        m_keepsAlive = false;
    if (!m_keepsAlive)
        appendHeader(bytes, "Connection", "close");
    else if (m_minorVersion < 1)
        appendHeader(bytes, "Connection", "keep-alive");
    m_connection->send(bytes + "\r\n");
}

void HttpExchange::write(const QByteArray &bytes)
{
    if (!m_connection || m_step != Step::Writing || bytes.isEmpty() || m_framing == Framing::None)
        return;
    if (m_framing == Framing::Chunked)
        return m_connection->send(QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n");
    if (m_framing == Framing::Sized) {
        m_left -= bytes.size();
        // More than was said would be taken for the next answer.
        if (m_left < 0)
            return abort();
    }
    m_connection->send(bytes);
}

void HttpExchange::end()
{
    if (!m_connection || m_step != Step::Writing)
        return;
    if (m_framing == Framing::Sized && m_left != 0)
        return abort();
    if (m_framing == Framing::Chunked)
        m_connection->send("0\r\n\r\n");
    m_step = Step::Ended;
    leave(m_keepsAlive);
}

void HttpExchange::abort()
{
    if (!m_connection)
        return;
    m_step = Step::Ended;
    const auto connection = std::exchange(m_connection, nullptr);
    connection->exchangeBroken();
    if (m_room)
        m_room->complete(false);
}

void HttpExchange::leave(bool keepsAlive)
{
    const auto connection = std::exchange(m_connection, nullptr);
    connection->exchangeEnded(keepsAlive);
    if (m_room)
        m_room->complete(true);
}

bool HttpExchange::hasRoom() const
{
    return m_connection && m_connection->unsent() < roomLimit;
}

std::shared_ptr<Completion<bool>> HttpExchange::room()
{
    m_room = std::make_shared<Completion<bool>>(false);
    if (!m_connection)
        m_room->complete(false);
    else if (hasRoom())
        m_room->complete(true);
    return m_room;
}

void HttpExchange::sent()
{
    if (m_room && hasRoom())
        m_room->complete(true);
}

void HttpExchange::detach(const QString &reason)
{
    m_connection = nullptr;
    m_step = Step::Ended;
    if (m_room)
        m_room->complete(false);
    m_gone.cancel(reason);
}

} // namespace proctor
