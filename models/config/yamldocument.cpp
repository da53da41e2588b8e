// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/yamldocument.h"

#include "models/config/yamlcomposer.h"

#include <QCoreApplication>
#include <QStringDecoder>

#include <algorithm>

namespace proctor
{

namespace
{
struct YamlText {
    Q_DECLARE_TR_FUNCTIONS(proctor::YamlText)
};
} // namespace

const YamlEntry *YamlNode::entry(const QString &key) const
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&key](const YamlEntry &candidate) {
        return candidate.key->isText() && candidate.key->scalar.text == key;
    });
    return found == entries.end() ? nullptr : &*found;
}

static bool isUtf8(QByteArrayView text)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString decoded = decoder(text);
    return !decoder.hasError() && (text.isEmpty() || !decoded.isNull());
}

static std::optional<Error> encodingProblem(const QByteArray &text, const QString &path)
{
    if (isUtf8(text))
        return std::nullopt;
    int line = 1;
    for (const QByteArray &bytes : text.split('\n')) {
        if (!isUtf8(bytes))
            break;
        ++line;
    }
    return Error{YamlText::tr("the file is not encoded in UTF-8"), path, line, 0};
}

/// libyaml counts the mark as a column of the first line, which then stands deeper than its neighbours.
static QByteArray withoutByteOrderMark(const QByteArray &text)
{
    static const QByteArray mark("\xef\xbb\xbf");
    return text.startsWith(mark) ? text.sliced(mark.size()) : text;
}

Expected<YamlDocument> YamlDocument::parse(const QByteArray &text, const QString &path)
{
    if (auto problem = encodingProblem(text, path))
        return *problem;
    auto document = YamlComposer(withoutByteOrderMark(text), path).compose();
    if (document) {
        auto &found = document->diagnostics;
        std::stable_sort(found.begin(), found.end(), [](const Diagnostic &a, const Diagnostic &b) {
            return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
        });
    }
    return document;
}

} // namespace proctor
