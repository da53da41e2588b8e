// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/resultstore.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

/// A results folder in a temporary place, for the tests of the store.
class ResultFolder
{
public:
    QString path() const { return m_parent.filePath(QStringLiteral("travel")); }
    QString path(const char *name) const { return path() + QLatin1Char('/') + QString::fromUtf8(name); }

    void write(const char *name, const QByteArray &content) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("The test cannot write its file.");
    }

    void append(const char *name, const QByteArray &content) const { write(name, read(name) + content); }

    QByteArray read(const char *name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    bool has(const char *name) const { return QFile::exists(path(name)); }

private:
    QTemporaryDir m_parent;
};

inline proctor::Result resultOf(const QString &id, const proctor::Outcome &outcome, int attempt = 1,
                                int run = 0)
{
    proctor::Result result;
    result.instanceId = id;
    result.domain = QStringLiteral("hotel");
    if (run > 0)
        result.runId = run;
    result.outcome = outcome;
    result.attempt = attempt;
    result.durationSec = 1.5;
    return result;
}

inline QByteArray line(const proctor::Result &result)
{
    return result.toJsonLine() + '\n';
}

inline QByteArray line(proctor::JournalEvent::Kind kind, const proctor::Slot &slot, int attempt,
                       std::optional<proctor::Phase> phase = {}, std::optional<proctor::Result> result = {})
{
    proctor::JournalEvent event;
    event.at = QDateTime(QDate(2026, 11, 30), QTime(12, 0), Qt::UTC);
    event.kind = kind;
    event.slot = slot;
    event.attempt = attempt;
    event.phase = phase;
    event.result = std::move(result);
    return event.toJsonLine() + '\n';
}

inline QByteArray outcomeLine(const proctor::Result &result)
{
    return line(proctor::JournalEvent::Kind::Outcome, result.slot(), result.attempt, {}, result);
}

/// "id#run attempt state reward" of each verdict.
inline QStringList verdictsOf(const proctor::ResultStore &store)
{
    QStringList texts;
    for (const proctor::Result &result : store.results()) {
        const QString reward =
            result.outcome.reward ? QString::number(*result.outcome.reward) : QStringLiteral("-");
        texts << QStringLiteral("%1 %2 %3 %4")
                     .arg(result.slot().key())
                     .arg(result.attempt)
                     .arg(proctor::toWord(result.outcome.state), reward);
    }
    return texts;
}

inline QStringList warningsOf(const proctor::ResultStore &store)
{
    QStringList texts;
    for (const proctor::Diagnostic &warning : store.warnings())
        texts
            << QStringLiteral("%1:%2").arg(QFileInfo(warning.where.file).fileName()).arg(warning.where.line);
    return texts;
}
