// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/matrixfile.h"

#include "models/core/nearname.h"

#include <QSet>

namespace proctor
{

namespace
{

const QString configsKey = QStringLiteral("configs");
const QString agentsKey = QStringLiteral("agents");
const QString modelsKey = QStringLiteral("models");

class Reader
{
public:
    Reader(MatrixFile *matrix, QString path)
        : m_matrix(matrix)
        , m_path(std::move(path))
    {
    }

    void read(const YamlNodePtr &root);

private:
    void add(Diagnostic::Severity severity, const YamlMark &mark, const QString &sentence, const QString &key)
    {
        m_matrix->diagnostics << Diagnostic{severity, {sentence, m_path, mark.line, mark.column}, key};
    }
    void refuse(const YamlMark &mark, const QString &sentence, const QString &key)
    {
        add(Diagnostic::Severity::Error, mark, sentence, key);
    }
    void hintAtUnknown(const YamlNode &mapping, const QStringList &known, const QString &prefix);
    QList<YamlNodePtr> items(const YamlNode &root, const QString &key);
    std::optional<QString> text(const YamlNode &node, const QString &key);
    QList<MatrixFile::Name> names(const YamlNode &root, const QString &key);
    std::optional<MatrixFile::Agent> agent(const YamlNode &node);
    std::optional<MatrixFile::Agent> agentWithCommand(const YamlNode &node);
    /// False, with an error, for a name that stands in this axis already.
    bool isNew(const MatrixFile::Name &name, const QString &key);

    MatrixFile *m_matrix;
    QString m_path;
    QSet<QString> m_seen;
};

void Reader::read(const YamlNodePtr &root)
{
    if (!root || root->isNull())
        return refuse({1, 1, 0},
                      QStringLiteral("The matrix is empty: it needs configs, agents or models, each a list"),
                      {});
    if (!root->isMapping())
        return refuse(root->start, QStringLiteral("A matrix is a mapping of configs, agents and models"), {});
    hintAtUnknown(*root, {configsKey, agentsKey, modelsKey}, {});
    m_matrix->configs = names(*root, configsKey);
    m_matrix->models = names(*root, modelsKey);
    m_seen.clear();
    for (const YamlNodePtr &node : items(*root, agentsKey)) {
        const auto entry = agent(*node);
        if (entry && isNew(entry->name, agentsKey))
            m_matrix->agents << *entry;
    }
}

void Reader::hintAtUnknown(const YamlNode &mapping, const QStringList &known, const QString &prefix)
{
    for (const YamlEntry &entry : mapping.entries) {
        const QString key = entry.key->scalar.text;
        if (entry.key->isScalar() && known.contains(key))
            continue;
        const auto guess = nearestName(key, known);
        add(Diagnostic::Severity::Hint, entry.key->start,
            QStringLiteral("“%1” means nothing here%2")
                .arg(key, guess ? QStringLiteral("; do you mean “%1”?").arg(*guess) : QString()),
            prefix + key);
    }
}

/// The elements of an axis; nothing when the file does not have it.
QList<YamlNodePtr> Reader::items(const YamlNode &root, const QString &key)
{
    const YamlEntry *entry = root.entry(key);
    if (!entry)
        return {};
    if (!entry->value->isSequence() || entry->value->items.isEmpty()) {
        refuse(
            entry->value->start,
            QStringLiteral("“%1” is a list with at least one entry; leave it out to keep the configuration's "
                           "own")
                .arg(key),
            key);
        return {};
    }
    return entry->value->items;
}

/// What the scalar says as it is written: a model may be called 4.1.
std::optional<QString> Reader::text(const YamlNode &node, const QString &key)
{
    if (node.isScalar() && !node.isNull() && !node.scalar.text.trimmed().isEmpty())
        return node.scalar.text;
    refuse(node.start, QStringLiteral("“%1” takes names, and this is none").arg(key), key);
    return std::nullopt;
}

bool Reader::isNew(const MatrixFile::Name &name, const QString &key)
{
    if (!m_seen.contains(name.text)) {
        m_seen.insert(name.text);
        return true;
    }
    refuse(name.mark, QStringLiteral("“%1” stands in “%2” twice").arg(name.text, key), key);
    return false;
}

QList<MatrixFile::Name> Reader::names(const YamlNode &root, const QString &key)
{
    QList<MatrixFile::Name> names;
    m_seen.clear();
    for (const YamlNodePtr &node : items(root, key)) {
        const auto name = text(*node, key);
        if (name && isNew({*name, node->start}, key))
            names.append({*name, node->start});
    }
    return names;
}

std::optional<MatrixFile::Agent> Reader::agent(const YamlNode &node)
{
    if (node.isMapping())
        return agentWithCommand(node);
    const auto name = text(node, agentsKey);
    if (!name)
        return std::nullopt;
    return MatrixFile::Agent{{*name, node.start}, {}};
}

std::optional<MatrixFile::Agent> Reader::agentWithCommand(const YamlNode &node)
{
    const QString nameKey = QStringLiteral("name");
    const QString cmdKey = QStringLiteral("cmd");
    hintAtUnknown(node, {nameKey, cmdKey}, QStringLiteral("agents."));
    const YamlEntry *name = node.entry(nameKey);
    const YamlEntry *cmd = node.entry(cmdKey);
    if (!name || !cmd) {
        refuse(node.start,
               QStringLiteral("An agent of the matrix has a name and a cmd, or is a registered name"),
               agentsKey);
        return std::nullopt;
    }
    const auto nameText = text(*name->value, QStringLiteral("agents.name"));
    if (!cmd->value->isText() || cmd->value->scalar.text.trimmed().isEmpty()) {
        refuse(cmd->value->start, QStringLiteral("“cmd” is the agent's command line, a text"),
               QStringLiteral("agents.cmd"));
        return std::nullopt;
    }
    if (!nameText)
        return std::nullopt;
    return MatrixFile::Agent{{*nameText, name->value->start}, cmd->value->scalar.text};
}

} // namespace

MatrixFile parseMatrixFile(const QByteArray &yaml, const QString &path)
{
    MatrixFile matrix;
    const auto document = YamlDocument::parse(yaml, path);
    if (!document) {
        matrix.diagnostics << Diagnostic{Diagnostic::Severity::Error, document.error(), {}};
        return matrix;
    }
    matrix.diagnostics = document->diagnostics;
    Reader(&matrix, path).read(document->root);
    return matrix;
}

} // namespace proctor
