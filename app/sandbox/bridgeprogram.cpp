// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bridgeprogram.h"

#include <QDir>
#include <QFile>

namespace proctor
{

static QByteArray resource(const QString &path)
{
    QFile file(path);
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(opened, "resource", "compiled-in file is missing");
    return opened ? file.readAll() : QByteArray();
}

static QByteArray joinedProgram()
{
    const QDir folder(QStringLiteral(":/sandbox/bridge"));
    QByteArray program = resource(QStringLiteral(":/sandbox/bridge.code"));
    for (const QString &part : folder.entryList(QDir::Files, QDir::Name))
        program += resource(folder.filePath(part));
    return program;
}

QByteArray bridgeProgram()
{
    static const QByteArray program = joinedProgram();
    return program;
}

QString bridgeBoot()
{
    return QString::fromUtf8(resource(QStringLiteral(":/sandbox/boot.py")));
}

} // namespace proctor
