// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/agents/hostmanifest.h"
#include "app/agents/modelclient.h"
#include "app/agents/toolclient.h"
#include "app/agents/trajectory.h"

namespace proctor
{

struct FunctionAgentOptions {
    /// Answers of the model with which it may call tools.
    int maxTurns = 30;
    ModelPatience patience;
    std::chrono::milliseconds toolLimit = std::chrono::minutes(2);
};

/// The reference agent on the host: lets a model call the tools of an exam by function calling until it
/// answers in words, and writes answer.json and answer.md. The contract is that of flyai-bench's example
/// agent: when the turns are used up the model is asked once, without tools, for its answer; a request that
/// failed for good spends its turn. A program of its own (`proctor agent`), not a part of a run.
class FunctionAgent : public QObject
{
    Q_OBJECT

public:
    /// `key` may be empty.
    FunctionAgent(const HostManifest &manifest, const QString &key, const FunctionAgentOptions &options = {},
                  QObject *parent = nullptr);
    ~FunctionAgent() override;

    /// Makes what the outputs need. The error says why they cannot be written.
    Expected<Nothing> prepare();
    /// Once an agent, behind prepare(). The error says why there is no answer.
    QCoro::Task<Expected<Nothing>> run(CancellationToken token = {});

signals:
    /// What happens, for people: a line.
    void progressed(const QString &line);
    void warned(const QString &sentence);

private:
    struct ToolCall;

    QCoro::Task<Expected<QString>> converse(CancellationToken token);
    QCoro::Task<QString> takeTurn(int turn, QJsonObject reply, CancellationToken token);
    void tell(const ToolCall &call, const ToolResult &result);
    QCoro::Task<Expected<QString>> askForAnswer(CancellationToken token);
    Expected<Nothing> write(const QString &text);
    Expected<Nothing> writeFile(const QString &name, const QByteArray &content);
    void say(const QJsonObject &message);
    void say(const char *role, const QString &text);
    QByteArray conversation() const;

    HostManifest m_manifest;
    FunctionAgentOptions m_options;
    std::unique_ptr<QNetworkAccessManager> m_network;
    ModelClient m_model;
    ToolClient m_tools;
    Trajectory m_trajectory;
    /// Messages as JSON.
    QByteArrayList m_messages;
};

} // namespace proctor
