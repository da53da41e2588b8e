// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/httpcall.h"

namespace proctor
{

/// What the model is told about a call, and what people are.
struct ToolResult {
    /// UTF-8, at most a little longer than ToolClient::contentMax.
    QByteArray content;
    /// The HTTP status of a call that was answered, or 0.
    int status = 0;

    bool isSuccess() const { return status >= 200 && status < 300; }
};

/// Calls the tools of a tool server: POST {url}/call/<name>.
class ToolClient
{
public:
    /// Bytes of a result that the model is given: of longer ones the beginning and the end.
    static constexpr qsizetype contentMax = 64 << 10;

    ToolClient(QNetworkAccessManager *network, const QUrl &url,
               std::chrono::milliseconds limit = std::chrono::minutes(2))
        : m_network(network)
        , m_url(url)
        , m_limit(limit)
    {
    }

    /// Sends `arguments` as they are. Every failure is a result of the form {"error", "status"}, the status
    /// only when the server answered. A name that a tool server does not know the like of, or arguments that
    /// are no JSON object, are not sent.
    QCoro::Task<ToolResult> call(QString name, QString arguments, CancellationToken token = {});

    /// Whether a tool server would take that.
    static bool isToolName(const QString &name);
    /// The same: a JSON object, or nothing.
    static bool areArguments(const QString &arguments);

private:
    QNetworkAccessManager *m_network;
    QUrl m_url;
    std::chrono::milliseconds m_limit;
};

} // namespace proctor
