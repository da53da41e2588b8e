// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/checkpoint.h"

#include "models/run/foldercontent.h"

#include <QFile>

#include <sys/stat.h>

namespace proctor
{

static const QLatin1String journalKey("journal_bytes"), scoresKey("scores_bytes"),
    changedKey("scores_changed_ns"), attemptsKey("attempts");

static std::optional<struct stat> statusOf(const QString &path)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return std::nullopt;
    return status;
}

static qint64 changedNs(const struct stat &status)
{
    static constexpr qint64 second = 1'000'000'000;
    return status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
}

std::optional<Checkpoint> Checkpoint::of(const QString &folder, const Verdicts &verdicts)
{
    const auto scores = statusOf(pathIn(folder, folderfile::scores));
    const auto journal = statusOf(pathIn(folder, folderfile::journal));
    if (!scores || !journal)
        return std::nullopt;
    Checkpoint checkpoint{journal->st_size, scores->st_size, changedNs(*scores), {}};
    for (const Verdicts::Entry &entry : verdicts.entries()) {
        if (entry.isRunning())
            return std::nullopt;
        if (!entry.result || entry.result->attempt != entry.attempts)
            checkpoint.attempts[entry.slot.key()] = entry.attempts;
    }
    return checkpoint;
}

QJsonObject Checkpoint::toJson() const
{
    return {{journalKey, journalBytes},
            {scoresKey, scoresBytes},
            {changedKey, scoresChangedNs},
            {attemptsKey, attempts}};
}

std::optional<Checkpoint> Checkpoint::validIn(const QString &folder, const QJsonObject &json)
{
    const Checkpoint checkpoint{json[journalKey].toInteger(), json[scoresKey].toInteger(),
                                json[changedKey].toInteger(), json[attemptsKey].toObject()};
    const auto scores = statusOf(pathIn(folder, folderfile::scores));
    const auto journal = statusOf(pathIn(folder, folderfile::journal));
    if (checkpoint.journalBytes <= 0 || !scores || !journal || journal->st_size < checkpoint.journalBytes ||
        scores->st_size != checkpoint.scoresBytes || changedNs(*scores) != checkpoint.scoresChangedNs)
        return std::nullopt;
    return checkpoint;
}

} // namespace proctor
