// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/proxy/httpmessage.h"

#include <QCoroTask>

#include <memory>

namespace proctor
{

class HttpExchange;

/// Answers one request, now or later, in one piece or as it comes. A handle: copies speak of the same answer,
/// and the last one to go without having answered makes it a 500 (or breaks off a body that was begun), so
/// that no client waits for nothing. Everything is harmless when the client is gone. One thread, the
/// server's.
///
/// One piece: respond(). As it comes: head(), write()…, end(); between the writes wait for room():
///
///     responder.head(200, headers);
///     while (…) {
///         responder.write(piece);
///         const bool there = co_await responder.room();
///         if (!there)
///             co_return;
///     }
///     responder.end();
class HttpResponder
{
public:
    explicit HttpResponder(std::shared_ptr<HttpExchange> exchange);

    void respond(int status, const QByteArray &body,
                 const QByteArray &contentType = "application/json; charset=utf-8",
                 const QList<HttpHeader> &headers = {}) const;

    /// Begins an answer. With a Content-Length among the headers the body has to have that size; else it is
    /// chunked (1.1) or ends with the connection (1.0). Headers about the connection and the framing are
    /// ours and are left out, and so are headers that hold a line end.
    void head(int status, const QList<HttpHeader> &headers) const;
    void write(const QByteArray &bytes) const;
    void end() const;
    /// Breaks the connection, so that the client sees that the body is not whole.
    void abort() const;

    /// Whether little enough is waiting to be sent that more may be written.
    bool hasRoom() const;
    /// Waits for that; false when the client is gone. One waiter at a time.
    QCoro::Task<bool> room() const;

    /// Cancelled when the client hangs up, or the server is closed, before the answer has ended.
    CancellationToken gone() const;
    /// Whether an answer has been begun or the client is gone.
    bool isBegun() const;

private:
    std::shared_ptr<HttpExchange> m_exchange;
};

} // namespace proctor
