// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/matrix.h"
#include "tests/support/proctorprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace proctor;
using namespace proctor::test;

class TestMatrix : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void multipliesTheAxes();
    void leavesAMissingAxisToTheConfiguration();
    void takesRegisteredAgents();
    void givesACommandNothingOfARegistration();
    void takesDatasetConfigsOfOneConfiguration();
    void placesItsErrors_data();
    void placesItsErrors();

private:
    LoadedMatrix load(const QByteArray &matrix, const QString &configFile = {}) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestMatrix::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("travel.yaml")),
                      "dataset: {config: travel}\n"
                      "agents:\n  mine: {command: [run-me]}\n  yours: {command: [run-me]}\n"));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("shop.yaml")), "dataset: {config: e_commerce}\n"));
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("again.yaml")), "dataset: {config: travel}\n"));
}

LoadedMatrix TestMatrix::load(const QByteArray &matrix, const QString &configFile) const
{
    const QString path = m_folder->filePath(QStringLiteral("m.yaml"));
    MatrixContext context;
    context.configFile = configFile;
    context.overrides.outputDir = QStringLiteral("/out");
    return writeFile(path, matrix) ? loadMatrix(path, context) : LoadedMatrix();
}

static QStringList shape(const LoadedMatrix &matrix)
{
    QStringList lines;
    for (const MatrixEntry &entry : matrix.entries) {
        lines << QStringList{entry.config.dataset.config, entry.agentName, entry.config.agent.cmd,
                             entry.config.agent.llmModel, entry.config.runner.outputDir}
                     .join(u'|');
    }
    return lines;
}

void TestMatrix::multipliesTheAxes()
{
    const LoadedMatrix matrix = load("configs: [travel, shop]\n"
                                     "agents: [{name: a, cmd: do a}, {name: b, cmd: do b}]\n"
                                     "models: [m1, 4.1]\n");
    QVERIFY(matrix.diagnostics.isEmpty());
    const QStringList expected{
        QStringLiteral("travel|a|do a|m1|/out/m1_a"),
        QStringLiteral("travel|b|do b|m1|/out/m1_b"),
        QStringLiteral("travel|a|do a|4.1|/out/4.1_a"),
        QStringLiteral("travel|b|do b|4.1|/out/4.1_b"),
        QStringLiteral("e_commerce|a|do a|m1|/out/m1_a"),
        QStringLiteral("e_commerce|b|do b|m1|/out/m1_b"),
        QStringLiteral("e_commerce|a|do a|4.1|/out/4.1_a"),
        QStringLiteral("e_commerce|b|do b|4.1|/out/4.1_b"),
    };
    QCOMPARE(shape(matrix), expected);
}

void TestMatrix::leavesAMissingAxisToTheConfiguration()
{
    const EvalConfig defaults;
    QCOMPARE(shape(load("configs: [shop]\n")),
             QStringList{
                 QStringLiteral("e_commerce||%1|%2|/out").arg(defaults.agent.cmd, defaults.agent.llmModel)});
    QCOMPARE(shape(load("models: [m]\n")),
             QStringList{QStringLiteral("travel||%1|m|/out/m").arg(defaults.agent.cmd)});
}

void TestMatrix::takesRegisteredAgents()
{
    const LoadedMatrix matrix = load("configs: [travel]\nagents: [mine, yours]\n");
    QVERIFY(matrix.isUsable());
    QCOMPARE(matrix.entries.size(), 2);
    QCOMPARE(matrix.entries[1].config.agent.name, QStringLiteral("yours"));
    QVERIFY(matrix.entries[1].config.agent.registration.has_value());
    QCOMPARE(matrix.entries[1].config.runner.outputDir, QStringLiteral("/out/yours"));
}

void TestMatrix::givesACommandNothingOfARegistration()
{
    QVERIFY(writeFile(
        m_folder->filePath(QStringLiteral("registered.yaml")),
        "dataset: {config: travel}\n"
        "agent: {name: mine, timeout_sec: 70}\n"
        "agents:\n  mine: {command: [run-me], timeout_sec: 5, output_paths: [artifacts/notes.md]}\n"));
    const LoadedMatrix matrix = load("configs: [registered]\nagents: [mine, {name: own, cmd: do it}]\n");
    QVERIFY2(matrix.isUsable(), qPrintable(toText(matrix.diagnostics.value(0))));
    QCOMPARE(matrix.entries.size(), 2);
    const EvalConfig::Agent registered = matrix.entries[0].config.agent;
    QCOMPARE(registered.timeoutSec, 5.0);
    QCOMPARE(registered.name, QStringLiteral("mine"));
    const EvalConfig::Agent own = matrix.entries[1].config.agent;
    QCOMPARE(own.cmd, QStringLiteral("do it"));
    QVERIFY(own.name.isEmpty());
    QVERIFY(!own.registration.has_value());
    QCOMPARE(own.timeoutSec, 70.0);
    QCOMPARE(own.outputPaths, EvalConfig().agent.outputPaths);
}

void TestMatrix::takesDatasetConfigsOfOneConfiguration()
{
    const LoadedMatrix matrix =
        load("configs: [travel, e_commerce]\n", m_folder->filePath(QStringLiteral("shop.yaml")));
    QVERIFY(matrix.isUsable());
    QCOMPARE(matrix.entries.size(), 2);
    QCOMPARE(matrix.entries[0].config.dataset.config, QStringLiteral("travel"));
    QCOMPARE(matrix.entries[1].config.dataset.config, QStringLiteral("e_commerce"));
}

void TestMatrix::placesItsErrors_data()
{
    QTest::addColumn<QByteArray>("matrix");
    QTest::addColumn<QStringList>("remarks");
    const auto row = [](const char *name, const char *matrix, const QStringList &remarks) {
        QTest::newRow(name) << QByteArray(matrix) << remarks;
    };
    row("empty", "", {QStringLiteral("m.yaml:1:1: error: The matrix is empty")});
    row("no mapping", "- a\n", {QStringLiteral("m.yaml:1:1: error: ")});
    row("not YAML", "configs: [a\n", {QStringLiteral("m.yaml:")});
    row("axis is no list", "configs: travel\n", {QStringLiteral("m.yaml:1:10: error: “configs” is a list")});
    row("empty axis", "configs: [travel]\nmodels: []\n",
        {QStringLiteral("m.yaml:2:9: error: “models” is a list")});
    row("twice", "configs: [travel]\nmodels: [a, a]\n",
        {QStringLiteral("m.yaml:2:13: error: “a” stands in")});
    row("several at once", "configs: [[x]]\nagents:\n  - {name: a}\n",
        {QStringLiteral("m.yaml:1:11: error: "), QStringLiteral("m.yaml:3:5: error: ")});
    row("no such configuration", "configs: [travl]\n", {QStringLiteral("m.yaml:1:11: error: There is no")});
    row("no such agent", "configs: [travel]\nagents: [mien]\n",
        {QStringLiteral("m.yaml:2:10: error: "), QStringLiteral("do you mean “mine”?")});
    row("neither registered nor a command", "configs: [travel]\nagents: [careful]\n",
        {QStringLiteral("m.yaml:2:10: error: "), QStringLiteral("{name: careful, cmd: COMMAND}")});
    row("one folder for two", "configs: [travel, again]\n",
        {QStringLiteral("m.yaml:1:19: error: Two combinations would share the results folder /out/travel")});
    row("unknown key", "config: [travel]\n",
        {QStringLiteral("m.yaml:1:1: hint: "), QStringLiteral("“configs”?")});
}

void TestMatrix::placesItsErrors()
{
    QFETCH(QByteArray, matrix);
    QFETCH(QStringList, remarks);
    QString said;
    for (const Diagnostic &diagnostic : load(matrix).diagnostics)
        said += toText(diagnostic) + u'\n';
    for (const QString &remark : remarks)
        QVERIFY2(said.contains(remark), qPrintable(remark + QStringLiteral("\nis missing in\n") + said));
}

QTEST_GUILESS_MAIN(TestMatrix)
#include "tst_matrix.moc"
