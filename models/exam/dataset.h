// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"
#include "models/exam/instance.h"

#include <QList>

namespace proctor
{

/// Instances in file order. Rows that cannot be read are warnings with their row number and the rest is
/// loaded; a missing file, a missing column and ids that are absent, empty, duplicate or unsafe are errors.
/// Of many remarks the first hundred are given, and how many more there are.
struct LoadedDataset {
    QList<Instance> instances;
    Diagnostics diagnostics;
    /// "sha256:…" over ids and images: two files with the same tasks have the same fingerprint, in whatever
    /// order.
    QString fingerprint;
};

/// The formats, told apart by the file's ending: .jsonl, .json (an array of objects), .csv (RFC 4180, header
/// row); UTF-8 with or without a byte order mark. Columns: instance_id (required; a whole number is taken as
/// its digits), docker_image, domain (absent is the empty text, null stays null), user_question (or
/// question), bundle; others are kept. A relative `bundle` refers to the dataset file's folder; without one a
/// folder named as the instance beside the file is taken when it exists.
LoadedDataset loadDataset(const QString &path);

/// "sha256:" and the digest over the ids and images, sorted by id: each id, NUL, image, newline in UTF-8.
QString datasetFingerprint(const QList<Instance> &instances);

/// What an instance is unpacked from: a Docker sandbox needs an image, a local one a bundle.
enum class InstanceSource { Image, Bundle };

/// An error, with the row, for each instance that lacks what it is to be unpacked from, or whose image no
/// engine could know by that name. `file` is the
/// dataset, for messages. To be asked before a run with the instances that will run.
Diagnostics missingSources(const QList<Instance> &instances, InstanceSource source, const QString &file);

} // namespace proctor
