// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace proctor
{

/// What is run in a results folder: the content of run.json. It never holds a secret.
struct RunIdentity {
    /// dataset, agent, judge, limits, sandbox, images, … exactly as they stand in the file; unknown members
    /// included.
    QJsonObject json;

    /// What makes two runs different exams: dataset (without instance count), agent, model, parameters,
    /// judge, limits. One sentence a difference ("agent model: qwen3.7-plus here, gpt-5 in the
    /// configuration"); empty = the same. Number of runs, limit and concurrency are no part of the identity.
    QStringList differencesFrom(const RunIdentity &other) const;

    /// Number of slots that the folder is made for. Nothing when the identity does not say, or when other
    /// datasets were mixed in, of which it is not known what they share.
    std::optional<int> plannedSlots() const;
    /// Id of the image that `image` stood for, as far as attempts have learnt it; else empty.
    QString imageId(const QString &image) const;

    QByteArray toFile() const;
    static Expected<RunIdentity> fromFile(const QByteArray &bytes, const QString &path);
};

} // namespace proctor
