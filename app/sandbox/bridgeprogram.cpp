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

QByteArray bridgeProgram()
{
    const QDir folder(QStringLiteral(":/sandbox/bridge"));
    QByteArray program;
    for (const QString &part : folder.entryList(QDir::Files, QDir::Name))
        program += resource(folder.filePath(part));
    return program;
}

QString bridgeBoot()
{
    return QString::fromUtf8(resource(QStringLiteral(":/sandbox/boot.py")));
}

} // namespace proctor
