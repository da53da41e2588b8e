// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"
#include "models/exam/instance.h"

#include <QList>

namespace proctor
{

/// Instances in file order. Broken rows are among the diagnostics with their row number and the rest is loaded;
/// ids that are empty, duplicate or unsafe are errors.
struct LoadedDataset {
    QList<Instance> instances;
    Diagnostics diagnostics;
    /// "sha256:…" over ids and images: two files with the same tasks have the same fingerprint.
    QString fingerprint;
};

/// The formats, told apart by the file's ending: .jsonl, .json (an array of objects), .csv (RFC 4180, header row).
/// Columns: instance_id (required), docker_image, domain, user_question (or question), bundle; others are kept.
/// A relative `bundle` refers to the dataset file's folder; without one a folder named as the instance beside the file
/// is taken when it exists.
LoadedDataset loadDataset(const QString &path);

} // namespace proctor
