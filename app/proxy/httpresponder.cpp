// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpresponder.h"

#include "app/proxy/httpexchange.h"

namespace proctor
{

HttpResponder::HttpResponder(std::shared_ptr<HttpExchange> exchange)
    : m_exchange(std::move(exchange))
{
}

void HttpResponder::respond(int status, const QByteArray &body, const QByteArray &contentType,
                            const QList<HttpHeader> &headers) const
{
    m_exchange->head(status, QList<HttpHeader>{{"Content-Type", contentType},
                                               {"Content-Length", QByteArray::number(body.size())}} +
                                 headers);
    m_exchange->write(body);
    m_exchange->end();
}

void HttpResponder::head(int status, const QList<HttpHeader> &headers) const
{
    m_exchange->head(status, headers);
}

void HttpResponder::write(const QByteArray &bytes) const
{
    m_exchange->write(bytes);
}

void HttpResponder::end() const
{
    m_exchange->end();
}

void HttpResponder::abort() const
{
    m_exchange->abort();
}

bool HttpResponder::hasRoom() const
{
    return m_exchange->hasRoom();
}

QCoro::Task<bool> HttpResponder::room() const
{
    const auto room = m_exchange->room();
    co_return co_await *room;
}

CancellationToken HttpResponder::gone() const
{
    return m_exchange->gone();
}

bool HttpResponder::isBegun() const
{
    return m_exchange->isBegun();
}

} // namespace proctor
