// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole exams in containers, as a user runs them: the program, a configuration file, images of a real engine.
#include "app/process/ownermark.h"
#include "app/sandbox/dockercommand.h"
#include "tests/support/barrier.h"
#include "tests/support/engine.h"
#include "tests/support/fakemodel.h"
#include "tests/support/trialbundle.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>

using namespace proctor;
using namespace proctor::test;
using namespace Qt::StringLiterals;

namespace
{

const QByteArray agentKey = "sk-agent-4711-secret";
const QByteArray judgeKey = "sk-judge-0815-secret";
constexpr int enough = 60'000;

QJsonObject jsonOf(const QByteArray &text)
{
    return QJsonDocument::fromJson(text).object();
}

/// A folder with a dataset and a configuration.
class Exam
{
public:
    void setInstances(const QStringList &ids, const QString &image)
    {
        QList<std::pair<QString, QString>> rows;
        for (const QString &id : ids)
            rows.emplaceBack(id, image);
        writeRows(rows);
    }

    /// Each in the image of its name.
    void setInstances(const QStringList &ids)
    {
        QList<std::pair<QString, QString>> rows;
        for (const QString &id : ids)
            rows.emplaceBack(id, testImage(id));
        writeRows(rows);
    }

    /// All sections but `dataset`.
    void setConfig(const QByteArray &yaml)
    {
        const QByteArray dataset = "dataset: {config: exam, path: tasks.jsonl}\n";
        QVERIFY(writeFile(path(u"exam.yaml"_s), dataset + yaml));
    }

    QString path(const QString &name) const { return m_folder.filePath(name); }

    ProgramEnd run(const QStringList &more = {})
    {
        const auto process = start(more);
        return endOf(*process, 120'000);
    }

    std::unique_ptr<QProcess> start(const QStringList &more = {})
    {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(m_folder.path());
        process->start(proctorProgram(), QStringList{u"run"_s, u"--config"_s, u"exam.yaml"_s} + more);
        m_programs << process->processId();
        return process;
    }

    /// Names of its containers, running or not.
    QStringList containers() const
    {
        const ProgramEnd end = docker({u"ps"_s, u"-a"_s, u"--filter"_s, u"label="_s + ownerLabel,
                                       u"--format"_s, u"{{.Names}}\t{{.Label \"%1\"}}"_s.arg(ownerLabel)});
        QStringList names;
        for (const QString &line : QString::fromUtf8(end.out).split(u'\n', Qt::SkipEmptyParts)) {
            if (m_programs.contains(line.section(u':', 2, 2).toLongLong()))
                names << line.section(u'\t', 0, 0);
        }
        return names;
    }

    QByteArray result(const QString &name) const { return contentOf(path(u"eval_results/exam/"_s + name)); }

    QList<QJsonObject> scoreLines() const
    {
        QList<QJsonObject> lines;
        for (const QByteArray &line : result(u"scores.jsonl"_s).split('\n')) {
            if (!line.isEmpty())
                lines << jsonOf(line);
        }
        return lines;
    }

    QJsonObject score(const QString &id) const
    {
        for (const QJsonObject &line : scoreLines()) {
            if (line.value("instance_id"_L1).toString() == id)
                return line;
        }
        return {};
    }

    /// Everything the exam has written, the configuration left out.
    QMap<QString, QByteArray> files() const
    {
        QMap<QString, QByteArray> files;
        QDirIterator all(path(u"eval_results"_s), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            const QString file = all.next();
            files.insert(file, contentOf(file));
        }
        return files;
    }

private:
    void writeRows(const QList<std::pair<QString, QString>> &rows)
    {
        QByteArray text;
        for (const auto &[id, image] : rows)
            text += QJsonDocument({{u"instance_id"_s, id}, {u"docker_image"_s, image}, {u"domain"_s, u"d"_s}})
                        .toJson(QJsonDocument::Compact) +
                    '\n';
        QVERIFY(writeFile(path(u"tasks.jsonl"_s), text));
    }

    QTemporaryDir m_folder;
    QList<qint64> m_programs;
};

/// One file of each process of this machine, by process.
QHash<QString, QByteArray> ofAllProcesses(const QString &name)
{
    QHash<QString, QByteArray> all;
    for (const QString &process : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        if (process.toLongLong() > 0)
            all.insert(process, contentOf(u"/proc/"_s + process + u'/' + name));
    }
    return all;
}

QByteArray quoted(const QString &command)
{
    return QJsonDocument(QJsonArray{command}).toJson(QJsonDocument::Compact).mid(1).chopped(1);
}

} // namespace

class TestDockerExam : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_exam = std::make_unique<Exam>(); }
    void cleanup();
    void cleanupTestCase();

    void givesTheExpectedRewards_data();
    void givesTheExpectedRewards();
    void examinesTheBuiltInAgent();
    void tellsTheJudgeKeyToTheVerifierOnly();
    void pullsFromARegistryOnce();
    void leavesTheCommandAlone();
    void endsWhatAnAgentOnTheHostLeft();
    void runsEightAtOnce();
    void runsThrice();
    void asksTheServiceOfTheImage();
    void keepsEveryLimit();
    void keepsTimeLimits();
    void saysThatDiskCannotBeLimited();
    void hasNoNetworkWithNone();
    void refusesARowWithoutImage();
    void stopsAtOnce();
    void goesOnAfterItWasKilled();
    void cleansUp();

private:
    QString makeImage(const TrialBundle &bundle);

    QJsonObject m_expected;
    std::unique_ptr<Exam> m_exam;
    QStringList m_images;
};

void TestDockerExam::initTestCase()
{
    PROCTOR_NEEDS_ENGINE();
    m_expected = jsonOf(contentOf(QStringLiteral(PROCTOR_SOURCE_DIR "/resources/demo/expected.json")));
    QVERIFY(!m_expected.isEmpty());
}

void TestDockerExam::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_exam->containers(), QStringList(), 20'000);
}

void TestDockerExam::cleanupTestCase()
{
    if (!m_images.isEmpty())
        docker(QStringList{u"rmi"_s} + m_images);
}

void TestDockerExam::givesTheExpectedRewards_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QByteArray>("selection");
    for (const auto &family : {u"travel"_s, u"e_commerce"_s}) {
        for (const auto &agent : {u"careful"_s, u"hasty"_s})
            QTest::addRow("%s, %s", qPrintable(family), qPrintable(agent))
                << family << agent << "cmd: python3 /app/agent/" + agent.toUtf8() + ".py";
        QTest::addRow("%s, agent on the host", qPrintable(family))
            << family << u"careful"_s << QByteArray("name: host-careful");
    }
}

void TestDockerExam::givesTheExpectedRewards()
{
    QFETCH(QString, family);
    QFETCH(QString, agent);
    QFETCH(QByteArray, selection);
    const QJsonObject rewards = m_expected.value(family).toObject().value(agent).toObject();
    const QByteArray demo = PROCTOR_BUILD_DIR "/share/proctor/demo/";
    m_exam->setInstances(rewards.keys());
    m_exam->setConfig("agent: {timeout_sec: 60, " + selection +
                      "}\nverifier: {timeout_sec: 60}\nrunner: {concurrency: 4}\n"
                      "agents:\n  host-careful:\n    command: [python3, " +
                      demo + "agents/scripted_host.py, --context, '{context}', --plans, " + demo +
                      family.toUtf8() +
                      ", --plan, careful]\n    output_paths: [artifacts/trajectory.jsonl]\n");
    const ProgramEnd end = m_exam->run();
    const bool allScored = !rewards.value("food_olive_oil_004"_L1).isNull() || family == u"travel";
    QVERIFY2(end.code == (allScored ? 0 : 1), end.out + end.err);
    QCOMPARE(m_exam->scoreLines().size(), rewards.size());
    for (const QString &id : rewards.keys()) {
        const QJsonObject score = m_exam->score(id);
        QVERIFY2(score.value("reward"_L1) == rewards.value(id),
                 QJsonDocument(score).toJson() + m_exam->result(id + u"/agent_stderr.txt"_s));
        const QJsonObject sandbox =
            jsonOf(m_exam->result(id + u"/result.json"_s)).value("sandbox"_L1).toObject();
        QCOMPARE(sandbox.value("kind"_L1).toString(), u"docker"_s);
        QCOMPARE(sandbox.value("image"_L1).toString(), testImage(id));
        QCOMPARE(sandbox.value("network"_L1).toString(), u"bridge"_s);
        for (const auto member : {"engine"_L1, "limits"_L1, "capabilities"_L1, "image_id"_L1, "uid"_L1})
            QVERIFY2(sandbox.contains(member), member.data());
        // Every call of a tool is in the trace, below its first line, and in the log that the verifier reads.
        const QByteArray calls = m_exam->result(id + u"/tool_calls.jsonl"_s);
        const QByteArray trace = m_exam->result(id + u"/tool_trace.jsonl"_s);
        QVERIFY(!score.value("reward"_L1).isDouble() || calls.count('\n') > 0);
        QCOMPARE(trace.count('\n') - 1, calls.count('\n'));
    }
}

/// A peer's configuration with nothing but a model and keys; and where the keys can be seen meanwhile.
void TestDockerExam::examinesTheBuiltInAgent()
{
    PROCTOR_NEEDS_BRIDGE_ADDRESS();
    FakeModel model;
    QVERIFY2(model.start(
                 "{\"steps\": [{\"tool_calls\": [{\"name\": \"terminal\", \"arguments\": "
                 "{\"command\": \"id -u; env; ls tools\"}}]},"
                 "{\"tool_calls\": [{\"name\": \"terminal\", \"arguments\": "
                 "{\"command\": \"echo '{\\\"a\\\": 1}' > /app/answer.json; tools/search_hotels --help\"}}],"
                 " \"delay\": 4},"
                 "{\"text\": \"Done.\"}]}",
                 {}, bridgeAddress()),
             qPrintable(model.errorText()));
    const QByteArray port = model.url().section(u':', -1).toUtf8();
    const QString id = u"hotel_hangzhou_lake_001"_s;
    m_exam->setInstances({id});
    m_exam->setConfig("agent:\n  llm_base_url: http://host.docker.internal:" + port + "\n  llm_api_key: " +
                      agentKey + "\n  llm_model: fake-1\nverifier:\n  judge_api_key: " + judgeKey + "\n");

    const auto program = m_exam->start();
    QTRY_VERIFY_WITH_TIMEOUT(model.requests().size() >= 2 || program->state() == QProcess::NotRunning,
                             enough);
    QVERIFY2(program->state() == QProcess::Running, program->readAllStandardError());
    // The model thinks: the agent waits for it, and all there is can be looked at.
    const QStringList containers = m_exam->containers();
    QCOMPARE(containers.size(), 1);
    const QByteArray inspected = docker({u"inspect"_s, containers.first()}).out;
    QVERIFY(inspected.contains("proctor.owner"));
    const auto commandLines = ofAllProcesses(u"cmdline"_s), environments = ofAllProcesses(u"environ"_s);
    QVERIFY(program->state() == QProcess::Running && model.requests().size() == 2);
    for (const QByteArray &secret : {agentKey, judgeKey}) {
        QVERIFY(!inspected.contains(secret));
        for (const QByteArray &commandLine : commandLines)
            QVERIFY2(!commandLine.contains(secret), commandLine);
    }
    int agents = 0;
    for (const auto &[process, environment] : environments.asKeyValueRange()) {
        QVERIFY2(!environment.contains(judgeKey), commandLines.value(process));
        if (environment.contains(agentKey)) {
            ++agents;
            QVERIFY2(QFileInfo(u"/proc/"_s + process).ownerId() >= 1000, commandLines.value(process));
        }
    }
    QVERIFY(agents >= 1);

    const ProgramEnd end = endOf(*program, enough);
    QVERIFY2(end.code == 0, end.out + end.err);
    QCOMPARE(m_exam->score(id).value("state"_L1).toString(), u"scored"_s);
    QCOMPARE(m_exam->result(id + u"/answer.json"_s), QByteArray("{\"a\": 1}\n"));
    QVERIFY(m_exam->result(id + u"/trajectory.jsonl"_s).count('\n') >= 3);
    const QList<QJsonObject> requests = model.requests();
    QCOMPARE(requests.size(), 3);
    for (const QJsonObject &request : requests) {
        const QJsonObject headers = request.value("headers"_L1).toObject();
        QCOMPARE(headers.value("authorization"_L1).toString().toUtf8(), "Bearer " + agentKey);
        QVERIFY(!QJsonDocument(request.value("body"_L1).toObject()).toJson().contains(agentKey));
    }
    for (const auto &[file, content] : m_exam->files().asKeyValueRange())
        QVERIFY2(!content.contains(agentKey) && !content.contains(judgeKey), qPrintable(file));
    QVERIFY(!end.out.contains(agentKey) && !end.err.contains(agentKey));
}

void TestDockerExam::tellsTheJudgeKeyToTheVerifierOnly()
{
    PROCTOR_NEEDS_BRIDGE_ADDRESS();
    Barrier barrier(bridgeAddress());
    QVERIFY(barrier.isReady());
    TrialBundle bundle;
    bundle.setVerifier("test -n \"$JUDGE_API_KEY\" -a -z \"$LLM_API_KEY\" && echo \"$JUDGE_API_KEY\"; " +
                       barrier.command().toUtf8() + "; echo 0.5 > /app/reward.txt\n");
    m_exam->setInstances({u"judged"_s}, makeImage(bundle));
    m_exam->setConfig("agent: {cmd: \"env; echo '{}' > /app/answer.json\", llm_api_key: " + agentKey +
                      "}\nverifier: {judge_api_key: " + judgeKey + "}\n");
    const auto program = m_exam->start();
    QTRY_VERIFY_WITH_TIMEOUT(barrier.arrived() > 0 || program->state() == QProcess::NotRunning, enough);
    const QByteArray inspected = docker(QStringList{u"inspect"_s} + m_exam->containers()).out;
    QVERIFY(inspected.contains("proctor.owner") && !inspected.contains(judgeKey));
    const auto commandLines = ofAllProcesses(u"cmdline"_s), environments = ofAllProcesses(u"environ"_s);
    int judges = 0;
    for (const auto &[process, environment] : environments.asKeyValueRange()) {
        QVERIFY2(!environment.contains(agentKey), commandLines.value(process));
        judges += environment.contains(judgeKey) ? 1 : 0;
        QVERIFY(!environment.contains(judgeKey) || commandLines.value(process).contains("test.sh"));
        QVERIFY(!commandLines.value(process).contains(judgeKey));
    }
    QVERIFY(judges >= 1);
    barrier.open();
    const ProgramEnd end = endOf(*program, enough);
    QVERIFY2(end.code == 0, end.out + end.err);
    QCOMPARE(m_exam->score(u"judged"_s).value("reward"_L1).toDouble(), 0.5);
    QCOMPARE(m_exam->result(u"judged/verifier_stdout.txt"_s), QByteArray("***\n"));
    QVERIFY(!m_exam->result(u"judged/agent_stdout.txt"_s).contains("JUDGE_"));
    for (const auto &[file, content] : m_exam->files().asKeyValueRange())
        QVERIFY2(!content.contains(agentKey) && !content.contains(judgeKey), qPrintable(file));
}

/// However many attempts wait for the image.
void TestDockerExam::pullsFromARegistryOnce()
{
    RealRegistry real;
    QVERIFY(real.isReady());
    QVERIFY(real.take(testImage(u"gear_tent_001"_s), u"exam/gear:1"_s));
    FakeRegistry counting({u"--upstream"_s, u"http://"_s + real.address()});
    QVERIFY(counting.isReady());
    const QString registry = counting.address() + u"/slow"_s;
    m_exam->setInstances({u"a"_s, u"b"_s, u"c"_s}, u"exam/gear:1"_s);
    m_exam->setConfig("docker: {registry: '" + registry.toUtf8() +
                      "', network: none}\nagent: {cmd: python3 /app/agent/careful.py}\n"
                      "runner: {concurrency: 3}\n");
    const ProgramEnd end = m_exam->run();
    const QString image = registry + u"/exam/gear:1"_s;
    docker({u"rmi"_s, image});
    QVERIFY2(end.code == 0, end.out + end.err);
    QCOMPARE(counting.requests(u"HEAD"_s, u"/manifests/"_s), 1);
    for (const QJsonObject &line : m_exam->scoreLines()) {
        QCOMPARE(line.value("reward"_L1).toDouble(), 1.0);
        const QString id = line.value("instance_id"_L1).toString();
        const QJsonObject sandbox =
            jsonOf(m_exam->result(id + u"/result.json"_s)).value("sandbox"_L1).toObject();
        QCOMPARE(sandbox.value("image"_L1).toString(), image);
        QVERIFY(sandbox.value("image_digest"_L1).toString().contains(u"sha256:"_s));
    }
}

/// The command of an agent is its own affair, quotes and all.
void TestDockerExam::leavesTheCommandAlone()
{
    const QString command =
        u"echo one'; id -u #'; echo \"two\\\"; $((1+1)) `echo three`\"; echo '$HOME' \\$x; "
        "printf '%s|' a\\ b \"c  d\" '*'; echo; id -u; echo \"$LLM_API_KEY\"; pwd; "
        "echo '{}' > answer.json; touch /root/x 2>/dev/null || echo refused"_s;
    const QString id = u"food_olive_oil_004"_s;
    m_exam->setInstances({id});
    m_exam->setConfig("agent: {llm_api_key: " + agentKey + ", cmd: " + quoted(command) + "}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 0, end.out + end.err);
    const int uid =
        jsonOf(m_exam->result(id + u"/result.json"_s)).value("sandbox"_L1).toObject().value("uid"_L1).toInt();
    QVERIFY(uid > 0);
    QCOMPARE(m_exam->result(id + u"/agent_stdout.txt"_s),
             "one; id -u #\ntwo\"; 2 three\n$HOME $x\na b|c  d|*|\n" + QByteArray::number(uid) +
                 "\n***\n/app\nrefused\n");
    QCOMPARE(m_exam->result(id + u"/agent_stderr.txt"_s), QByteArray());
}

void TestDockerExam::endsWhatAnAgentOnTheHostLeft()
{
    const QString id = u"gear_tent_001"_s;
    m_exam->setInstances({id});
    m_exam->setConfig(
        "agent: {name: mine, llm_api_key: " + agentKey +
        "}\nagents:\n  mine:\n    command: [bash, -c, 'cd \"$0\"; echo {{}} > answer.json; echo a > "
        "answer.md; setsid -f sleep 4711.5; echo $LLM_API_KEY', '{output_dir}']\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 0, end.out + end.err);
    QCOMPARE(m_exam->score(id).value("state"_L1).toString(), u"scored"_s);
    QCOMPARE(m_exam->result(id + u"/agent_stdout.txt"_s), QByteArray("***\n"));
    for (const QByteArray &commandLine : ofAllProcesses(u"cmdline"_s))
        QVERIFY(commandLine != QByteArray("sleep\0"
                                          "4711.5\0",
                                          13));
}

void TestDockerExam::runsEightAtOnce()
{
    PROCTOR_NEEDS_BRIDGE_ADDRESS();
    Barrier barrier(bridgeAddress());
    QVERIFY(barrier.isReady());
    QStringList ids;
    for (int i = 1; i <= 8; ++i)
        ids << u"attraction_xian_monday_%1"_s.arg(i);
    m_exam->setInstances(ids, testImage(u"attraction_xian_monday_005"_s));
    m_exam->setConfig(
        "agent: {cmd: " + quoted(u"id -u; "_s + barrier.command() + u"; echo '{}' > /app/answer.json"_s) +
        "}\nrunner: {concurrency: 8}\n");
    const auto program = m_exam->start();
    QTRY_COMPARE_WITH_TIMEOUT(barrier.arrived(), 8, enough);
    const QStringList containers = m_exam->containers();
    QCOMPARE(containers.size(), 8);
    barrier.open();
    const ProgramEnd end = endOf(*program, enough);
    QVERIFY2(end.code == 0, end.out + end.err);
    QSet<QByteArray> users;
    for (const QString &id : ids) {
        QCOMPARE(m_exam->score(id).value("state"_L1).toString(), u"scored"_s);
        users << m_exam->result(id + u"/agent_stdout.txt"_s);
    }
    QCOMPARE(users.size(), 8);
}

void TestDockerExam::runsThrice()
{
    const QStringList ids{u"gear_tent_001"_s, u"hotel_lisbon_budget_002"_s};
    m_exam->setInstances(ids);
    m_exam->setConfig("docker: {network: none}\nagent: {cmd: python3 /app/agent/careful.py}\n"
                      "runner: {concurrency: 3}\n");
    const ProgramEnd end = m_exam->run({u"--runs"_s, u"3"_s});
    QVERIFY2(end.code == 0, end.out + end.err);
    QStringList slotsSeen;
    for (const QJsonObject &line : m_exam->scoreLines()) {
        const QString id = line.value("instance_id"_L1).toString();
        const QString slot = u"%1/run_%2"_s.arg(id).arg(line.value("run_id"_L1).toInt());
        slotsSeen << slot;
        QCOMPARE(jsonOf(m_exam->result(slot + u"/result.json"_s)).value("reward"_L1).toDouble(),
                 id == ids.first() ? 1.0 : 0.95);
    }
    slotsSeen.sort();
    QStringList expected;
    for (const QString &id : ids) {
        for (int run = 1; run <= 3; ++run)
            expected << u"%1/run_%2"_s.arg(id).arg(run);
    }
    QCOMPARE(slotsSeen, expected);
}

void TestDockerExam::asksTheServiceOfTheImage()
{
    m_exam->setInstances({u"served"_s}, testImage(u"entrypoint"_s));
    m_exam->setConfig(
        "docker: {entrypoint: keep, network: none}\n"
        "agent: {cmd: \"/app/tools/ask_service --question why || /app/environment/tools/ask_service "
        "--question why; echo '{}' > /app/answer.json\"}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 0, end.out + end.err);
    const QByteArray said = m_exam->result(u"served/agent_stdout.txt"_s);
    QVERIFY2(said.contains("\"service\": \"up\""), said + m_exam->result(u"served/agent_stderr.txt"_s));
    QCOMPARE(jsonOf(m_exam->result(u"served/result.json"_s))
                 .value("sandbox"_L1)
                 .toObject()
                 .value("entrypoint"_L1)
                 .toString(),
             u"keep"_s);
}

/// Of each limit: that it is set, and that it holds.
void TestDockerExam::keepsEveryLimit()
{
    const QString command =
        u"cd /sys/fs/cgroup; cat memory/memory.limit_in_bytes memory.max 2>/dev/null; "
        "cat pids/pids.max pids.max 2>/dev/null; cat cpu/cpu.cfs_quota_us cpu.max 2>/dev/null; nice; "
        "grep -c eth0 /proc/net/dev; grep -E '^(NoNewPrivs|CapEff)' /proc/self/status; "
        "python3 -c 'bytearray(300 << 20)' 2>/dev/null || echo memory held; "
        "python3 -c '\nimport os, time\nfor n in range(200):\n    if not os.fork(): time.sleep(60)\n' "
        "2>/dev/null || echo pids held; echo '{}' > /app/answer.json"_s;
    m_exam->setInstances({u"limited"_s}, testImage(u"gear_tent_001"_s));
    m_exam->setConfig("docker: {memory: 96m, pids: 100, cpus: 0.5}\nagent: {cmd: " + quoted(command) + "}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 0, end.out + end.err);
    const QByteArray said = m_exam->result(u"limited/agent_stdout.txt"_s);
    const QList<QByteArray> lines = said.trimmed().split('\n');
    QVERIFY2(lines.size() == 9, said);
    QCOMPARE(lines.at(0), QByteArray("100663296"));
    QCOMPARE(lines.at(1), QByteArray("100"));
    QVERIFY2(lines.at(2) == "50000" || lines.at(2) == "50000 100000", lines.at(2));
    QCOMPARE(lines.at(3), QByteArray("10"));
    QCOMPARE(lines.at(4), QByteArray("1"));
    QVERIFY2(lines.at(5).startsWith("CapEff") && lines.at(5).endsWith("0000000000000000"), lines.at(5));
    QVERIFY2(lines.at(6).startsWith("NoNewPrivs") && lines.at(6).endsWith('1'), lines.at(6));
    QCOMPARE(lines.at(7), QByteArray("memory held"));
    QCOMPARE(lines.at(8), QByteArray("pids held"));
    const QJsonObject limits = jsonOf(m_exam->result(u"limited/result.json"_s))
                                   .value("sandbox"_L1)
                                   .toObject()
                                   .value("limits"_L1)
                                   .toObject();
    const QJsonObject expected{{u"memory"_s, u"96m"_s}, {u"pids"_s, 100}, {u"cpus"_s, 0.5}};
    QCOMPARE(limits, expected);
}

/// Taken away at the end.
QString TestDockerExam::makeImage(const TrialBundle &bundle)
{
    const QString name = u"exam-%1-%2"_s.arg(QCoreApplication::applicationPid()).arg(m_images.size());
    const QString problem = makeTestImage(name, bundle.path());
    if (!problem.isEmpty())
        qWarning("%s", qPrintable(problem));
    m_images << testImage(name);
    return m_images.last();
}

void TestDockerExam::keepsTimeLimits()
{
    TrialBundle bundle;
    bundle.write(u"tools/look"_s, "#!/bin/bash\nsleep 100\n", true);
    bundle.setVerifier("grep -q slow /app/answer.json && sleep 100; echo 0.5 > /app/reward.txt\n");
    m_exam->setInstances({u"slow"_s}, makeImage(bundle));
    m_exam->setConfig("docker: {network: none}\nrunner: {tool_timeout_sec: 1}\nverifier: {timeout_sec: 1}\n"
                      "agent: {cmd: \"/app/tools/look; echo looked $?; echo slow > /app/answer.json\"}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 1, end.out + end.err);
    const QByteArray said = m_exam->result(u"slow/agent_stdout.txt"_s);
    QVERIFY2(said.startsWith("looked ") && said != "looked 0\n", said);
    const QJsonObject verifier = m_exam->score(u"slow"_s);
    QCOMPARE(verifier.value("phase"_L1).toString(), u"timeout"_s);
    QCOMPARE(verifier.value("step"_L1).toString(), u"verifier"_s);
    QCOMPARE(verifier.value("fault"_L1).toString(), u"harness"_s);

    m_exam->setConfig("docker: {network: none}\nagent: {timeout_sec: 1, cmd: sleep 100}\n");
    QCOMPARE(m_exam->run({u"--mix"_s}).code, 1);
    const QJsonObject agent = m_exam->score(u"slow"_s);
    QCOMPARE(agent.value("phase"_L1).toString(), u"timeout"_s);
    QCOMPARE(agent.value("step"_L1).toString(), u"agent"_s);
    QCOMPARE(agent.value("fault"_L1).toString(), u"agent"_s);
}

void TestDockerExam::saysThatDiskCannotBeLimited()
{
    const ProgramEnd info = docker({u"info"_s, u"--format"_s, u"{{.Driver}} {{.DriverStatus}}"_s});
    if (!info.out.startsWith("overlay2") || info.out.contains("xfs"))
        QSKIP("this engine's storage driver can limit a container's disk");
    m_exam->setInstances({u"gear_tent_001"_s});
    m_exam->setConfig("docker: {disk: 1g}\nagent: {cmd: 'true'}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.err.contains("docker.disk"), end.err);
    QCOMPARE(end.code, 1);
    const QJsonObject score = m_exam->score(u"gear_tent_001"_s);
    QCOMPARE(score.value("phase"_L1).toString(), u"start"_s);
    QCOMPARE(score.value("fault"_L1).toString(), u"harness"_s);
    QVERIFY2(score.value("error"_L1).toString().contains(u"storage-opt"_s), QJsonDocument(score).toJson());
}

/// Whatever the instances are called.
void TestDockerExam::hasNoNetworkWithNone()
{
    const QStringList ids{u"酒店 一; $(x) 'y'"_s, QString(300, u'x')};
    m_exam->setInstances(ids, testImage(u"gear_tent_001"_s));
    m_exam->setConfig("docker: {network: none}\nrunner: {concurrency: 2}\n"
                      "agent: {cmd: \"test \\\"$(ls /sys/class/net)\\\" = lo && echo '{}' > "
                      "/app/answer.json\"}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 0, end.out + end.err);
    for (const QString &id : ids)
        QCOMPARE(m_exam->score(id).value("state"_L1).toString(), u"scored"_s);
}

void TestDockerExam::refusesARowWithoutImage()
{
    m_exam->setInstances({u"a"_s}, {});
    m_exam->setConfig("agent: {cmd: 'true'}\n");
    const ProgramEnd end = m_exam->run();
    QVERIFY2(end.code == 2, end.out + end.err);
    QVERIFY2(end.err.contains("docker_image") && end.err.contains(":1"), end.err);
    QCOMPARE(m_exam->files(), (QMap<QString, QByteArray>()));

    m_exam->setInstances({u"a"_s}, u"--privileged"_s);
    const ProgramEnd option = m_exam->run();
    QVERIFY2(option.code == 2, option.out + option.err);
    QVERIFY2(option.err.contains("“--privileged” cannot name an image"), option.err);
    QCOMPARE(m_exam->files(), (QMap<QString, QByteArray>()));
}

void TestDockerExam::stopsAtOnce()
{
    PROCTOR_NEEDS_BRIDGE_ADDRESS();
    Barrier barrier(bridgeAddress());
    QVERIFY(barrier.isReady());
    m_exam->setInstances({u"a"_s, u"b"_s, u"c"_s}, testImage(u"gear_tent_001"_s));
    m_exam->setConfig("agent: {cmd: " + quoted(u"echo half > /app/answer.json; "_s + barrier.command()) +
                      "}\nrunner: {concurrency: 2}\n");
    const auto program = m_exam->start();
    QTRY_COMPARE_WITH_TIMEOUT(barrier.arrived(), 2, enough);
    QCOMPARE(::kill(static_cast<pid_t>(program->processId()), SIGINT), 0);
    const ProgramEnd end = endOf(*program, 20'000);
    QVERIFY2(end.code == 1, end.out + end.err);
    const QList<QJsonObject> lines = m_exam->scoreLines();
    QCOMPARE(lines.size(), 2);
    for (const QJsonObject &line : lines) {
        QCOMPARE(line.value("state"_L1).toString(), u"cancelled"_s);
        QVERIFY(line.value("reward"_L1).isNull());
        QCOMPARE(m_exam->result(line.value("instance_id"_L1).toString() + u"/answer.json"_s),
                 QByteArray("half\n"));
    }
    QCOMPARE(m_exam->containers(), QStringList());
}

void TestDockerExam::goesOnAfterItWasKilled()
{
    PROCTOR_NEEDS_BRIDGE_ADDRESS();
    Barrier barrier(bridgeAddress());
    QVERIFY(barrier.isReady());
    m_exam->setInstances({u"a"_s, u"b"_s, u"c"_s}, testImage(u"gear_tent_001"_s));
    m_exam->setConfig(
        "agent: {cmd: " +
        quoted(u"test -n \"$GO\" || "_s + barrier.command() + u"; echo '{}' > /app/answer.json"_s) +
        "}\nrunner: {concurrency: 2}\n");
    const auto program = m_exam->start();
    QTRY_COMPARE_WITH_TIMEOUT(barrier.arrived(), 2, enough);
    QCOMPARE(m_exam->containers().size(), 2);
    program->kill();
    QVERIFY(program->waitForFinished());
    // By end-of-file, without anybody's help.
    QTRY_COMPARE_WITH_TIMEOUT(m_exam->containers(), QStringList(), 20'000);

    barrier.open();
    const auto again = m_exam->start();
    QTRY_COMPARE_WITH_TIMEOUT(again->state(), QProcess::NotRunning, enough);
    QVERIFY2(again->exitCode() == 0, again->readAll() + again->readAllStandardError());
    QStringList ids;
    for (const QJsonObject &line : m_exam->scoreLines()) {
        ids << line.value("instance_id"_L1).toString();
        QCOMPARE(line.value("state"_L1).toString(), u"scored"_s);
    }
    ids.sort();
    QCOMPARE(ids, (QStringList{u"a"_s, u"b"_s, u"c"_s}));
}

/// On an engine of its own: --all would take what other tests have there.
void TestDockerExam::cleansUp()
{
    PrivateEngine engine;
    QVERIFY2(engine.isReady(), qPrintable(engine.error()));
    qputenv("DOCKER_HOST", engine.address().toUtf8());
    QProcess empty;
    empty.start(u"bash"_s, {u"-c"_s, u"tar -cT /dev/null | docker import - empty:1"_s});
    QCOMPARE(endOf(empty, enough).code, 0);

    const ProcessIdentity self = ProcessIdentity::current();
    ProcessIdentity dead = self, far = self;
    dead.startTime += 1;
    far.machine = u"0123456789abcdef"_s;
    const QList<std::pair<QString, QString>> owners{
        {u"alive"_s, self.toText()}, {u"dead"_s, dead.toText()}, {u"far"_s, far.toText()}};
    for (const auto &[name, owner] : owners)
        QCOMPARE(docker({u"create"_s, u"--name"_s, name, u"--label"_s, ownerLabel + u'=' + owner,
                         u"empty:1"_s, u"x"_s})
                     .code,
                 0);
    QCOMPARE(docker({u"create"_s, u"--name"_s, u"strange"_s, u"empty:1"_s, u"x"_s}).code, 0);
    const auto names = [] {
        QStringList found = QString::fromUtf8(docker({u"ps"_s, u"-a"_s, u"--format"_s, u"{{.Names}}"_s}).out)
                                .split(u'\n', Qt::SkipEmptyParts);
        found.sort();
        return found;
    };

    const QStringList all{u"alive"_s, u"dead"_s, u"far"_s, u"strange"_s};
    const ProgramEnd dry = runProctor({u"cleanup"_s, u"--dry-run"_s}, m_exam->path({}));
    QCOMPARE(dry.code, 0);
    QVERIFY2(dry.out.contains("dead") && !dry.out.contains("far"), dry.out);
    const ProgramEnd dryAll = runProctor({u"cleanup"_s, u"--dry-run"_s, u"--all"_s}, m_exam->path({}));
    QVERIFY2(dryAll.out.contains("dead") && dryAll.out.contains("far") && !dryAll.out.contains("alive") &&
                 !dryAll.out.contains("strange"),
             dryAll.out);
    QCOMPARE(names(), all);

    QCOMPARE(runProctor({u"cleanup"_s}, m_exam->path({})).code, 0);
    QCOMPARE(names(), (QStringList{u"alive"_s, u"far"_s, u"strange"_s}));
    QCOMPARE(runProctor({u"cleanup"_s, u"--all"_s}, m_exam->path({})).code, 0);
    QCOMPARE(names(), (QStringList{u"alive"_s, u"strange"_s}));
    useEngine();
}

QTEST_GUILESS_MAIN(TestDockerExam)
#include "tst_dockerexam.moc"
