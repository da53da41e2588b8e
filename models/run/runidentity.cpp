// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/runidentity.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <limits>

namespace proctor
{

static QString translated(const char *sentence)
{
    return QCoreApplication::translate("RunIdentity", sentence);
}

static QString shown(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        return translated(QT_TRANSLATE_NOOP("RunIdentity", "none"));
    case QJsonValue::String:
        return value.toString();
    case QJsonValue::Array:
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    case QJsonValue::Object:
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    default:
        return value.toVariant().toString();
    }
}

/// A member that is absent, null or an empty object says the same: nothing was chosen.
static bool isNothing(const QJsonValue &value)
{
    return value.isUndefined() || value.isNull() || (value.isObject() && value.toObject().isEmpty());
}

static void compare(const QString &name, const QJsonValue &here, const QJsonValue &there,
                    QStringList &differences)
{
    if (here.isObject() && there.isObject()) {
        QStringList keys = here.toObject().keys() + there.toObject().keys();
        keys.sort();
        keys.removeDuplicates();
        for (const QString &key : keys)
            compare(name + QLatin1Char(' ') + key, here[key], there[key], differences);
        return;
    }
    if (here == there || (isNothing(here) && isNothing(there)))
        return;
    differences << translated(QT_TRANSLATE_NOOP("RunIdentity", "%1: %2 here, %3 in the configuration"))
                       .arg(name, shown(here), shown(there));
}

static QStringList datasetDifferences(const QJsonObject &here, const QJsonObject &there)
{
    // How many instances a dataset has follows from its fingerprint.
    const auto withoutCount = [](const QJsonObject &identity) {
        QJsonObject dataset = identity[QLatin1String("dataset")].toObject();
        dataset.remove(QLatin1String("instances"));
        return dataset;
    };
    QStringList differences;
    compare(QStringLiteral("dataset"), withoutCount(here), withoutCount(there), differences);
    return differences;
}

QStringList RunIdentity::differencesFrom(const RunIdentity &other) const
{
    QStringList differences = datasetDifferences(json, other.json);
    for (const auto section : {QLatin1String("agent"), QLatin1String("judge"), QLatin1String("limits")})
        compare(section, json[section].toObject(), other.json[section].toObject(), differences);
    return differences;
}

std::optional<int> RunIdentity::plannedSlots() const
{
    const QJsonArray mixed = json[QLatin1String("mixed")].toArray();
    for (const QJsonValue &other : mixed) {
        if (!datasetDifferences(json, other.toObject()).isEmpty())
            return std::nullopt;
    }
    const qint64 instances = json[QLatin1String("dataset")].toObject()[QLatin1String("instances")].toInt(-1);
    const qint64 planned = instances * std::max(1, json[QLatin1String("runs")].toInt(1));
    if (planned < 0 || planned > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(planned);
}

QByteArray RunIdentity::toFile() const
{
    return QJsonDocument(json).toJson(QJsonDocument::Indented);
}

Expected<RunIdentity> RunIdentity::fromFile(const QByteArray &bytes, const QString &path)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    if (!document.isObject()) {
        const QString reason = error.error == QJsonParseError::NoError
                                   ? translated(QT_TRANSLATE_NOOP("RunIdentity", "it holds no object"))
                                   : error.errorString();
        return Error{
            translated(QT_TRANSLATE_NOOP("RunIdentity", "The identity of the run cannot be read: %1. "
                                                        "Put the file right, or move it away and adopt "
                                                        "the folder."))
                .arg(reason),
            path, 0, 0};
    }
    return RunIdentity{document.object()};
}

QString RunIdentity::imageId(const QString &image) const
{
    return json[QLatin1String("images")].toObject()[image].toString();
}

} // namespace proctor
