// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/ownermark.h"

#include "app/process/processtable.h"

#include <QCryptographicHash>
#include <QDir>

namespace proctor
{

static constexpr auto ownerVariable = "PROCTOR_OWNER";
static constexpr auto runVariable = "PROCTOR_RUN";

static QString hashOfFolder(const QString &folder)
{
    const QByteArray path = QDir(folder).absolutePath().toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex().left(16));
}

OwnerMark OwnerMark::current(const QString &resultsFolder)
{
    return {ProcessIdentity::current(), resultsFolder.isEmpty() ? QString() : hashOfFolder(resultsFolder)};
}

std::optional<OwnerMark> OwnerMark::fromEnvironment(const QByteArray &environment)
{
    const auto owner =
        ProcessIdentity::fromText(QString::fromLatin1(environmentValue(environment, ownerVariable)));
    if (!owner)
        return std::nullopt;
    return OwnerMark{*owner, QString::fromLatin1(environmentValue(environment, runVariable))};
}

void OwnerMark::addTo(QProcessEnvironment *environment) const
{
    environment->insert(QLatin1String(ownerVariable), owner.toText());
    if (!run.isEmpty())
        environment->insert(QLatin1String(runVariable), run);
}

} // namespace proctor
