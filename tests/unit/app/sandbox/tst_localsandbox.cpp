// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/localsandbox.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;

/// A local sandbox on a real bundle: bubblewrap, bridge, tools and all.
class TestLocalSandbox : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_bundle;

    void write(const QString &name, const QByteArray &content, bool executable = false)
    {
        const QString path = m_bundle.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        if (executable)
            file.setPermissions(file.permissions() | QFileDevice::ExeOwner | QFileDevice::ExeOther);
    }

    struct Ended {
        CommandEnd end;
        QByteArray output, errors;
    };

    /// Brings a sandbox up, runs one shell line as the agent, and takes it down again.
    Ended runAsAgent(const QString &script, double limit = 20)
    {
        Ended ended;
        LocalSandboxSpec spec;
        spec.bundle = m_bundle.path();
        spec.setup.wall = bubblewrapWall;
        LocalSandbox sandbox(spec);
        const auto story = [&]() -> QCoro::Task<void> {
            const auto pulled = co_await sandbox.pull({});
            if (!pulled)
                qFatal("%s", qPrintable(pulled.error().message));
            const auto started = co_await sandbox.start({});
            if (!started)
                qFatal("%s", qPrintable(started.error().message));
            const auto ready = co_await sandbox.setUp({});
            if (!ready)
                qFatal("%s", qPrintable(ready.error().message));
            connect(sandbox.bridge(), &Bridge::output, this,
                    [&](SandboxCommand::Who, int stream, const QByteArray &bytes) {
                        (stream == 1 ? ended.output : ended.errors) += bytes;
                    });
            SandboxCommand command;
            command.arguments = {QStringLiteral("bash"), QStringLiteral("-c"), script};
            command.limit = limit;
            command.outputCap = 1 << 20;
            const auto end = co_await sandbox.bridge()->run(command, {});
            if (!end)
                qFatal("%s", qPrintable(end.error().message));
            ended.end = *end;
            co_await sandbox.clean();
        };
        QCoro::waitFor(story());
        return ended;
    }

private slots:
    void initTestCase()
    {
        write(QStringLiteral("instruction.md"), "Find it.");
        write(QStringLiteral("tools/look"),
              "#!/bin/bash\necho '{\"found\": 3}'\necho to-stderr >&2\nexit ${2:-0}\n", true);
        write(QStringLiteral("data/goods.db"), "secret");
        write(QStringLiteral("tests/test.sh"), "echo 0.5 > /app/reward.txt\n");
    }

    void worksOnThisMachine()
    {
        const auto problem = QCoro::waitFor(LocalSandbox::problem({}));
        QVERIFY2(!problem, qPrintable(problem.value_or(QString())));
    }

    void toolKeepsOutputErrorsAndExitCode()
    {
        const Ended ended = runAsAgent(QStringLiteral("/app/tools/look --code 5"));
        QCOMPARE(ended.output, QByteArray("{\"found\": 3}\n"));
        QCOMPARE(ended.errors, QByteArray("to-stderr\n"));
        QCOMPARE(ended.end.code, std::optional<int>(5));
    }

    void agentSeesNoSecrets()
    {
        const Ended ended = runAsAgent(QStringLiteral(
            "cat /app/tests/test.sh /app/data/goods.db; ls /app/tests; ls -d /app/data/*.db; exit 0"));
        QCOMPARE(ended.output, QByteArray());
        QVERIFY(!ended.errors.contains("Permission granted"));
    }

    void limitIsKept()
    {
        const Ended ended = runAsAgent(QStringLiteral("sleep 60"), 0.5);
        QVERIFY(ended.end.timedOut);
        QVERIFY(ended.end.wall < 10);
    }
};

QTEST_GUILESS_MAIN(TestLocalSandbox)
#include "tst_localsandbox.moc"
