// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace proctor::test
{

/// A fake OpenAI-compatible endpoint: tests/support/fakemodel.py as a process that ends with this object.
/// The form of a script is told there.
class FakeModel
{
public:
    FakeModel() = default;
    Q_DISABLE_COPY_MOVE(FakeModel)

    ~FakeModel()
    {
        m_process.closeWriteChannel();
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(5'000)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }

    /// False, with the reason in errorText(), when the endpoint does not come up within 20 seconds.
    /// `host` is the address to listen on: containers reach a bridge's address, not 127.0.0.1.
    bool start(const QByteArray &script, const QString &key = {},
               const QString &host = QStringLiteral("127.0.0.1"))
    {
        QFile file(m_folder.filePath(QStringLiteral("script.json")));
        if (!file.open(QIODevice::WriteOnly) || file.write(script) != script.size())
            return false;
        file.close();
        QStringList arguments{QStringLiteral(PROCTOR_SOURCE_DIR "/tests/support/fakemodel.py"),
                              QStringLiteral("--script"),
                              file.fileName(),
                              QStringLiteral("--log"),
                              logPath(),
                              QStringLiteral("--host"),
                              host};
        if (!key.isEmpty())
            arguments << QStringLiteral("--key") << key;
        m_process.setReadChannel(QProcess::StandardOutput);
        m_process.start(QStringLiteral("python3"), arguments);
        QElapsedTimer timer;
        timer.start();
        while (!m_process.canReadLine() && timer.elapsed() < 20'000 &&
               m_process.state() != QProcess::NotRunning)
            m_process.waitForReadyRead(200);
        m_url = QJsonDocument::fromJson(m_process.readLine()).object().value(QLatin1String("url")).toString();
        return !m_url.isEmpty();
    }

    QString errorText()
    {
        return m_process.errorString() + QString::fromUtf8(m_process.readAllStandardError());
    }

    /// http://HOST:PORT, a base URL with and without "/v1" behind it.
    QString url() const { return m_url; }

    /// All requests so far, oldest first: method, path, headers (names in small letters), body, status and
    /// more.
    QList<QJsonObject> requests() const
    {
        QFile log(logPath());
        QList<QJsonObject> requests;
        if (log.open(QIODevice::ReadOnly)) {
            for (const QByteArray &line : log.readAll().split('\n')) {
                if (!line.isEmpty())
                    requests << QJsonDocument::fromJson(line).object();
            }
        }
        return requests;
    }

private:
    QString logPath() const { return m_folder.filePath(QStringLiteral("requests.jsonl")); }

    QTemporaryDir m_folder;
    QProcess m_process;
    QString m_url;
};

} // namespace proctor::test
