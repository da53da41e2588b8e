// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/proctorprogram.h"
#include "tests/support/trialbundle.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor::test;

/// Results folders go from one system to the other: what the peer made is data of tests/data/exam.
class TestInterchange : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void makesThePeersFilesAndFields();
    void resumesThePeersFolder();
    void retriesWhatFailedInThePeersFolder();

private:
    ProgramEnd run(const QStringList &more = {});
    QString peer(const QString &name = {}) const
    {
        return QStringLiteral(PROCTOR_TEST_DATA "/exam/eval_results/travel/") + name;
    }
    QString ours(const QString &name = {}) const
    {
        return m_folder->filePath(QStringLiteral("eval_results/travel/")) + name;
    }
    void writeDataset(const QStringList &ids);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrialBundle> m_bundle;
};

static const QByteArray hostAgent = R"(
import json, os, sys, urllib.request
context = json.load(open(sys.argv[1], encoding="utf-8"))
call = urllib.request.Request(context["tools"]["url"] + "/call/look", data=b"{}", method="POST")
urllib.request.urlopen(call, timeout=30).read()
folder = context["output"]["directory"]
os.makedirs(folder + "/artifacts/evidence", exist_ok=True)
for name in context["output"]["paths"]:
    open(os.path.join(folder, name), "w").write("{}\n")
)";

static QStringList filesBelow(const QString &folder)
{
    QStringList files;
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext())
        files << QDir(folder).relativeFilePath(it.next());
    files.sort();
    return files;
}

static bool copyFolder(const QString &from, const QString &to)
{
    bool copied = true;
    for (const QString &name : filesBelow(from)) {
        const QString target = to + QLatin1Char('/') + name;
        copied = QDir().mkpath(QFileInfo(target).path()) && copied;
        copied = QFile::copy(from + QLatin1Char('/') + name, target) && copied;
        QFile::setPermissions(target, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    }
    return copied;
}

/// The members of an object in the order they are written in.
static QStringList membersOf(const QByteArray &json)
{
    QProcess python;
    python.start(
        QStringLiteral("/usr/bin/python3"),
        {QStringLiteral("-c"), QStringLiteral("import json,sys; print('\\n'.join(json.load(sys.stdin)))")});
    python.write(json);
    python.closeWriteChannel();
    return QString::fromUtf8(endOf(python, 30'000).out).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

/// What is in `expected` and not in `found`, in any order.
static QStringList missing(const QStringList &expected, const QStringList &found)
{
    QStringList left;
    for (const QString &name : expected) {
        if (!found.contains(name))
            left << name;
    }
    return left;
}

void TestInterchange::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_bundle = std::make_unique<TrialBundle>();
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("agent.py")), hostAgent));
    const QByteArray config = "dataset:\n  path: ./tasks.jsonl\n"
                              "agent:\n  name: mine\n  timeout_sec: 60\n"
                              "runner:\n  sandbox: local\n"
                              "agents:\n  mine:\n    command: [/usr/bin/python3, agent.py, '{context}']\n"
                              "    output_paths: [artifacts/evidence/sources.json]\n";
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("exam.yaml")), config));
}

void TestInterchange::writeDataset(const QStringList &ids)
{
    QByteArray lines;
    for (const QString &id : ids) {
        const QJsonObject row{{QStringLiteral("instance_id"), id},
                              {QStringLiteral("domain"), QStringLiteral("hotel")},
                              {QStringLiteral("bundle"), m_bundle->path()}};
        lines += QJsonDocument(row).toJson(QJsonDocument::Compact) + '\n';
    }
    QVERIFY(writeFile(m_folder->filePath(QStringLiteral("tasks.jsonl")), lines));
}

ProgramEnd TestInterchange::run(const QStringList &more)
{
    return runProctor(
        QStringList{QStringLiteral("run"), QStringLiteral("--config"), QStringLiteral("exam.yaml")} + more,
        m_folder->path());
}

void TestInterchange::makesThePeersFilesAndFields()
{
    const QString id = QStringLiteral("hotel_hangzhou_cheap_001");
    writeDataset({id});
    const ProgramEnd end = run();
    QVERIFY2(end.code == 0, end.out + end.err);

    QCOMPARE(missing(filesBelow(peer(id)), filesBelow(ours(id))), QStringList());
    const auto compareMembers = [this, id](const QString &name) {
        const QStringList expected = membersOf(contentOf(peer(id + name)));
        const QStringList found = membersOf(contentOf(ours(id + name)));
        QVERIFY(!expected.isEmpty());
        QCOMPARE(found.mid(0, expected.size()), expected);
    };
    compareMembers(QStringLiteral("/result.json"));
    compareMembers(QStringLiteral("/.prompt/agent_context.json"));
    const QByteArray line = contentOf(ours(QStringLiteral("scores.jsonl"))).trimmed();
    QCOMPARE(membersOf(line).mid(0, 5),
             (QStringList{QStringLiteral("instance_id"), QStringLiteral("domain"), QStringLiteral("reward"),
                          QStringLiteral("error"), QStringLiteral("duration_sec")}));
    QCOMPARE(QJsonDocument::fromJson(line).object().value(QLatin1String("reward")).toDouble(), 0.45);
}

void TestInterchange::resumesThePeersFolder()
{
    QVERIFY(copyFolder(peer(), ours()));
    const QByteArray peersScores = contentOf(ours(QStringLiteral("scores.jsonl")));
    const QByteArray peersResult = contentOf(ours(QStringLiteral("consume_tent_002/result.json")));
    writeDataset({QStringLiteral("hotel_hangzhou_cheap_001"), QStringLiteral("consume_tent_002"),
                  QStringLiteral("hotel_new_003")});

    const ProgramEnd asked = run();
    QVERIFY2(asked.code != 0, asked.out);
    QVERIFY2(asked.err.contains("--adopt"), asked.err);
    QCOMPARE(contentOf(ours(QStringLiteral("scores.jsonl"))), peersScores);

    const ProgramEnd end = run({QStringLiteral("--adopt")});
    QVERIFY2(end.code == 0, end.out + end.err);
    QCOMPARE(contentOf(ours(QStringLiteral("scores.jsonl.orig"))), peersScores);
    QCOMPARE(contentOf(ours(QStringLiteral("consume_tent_002/result.json"))), peersResult);
    QVERIFY(!QFileInfo::exists(ours(QStringLiteral("consume_tent_002/attempts"))));
    const QByteArray scores = contentOf(ours(QStringLiteral("scores.jsonl")));
    QCOMPARE(scores.trimmed().split('\n').size(), 3);
    QVERIFY2(scores.contains("hotel_new_003"), scores);
    QVERIFY2(end.out.contains("Completed: 3/3"), end.out);
}

void TestInterchange::retriesWhatFailedInThePeersFolder()
{
    const QString retried = QStringLiteral(PROCTOR_TEST_DATA "/exam/eval_results_retried/travel");
    QVERIFY(copyFolder(retried, ours()));
    writeDataset({QStringLiteral("one_a")});
    const ProgramEnd end = run({QStringLiteral("--adopt")});
    QVERIFY2(end.code == 0, end.out + end.err);
    // Its last line is the verdict: a reward, so nothing is run again, and one line a slot is left.
    const QByteArray scores = contentOf(ours(QStringLiteral("scores.jsonl"))).trimmed();
    QCOMPARE(scores.split('\n').size(), 1);
    QCOMPARE(QJsonDocument::fromJson(scores).object().value(QLatin1String("reward")).toDouble(), 0.7);
    QVERIFY2(end.out.contains("Completed: 1/1"), end.out);
}

QTEST_GUILESS_MAIN(TestInterchange)
#include "tst_interchange.moc"
