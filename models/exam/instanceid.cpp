// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/instanceid.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace proctor
{

static constexpr qsizetype longestFolderName = 200;
static constexpr qsizetype readablePart = 40;
static constexpr qsizetype hashDigits = 12;

namespace
{
struct InstanceId {
    Q_DECLARE_TR_FUNCTIONS(proctor::InstanceId)
};
} // namespace

std::optional<QString> idProblem(const QString &id)
{
    if (id.isEmpty())
        return InstanceId::tr("it is empty");
    if (id.contains(QChar(u'\0')))
        return InstanceId::tr("it contains a NUL character");
    if (id.contains(u'/'))
        return InstanceId::tr("it contains a '/'");
    if (id == QLatin1String(".") || id.contains(QLatin1String("..")))
        return InstanceId::tr("it contains '..' or is '.'");
    return std::nullopt;
}

static bool isReserved(const QString &name)
{
    static const QSet<QString> files{
        QStringLiteral("run.json"),
        QStringLiteral("run.lock"),
        QStringLiteral("scores.jsonl"),
        QStringLiteral("scores.jsonl.orig"),
        QStringLiteral("summary.json"),
        QStringLiteral("events.jsonl"),
        QStringLiteral("annotations.json"),
        QStringLiteral("result.json"),
        QStringLiteral("agent_stdout.txt"),
        QStringLiteral("agent_stderr.txt"),
        QStringLiteral("verifier_stdout.txt"),
        QStringLiteral("verifier_stderr.txt"),
        QStringLiteral("answer.json"),
        QStringLiteral("answer.md"),
        QStringLiteral("tool_calls.jsonl"),
        QStringLiteral("artifacts"),
        QStringLiteral("tool_trace.jsonl"),
        QStringLiteral("model_trace.jsonl"),
        QStringLiteral("trajectory.jsonl"),
        QStringLiteral("state.tar"),
        QStringLiteral("attempts"),
        QStringLiteral("bodies"),
    };
    static const QRegularExpression pattern(
        QStringLiteral("\\A(?:run_[0-9]+|(?:scores|events)\\.[0-9]+of[0-9]+\\.jsonl)\\z"));
    return files.contains(name) || pattern.match(name).hasMatch();
}

static bool isSafeFileName(const QString &name)
{
    const bool hasOddCharacter = std::any_of(
        name.begin(), name.end(), [](QChar c) { return c == u'/' || c.category() == QChar::Other_Control; });
    // A lone surrogate has no UTF-8: two such ids would share a folder.
    return !name.isEmpty() && !hasOddCharacter && !name.startsWith(u'.') && name.isValidUtf16() &&
           name.toUtf8().size() <= longestFolderName;
}

static QString readableStart(const QString &id)
{
    QString safe = id.left(readablePart);
    for (QChar &c : safe) {
        const bool isSafe = c.unicode() < 0x80 && (c.isLetterOrNumber() || QStringView(u"_.-").contains(c));
        if (!isSafe)
            c = u'_';
    }
    if (safe.startsWith(u'.'))
        safe[0] = u'_';
    return safe;
}

QString instanceFolderName(const QString &id)
{
    if (isSafeFileName(id) && !isReserved(id))
        return id;
    const QByteArray hash = QCryptographicHash::hash(id.toUtf8(), QCryptographicHash::Sha256).toHex();
    return readableStart(id) + u'-' + QString::fromLatin1(hash.left(hashDigits));
}

} // namespace proctor
