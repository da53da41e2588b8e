// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

namespace proctor::test
{

/// A bundle made for a test: one tool, one database, a verifier that can be replaced.
class TrialBundle
{
public:
    TrialBundle()
    {
        write(QStringLiteral("system.md"), "You are examined.\n");
        write(QStringLiteral("instruction.md"), "Find it.\n");
        write(QStringLiteral("context.json"), "{}\n");
        write(QStringLiteral("tool_defs.json"),
              "[{\"type\":\"function\",\"function\":{\"name\":\"look\"}}]\n");
        write(QStringLiteral("goods.db"), "the database\n");
        write(QStringLiteral("tools/look"),
              "#!/bin/bash\necho '{\"tool\":\"look\"}' >> /app/.tool_calls.jsonl\necho '{\"found\": 3}'\n",
              true);
        setVerifier("echo 0.45 > /app/reward.txt\n");
    }

    QString path() const { return m_folder.path(); }

    void setVerifier(const QByteArray &script) { write(QStringLiteral("tests/test.sh"), script); }

    void write(const QString &name, const QByteArray &content, bool executable = false)
    {
        const QString path = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
        if (executable)
            file.setPermissions(file.permissions() | QFileDevice::ExeOwner | QFileDevice::ExeOther);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace proctor::test
