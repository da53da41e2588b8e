// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a tool call of a host agent costs on its way through the proxy, the bridge and back, with a tool that
// does nothing, beside starting the same program directly. Both in turn, so that a busy machine slows both.
#include "app/proxy/toolproxy.h"
#include "tests/bench/measure.h"
#include "tests/bench/places.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTcpSocket>
#include <QUrl>

using namespace proctor;

static constexpr int rounds = 20;
static constexpr int callsOfRound = 50;

static double perSecond(const QElapsedTimer &clock)
{
    return callsOfRound * 1e9 / static_cast<double>(clock.nsecsElapsed());
}

/// One client that sends a request when it has the answer to the one before, on one connection.
class Caller
{
public:
    explicit Caller(const QUrl &url)
        : m_request("POST " + url.path().toLatin1() + "/call/nothing HTTP/1.1\r\nHost: 127.0.0.1:" +
                    QByteArray::number(url.port()) + "\r\nContent-Length: 2\r\n\r\n{}")
    {
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
        QObject::connect(&m_socket, &QTcpSocket::readyRead, &m_loop, [this] {
            m_received += m_socket.readAll();
            if (m_received.endsWith("{\"raw\": \"\"}"))
                m_loop.quit();
        });
    }

    double callsPerSecond()
    {
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < callsOfRound; ++i) {
            m_received.clear();
            m_socket.write(m_request);
            m_loop.exec();
        }
        return perSecond(clock);
    }

private:
    QByteArray m_request, m_received;
    QTcpSocket m_socket;
    QEventLoop m_loop;
};

static double startsPerSecond(const QString &program)
{
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < callsOfRound; ++i) {
        QProcess process;
        QEventLoop loop;
        QObject::connect(&process, &QProcess::finished, &loop, &QEventLoop::quit);
        process.start(program, QStringList());
        loop.exec();
    }
    return perSecond(clock);
}

static void measureCalls(const measure::TrialSandbox &sandbox)
{
    ToolProxy proxy(sandbox.bridge(), sandbox.ready().tools);
    if (const auto opened = proxy.open(); !opened)
        qFatal("%s", qPrintable(opened.error().message));
    Caller caller((QUrl(proxy.url())));
    caller.callsPerSecond();
    QList<double> calls, starts;
    for (int round = 0; round < rounds; ++round) {
        starts << startsPerSecond(sandbox.bundle() + QStringLiteral("/tools/nothing"));
        calls << caller.callsPerSecond();
    }
    QCoro::waitFor(proxy.close());

    const double call = measure::median(calls), start = measure::median(starts);
    measure::printRow(
        QStringLiteral("tool calls of a host agent, one after the other, a tool that does nothing, ") +
            sandbox.place(),
        calls, QStringLiteral("/s"),
        QStringLiteral("median %1 /s of QProcess with the same script: proxy and bridge add %2 ms a call")
            .arg(start, 0, 'f', 1)
            .arg(1000 / call - 1000 / start, 0, 'f', 2));
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    measure::printMachine();
    for (const EvalConfig::SandboxKind kind : measure::sandboxKinds())
        measureCalls(measure::TrialSandbox(kind));
    return 0;
}
