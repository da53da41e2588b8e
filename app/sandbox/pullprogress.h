// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

namespace proctor
{

/// What the lines that `docker pull` prints without a terminal say of the layers.
class PullProgress
{
public:
    /// Takes a line like "1f2e3d4c5b6a: Pull complete"; whether it changed anything.
    bool add(const QString &line);
    /// "3 of 7 layers"; empty while no layer is known.
    QString text() const;

private:
    /// By their ids: whether they are there.
    QHash<QString, bool> m_layers;
};

} // namespace proctor
