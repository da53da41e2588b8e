// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QList>
#include <QSysInfo>
#include <QTextStream>
#include <QThread>

#include <algorithm>

/// What all benches print: rows `what|n|median|spread|reference` on stdout and where they ran on stderr.
namespace measure
{

inline QString processorName()
{
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (line.startsWith("model name"))
                return QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed());
        }
    }
    return QSysInfo::currentCpuArchitecture();
}

inline void printMachine()
{
    const bool unified = QFile::exists(QStringLiteral("/sys/fs/cgroup/cgroup.controllers"));
    QTextStream(stderr) << QStringLiteral("machine: %1, %2 processors; %3, Linux %4; cgroup v%5\n")
                               .arg(processorName())
                               .arg(QThread::idealThreadCount())
                               .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion())
                               .arg(unified ? 2 : 1);
}

inline double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const qsizetype middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

inline void printRow(const QString &what, const QList<double> &values, const QString &unit,
                     const QString &reference, int decimals = 1)
{
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    QTextStream(stdout) << QStringLiteral("%1|%2|%3 %6|%4–%5 %6|%7\n")
                               .arg(what)
                               .arg(values.size())
                               .arg(median(values), 0, 'f', decimals)
                               .arg(*min, 0, 'f', decimals)
                               .arg(*max, 0, 'f', decimals)
                               .arg(unit, reference);
}

} // namespace measure
