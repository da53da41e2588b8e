// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentoutputs.h"
#include "tests/support/proctorprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;
using namespace proctor::test;

/// What an agent leaves is read once, and is from then on what it was.
class TestAgentOutputs : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void readsEachFile();
    void doesNotSeeWhatChangesLater();
    void namesEveryProblem();
    void refusesAFolderThatIsGone();
    void clearsLinksAndNotWhatTheyLeadTo();

private:
    QString at(const QString &name) const { return m_folder->filePath(name); }
    AgentOutputs outputs(const QStringList &paths) const { return {m_folder->path(), paths}; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

static const QString answer = QStringLiteral("answer.json");

void TestAgentOutputs::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestAgentOutputs::readsEachFile()
{
    const QString deep = QStringLiteral("artifacts/a/b");
    QVERIFY(QDir().mkpath(at(QStringLiteral("artifacts/a"))));
    QVERIFY(writeFile(at(answer), QByteArray("\0\xff", 2)) && writeFile(at(deep), ""));
    const auto opened = outputs({answer, deep}).open();
    QVERIFY(opened);
    QCOMPARE(opened->size(), std::size_t(2));
    QCOMPARE((*opened)[0].path(), answer);
    QCOMPARE(contentOf((*opened)[0].readablePath()), QByteArray("\0\xff", 2));
    QCOMPARE((*opened)[1].path(), deep);
    QCOMPARE(contentOf((*opened)[1].readablePath()), QByteArray());
}

void TestAgentOutputs::doesNotSeeWhatChangesLater()
{
    QVERIFY(writeFile(at(answer), "as it was"));
    const auto opened = outputs({answer}).open();
    QVERIFY(opened);
    QFile file(at(answer));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.write("otherwise");
    file.resize(100'000);
    file.close();
    QCOMPARE(contentOf(opened->front().readablePath()), QByteArray("as it was"));
    QVERIFY(QFile::remove(at(answer)));
    QCOMPARE(contentOf(opened->front().readablePath()), QByteArray("as it was"));
}

void TestAgentOutputs::namesEveryProblem()
{
    QVERIFY(QFile::link(QStringLiteral("/etc"), at(QStringLiteral("artifacts"))));
    QVERIFY(QFile::link(QStringLiteral("/etc/passwd"), at(QStringLiteral("answer.md"))));
    const auto opened =
        outputs({answer, QStringLiteral("answer.md"), QStringLiteral("artifacts/passwd")}).open();
    QVERIFY(!opened);
    for (const char *part : {"answer.json is missing", "answer.md is a symbolic link",
                             "artifacts/passwd lies below a link or a file"})
        QVERIFY2(opened.error().message.contains(QLatin1String(part)), qPrintable(opened.error().message));
}

void TestAgentOutputs::refusesAFolderThatIsGone()
{
    QVERIFY(m_folder->remove());
    const auto opened = outputs({answer}).open();
    QVERIFY(!opened);
    QVERIFY(opened.error().message.contains(QStringLiteral("answer.json is missing")));
}

void TestAgentOutputs::clearsLinksAndNotWhatTheyLeadTo()
{
    const QTemporaryDir elsewhere;
    const QString treasure = elsewhere.filePath(QStringLiteral("treasure"));
    QVERIFY(writeFile(treasure, "x"));
    for (const char *name : {"answer.json", "artifacts", ".prompt", ".agent"})
        QVERIFY(QFile::link(elsewhere.path(), at(QLatin1String(name))));
    QVERIFY(writeFile(at(QStringLiteral("kept")), "x"));
    QVERIFY(outputs({answer}).clear());
    QVERIFY(QFileInfo::exists(treasure));
    QCOMPARE(QDir(m_folder->path())
                 .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot),
             QStringList(QStringLiteral("kept")));
}

QTEST_GUILESS_MAIN(TestAgentOutputs)
#include "tst_agentoutputs.moc"
