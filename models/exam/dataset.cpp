// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/dataset.h"

#include "models/exam/datasetrows.h"
#include "models/exam/imagereference.h"
#include "models/exam/instanceid.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace proctor
{

using Severity = Diagnostic::Severity;

namespace
{
struct Dataset {
    Q_DECLARE_TR_FUNCTIONS(proctor::Dataset)
};

/// Turns rows into instances.
class InstanceReader
{
public:
    explicit InstanceReader(const QString &file);

    LoadedDataset read(DatasetRows &&rows);

private:
    bool hasIds(const DatasetRows &rows);
    void readRow(int number, QJsonObject &&values);
    std::optional<QString> readId(int number, const QJsonValue &value);
    QString bundleOf(const QString &id, const QString &written) const;
    void error(int row, const QString &message);

    QString m_file;
    QDir m_folder;
    QSet<QString> m_besideFile;
    QHash<QString, int> m_rowOfId;
    LoadedDataset m_loaded;
};
} // namespace

static constexpr qsizetype mostDiagnostics = 100;

static QString ending(const QString &file)
{
    return QFileInfo(file).suffix().toLower();
}

/// A row number is a line number except in a .json array.
static Diagnostic rowError(const QString &file, int row, const QString &message)
{
    const bool hasLines = ending(file) != QLatin1String("json");
    const QString text = hasLines ? message : Dataset::tr("row %1: %2").arg(row).arg(message);
    return {Severity::Error, {text, file, hasLines ? row : 0, 0}, {}};
}

static QString shown(const QString &id)
{
    return id.size() <= 80 ? id : id.left(80) + QChar(0x2026);
}

/// The text of a value that should be one: null is empty, anything else as JSON writes it.
static QString asText(const QJsonValue &value)
{
    if (value.isString() || value.isNull() || value.isUndefined())
        return value.toString();
    if (value.isObject())
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    return value.toVariant().toString();
}

InstanceReader::InstanceReader(const QString &file)
    : m_file(file)
    , m_folder(QFileInfo(file).absoluteDir())
{
    const QStringList folders = m_folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden);
    m_besideFile = {folders.begin(), folders.end()};
}

void InstanceReader::error(int row, const QString &message)
{
    m_loaded.diagnostics << rowError(m_file, row, message);
}

LoadedDataset InstanceReader::read(DatasetRows &&rows)
{
    m_loaded.diagnostics = rows.diagnostics;
    if (hasIds(rows)) {
        m_loaded.instances.reserve(rows.rows.size());
        for (DatasetRows::Row &row : rows.rows)
            readRow(row.number, std::move(row.values));
    }
    m_loaded.fingerprint = datasetFingerprint(m_loaded.instances);
    return m_loaded;
}

bool InstanceReader::hasIds(const DatasetRows &rows)
{
    const QString key = QStringLiteral("instance_id");
    const bool isColumn = rows.header.contains(key) || std::any_of(rows.rows.begin(), rows.rows.end(),
                                                                   [&key](const DatasetRows::Row &row) {
                                                                       return row.values.contains(key);
                                                                   });
    const bool isEmpty = rows.rows.isEmpty() && !hasErrors(rows.diagnostics);
    QString message;
    if (isEmpty && (isColumn || rows.header.isEmpty()))
        message = Dataset::tr("this dataset holds no instances");
    else if (!isColumn && !hasErrors(rows.diagnostics))
        message = Dataset::tr("the column '%1' is missing; there are: %2")
                      .arg(key, rows.columns().join(QStringLiteral(", ")));
    if (!message.isEmpty())
        m_loaded.diagnostics << Diagnostic{Severity::Error, {message, m_file, 0, 0}, {}};
    return isColumn;
}

void InstanceReader::readRow(int number, QJsonObject &&values)
{
    const auto id = readId(number, values.take(QStringLiteral("instance_id")));
    if (!id)
        return;
    Instance instance;
    instance.id = *id;
    instance.row = number;
    instance.image = asText(values.take(QStringLiteral("docker_image")));
    instance.bundle = bundleOf(*id, asText(values.take(QStringLiteral("bundle"))));
    const QJsonValue domain = values.contains(QStringLiteral("domain"))
                                  ? values.take(QStringLiteral("domain"))
                                  : QJsonValue(QString());
    if (!domain.isNull())
        instance.domain = asText(domain);
    const QString question = QStringLiteral("user_question");
    instance.question =
        asText(values.take(values.contains(question) ? question : QStringLiteral("question")));
    instance.extra = std::move(values);
    m_loaded.instances << std::move(instance);
}

std::optional<QString> InstanceReader::readId(int row, const QJsonValue &value)
{
    static constexpr double mostExact = 9007199254740992; // beyond, digits get lost
    const double written = value.toDouble();
    const bool isWhole = value.isDouble() && std::floor(written) == written && std::abs(written) < mostExact;
    if (value.isUndefined() || value.isNull()) {
        error(row, Dataset::tr("this row has no instance_id"));
        return std::nullopt;
    }
    if (!value.isString() && !isWhole) {
        error(row, Dataset::tr("the instance_id is neither text nor a whole number"));
        return std::nullopt;
    }
    const QString id = value.isString() ? value.toString() : QString::number(value.toInteger());
    if (const auto problem = idProblem(id)) {
        error(row, Dataset::tr("the instance_id '%1' cannot be used: %2").arg(shown(id), *problem));
        return std::nullopt;
    }
    if (m_rowOfId.contains(id)) {
        error(row, Dataset::tr("the instance_id '%1' is already used in row %2")
                       .arg(shown(id))
                       .arg(m_rowOfId.value(id)));
        return std::nullopt;
    }
    m_rowOfId.insert(id, row);
    return id;
}

QString InstanceReader::bundleOf(const QString &id, const QString &written) const
{
    if (!written.isEmpty())
        return QDir::cleanPath(m_folder.absoluteFilePath(written));
    for (const QString &name : {id, instanceFolderName(id)}) {
        if (m_besideFile.contains(name))
            return m_folder.absoluteFilePath(name);
    }
    return {};
}

static LoadedDataset unreadable(const QString &path, const QString &message)
{
    LoadedDataset loaded;
    loaded.diagnostics << Diagnostic{Severity::Error, {message, path, 0, 0}, {}};
    loaded.fingerprint = datasetFingerprint({});
    return loaded;
}

static void shorten(Diagnostics &diagnostics)
{
    const qsizetype more = diagnostics.size() - mostDiagnostics;
    if (more <= 0)
        return;
    // Errors decide whether to go on: they come before the warnings that are cut.
    std::stable_partition(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Severity::Error;
    });
    const QString file = diagnostics.first().where.file;
    diagnostics.resize(mostDiagnostics);
    diagnostics << Diagnostic{
        Severity::Warning, {Dataset::tr("%n more row(s) have problems", nullptr, int(more)), file, 0, 0}, {}};
}

LoadedDataset loadDataset(const QString &path)
{
    using Reader = DatasetRows (*)(const QByteArray &, const QString &);
    static const QHash<QString, Reader> readers{
        {QStringLiteral("jsonl"), DatasetRows::fromJsonLines},
        {QStringLiteral("json"), DatasetRows::fromJson},
        {QStringLiteral("csv"), DatasetRows::fromCsv},
    };
    const Reader reader = readers.value(ending(path));
    if (!QFileInfo::exists(path))
        return unreadable(path, Dataset::tr("there is no such dataset file"));
    if (!reader || QFileInfo(path).isDir())
        return unreadable(path, Dataset::tr("a dataset is a file that ends in .jsonl, .json or .csv"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, Dataset::tr("the dataset cannot be read (%1)").arg(file.errorString()));
    QByteArray text = file.readAll();
    if (text.startsWith("\xef\xbb\xbf"))
        text.remove(0, 3);
    LoadedDataset loaded = InstanceReader(path).read(reader(text, path));
    shorten(loaded.diagnostics);
    return loaded;
}

QString datasetFingerprint(const QList<Instance> &instances)
{
    std::vector<std::string> tasks;
    tasks.reserve(size_t(instances.size()));
    for (const Instance &instance : instances)
        tasks.push_back(
            QByteArray(instance.id.toUtf8() + '\0' + instance.image.toUtf8() + '\n').toStdString());
    std::sort(tasks.begin(), tasks.end());
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const std::string &task : tasks)
        hash.addData(QByteArrayView(task));
    return QStringLiteral("sha256:") + QString::fromLatin1(hash.result().toHex());
}

Diagnostics missingSources(const QList<Instance> &instances, InstanceSource source, const QString &file)
{
    Diagnostics problems;
    for (const Instance &instance : instances) {
        QString message;
        if (source == InstanceSource::Image && instance.image.isEmpty())
            message = Dataset::tr("the instance '%1' has no docker_image").arg(shown(instance.id));
        else if (source == InstanceSource::Image && !isImageReference(instance.image))
            message = Dataset::tr("“%1” cannot name an image (instance '%2')")
                          .arg(shown(instance.image), shown(instance.id));
        else if (source == InstanceSource::Bundle && instance.bundle.isEmpty())
            message = Dataset::tr("the instance '%1' has no bundle: no column 'bundle' and no folder of its "
                                  "name beside the "
                                  "dataset")
                          .arg(shown(instance.id));
        else if (source == InstanceSource::Bundle && !QFileInfo(instance.bundle).isDir())
            message = Dataset::tr("the bundle folder %1 of the instance '%2' does not exist")
                          .arg(instance.bundle, shown(instance.id));
        if (!message.isEmpty())
            problems << rowError(file, instance.row, message);
    }
    shorten(problems);
    return problems;
}

} // namespace proctor
