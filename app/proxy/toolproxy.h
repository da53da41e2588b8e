// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/proxy/httpserver.h"
#include "app/sandbox/bridge.h"

#include <QElapsedTimer>
#include <QPointer>

namespace proctor
{

/// The tool server of one attempt for an agent on the host. A call goes down the bridge into the sandbox and
/// waits its turn there; who hangs up ends its tool.
///
/// Below url(): POST /call/<tool> with a JSON object, GET /tools, GET /health. Answers are JSON:
///   200 what the tool printed, unchanged where it is JSON, else {"raw": text[, "truncated": true]}
///   500 {"error": beginning of standard error, "returncode": n}, negative for a signal
///   400 and 413 for a call that cannot be made, 404 no such tool, 504 over the tool's limit, 503 the sandbox
///   is gone or too many calls are waiting: {"error": sentence}
/// The address holds a secret of 128 bits: whoever does not know it gets 404 for everything.
class ToolProxy : public QObject
{
    Q_OBJECT

public:
    /// `tools` is what the sandbox said in its BridgeReady. The bridge may go first: then calls get 503.
    ToolProxy(Bridge *bridge, const QStringList &tools, QObject *parent = nullptr);

    /// Lets agents in. Times in records count from here.
    Expected<Nothing> open();
    /// "http://127.0.0.1:<port>/<secret>", without a slash at the end; a path is appended as to the peer's.
    QString url() const;
    /// The agent's time is over: nobody gets in any more, calls under way are cut off. Ends when the last of
    /// their tools has ended, so that nothing of the agent's making goes on behind it. To be awaited before
    /// the proxy is destroyed.
    QCoro::Task<void> close();

signals:
    /// At the end of every call and of every attempt to make one, `who` being "host".
    void called(const proctor::BridgeToolCall &call);

private:
    void answer(const HttpRequest &request, const HttpResponder &responder);
    void answerPost(const QString &path, const QByteArray &body, const HttpResponder &responder);
    void call(const QString &name, const QByteArray &body, const HttpResponder &responder);
    static QCoro::Task<void> carryOut(QPointer<ToolProxy> proxy, BridgeToolCall record, ToolRequest request,
                                      HttpResponder responder);
    void ended(BridgeToolCall record, const Stepped<ToolCallEnd> &result);

    QPointer<Bridge> m_bridge;
    QStringList m_tools;
    QByteArray m_prefix;
    HttpServer m_server;
    QElapsedTimer m_clock;
    int m_count = 0;
    /// Calls under way, and what is completed when there is none after close().
    int m_open = 0;
    std::shared_ptr<Completion<Nothing>> m_quiet;
};

} // namespace proctor
