// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/secrets/scrubber.h"

#include "models/core/pythontext.h"

#include <algorithm>

namespace proctor
{

static constexpr char mask[] = "***";

/// Within a JSON string, as most programs write it.
static QByteArray inJson(const QString &secret)
{
    QByteArray string;
    appendPythonString(string, secret);
    return string.sliced(1, string.size() - 2);
}

/// The same in ASCII alone, as Python's json.dumps does by itself.
static QByteArray inAsciiJson(const QString &secret)
{
    QByteArray string;
    for (const QChar character : QString::fromUtf8(inJson(secret))) {
        if (character.unicode() < 0x80)
            string += character.toLatin1();
        else
            string += "\\u" + QByteArray::number(character.unicode(), 16).rightJustified(4, '0');
    }
    return string;
}

Scrubber::Scrubber(const QStringList &secrets)
{
    for (const QString &secret : secrets) {
        // The line end behind a key that was read from a file is no part of what a program passes on.
        for (const QString &form : {secret, secret.trimmed()}) {
            for (const QByteArray &bytes : {form.toUtf8(), inJson(form), inAsciiJson(form)}) {
                if (bytes.size() >= shortestSecret && !m_secrets.contains(bytes))
                    m_secrets << bytes;
            }
        }
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
