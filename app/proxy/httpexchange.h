// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/process/completion.h"
#include "app/proxy/httpmessage.h"

#include <memory>

namespace proctor
{

class HttpConnection;

/// A request on its connection and how far its answer is: what all copies of an HttpResponder share. Puts
/// answers into bytes. The connection detaches itself when it goes first.
class HttpExchange
{
public:
    HttpExchange(HttpConnection *connection, const HttpRequest &request);
    ~HttpExchange();
    Q_DISABLE_COPY_MOVE(HttpExchange)

    void head(int status, const QList<HttpHeader> &headers);
    void write(const QByteArray &bytes);
    void end();
    void abort();

    bool hasRoom() const;
    bool isBegun() const { return m_step != Step::Waiting; }
    bool isGone() const { return !m_connection; }
    CancellationToken gone() const { return m_gone.token(); }
    /// Completed with whether the client is still there.
    std::shared_ptr<Completion<bool>> room();

    /// From the connection: something has been sent.
    void sent();
    /// From the connection: it is gone, for this reason. Runs the callbacks of gone().
    void detach(const QString &reason);

private:
    enum class Step { Waiting, Writing, Ended };
    enum class Framing { None, Sized, Chunked, UntilClose };

    void leave(bool keepsAlive);

    HttpConnection *m_connection;
    bool m_isHead;
    int m_minorVersion;
    bool m_keepsAlive;
    Step m_step = Step::Waiting;
    Framing m_framing = Framing::None;
    /// Of a sized body: bytes that are still to come.
    qint64 m_left = 0;
    CancellationSource m_gone;
    std::shared_ptr<Completion<bool>> m_room;
};

} // namespace proctor
