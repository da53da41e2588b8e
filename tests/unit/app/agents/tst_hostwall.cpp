// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostwall.h"
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace proctor;
using namespace proctor::test;

/// The words that bubblewrap is given; that they hold is what the end-to-end test tries.
class TestHostWall : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void buildsTheWall();
    void showsTheAttemptAlone();
    void masksTheConfiguration();
    void showsTheConfigurationsFolderWhenAsked();
    void refusesAWorkingFolderThatIsHidden();
    void givesAHomeOfItsOwn();

private:
    HostWall wall() const;
    QString at(const QString &name) const { return m_folder->filePath(name); }
    static bool holds(const QStringList &words, const QStringList &part);

    std::unique_ptr<QTemporaryDir> m_folder;
    const QStringList m_command{QStringLiteral("/usr/bin/env"), QStringLiteral("a b"), QStringLiteral("--")};
};

void TestHostWall::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    for (const char *name : {"work", "results/travel/mine", "results/travel/mine/.agent", "bundles/one"})
        QVERIFY(QDir().mkpath(at(QLatin1String(name))));
    for (const char *name : {"work/exam.yaml", "work/travel.jsonl"})
        QVERIFY(writeFile(at(QLatin1String(name)), "x"));
}

HostWall TestHostWall::wall() const
{
    HostWall wall;
    wall.config.configDir = at(QStringLiteral("work"));
    wall.config.file = at(QStringLiteral("work/exam.yaml"));
    wall.config.dataset.path = at(QStringLiteral("work/travel.jsonl"));
    wall.config.runner.outputDir = at(QStringLiteral("results"));
    wall.config.agent.name = QStringLiteral("mine");
    wall.config.agent.registration.emplace();
    wall.config.agent.registration->command = m_command;
    wall.folder = at(QStringLiteral("results/travel/mine"));
    wall.workspace = at(QStringLiteral("results/travel/mine/.agent"));
    wall.bundle = at(QStringLiteral("bundles/one"));
    return wall;
}

bool TestHostWall::holds(const QStringList &words, const QStringList &part)
{
    return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
}

void TestHostWall::buildsTheWall()
{
    const auto words = wall().arguments(m_command);
    QVERIFY(words);
    QCOMPARE(words->last(m_command.size()), m_command);
    QCOMPARE(words->at(words->size() - m_command.size() - 1), QStringLiteral("--"));
    for (const char *word : {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"})
        QVERIFY2(words->contains(QLatin1String(word)), word);
    QVERIFY(holds(*words, {QStringLiteral("--ro-bind"), QStringLiteral("/"), QStringLiteral("/")}));
    QVERIFY(holds(*words, {QStringLiteral("--cap-drop"), QStringLiteral("ALL")}));
    QVERIFY(holds(*words, {QStringLiteral("--chdir"), at(QStringLiteral("work"))}));
    // Tools and model are reached over the network.
    QVERIFY(!words->contains(QStringLiteral("--unshare-net")) &&
            !words->contains(QStringLiteral("--unshare-all")));
}

void TestHostWall::showsTheAttemptAlone()
{
    const auto words = wall().arguments(m_command);
    QVERIFY(words);
    const QString folder = at(QStringLiteral("results/travel/mine"));
    for (const char *hidden : {"results", "results/travel", "bundles", "bundles/one"})
        QVERIFY2(holds(*words, {QStringLiteral("--tmpfs"), at(QLatin1String(hidden))}), hidden);
    const QStringList workspace{QStringLiteral("--bind"), folder + QStringLiteral("/.agent"), folder};
    const QStringList prompts{QStringLiteral("--ro-bind"), folder + QStringLiteral("/.prompt"),
                              folder + QStringLiteral("/.prompt")};
    QVERIFY(holds(*words, workspace) && holds(*words, prompts));
    QCOMPARE(words->count(QStringLiteral("--bind")), 1);
    // From the outside in: a folder that is hidden later would hide what was shown in it.
    const qsizetype hidden = words->indexOf(at(QStringLiteral("results/travel")));
    QVERIFY(words->indexOf(at(QStringLiteral("results"))) < hidden && hidden < words->indexOf(folder));
}

void TestHostWall::masksTheConfiguration()
{
    const auto words = wall().arguments(m_command);
    QVERIFY(words);
    for (const char *name : {"work/exam.yaml", "work/travel.jsonl"})
        QVERIFY2(holds(*words,
                       {QStringLiteral("--ro-bind"), QStringLiteral("/dev/null"), at(QLatin1String(name))}),
                 name);
    QVERIFY(
        holds(*words, {QStringLiteral("--ro-bind"), at(QStringLiteral("work")), at(QStringLiteral("work"))}));
}

void TestHostWall::showsTheConfigurationsFolderWhenAsked()
{
    HostWall asked = wall();
    const QString elsewhere = at(QStringLiteral("elsewhere"));
    QVERIFY(QDir().mkpath(elsewhere));
    asked.config.agent.registration->cwd = elsewhere;
    const QStringList shown{QStringLiteral("--ro-bind"), at(QStringLiteral("work")),
                            at(QStringLiteral("work"))};
    const auto without = asked.arguments(m_command);
    QVERIFY(without && !holds(*without, shown));
    asked.config.agent.registration->command << QStringLiteral("{config_dir}/plan");
    const auto with = asked.arguments(m_command);
    QVERIFY(with && holds(*with, shown));
}

void TestHostWall::refusesAWorkingFolderThatIsHidden()
{
    HostWall refused = wall();
    refused.config.agent.registration->cwd = QStringLiteral("/tmp");
    const auto words = refused.arguments(m_command);
    QVERIFY(!words);
    QVERIFY2(words.error().message.startsWith(QStringLiteral("agents.mine: the folder /tmp ")),
             qPrintable(words.error().message));
}

void TestHostWall::givesAHomeOfItsOwn()
{
    QProcessEnvironment environment;
    for (const char *name : {"HOME", "TMPDIR", "TMP", "TEMP", "PATH"})
        environment.insert(QLatin1String(name), QStringLiteral("/home/somebody"));
    HostWall::adapt(environment);
    QCOMPARE(environment.value(QStringLiteral("HOME")), QStringLiteral("/tmp/home"));
    QCOMPARE(environment.value(QStringLiteral("PATH")), QStringLiteral("/home/somebody"));
    for (const char *name : {"TMPDIR", "TMP", "TEMP"})
        QVERIFY2(!environment.contains(QLatin1String(name)), name);
}

QTEST_GUILESS_MAIN(TestHostWall)
#include "tst_hostwall.moc"
