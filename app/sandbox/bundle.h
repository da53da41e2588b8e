// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QList>
#include <QString>

namespace proctor
{

/// A file of a bundle and where it belongs in the sandbox.
struct BundleFile {
    QString hostPath;
    /// Absolute, below /app.
    QString path;
    /// 0644, or 0755 for an executable.
    int mode = 0644;
    qint64 size = 0;
};

struct Bundle {
    QList<BundleFile> files;
    qint64 size = 0;
};

/// What is in a bundle: the folder that a task image has as /app. Links are followed as long as they stay
/// inside the folder. Errors: no such folder, a link that leaves it, something that is neither file nor
/// folder, over 100,000 files.
Expected<Bundle> readBundle(const QString &folder);

} // namespace proctor
