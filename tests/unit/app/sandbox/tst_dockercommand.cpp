// SPDX-License-Identifier: GPL-3.0-or-later
//
// The argument lists that an engine's client gets, and the names of containers.
#include "app/sandbox/dockercommand.h"

#include "app/sandbox/bridgeprogram.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace proctor;
using namespace Qt::StringLiterals;

class TestDockerCommand : public QObject
{
    Q_OBJECT

private:
    static ContainerSpec spec()
    {
        ContainerSpec made;
        made.name = u"proctor-x"_s;
        made.image = u"demo/one:1"_s;
        made.owner = OwnerMark::current(u"/results"_s);
        made.hasHostGateway = true;
        made.deadline = 99.5;
        return made;
    }

    /// The value that follows an option, "" if the option is not there.
    static QString valueOf(const QStringList &arguments, const QString &option)
    {
        const qsizetype at = arguments.indexOf(option);
        return at < 0 ? QString() : arguments.value(at + 1);
    }

    static QStringList valuesOf(const QStringList &arguments, const QString &option)
    {
        QStringList values;
        for (qsizetype at = 0; at + 1 < arguments.size(); ++at) {
            if (arguments.at(at) == option)
                values << arguments.at(at + 1);
        }
        return values;
    }

private slots:
    void runsTheBridgeAsMainProcess()
    {
        const ContainerSpec container = spec();
        const QStringList arguments = runArguments(container);
        QCOMPARE(arguments.mid(0, 3), (QStringList{u"run"_s, u"-i"_s, u"--rm"_s}));
        QCOMPARE(arguments.mid(arguments.indexOf(u"--entrypoint"_s)),
                 (QStringList{u"--entrypoint"_s, u"python3"_s, u"demo/one:1"_s, u"-I"_s, u"-S"_s, u"-u"_s,
                              u"-c"_s, bridgeBoot()}));
        QCOMPARE(valueOf(arguments, u"--name"_s), u"proctor-x"_s);
        QCOMPARE(valuesOf(arguments, u"--label"_s),
                 (QStringList{u"proctor.owner="_s + container.owner.owner.toText(),
                              u"proctor.run="_s + container.owner.run}));
    }

    void buildsTheWall_data()
    {
        QTest::addColumn<bool>("keeps");
        QTest::newRow("replace") << false;
        QTest::newRow("keep") << true;
    }
    void buildsTheWall()
    {
        QFETCH(bool, keeps);
        ContainerSpec container = spec();
        container.docker.cpus = 1.5;
        container.docker.disk = u"2g"_s;
        container.docker.pids = 99;
        container.docker.memory = u"1g"_s;
        container.docker.platform = u"linux/arm64"_s;
        const QStringList arguments = keeps ? keepArguments(container) : runArguments(container);
        const QList<std::pair<QString, QString>> options{
            {u"--pull"_s, u"never"_s},
            {u"--log-driver"_s, u"none"_s},
            {u"--network"_s, u"bridge"_s},
            {u"--user"_s, u"0:0"_s},
            {u"--cap-drop"_s, u"ALL"_s},
            {u"--security-opt"_s, u"no-new-privileges"_s},
            {u"--pids-limit"_s, u"99"_s},
            {u"--memory"_s, u"1g"_s},
            {u"--memory-swap"_s, u"1g"_s},
            {u"--cpus"_s, u"1.5"_s},
            {u"--storage-opt"_s, u"size=2g"_s},
            {u"--platform"_s, u"linux/arm64"_s},
            {u"--add-host"_s, u"host.docker.internal:host-gateway"_s}};
        for (const auto &[option, value] : options)
            QCOMPARE(valueOf(arguments, option), value);
        QVERIFY(arguments.contains(u"--no-healthcheck"_s));
        QCOMPARE(valuesOf(arguments, u"--cap-add"_s).join(u' '),
                 u"CHOWN DAC_OVERRIDE FOWNER SETUID SETGID KILL"_s);
        QVERIFY(!arguments.contains(u"--init"_s));
        QVERIFY(!arguments.contains(u"-e"_s));
    }

    void leavesOutWhatIsNotAskedFor()
    {
        ContainerSpec container = spec();
        container.docker.memory.clear();
        container.docker.network = u"none"_s;
        const QStringList arguments = runArguments(container);
        for (const QString &option : {u"--memory"_s, u"--memory-swap"_s, u"--cpus"_s, u"--storage-opt"_s,
                                      u"--add-host"_s, u"--context"_s})
            QVERIFY2(!arguments.contains(option), qPrintable(option));

        ContainerSpec old = spec();
        old.hasHostGateway = false;
        QVERIFY(!runArguments(old).contains(u"--add-host"_s));
    }

    void keepsAnEntrypoint()
    {
        const ContainerSpec container = spec();
        const QStringList arguments = keepArguments(container);
        QCOMPARE(arguments.mid(0, 2), (QStringList{u"run"_s, u"-d"_s}));
        QVERIFY(!arguments.contains(u"--entrypoint"_s));
        QVERIFY(!arguments.contains(u"--rm"_s));
        QCOMPARE(arguments.mid(arguments.size() - 3), (QStringList{u"demo/one:1"_s, u"sleep"_s, u"100"_s}));
        QCOMPARE(joinArguments(container),
                 (QStringList{u"exec"_s, u"-i"_s, u"-u"_s, u"0:0"_s, u"proctor-x"_s, u"python3"_s, u"-I"_s,
                              u"-S"_s, u"-u"_s, u"-c"_s, bridgeBoot()}));
        QCOMPARE(removeCommand({u"a"_s, u"b"_s}), (QStringList{u"rm"_s, u"-f"_s, u"-v"_s, u"a"_s, u"b"_s}));
    }

    void namesTheContextFirst()
    {
        EvalConfig::Docker docker;
        docker.context = u"far"_s;
        QCOMPARE(engineArguments(docker, {u"ps"_s}), (QStringList{u"--context"_s, u"far"_s, u"ps"_s}));
        QCOMPARE(engineProgram(docker), u"docker"_s);
        docker.engine = EvalConfig::Engine::Podman;
        QCOMPARE(engineArguments(docker, {u"ps"_s}), (QStringList{u"--connection"_s, u"far"_s, u"ps"_s}));
        QCOMPARE(engineProgram(docker), u"podman"_s);
    }

    void putsTheRegistryInFront_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<QString>("registry");
        QTest::addColumn<QString>("expected");
        QTest::newRow("prefixed") << u"a/b:1"_s << u"reg.example"_s << u"reg.example/a/b:1"_s;
        QTest::newRow("no registry") << u"a/b:1"_s << QString() << u"a/b:1"_s;
        QTest::newRow("no slash") << u"b:1"_s << u"reg.example"_s << u"b:1"_s;
        QTest::newRow("already") << u"reg.example/a/b:1"_s << u"reg.example"_s << u"reg.example/a/b:1"_s;
        QTest::newRow("begins alike") << u"reg.example.org/b"_s << u"reg.example"_s << u"reg.example.org/b"_s;
    }
    void putsTheRegistryInFront()
    {
        QFETCH(QString, image);
        QFETCH(QString, registry);
        QTEST(imageWithRegistry(image, registry), "expected");
    }

    void refusesWhatIsNoImage_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<bool>("good");
        QTest::newRow("plain") << u"debian"_s << true;
        QTest::newRow("whole") << u"127.0.0.1:5000/A/b_c.d-e:1.0"_s << true;
        QTest::newRow("digest") << u"a/b@sha256:0123"_s << true;
        QTest::newRow("an option") << u"--privileged"_s << false;
        QTest::newRow("a blank") << u"a b"_s << false;
        QTest::newRow("a line end") << u"a\n"_s << false;
        QTest::newRow("nothing") << QString() << false;
    }
    void refusesWhatIsNoImage()
    {
        QFETCH(QString, image);
        QFETCH(bool, good);
        QCOMPARE(!imageProblem(image).has_value(), good);
    }

    void namesAreUnique()
    {
        const OwnerMark owner = OwnerMark::current();
        static const QRegularExpression form(u"\\A[a-zA-Z0-9][a-zA-Z0-9_.-]+\\z"_s);
        QSet<QString> names;
        for (int i = 0; i < 100; ++i) {
            const QString name = containerName(owner, u"attraction_auckland_%1"_s.arg(i));
            QVERIFY2(form.match(name).hasMatch() && name.size() <= 63, qPrintable(name));
            names << name;
        }
        QCOMPARE(names.size(), 100);
        QVERIFY(names.begin()->contains(u"attraction_auckland"_s));
        for (const QString &id : {u"has blanks and /"_s, u"上海"_s, QString(300, u'x'), QString()}) {
            const QString name = containerName(owner, id);
            QVERIFY2(form.match(name).hasMatch() && name.size() <= 63, qPrintable(name));
        }
        OwnerMark other = owner;
        other.owner.pid += 1;
        const QString mine = containerName(owner, u"a"_s), theirs = containerName(other, u"a"_s);
        QVERIFY(mine.section(u'-', 1, 1) != theirs.section(u'-', 1, 1));
    }
};

QTEST_GUILESS_MAIN(TestDockerCommand)
#include "tst_dockercommand.moc"
