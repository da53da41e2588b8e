// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentpreflight.h"

#include <QTest>

using namespace proctor;

class TestAgentPreflight : public QObject
{
    Q_OBJECT

private slots:
    void findsTheModule_data();
    void findsTheModule();
};

void TestAgentPreflight::findsTheModule_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("options");
    const auto row = [](const char *command, const char *name, const char *options = "") {
        QTest::newRow(*command ? command : "nothing")
            << QString::fromLatin1(command).split(u' ', Qt::SkipEmptyParts) << QString::fromLatin1(name)
            << QString::fromLatin1(options).split(u' ', Qt::SkipEmptyParts);
    };
    row("python3 -m mine --context x", "mine");
    row("python -m flyai_bench.external_agent", "flyai_bench.external_agent");
    row("/opt/venv/bin/python3.11 -mmine", "mine");
    row("pypy3 -m mine", "mine");
    row("python3 -I -X utf8 -W error -u -m mine -m other", "mine", "-I -X utf8 -W error -u");
    row("", "");
    row("python3", "");
    row("python3 -m", "");
    row("python3 agent.py -m mine", "");
    row("python3 - -m mine", "");
    row("python3 -c pass -m mine", "");
    row("python3-config -m mine", "");
    row("mypython -m mine", "");
    row("bash -m mine", "");
}

void TestAgentPreflight::findsTheModule()
{
    QFETCH(QStringList, command);
    QFETCH(QString, name);
    QFETCH(QStringList, options);
    const auto module = pythonModuleOf(command);
    QCOMPARE(module.has_value(), !name.isEmpty());
    if (module) {
        QCOMPARE(module->name, name);
        QCOMPARE(module->options, options);
    }
}

QTEST_GUILESS_MAIN(TestAgentPreflight)
#include "tst_agentpreflight.moc"
