// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/process/completion.h"
#include "app/sandbox/step.h"

#include <QCoroTask>
#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QTimer>
#include <QUrl>

#include <chrono>
#include <memory>

namespace proctor
{

/// A request whose answer is wanted as a whole.
struct HttpPost {
    QUrl url;
    QByteArray body;
    QList<QNetworkReply::RawHeaderPair> headers;
    /// From the first byte out to the last byte in.
    std::chrono::milliseconds limit = std::chrono::minutes(2);
    /// Bytes of an answer above which it is not taken.
    qint64 answerMax = 64 << 20;
};

/// A complete answer, whatever its status says.
struct HttpAnswer {
    int status = 0;
    QByteArray body;
    QList<QNetworkReply::RawHeaderPair> headers;

    bool isSuccess() const { return status >= 200 && status < 300; }
    /// The value of the first header of that name, in any case; empty if there is none.
    QByteArray header(const QByteArray &name) const;
};

/// One POST of JSON, sent at most once: no redirection is followed (the key would go with it), no cookie
/// kept, and a connection that breaks is not tried again in secret.
///
/// It always ends in a value: an answer, or Failed (no connection, or one that was cut; an answer beyond
/// `answerMax`), TimedOut, Cancelled. It may be destroyed at any time. Lives in the thread of `network`.
class HttpCall : public QObject
{
    Q_OBJECT

public:
    HttpCall(QNetworkAccessManager *network, HttpPost post, QObject *parent = nullptr);
    ~HttpCall() override;

    /// Once a call.
    QCoro::Task<Stepped<HttpAnswer>> run(CancellationToken token = {});

private:
    void start();
    void read();
    void onFinished();
    void fail(StepFailure::Kind kind, const QString &message);
    void conclude(const Stepped<HttpAnswer> &end);
    void letGo();

    QNetworkAccessManager *m_network;
    HttpPost m_post;
    /// Not owned: deletes itself after letGo().
    QNetworkReply *m_reply = nullptr;
    QByteArray m_body;
    QTimer m_limit;
    CancellationRegistration m_cancellation;
    Completion<Stepped<HttpAnswer>> m_completion;
};

/// Where HttpCalls go out: this machine is reached directly, others by the proxy that the environment names.
std::unique_ptr<QNetworkAccessManager> makeNetwork();

/// Ends after `time`, or earlier when `token` is cancelled.
QCoro::Task<Nothing> pauseFor(std::chrono::milliseconds time, CancellationToken token);

} // namespace proctor
