// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bundle.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace proctor
{

static constexpr qsizetype fileLimit = 100'000;

static QString tr(const char *text)
{
    return QCoreApplication::translate("proctor::Bundle", text);
}

/// Walks a bundle folder. Links to folders are entered too, so a limit of depth guards against circles.
class BundleReader
{
public:
    explicit BundleReader(const QString &folder)
        : m_root(QFileInfo(folder).canonicalFilePath())
    {
    }

    Expected<Nothing> read(const QString &folder, const QString &target, int depth)
    {
        const QDir::Filters everything =
            QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot;
        for (const QFileInfo &entry : QDir(folder).entryInfoList(everything, QDir::Name)) {
            const Expected<Nothing> taken = take(entry, target + QLatin1Char('/') + entry.fileName(), depth);
            if (!taken)
                return taken;
        }
        return Nothing{};
    }

    Bundle bundle;

private:
    static constexpr int depthLimit = 40;

    Expected<Nothing> take(const QFileInfo &entry, const QString &path, int depth)
    {
        const QString real = entry.canonicalFilePath();
        if (!real.startsWith(m_root + QLatin1Char('/')))
            return Error{
                tr("The bundle's link %1 leads out of the bundle or nowhere; put the file itself there")
                    .arg(entry.filePath())};
        if (depth > depthLimit || bundle.files.size() >= fileLimit)
            return Error{tr("The bundle %1 is too deep or has too many files").arg(m_root)};
        if (entry.isDir())
            return read(real, path, depth + 1);
        if (!entry.isFile())
            return Error{tr("The bundle's %1 is neither a file nor a folder").arg(entry.filePath())};
        bundle.files << BundleFile{real, path, entry.isExecutable() ? 0755 : 0644, entry.size()};
        bundle.size += entry.size();
        return Nothing{};
    }

    QString m_root;
};

Expected<Bundle> readBundle(const QString &folder)
{
    if (folder.isEmpty())
        return Error{tr("The instance names no bundle, and the local sandbox needs one: add a column "
                        "“bundle” to the dataset")};
    if (!QFileInfo(folder).isDir())
        return Error{tr("There is no bundle folder %1").arg(folder)};
    BundleReader reader(folder);
    const Expected<Nothing> read = reader.read(folder, QStringLiteral("/app"), 0);
    if (!read)
        return read.error();
    return std::move(reader.bundle);
}

} // namespace proctor
