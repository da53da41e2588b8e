// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostmanifest.h"

#include "models/core/jsonmembers.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QStringDecoder>

#include <algorithm>
#include <optional>

namespace proctor
{

namespace
{

/// Takes fields out of the manifest and remembers the first thing that is wrong.
class FieldReader
{
public:
    explicit FieldReader(const QByteArray &json) { m_sections.insert(QString(), membersOf(json, {})); }

    const std::optional<Error> &error() const { return m_error; }

    /// `path` is "field" or "section.field".
    QString text(const QString &path)
    {
        const auto member = find(path);
        if (member && !member->text)
            fail(QStringLiteral("“%1” must be a text").arg(path));
        return member ? member->text.value_or(QString()) : QString();
    }

    QString textOr(const QString &path, const QString &fallback)
    {
        return find(path, IsRequired::No) ? text(path) : fallback;
    }

    QUrl url(const QString &path)
    {
        QString text = this->text(path).trimmed();
        while (text.endsWith(u'/'))
            text.chop(1);
        const QUrl url(text, QUrl::StrictMode);
        if (!url.isValid() || url.host().isEmpty() ||
            (url.scheme() != QLatin1String("http") && url.scheme() != QLatin1String("https")))
            fail(QStringLiteral("“%1” must be an http or https address").arg(path));
        return url;
    }

    QByteArray objects(const QString &path)
    {
        const auto member = find(path);
        if (!member)
            return {};
        const QByteArray raw = member->raw.toByteArray();
        const QJsonArray items = arrayIn(raw);
        const bool areObjects =
            std::all_of(items.begin(), items.end(), [](const QJsonValue &item) { return item.isObject(); });
        if (items.isEmpty() || !areObjects)
            fail(QStringLiteral("“%1” must be a list of one or more objects").arg(path));
        return raw;
    }

    QStringList texts(const QString &path)
    {
        const auto member = find(path);
        if (!member)
            return {};
        QStringList texts;
        const QJsonArray items = arrayIn(member->raw.toByteArray());
        for (const QJsonValue &item : items)
            texts << item.toString();
        if (texts.isEmpty() || texts.contains(QString()))
            fail(QStringLiteral("“%1” must be a list of one or more texts").arg(path));
        return texts;
    }

    void require(bool holds, const QString &sentence)
    {
        if (!holds)
            fail(sentence);
    }

private:
    enum class IsRequired { No, Yes };

    static QJsonArray arrayIn(const QByteArray &json) { return QJsonDocument::fromJson(json).array(); }

    void fail(const QString &sentence)
    {
        if (!m_error)
            m_error = Error{sentence};
    }

    QList<JsonMember> membersOf(QByteArrayView json, const QString &section)
    {
        const auto members = jsonMembers(json);
        if (members)
            return *members;
        fail(section.isEmpty() ? members.error().message
                               : QStringLiteral("“%1” must be an object").arg(section));
        return {};
    }

    std::optional<JsonMember> find(const QString &path, IsRequired isRequired = IsRequired::Yes)
    {
        const qsizetype dot = path.indexOf(u'.');
        const QString section = dot < 0 ? QString() : path.first(dot);
        if (!m_sections.contains(section)) {
            const auto holder = find(section, isRequired);
            m_sections.insert(section, holder ? membersOf(holder->raw, section) : QList<JsonMember>());
        }
        const QList<JsonMember> &members = m_sections[section];
        const QString name = path.sliced(dot + 1);
        // Of equal names the last counts, as in Python.
        const auto found = std::find_if(members.rbegin(), members.rend(),
                                        [&](const JsonMember &member) { return member.key == name; });
        if (found != members.rend() && !found->isNull())
            return *found;
        if (isRequired == IsRequired::Yes)
            fail(QStringLiteral("“%1” is missing").arg(path));
        return std::nullopt;
    }

    std::optional<Error> m_error;
    QHash<QString, QList<JsonMember>> m_sections;
};

} // namespace

Expected<HostManifest> HostManifest::parse(const QByteArray &json)
{
    QStringDecoder utf8(QStringDecoder::Utf8);
    const QString decoded = utf8(json);
    if (utf8.hasError())
        return Error{QStringLiteral("This is not UTF-8")};
    const QByteArray text = decoded.toUtf8(); // without a byte order mark

    FieldReader reader(text);
    const QString version = reader.text(QStringLiteral("protocol_version"));
    reader.require(version.startsWith(QLatin1String("1.")),
                   QStringLiteral("“protocol_version” is “%1”; this agent knows 1.0").arg(version));
    HostManifest manifest;
    manifest.systemPrompt = reader.text(QStringLiteral("prompts.system"));
    manifest.userPrompt = reader.text(QStringLiteral("prompts.user"));
    manifest.toolsUrl = reader.url(QStringLiteral("tools.url"));
    manifest.toolDefinitions = reader.objects(QStringLiteral("tools.definitions"));
    manifest.outputFolder = reader.text(QStringLiteral("output.directory"));
    reader.require(QDir::isAbsolutePath(manifest.outputFolder),
                   QStringLiteral("“output.directory” must be an absolute path"));
    manifest.outputPaths = reader.texts(QStringLiteral("output.paths"));
    manifest.llmUrl = reader.url(QStringLiteral("llm.base_url"));
    manifest.model = reader.text(QStringLiteral("llm.model"));
    reader.require(!manifest.model.trimmed().isEmpty(), QStringLiteral("“llm.model” is empty"));
    manifest.keyVariable = reader.textOr(QStringLiteral("llm.api_key_env"), QStringLiteral("LLM_API_KEY"));
    static const QRegularExpression variable(QStringLiteral("\\A[A-Za-z_][A-Za-z0-9_]*\\z"));
    reader.require(variable.match(manifest.keyVariable).hasMatch(),
                   QStringLiteral("“llm.api_key_env” must be the name of a variable"));
    if (reader.error())
        return *reader.error();
    return manifest;
}

Expected<HostManifest> HostManifest::read(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{QStringLiteral("The manifest cannot be read: %1").arg(file.errorString()), path};
    auto manifest = parse(file.readAll());
    if (!manifest) {
        return Error{QStringLiteral("The manifest is broken: %1").arg(manifest.error().message), path,
                     manifest.error().line, manifest.error().column};
    }
    return manifest;
}

} // namespace proctor
