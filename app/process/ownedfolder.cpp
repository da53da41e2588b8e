// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/ownedfolder.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <unistd.h>

namespace proctor
{

static const QString ownerFile = QStringLiteral(".owner");

OwnedFolder::OwnedFolder(const QString &parent)
    : m_folder((parent.isEmpty() ? defaultParent() : parent) + QStringLiteral("/proctor-XXXXXX"))
{
}

QString OwnedFolder::defaultParent()
{
    return QStandardPaths::writableLocation(QStandardPaths::TempLocation);
}

QString OwnedFolder::namePattern()
{
    return QStringLiteral("proctor-*");
}

Expected<std::unique_ptr<OwnedFolder>> OwnedFolder::create(const QString &parent)
{
    std::unique_ptr<OwnedFolder> folder(new OwnedFolder(parent));
    if (!folder->m_folder.isValid()) {
        return Error{QCoreApplication::translate("OwnedFolder", "A temporary folder cannot be made: %1")
                         .arg(folder->m_folder.errorString()),
                     folder->m_folder.path()};
    }
    QSaveFile file(folder->filePath(ownerFile));
    const QByteArray owner = OwnerMark::current().owner.toText().toLatin1() + '\n';
    if (!file.open(QIODevice::WriteOnly) || file.write(owner) != owner.size() || !file.commit()) {
        return Error{QCoreApplication::translate("OwnedFolder", "A temporary file cannot be written: %1")
                         .arg(file.errorString()),
                     file.fileName()};
    }
    return folder;
}

std::optional<OwnerMark> OwnedFolder::ownerOf(const QString &folder)
{
    const QFileInfo info(folder);
    // Others may put what they like into a shared temporary folder.
    if (info.isSymLink() || !info.isDir() || info.ownerId() != geteuid())
        return std::nullopt;
    constexpr qint64 longest = 1024;
    QFile file(folder + u'/' + ownerFile);
    if (QFileInfo(file).isSymLink() || !QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const auto owner = ProcessIdentity::fromText(QString::fromLatin1(file.read(longest).trimmed()));
    if (!owner)
        return std::nullopt;
    return OwnerMark{*owner, {}};
}

} // namespace proctor
