// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/yamldocument.h"

#include <QHash>
#include <QSet>

#include <yaml.h>

namespace proctor
{

/// Builds the tree of YamlDocument::parse from libyaml's events. Use once.
class YamlComposer
{
public:
    /// `text` is UTF-8.
    YamlComposer(const QByteArray &text, const QString &path);
    ~YamlComposer();
    Q_DISABLE_COPY_MOVE(YamlComposer)

    Expected<YamlDocument> compose();

private:
    /// The current event; null with m_error set when there is none.
    const yaml_event_t *next();
    bool composeDocument();
    YamlNodePtr composeNode(int depth);
    YamlNodePtr composeAlias();
    std::shared_ptr<YamlNode> composeScalar();
    std::shared_ptr<YamlNode> composeSequence(int depth);
    std::shared_ptr<YamlNode> composeMapping(int depth);
    bool rememberAnchor(const QString &anchor, const YamlMark &mark);

    void checkCollectionTag(const YamlNode &node, const QString &tag, const QStringList &known);
    void resolveEntries(YamlNode &mapping);
    QList<YamlEntry> mergedEntries(const YamlNode &value);
    void refuse(const YamlMark &mark, const QString &message);
    void warn(const YamlMark &mark, const QString &message);
    YamlNodePtr fail(const YamlMark &mark, const QString &message);

    QByteArray m_text;
    QString m_path;
    yaml_parser_t m_parser{};
    yaml_event_t m_event{};
    YamlDocument m_document;
    QHash<QString, YamlNodePtr> m_anchors;
    QSet<QString> m_openAnchors;
    std::optional<Error> m_error;
};

} // namespace proctor
