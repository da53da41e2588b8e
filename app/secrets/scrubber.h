// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace proctor
{

/// Takes known secrets out of what is written or shown, also as they stand in JSON, and without the white
/// space around them. Shorter ones than `shortestSecret` bytes are left: they would tear holes into ordinary
/// text.
class Scrubber
{
public:
    static constexpr qsizetype shortestSecret = 6;

    Scrubber() = default;
    explicit Scrubber(const QStringList &secrets);

    /// A stream, piece by piece: holds back what may be the beginning of a secret until the next piece or
    /// finish().
    QByteArray feed(const QByteArray &bytes);
    QByteArray finish();

    /// A text as a whole.
    QString scrubbed(const QString &text) const;

private:
    QByteArray replaceAll(QByteArray bytes) const;
    qsizetype possibleBeginning(const QByteArray &bytes) const;

    QList<QByteArray> m_secrets;
    QByteArray m_held;
};

} // namespace proctor
