// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/slotfolders.h"

#include "models/exam/instanceid.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>

#include <cerrno>
#include <cstring>

namespace proctor
{

static const QString attemptsName = QStringLiteral("attempts"), resultName = QStringLiteral("result.json");

QString SlotFolders::instanceFolder(const QString &instanceId) const
{
    return m_root + QLatin1Char('/') + instanceFolderName(instanceId);
}

QString SlotFolders::slotFolder(const Slot &slot) const
{
    const QString folder = instanceFolder(slot.instanceId);
    return m_hasRuns ? folder + QStringLiteral("/run_%1").arg(slot.run) : folder;
}

QString SlotFolders::attemptFolder(const Slot &slot, int attempt, int newest) const
{
    const QString folder = slotFolder(slot);
    return attempt >= newest ? folder : QStringLiteral("%1/%2/%3").arg(folder, attemptsName).arg(attempt);
}

static Expected<Nothing> makeFolder(const QString &path)
{
    if (QDir().mkpath(path))
        return Nothing{};
    return Error::ofMachine(QCoreApplication::translate("ResultStore",
                                                        "The folder %1 cannot be made. Is there room on the "
                                                        "disk and the right to write?")
                                .arg(path));
}

/// Moves the entries of a folder to another on the same file system.
static Expected<Nothing> moveEntries(const QString &from, const QStringList &names, const QString &to)
{
    if (names.isEmpty())
        return Nothing{};
    if (const auto made = makeFolder(to); !made)
        return made.error();
    for (const QString &name : names) {
        const QByteArray source = QFile::encodeName(from + QLatin1Char('/') + name);
        const QByteArray target = QFile::encodeName(to + QLatin1Char('/') + name);
        if (std::rename(source.constData(), target.constData()) != 0) {
            return Error::ofMachine(
                QCoreApplication::translate("ResultStore", "%1 cannot be moved to %2: %3")
                    .arg(from + QLatin1Char('/') + name, to, QString::fromLocal8Bit(std::strerror(errno))));
        }
    }
    return Nothing{};
}

static QStringList entriesOf(const QString &folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
}

Expected<Nothing> SlotFolders::archive(const Slot &slot, int attempt) const
{
    const QString folder = slotFolder(slot);
    QStringList names = entriesOf(folder);
    names.removeOne(attemptsName);
    if (names.removeOne(resultName))
        names << resultName;
    const QString earlier = QStringLiteral("%1/%2/%3").arg(folder, attemptsName).arg(attempt);
    if (const auto moved = moveEntries(folder, names, earlier); !moved)
        return moved.error();
    return makeFolder(folder);
}

Expected<Nothing> SlotFolders::moveIntoFirstRun(const QString &instanceId) const
{
    static const QRegularExpression runName(QStringLiteral("^run_[0-9]+$"));
    const QString folder = instanceFolder(instanceId);
    QStringList names = entriesOf(folder);
    names.removeIf([](const QString &name) { return runName.match(name).hasMatch(); });
    return moveEntries(folder, names, folder + QStringLiteral("/run_1"));
}

} // namespace proctor
