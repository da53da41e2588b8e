// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>

namespace proctor::test
{

/// Takes the place of `docker` and `podman` in PATH while it lives; see tests/support/fakeengine.py.
class FakeEngine
{
public:
    FakeEngine()
        : m_path(qgetenv("PATH"))
    {
        const QString program = QStringLiteral(PROCTOR_SOURCE_DIR "/tests/support/fakeengine.py");
        for (const QString &name : {QStringLiteral("docker"), QStringLiteral("podman")}) {
            if (!QFile::link(program, m_folder.filePath(name)))
                qFatal("cannot make a fake engine");
        }
        qputenv("PATH", QFile::encodeName(m_folder.path()) + ':' + m_path);
        qputenv("FAKE_ENGINE", QFile::encodeName(m_folder.path()));
    }
    ~FakeEngine()
    {
        qputenv("PATH", m_path);
        qunsetenv("FAKE_ENGINE");
    }
    Q_DISABLE_COPY_MOVE(FakeEngine)

    /// What is answered to calls with these words, one after the other.
    void play(const QString &words, const QList<QJsonObject> &answers)
    {
        QJsonArray list;
        for (const QJsonObject &answer : answers)
            list.append(answer);
        m_play.insert(words, list);
        QFile file(m_folder.filePath(QStringLiteral("play.json")));
        if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(m_play).toJson()) < 0)
            qFatal("cannot write the play");
    }

    /// The calls so far, each with the program's name first.
    QList<QStringList> calls() const
    {
        QList<QStringList> calls;
        QFile file(m_folder.filePath(QStringLiteral("calls.jsonl")));
        if (!file.open(QIODevice::ReadOnly))
            return calls;
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (!line.isEmpty())
                calls << QJsonDocument::fromJson(line).toVariant().toStringList();
        }
        return calls;
    }

    qsizetype callsWith(const QString &word) const
    {
        const QList<QStringList> all = calls();
        return std::count_if(all.begin(), all.end(),
                             [&word](const QStringList &call) { return call.contains(word); });
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_path;
    QJsonObject m_play;
};

inline QJsonObject said(const QString &out)
{
    return {{QStringLiteral("out"), out}};
}

inline QJsonObject failed(const QString &errors, int code = 1)
{
    return {{QStringLiteral("err"), errors}, {QStringLiteral("code"), code}};
}

} // namespace proctor::test
