// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/httpcall.h"
#include "app/secrets/scrubber.h"

#include <QJsonObject>

namespace proctor
{

/// An OpenAI-compatible endpoint and what is sent with each request.
struct ModelEndpoint {
    /// No slash at the end; with or without "/v1".
    QUrl base;
    QString model;
    /// Empty: none is sent.
    QString key;
};

struct ModelPatience {
    /// For one answer.
    std::chrono::milliseconds limit = std::chrono::minutes(10);
    /// Requests before it is given up.
    int tries = 5;
    /// Doubled from try to try.
    std::chrono::milliseconds firstPause = std::chrono::seconds(1);
    /// Also when the endpoint asks for more.
    std::chrono::milliseconds longestPause = std::chrono::minutes(1);
};

struct ModelFailure {
    /// A sentence without the key.
    QString message;
    /// The same request and every other will fail the same way: a wrong key, no such model.
    bool isPermanent = false;
};

/// The assistant's message as it came.
using ModelMessage = Expected<QJsonObject, ModelFailure>;

/// Asks a model through POST {base}/chat/completions, without streaming.
///
/// 408, 409, 425, 429 (Retry-After is kept to), 5xx, time-outs, cut connections and answers that cannot be
/// read are tried again with growing pauses. A base without "/v1" that knows no such address is asked once
/// more with it. A model that takes no temperature gets none.
class ModelClient : public QObject
{
    Q_OBJECT

public:
    ModelClient(QNetworkAccessManager *network, const ModelEndpoint &endpoint,
                const ModelPatience &patience = {}, QObject *parent = nullptr);

    /// `messages` and `tools` are JSON arrays; an empty `tools` is not sent. One at a time.
    QCoro::Task<ModelMessage> complete(QByteArray messages, QByteArray tools, CancellationToken token = {});

signals:
    /// Why a request is made once more.
    void retrying(const QString &sentence);

private:
    struct Judgement;

    QCoro::Task<Stepped<HttpAnswer>> post(QByteArray body, CancellationToken token);
    QCoro::Task<Stepped<HttpAnswer>> postTo(QUrl base, QByteArray body, CancellationToken token);
    QByteArray body(const QByteArray &messages, const QByteArray &tools) const;
    Judgement judge(const Stepped<HttpAnswer> &answer) const;
    Judgement judgeFailure(const StepFailure &failure) const;
    Judgement judgeStatus(const HttpAnswer &answer) const;
    QString address() const;
    std::chrono::milliseconds pauseBehind(int attempt, const Judgement &judgement) const;

    QNetworkAccessManager *m_network;
    ModelEndpoint m_endpoint;
    ModelPatience m_patience;
    Scrubber m_scrubber;
    bool m_knowsBase = false;
    bool m_sendsTemperature = true;
};

} // namespace proctor
