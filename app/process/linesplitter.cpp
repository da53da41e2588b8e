// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/linesplitter.h"

namespace proctor
{

QList<LineSplitter::Line> LineSplitter::add(const QByteArray &bytes)
{
    QList<Line> lines;
    qsizetype begin = 0;
    for (qsizetype end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', begin)) {
        m_rest.append(bytes.constData() + begin, end - begin);
        cutLongLine(&lines);
        lines.append({std::exchange(m_rest, {}), true});
        begin = end + 1;
    }
    m_rest.append(bytes.constData() + begin, bytes.size() - begin);
    cutLongLine(&lines);
    return lines;
}

QList<LineSplitter::Line> LineSplitter::finish()
{
    if (m_rest.isEmpty())
        return {};
    return {{std::exchange(m_rest, {}), false}};
}

void LineSplitter::cutLongLine(QList<Line> *lines)
{
    if (m_rest.size() <= m_maximum)
        return;
    qsizetype begin = 0;
    for (; m_rest.size() - begin > m_maximum; begin += m_maximum)
        lines->append({m_rest.mid(begin, m_maximum), false});
    m_rest.remove(0, begin);
}

QString decodeLine(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes.endsWith('\r') ? QByteArrayView(bytes).chopped(1) : QByteArrayView(bytes));
}

} // namespace proctor
