// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>

namespace proctor::test
{

/// Where agents in containers wait until the test lets them go on: each connects, and its connection is
/// closed. Needs the test's event loop (QTRY_…).
class Barrier
{
public:
    /// `address` is this machine as the containers see it.
    explicit Barrier(const QString &address)
        : m_address(address)
    {
        m_server.listen(QHostAddress(address));
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            QTcpSocket *const agent = m_server.nextPendingConnection();
            ++m_arrived;
            if (m_isOpen)
                agent->disconnectFromHost();
        });
    }

    bool isReady() const { return m_server.isListening(); }
    /// How many have come so far.
    int arrived() const { return m_arrived; }

    /// For bash: waits here. An agent waits at most two minutes.
    QString command() const
    {
        return QStringLiteral("exec 3<>/dev/tcp/%1/%2; read -t 120 <&3")
            .arg(m_address)
            .arg(m_server.serverPort());
    }

    /// Lets everybody go, also who comes later.
    void open()
    {
        m_isOpen = true;
        for (QTcpSocket *agent : m_server.findChildren<QTcpSocket *>())
            agent->disconnectFromHost();
    }

private:
    QString m_address;
    QTcpServer m_server;
    int m_arrived = 0;
    bool m_isOpen = false;
};

} // namespace proctor::test
