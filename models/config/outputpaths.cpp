// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/outputpaths.h"

#include <QCoreApplication>

namespace proctor
{

namespace
{
struct OutputPaths {
    Q_DECLARE_TR_FUNCTIONS(proctor::OutputPaths)
};
} // namespace

static const QStringList &answerFiles()
{
    static const QStringList files{QStringLiteral("answer.json"), QStringLiteral("answer.md")};
    return files;
}

Expected<QString> normalisedOutputPath(const QString &path)
{
    const auto problem = [](const QString &message) { return Error{message, {}}; };
    if (path.isEmpty())
        return problem(OutputPaths::tr("an output path is empty"));
    if (path.contains(u'\\') || path.contains(QChar(u'\0')))
        return problem(
            OutputPaths::tr("the output path '%1' contains a backslash or NUL character").arg(path));
    QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    parts.removeAll(QStringLiteral("."));
    if (path.startsWith(u'/') || parts.isEmpty() || parts.contains(QLatin1String("..")))
        return problem(OutputPaths::tr("the output path '%1' must lie below the output folder").arg(path));
    const QString normalised = parts.join(u'/');
    if (parts.first() != QLatin1String("artifacts") && !answerFiles().contains(normalised))
        return problem(OutputPaths::tr("the output path '%1' must lie below artifacts/").arg(path));
    return normalised;
}

QStringList declaredOutputs(const QStringList &configured)
{
    QStringList outputs = answerFiles() + configured;
    outputs.removeDuplicates();
    return outputs;
}

} // namespace proctor
