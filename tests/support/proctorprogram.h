// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QProcess>
#include <QStringList>

#include <csignal>

namespace proctor::test
{

/// What a run of the program left behind. A code of -1 means that it did not end by itself.
struct ProgramEnd {
    int code = -1;
    QByteArray out, err;

    QList<QByteArray> outLines() const
    {
        return out.isEmpty() ? QList<QByteArray>() : out.trimmed().split('\n');
    }
};

inline QString proctorProgram()
{
    return QStringLiteral(PROCTOR_BUILD_DIR "/bin/proctor");
}

inline ProgramEnd endOf(QProcess &process, int milliseconds)
{
    ProgramEnd end;
    if (!process.waitForFinished(milliseconds)) {
        process.kill();
        process.waitForFinished();
    } else if (process.exitStatus() == QProcess::NormalExit) {
        end.code = process.exitCode();
    }
    end.out = process.readAllStandardOutput();
    end.err = process.readAllStandardError();
    return end;
}

/// Runs the built program in `folder` and waits for its end.
inline ProgramEnd runProctor(const QStringList &arguments, const QString &folder, int milliseconds = 120'000)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(proctorProgram(), arguments);
    return endOf(process, milliseconds);
}

inline bool writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace proctor::test
