// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QByteArray>
#include <QStringList>
#include <QUrl>

namespace proctor
{

/// What an agent on the host is told about its attempt: agent_context.json of protocol "manifest-v1". Fields
/// that are not known are passed over.
struct HostManifest {
    QString systemPrompt;
    QString userPrompt;
    /// Tools are called at toolsUrl + "/call/" + name. No slash at the end.
    QUrl toolsUrl;
    /// The JSON array of function definitions exactly as it was written.
    QByteArray toolDefinitions;
    /// Absolute.
    QString outputFolder;
    /// Relative to it.
    QStringList outputPaths;
    /// No slash at the end.
    QUrl llmUrl;
    QString model;
    /// The variable that holds the key, which the manifest never does.
    QString keyVariable;

    /// The error names the field that is missing or broken.
    static Expected<HostManifest> read(const QString &path);
    static Expected<HostManifest> parse(const QByteArray &json);
};

} // namespace proctor
