// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/yamlcomposer.h"

#include <QCoreApplication>

namespace proctor
{

namespace
{
struct Yaml {
    Q_DECLARE_TR_FUNCTIONS(proctor::Yaml)
};
} // namespace

static constexpr int deepest = 100;

static QString fromYaml(const yaml_char_t *text)
{
    return QString::fromUtf8(reinterpret_cast<const char *>(text));
}

static YamlMark toMark(const yaml_mark_t &mark)
{
    return {int(mark.line) + 1, int(mark.column) + 1, qsizetype(mark.index)};
}

YamlComposer::YamlComposer(const QByteArray &text, const QString &path)
    : m_text(text)
    , m_path(path)
{
    yaml_parser_initialize(&m_parser);
    yaml_parser_set_encoding(&m_parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&m_parser, reinterpret_cast<const unsigned char *>(m_text.constData()),
                                 size_t(m_text.size()));
}

YamlComposer::~YamlComposer()
{
    yaml_event_delete(&m_event);
    yaml_parser_delete(&m_parser);
}

Expected<YamlDocument> YamlComposer::compose()
{
    if (composeDocument())
        return m_document;
    return *m_error;
}

const yaml_event_t *YamlComposer::next()
{
    yaml_event_delete(&m_event);
    if (yaml_parser_parse(&m_parser, &m_event))
        return &m_event;
    YamlMark mark = toMark(m_parser.problem_mark);
    if (m_parser.error == YAML_READER_ERROR) // has only an offset in bytes
        mark = {int(m_text.left(qsizetype(m_parser.problem_offset)).count('\n')) + 1, 0, 0};
    QString reason = QString::fromUtf8(m_parser.problem);
    if (m_parser.context)
        reason = QStringLiteral("%1: %2").arg(QString::fromUtf8(m_parser.context), reason);
    fail(mark, Yaml::tr("this is not YAML (%1)").arg(reason));
    return nullptr;
}

bool YamlComposer::composeDocument()
{
    if (!next() || !next()) // the stream's start, then the document's or the stream's end
        return false;
    if (m_event.type == YAML_STREAM_END_EVENT)
        return true;
    if (!next())
        return false;
    m_document.root = composeNode(0);
    if (!m_document.root || !next() || !next()) // the document's end
        return false;
    if (m_event.type == YAML_STREAM_END_EVENT)
        return true;
    fail(toMark(m_event.start_mark),
         Yaml::tr("a second YAML document begins here; the file may hold only one"));
    return false;
}

/// Takes the current event and, of a collection, all up to its end.
YamlNodePtr YamlComposer::composeNode(int depth)
{
    if (m_event.type == YAML_ALIAS_EVENT)
        return composeAlias();
    const YamlMark start = toMark(m_event.start_mark);
    if (depth > deepest)
        return fail(start, Yaml::tr("this is nested more than %1 levels deep").arg(deepest));

    const bool isScalar = m_event.type == YAML_SCALAR_EVENT;
    const bool isSequence = m_event.type == YAML_SEQUENCE_START_EVENT;
    const QString anchor = fromYaml(isScalar     ? m_event.data.scalar.anchor
                                    : isSequence ? m_event.data.sequence_start.anchor
                                                 : m_event.data.mapping_start.anchor);
    if (!rememberAnchor(anchor, start))
        return nullptr;
    const auto node = isScalar     ? composeScalar()
                      : isSequence ? composeSequence(depth)
                                   : composeMapping(depth);
    if (node && !anchor.isEmpty()) {
        m_openAnchors.remove(anchor);
        m_anchors.insert(anchor, node);
    }
    return node;
}

bool YamlComposer::rememberAnchor(const QString &anchor, const YamlMark &mark)
{
    if (anchor.isEmpty())
        return true;
    if (m_anchors.contains(anchor) || m_openAnchors.contains(anchor)) {
        fail(mark, Yaml::tr("the anchor '%1' is already defined").arg(anchor));
        return false;
    }
    m_openAnchors.insert(anchor);
    return true;
}

YamlNodePtr YamlComposer::composeAlias()
{
    const QString anchor = fromYaml(m_event.data.alias.anchor);
    const YamlMark mark = toMark(m_event.start_mark);
    if (m_openAnchors.contains(anchor))
        return fail(mark, Yaml::tr("the alias '%1' stands inside what it refers to").arg(anchor));
    const YamlNodePtr node = m_anchors.value(anchor);
    return node ? node : fail(mark, Yaml::tr("no anchor '%1' is defined above").arg(anchor));
}

static YamlNode::Style styleOf(yaml_scalar_style_t style)
{
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        return YamlNode::Style::SingleQuoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return YamlNode::Style::DoubleQuoted;
    case YAML_LITERAL_SCALAR_STYLE:
        return YamlNode::Style::Literal;
    case YAML_FOLDED_SCALAR_STYLE:
        return YamlNode::Style::Folded;
    case YAML_PLAIN_SCALAR_STYLE:
    case YAML_ANY_SCALAR_STYLE:
        break;
    }
    return YamlNode::Style::Plain;
}

std::shared_ptr<YamlNode> YamlComposer::composeScalar()
{
    const auto &event = m_event.data.scalar;
    auto node = std::make_shared<YamlNode>();
    node->start = toMark(m_event.start_mark);
    node->end = toMark(m_event.end_mark);
    node->style = styleOf(event.style);
    const QString text =
        QString::fromUtf8(reinterpret_cast<const char *>(event.value), qsizetype(event.length));
    if (event.plain_implicit) {
        node->scalar = resolvePlainScalar(text);
    } else if (event.quoted_implicit || !event.tag) {
        node->scalar = textScalar(text);
    } else if (const auto tagged = resolveTaggedScalar(text, fromYaml(event.tag))) {
        node->scalar = *tagged;
    } else {
        refuse(node->start, Yaml::tr("the tag '%1' is not known").arg(fromYaml(event.tag)));
        node->scalar = textScalar(text);
    }
    if (node->scalar.kind == YamlScalar::Kind::Invalid)
        refuse(node->start,
               Yaml::tr("this has the form of a number or date but is none; put it in quotes to mean text"));
    return node;
}

std::shared_ptr<YamlNode> YamlComposer::composeSequence(int depth)
{
    auto node = std::make_shared<YamlNode>();
    node->kind = YamlNode::Kind::Sequence;
    node->start = toMark(m_event.start_mark);
    checkCollectionTag(*node, fromYaml(m_event.data.sequence_start.tag),
                       {QStringLiteral("seq"), QStringLiteral("omap"), QStringLiteral("pairs")});
    while (next() && m_event.type != YAML_SEQUENCE_END_EVENT) {
        const YamlNodePtr item = composeNode(depth + 1);
        if (!item)
            return nullptr;
        if (item->isScalar() && item->scalar.kind == YamlScalar::Kind::Merge)
            refuse(item->start,
                   Yaml::tr("'<<' stands for nothing in a list; put it in quotes to mean the text"));
        node->items << item;
    }
    node->end = toMark(m_event.end_mark);
    return m_error ? nullptr : node;
}

std::shared_ptr<YamlNode> YamlComposer::composeMapping(int depth)
{
    auto node = std::make_shared<YamlNode>();
    node->kind = YamlNode::Kind::Mapping;
    node->start = toMark(m_event.start_mark);
    checkCollectionTag(*node, fromYaml(m_event.data.mapping_start.tag),
                       {QStringLiteral("map"), QStringLiteral("set")});
    while (next() && m_event.type != YAML_MAPPING_END_EVENT) {
        YamlEntry entry;
        entry.key = composeNode(depth + 1);
        if (!entry.key || !next())
            return nullptr;
        entry.isAlias = m_event.type == YAML_ALIAS_EVENT;
        entry.value = composeNode(depth + 1);
        if (!entry.value)
            return nullptr;
        node->written << entry;
    }
    node->end = toMark(m_event.end_mark);
    if (m_error)
        return nullptr;
    resolveEntries(*node);
    return node;
}

void YamlComposer::checkCollectionTag(const YamlNode &node, const QString &tag, const QStringList &known)
{
    static const QLatin1String prefix("tag:yaml.org,2002:");
    const bool isKnown = tag.startsWith(prefix) && known.contains(tag.mid(prefix.size()));
    if (!tag.isEmpty() && tag != QLatin1String("!") && !isKnown)
        refuse(node.start, Yaml::tr("the tag '%1' is not known or not for this kind of value").arg(tag));
}

/// Equal for keys that are one key to the peer's loader.
static QString identityOf(const YamlScalar &key)
{
    if (key.kind == YamlScalar::Kind::Bool)
        return QStringLiteral("number %1").arg(int(key.boolean));
    if (key.isNumber() && key.integer)
        return QStringLiteral("number %1").arg(*key.integer);
    if (key.isNumber())
        return QStringLiteral("number %1").arg(key.number);
    return key.isNull() ? QStringLiteral("null") : QStringLiteral("text ") + key.text;
}

void YamlComposer::resolveEntries(YamlNode &mapping)
{
    QList<YamlEntry> merged;
    QList<YamlEntry> own;
    QHash<QString, int> lines;
    for (const YamlEntry &entry : mapping.written) {
        if (!entry.key->isScalar()) {
            refuse(entry.key->start, Yaml::tr("a list or mapping cannot be a key"));
            continue;
        }
        const YamlScalar &key = entry.key->scalar;
        if (key.kind == YamlScalar::Kind::Merge) {
            merged += mergedEntries(*entry.value);
            continue;
        }
        const QString identity = identityOf(key);
        if (lines.contains(identity)) {
            warn(entry.key->start, Yaml::tr("'%1' is already given in line %2; this later one counts")
                                       .arg(key.text)
                                       .arg(lines.value(identity)));
        }
        lines.insert(identity, entry.key->start.line);
        own << entry;
    }

    QHash<QString, qsizetype> places;
    for (const YamlEntry &entry : merged + own) {
        const QString identity = identityOf(entry.key->scalar);
        if (places.contains(identity)) {
            mapping.entries[places.value(identity)] = entry;
        } else {
            places.insert(identity, mapping.entries.size());
            mapping.entries << entry;
        }
    }
}

/// What `<<: value` brings in, the weakest first: of a list the first mapping is the strongest.
QList<YamlEntry> YamlComposer::mergedEntries(const YamlNode &value)
{
    QList<YamlEntry> merged;
    if (value.isMapping()) {
        merged = value.entries;
    } else if (value.isSequence()) {
        for (auto item = value.items.crbegin(); item != value.items.crend(); ++item) {
            if ((*item)->isMapping())
                merged += (*item)->entries;
            else
                refuse((*item)->start, Yaml::tr("only mappings can be merged by '<<'"));
        }
    } else {
        refuse(value.start, Yaml::tr("'<<' takes a mapping or a list of mappings"));
    }
    for (YamlEntry &entry : merged)
        entry.isMerged = true;
    return merged;
}

void YamlComposer::refuse(const YamlMark &mark, const QString &message)
{
    m_document.diagnostics << Diagnostic{
        Diagnostic::Severity::Error, {message, m_path, mark.line, mark.column}, {}};
}

void YamlComposer::warn(const YamlMark &mark, const QString &message)
{
    m_document.diagnostics << Diagnostic{
        Diagnostic::Severity::Warning, {message, m_path, mark.line, mark.column}, {}};
}

YamlNodePtr YamlComposer::fail(const YamlMark &mark, const QString &message)
{
    m_error = Error{message, m_path, mark.line, mark.column};
    return nullptr;
}

} // namespace proctor
