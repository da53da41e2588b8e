// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/ownermark.h"
#include "models/core/expected.h"

#include <QTemporaryDir>

#include <memory>

namespace proctor
{

/// A temporary folder `proctor-XXXXXX`, mode 0700, that says in its file `.owner` whose it is: removed with
/// this object, or by the Reaper of the next start. The folder itself must stay the user's own; what is in it
/// need not.
class OwnedFolder
{
public:
    /// In `parent`, by default where temporary files go.
    static Expected<std::unique_ptr<OwnedFolder>> create(const QString &parent = {});

    /// The owner of a folder of this kind; nothing if it is none or belongs to another user.
    static std::optional<OwnerMark> ownerOf(const QString &folder);
    static QString defaultParent();
    /// What the names of such folders look like.
    static QString namePattern();

    QString path() const { return m_folder.path(); }
    QString filePath(const QString &name) const { return m_folder.filePath(name); }

private:
    explicit OwnedFolder(const QString &parent);

    QTemporaryDir m_folder;
};

} // namespace proctor
