// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/bridgeprogram.h"

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
    return resource(QStringLiteral(":/sandbox/bridge.py"));
}

QString bridgeBoot()
{
    return QString::fromUtf8(resource(QStringLiteral(":/sandbox/boot.py")));
}

} // namespace proctor
