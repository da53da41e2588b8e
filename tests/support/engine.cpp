// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <csignal>

namespace proctor::test
{

namespace
{

const QString engineScript = QStringLiteral(PROCTOR_SOURCE_DIR "/tests/engine/engine.sh");

ProgramEnd run(const QString &program, const QStringList &arguments, int milliseconds)
{
    QProcess process;
    process.start(program, arguments);
    process.closeWriteChannel();
    return endOf(process, milliseconds);
}

QByteArray httpGet(const QString &address, const QByteArray &path)
{
    QTcpSocket socket;
    const qsizetype colon = address.lastIndexOf(u':');
    socket.connectToHost(address.left(colon), quint16(address.mid(colon + 1).toUInt()));
    if (!socket.waitForConnected(5000))
        return {};
    socket.write("GET " + path + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    while (socket.waitForReadyRead(5000)) {
    }
    const QByteArray reply = socket.readAll();
    return reply.mid(reply.indexOf("\r\n\r\n") + 4);
}

} // namespace

QString engineMissing()
{
    if (!engineAddress().isEmpty())
        return {};
    const QString why =
        qEnvironmentVariable("PROCTOR_NO_ENGINE", QStringLiteral("PROCTOR_TEST_ENGINE is empty"));
    return QStringLiteral("no container engine: ") + why;
}

bool engineRequired()
{
    return qEnvironmentVariable("PROCTOR_REQUIRE_ENGINE") == u"1";
}

void useEngine()
{
    qputenv("DOCKER_HOST", engineAddress().toUtf8());
    qunsetenv("DOCKER_CONTEXT");
}

QString engineAddress()
{
    return qEnvironmentVariable("PROCTOR_TEST_ENGINE");
}

QString bridgeAddress()
{
    return qEnvironmentVariable("PROCTOR_TEST_BRIDGE_ADDRESS");
}

QString testImage(const QString &name)
{
    return QStringLiteral("proctor-test/%1:1").arg(name);
}

QStringList demoInstances()
{
    QStringList instances;
    for (const char *family : {"travel", "e_commerce"}) {
        const QDir folder(QStringLiteral(PROCTOR_BUILD_DIR "/share/proctor/demo/") + QLatin1String(family));
        instances += folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    }
    return instances;
}

QString makeTestImage(const QString &name, const QString &folder)
{
    const ProgramEnd base =
        docker({QStringLiteral("image"), QStringLiteral("inspect"), QStringLiteral("--format"),
                QStringLiteral("{{index .RootFS.Layers 0}}"), testImage(QStringLiteral("base"))});
    if (base.code != 0)
        return QString::fromUtf8(base.err);
    QProcess archive, load;
    archive.setStandardOutputProcess(&load);
    archive.start(QStringLiteral("python3"),
                  {QStringLiteral("-B"), QStringLiteral(PROCTOR_SOURCE_DIR "/tests/engine/make_images.py"),
                   QStringLiteral("--bundle"), folder, name, QString::fromUtf8(base.out).trimmed()});
    load.start(QStringLiteral("docker"), {QStringLiteral("load"), QStringLiteral("-q")});
    const ProgramEnd made = endOf(archive, 60'000), loaded = endOf(load, 60'000);
    return made.code == 0 && loaded.code == 0 ? QString() : QString::fromUtf8(made.err + loaded.err);
}

ProgramEnd docker(const QStringList &arguments, int milliseconds)
{
    return run(QStringLiteral("docker"), arguments, milliseconds);
}

QStringList containersWith(const QString &label)
{
    const ProgramEnd end =
        docker({QStringLiteral("ps"), QStringLiteral("-a"), QStringLiteral("--filter"),
                QStringLiteral("label=") + label, QStringLiteral("--format"), QStringLiteral("{{.Names}}")});
    if (end.code != 0)
        qWarning("docker ps: %s", end.err.constData());
    return QString::fromUtf8(end.out).split(u'\n', Qt::SkipEmptyParts);
}

Fixture::Fixture(const QString &program, const QStringList &arguments)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(program, arguments);
    while (!m_process.canReadLine() && m_process.waitForReadyRead(20'000)) {
    }
    const QString line = QString::fromUtf8(m_process.readLine()).trimmed();
    if (line.startsWith(u"ready"))
        m_ready = line.mid(5).trimmed();
}

Fixture::~Fixture()
{
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(5000))
        m_process.kill();
    m_process.waitForFinished(5000);
}

FakeRegistry::FakeRegistry(const QStringList &options)
    : m_fixture(QStringLiteral("python3"),
                QStringList{QStringLiteral("-B"),
                            QStringLiteral(PROCTOR_SOURCE_DIR "/tests/support/fakeregistry.py")} +
                    options)
{
}

QString FakeRegistry::address() const
{
    return QStringLiteral("127.0.0.1:") + m_fixture.readyLine();
}

QJsonObject FakeRegistry::counts() const
{
    return QJsonDocument::fromJson(httpGet(address(), "/_counts")).object();
}

int FakeRegistry::requests(const QString &method, const QString &part) const
{
    const QJsonObject all = counts();
    int found = 0;
    for (auto it = all.begin(); it != all.end(); ++it) {
        if (it.key().startsWith(method + u' ') && it.key().contains(part))
            found += it.value().toInt();
    }
    return found;
}

RealRegistry::RealRegistry()
{
    // Between asking for a free port and using it another process may take it.
    for (int attempt = 0; attempt < 3 && !m_ready; ++attempt)
        m_ready = start();
}

bool RealRegistry::start()
{
    QTcpServer probe;
    if (!probe.listen(QHostAddress::LocalHost))
        return false;
    m_port = probe.serverPort();
    probe.close();
    const QString file = m_folder.filePath(QStringLiteral("config.yml"));
    writeFile(file, "version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage: {filesystem: "
                    "{rootdirectory: " +
                        m_folder.filePath(QStringLiteral("data")).toUtf8() + "}}\nhttp: {addr: \"" +
                        address().toUtf8() + "\", secret: x}\n");
    m_process.setStandardOutputFile(m_folder.filePath(QStringLiteral("log")));
    m_process.setStandardErrorFile(m_folder.filePath(QStringLiteral("errors")));
    m_process.start(QStringLiteral("docker-registry"), {QStringLiteral("serve"), file});
    const QDeadlineTimer limit(20'000);
    while (!limit.hasExpired() && !m_process.waitForFinished(50)) {
        if (m_process.state() == QProcess::NotRunning)
            return false;
        if (httpGet(address(), "/v2/") == "{}")
            return true;
    }
    return false;
}

RealRegistry::~RealRegistry()
{
    m_process.kill();
    m_process.waitForFinished(5000);
}

QString RealRegistry::address() const
{
    return QStringLiteral("127.0.0.1:%1").arg(m_port);
}

bool RealRegistry::take(const QString &image, const QString &name)
{
    const QString there = address() + u'/' + name;
    for (const QStringList &command : {QStringList{QStringLiteral("tag"), image, there},
                                       QStringList{QStringLiteral("push"), QStringLiteral("-q"), there},
                                       QStringList{QStringLiteral("rmi"), there}}) {
        const ProgramEnd end = docker(command, 120'000);
        if (end.code != 0) {
            qWarning("docker %s: %s", qPrintable(command.join(u' ')), end.err.constData());
            return false;
        }
    }
    return true;
}

PrivateEngine::PrivateEngine(const QStringList &options)
{
    const ProgramEnd end = run(engineScript,
                               QStringList{QStringLiteral("start"), QStringLiteral("--owner"),
                                           QString::number(QCoreApplication::applicationPid())} +
                                   options,
                               120'000);
    m_error = QString::fromUtf8(end.err);
    if (end.code != 0)
        return;
    static const QRegularExpression variable(QStringLiteral("export (\\w+)=(.*)"));
    for (const QByteArray &line : end.outLines()) {
        const QRegularExpressionMatch match = variable.match(QString::fromUtf8(line));
        (match.captured(1) == u"PROCTOR_TEST_ENGINE" ? m_address : m_bridge) = match.captured(2);
    }
}

PrivateEngine::~PrivateEngine()
{
    if (isReady())
        run(engineScript, {QStringLiteral("stop"), m_address}, 120'000);
}

bool PrivateEngine::makeImages()
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PROCTOR_TEST_ENGINE"), m_address);
    process.setProcessEnvironment(environment);
    process.start(engineScript, {QStringLiteral("images")});
    const ProgramEnd end = endOf(process, 240'000);
    m_error = QString::fromUtf8(end.err);
    return end.code == 0;
}

bool PrivateEngine::signalDaemon(int signal)
{
    const QString file =
        m_address.mid(int(qstrlen("unix://"))).replace(QStringLiteral("d.sock"), QStringLiteral("pid"));
    const int pid = contentOf(file).trimmed().toInt();
    return pid > 1 && ::kill(pid, signal) == 0;
}

} // namespace proctor::test
