// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QNetworkProxy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

namespace proctor::test
{

/// A tool server below /prefix on 127.0.0.1 that answers as it is told. Lives in the test's thread, whose
/// event loop has to run.
class FakeTools
{
public:
    struct Answer {
        int status = 200;
        QByteArray body;
        enum class End { Whole, Silent, Cut } end = End::Whole;
    };
    struct Call {
        QByteArray line;
        QByteArray body;
    };

    FakeTools()
    {
        m_server.setProxy(QNetworkProxy::NoProxy);
        m_server.listen(QHostAddress::LocalHost);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection())
                QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(socket); });
        });
    }
    Q_DISABLE_COPY_MOVE(FakeTools)

    QString url() const { return QStringLiteral("http://127.0.0.1:%1/prefix").arg(m_server.serverPort()); }
    /// What a tool answers; without one it gives back its arguments.
    void set(const QByteArray &tool, const Answer &answer) { m_answers.insert(tool, answer); }
    const QList<Call> &calls() const { return m_calls; }

private:
    void read(QTcpSocket *socket)
    {
        QByteArray &bytes = m_bytes[socket];
        bytes += socket->readAll();
        const qsizetype headEnd = bytes.indexOf("\r\n\r\n");
        if (headEnd < 0)
            return;
        const QByteArray head = bytes.first(headEnd);
        const qsizetype lengthBegin = head.toLower().indexOf("content-length:") + 15;
        const qsizetype length =
            head.mid(lengthBegin, head.indexOf('\r', lengthBegin) - lengthBegin).trimmed().toLongLong();
        if (bytes.size() < headEnd + 4 + length)
            return;
        const Call call{head.first(head.indexOf('\r')), bytes.sliced(headEnd + 4)};
        bytes.clear();
        m_calls << call;
        const QByteArray path = call.line.split(' ').value(1);
        answer(socket, m_answers.value(path.sliced(path.lastIndexOf('/') + 1), {200, call.body}));
    }

    static void answer(QTcpSocket *socket, const Answer &answer)
    {
        if (answer.end == Answer::End::Silent)
            return;
        if (answer.end == Answer::End::Whole) {
            socket->write("HTTP/1.0 " + QByteArray::number(answer.status) +
                          " x\r\nContent-Type: application/json\r\nContent-Length: " +
                          QByteArray::number(answer.body.size()) + "\r\n\r\n" + answer.body);
        }
        socket->disconnectFromHost();
    }

    QHash<QTcpSocket *, QByteArray> m_bytes;
    QHash<QByteArray, Answer> m_answers;
    QList<Call> m_calls;
    QTcpServer m_server;
};

} // namespace proctor::test
