// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests on a real container engine need. `./dev test` as root starts one and makes the images
// (tests/engine); the environment says where it is:
//   PROCTOR_TEST_ENGINE          unix:///…/d.sock; empty: there is none, and these tests are skipped by name
//   PROCTOR_TEST_BRIDGE_ADDRESS  this machine as its containers see it; they reach nothing else
//   PROCTOR_REQUIRE_ENGINE=1     without an engine these tests fail
#pragma once

#include "tests/support/proctorprogram.h"

#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace proctor::test
{

/// Why no engine can be used here; empty if one can.
QString engineMissing();
bool engineRequired();
/// Points `docker`, called by this process or its children, to the engine of the tests.
void useEngine();
QString engineAddress();
QString bridgeAddress();

/// "proctor-test/<name>:1". Names are the instances of the demo exam (both layouts, in /app, WORKDIR /app),
/// and those of tests/engine/images:
/// - base: Debian with bash and python3, no bundle
/// - nopython: bash but no python3
/// - entrypoint: USER nobody, and an ENTRYPOINT that starts the service which the tool ask_service asks
/// - stale: both reward files, with 1.0, in the image
/// - oddtools: second layout; tools that are links, that find a database beside or above themselves, that
///   import a module beside them
/// - workdir: WORKDIR /srv/work
QString testImage(const QString &name);
/// The twelve instances of the demo exam.
QStringList demoInstances();

/// Makes proctor-test/<name>:1 of a bundle in `folder`, at /app over the base; says why not.
QString makeTestImage(const QString &name, const QString &folder);

/// Runs `docker …` and waits for its end; code -1: it did not end in time.
ProgramEnd docker(const QStringList &arguments, int milliseconds = 60'000);
/// Names of the containers, running or not, with this label ("key" or "key=value").
QStringList containersWith(const QString &label);

/// A program that says `ready …` on its standard output and ends at the end of its standard input.
class Fixture
{
public:
    Fixture(const QString &program, const QStringList &arguments);
    ~Fixture();
    Q_DISABLE_COPY_MOVE(Fixture)

    bool isReady() const { return !m_ready.isEmpty(); }
    /// What followed `ready`.
    QString readyLine() const { return m_ready; }

private:
    QProcess m_process;
    QString m_ready;
};

/// tests/support/fakeregistry.py, where the kinds of repositories and the options stand.
class FakeRegistry
{
public:
    explicit FakeRegistry(const QStringList &options = {});

    bool isReady() const { return m_fixture.isReady(); }
    /// "127.0.0.1:<port>"; an image is address() + "/slow/a:1".
    QString address() const;
    /// {"GET /v2/slow/a/manifests/1": 1, …}
    QJsonObject counts() const;
    /// How many requests of this method there were for paths with this part in them. Each `docker pull` asks
    /// HEAD once for the manifest of its tag; GET only for what the engine does not know by digest.
    int requests(const QString &method, const QString &part) const;

private:
    Fixture m_fixture;
};

/// Debian's docker-registry on a port of its own, empty at first.
class RealRegistry
{
public:
    RealRegistry();
    ~RealRegistry();
    Q_DISABLE_COPY_MOVE(RealRegistry)

    bool isReady() const { return m_ready; }
    /// "127.0.0.1:<port>"
    QString address() const;
    /// Puts an image of the engine there as `name` ("a/b:1") and takes that name away from the engine again.
    bool take(const QString &image, const QString &name);

private:
    bool start();

    QTemporaryDir m_folder;
    QProcess m_process;
    quint16 m_port = 0;
    bool m_ready = false;
};

/// An engine for one test that stops, freezes or fills its engine; without images until makeImages(). Needs
/// root.
class PrivateEngine
{
public:
    /// Options of `engine.sh start`: {"--data-size", "24m"} gives it little space.
    explicit PrivateEngine(const QStringList &options = {});
    ~PrivateEngine();
    Q_DISABLE_COPY_MOVE(PrivateEngine)

    bool isReady() const { return !m_address.isEmpty(); }
    QString error() const { return m_error; }
    QString address() const { return m_address; }
    QString bridgeAddress() const { return m_bridge; }
    bool makeImages();
    /// SIGSTOP, SIGCONT, SIGTERM or SIGKILL to its dockerd.
    bool signalDaemon(int signal);

private:
    QString m_address, m_bridge, m_error;
};

} // namespace proctor::test

/// First in initTestCase() of each test that needs an engine. ctest shows the test as skipped.
#define PROCTOR_NEEDS_ENGINE()                                                                               \
    do {                                                                                                     \
        const QString missing = proctor::test::engineMissing();                                              \
        if (!missing.isEmpty() && proctor::test::engineRequired())                                           \
            QFAIL(qPrintable(missing));                                                                      \
        if (!missing.isEmpty())                                                                              \
            QSKIP(qPrintable(missing));                                                                      \
        proctor::test::useEngine();                                                                          \
    } while (false)

/// For what needs more of an engine than that it is there. Where an engine is required, that is, too.
#define PROCTOR_SKIP_ENGINE_CASE(reason)                                                                     \
    do {                                                                                                     \
        if (proctor::test::engineRequired())                                                                 \
            QFAIL(reason);                                                                                   \
        QSKIP(reason);                                                                                       \
    } while (false)

#define PROCTOR_NEEDS_BRIDGE_ADDRESS()                                                                       \
    do {                                                                                                     \
        if (proctor::test::bridgeAddress().isEmpty())                                                        \
            PROCTOR_SKIP_ENGINE_CASE(                                                                        \
                "PROCTOR_TEST_BRIDGE_ADDRESS is empty: this engine was not started by engine.sh");           \
    } while (false)
