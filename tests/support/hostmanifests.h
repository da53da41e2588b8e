// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace proctor::test
{

/// What a manifest for an agent on the host says.
struct ManifestFields {
    QString toolsUrl;
    QString llmUrl;
    QString outputFolder;
    QStringList outputPaths{QStringLiteral("answer.json"), QStringLiteral("answer.md")};
    QString model = QStringLiteral("fake-1");

    QByteArray json() const
    {
        const QJsonObject function{{QStringLiteral("name"), QStringLiteral("echo")},
                                   {QStringLiteral("parameters"), QJsonObject()}};
        const QJsonObject definition{{QStringLiteral("type"), QStringLiteral("function")},
                                     {QStringLiteral("function"), function}};
        const QJsonObject prompts{{QStringLiteral("system"), QStringLiteral("你是旅行助手")},
                                  {QStringLiteral("user"), QStringLiteral("杭州最便宜的酒店?")}};
        const QJsonObject tools{{QStringLiteral("url"), toolsUrl},
                                {QStringLiteral("definitions"), QJsonArray{definition}}};
        const QJsonObject output{{QStringLiteral("directory"), outputFolder},
                                 {QStringLiteral("paths"), QJsonArray::fromStringList(outputPaths)}};
        const QJsonObject llm{{QStringLiteral("base_url"), llmUrl},
                              {QStringLiteral("model"), model},
                              {QStringLiteral("api_key_env"), QStringLiteral("LLM_API_KEY")}};
        const QJsonObject manifest{{QStringLiteral("protocol_version"), QStringLiteral("1.0")},
                                   {QStringLiteral("prompts"), prompts},
                                   {QStringLiteral("tools"), tools},
                                   {QStringLiteral("task_context"), QJsonValue()},
                                   {QStringLiteral("output"), output},
                                   {QStringLiteral("llm"), llm}};
        return QJsonDocument(manifest).toJson();
    }
};

} // namespace proctor::test
