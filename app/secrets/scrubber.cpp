// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/secrets/scrubber.h"

#include <algorithm>

namespace proctor
{

static constexpr char mask[] = "***";

Scrubber::Scrubber(const QStringList &secrets)
{
    for (const QString &secret : secrets) {
        const QByteArray bytes = secret.toUtf8();
        if (bytes.size() >= shortestSecret && !m_secrets.contains(bytes))
            m_secrets << bytes;
    }
    // A secret within another one must not leave the rest of the longer one behind.
    std::sort(m_secrets.begin(), m_secrets.end(),
              [](const QByteArray &a, const QByteArray &b) { return a.size() > b.size(); });
}

QByteArray Scrubber::feed(const QByteArray &bytes)
{
    if (m_secrets.isEmpty())
        return bytes;
    QByteArray text = replaceAll(m_held + bytes);
    m_held = text.right(possibleBeginning(text));
    text.chop(m_held.size());
    return text;
}

QByteArray Scrubber::finish()
{
    return std::exchange(m_held, {});
}

QString Scrubber::scrubbed(const QString &text) const
{
    return m_secrets.isEmpty() ? text : QString::fromUtf8(replaceAll(text.toUtf8()));
}

QByteArray Scrubber::replaceAll(QByteArray bytes) const
{
    for (const QByteArray &secret : m_secrets)
        bytes.replace(secret, mask);
    return bytes;
}

/// Length of the longest end of `bytes` with which a secret begins.
qsizetype Scrubber::possibleBeginning(const QByteArray &bytes) const
{
    for (qsizetype length = std::min(bytes.size(), m_secrets.first().size() - 1); length > 0; --length) {
        const QByteArray end = bytes.right(length);
        const bool begins = std::any_of(m_secrets.begin(), m_secrets.end(), [&](const QByteArray &secret) {
            return secret.size() > length && secret.startsWith(end);
        });
        if (begins)
            return length;
    }
    return 0;
}

} // namespace proctor
