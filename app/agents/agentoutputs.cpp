// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentoutputs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace proctor
{

static constexpr qint64 largestOutput = 64LL << 20;

namespace
{

struct Outputs {
    Q_DECLARE_TR_FUNCTIONS(proctor::AgentOutputs)
};

class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Q_DISABLE_COPY_MOVE(Descriptor)

    int get() const { return m_number; }
    int take() { return std::exchange(m_number, -1); }
    void reset(int number)
    {
        if (m_number >= 0)
            ::close(m_number);
        m_number = number;
    }

private:
    int m_number;
};

} // namespace

OpenedOutput::OpenedOutput(QString path, std::unique_ptr<QTemporaryFile> copy)
    : m_path(std::move(path))
    , m_copy(std::move(copy))
{
}

QString OpenedOutput::readablePath() const
{
    // By its descriptor: it may have no name.
    return QStringLiteral("/proc/self/fd/%1").arg(m_copy->handle());
}

/// Removes whatever has this name, a link itself and not what it leads to; whether nothing is there now.
static bool remove(const QString &path)
{
    const QFileInfo info(path);
    if (info.isSymLink() || !info.isDir())
        return QFile::remove(path) || (!QFileInfo::exists(path) && !QFileInfo(path).isSymLink());
    return QDir(path).removeRecursively();
}

QStringList AgentOutputs::topNames() const
{
    QStringList names{QStringLiteral("artifacts")};
    for (const QString &path : m_paths)
        names << path.section(u'/', 0, 0);
    names.removeDuplicates();
    return names;
}

Expected<Nothing> AgentOutputs::clear() const
{
    // The last is where an agent behind a wall writes: left there when Proctor was killed.
    const QStringList names = topNames() + QStringList{QStringLiteral(".prompt"), QStringLiteral(".agent")};
    for (const QString &name : names) {
        const QString path = m_folder + u'/' + name;
        if (!remove(path))
            return Error::ofMachine(Outputs::tr("Cannot remove what an earlier attempt left: %1").arg(path));
    }
    return Nothing{};
}

void AgentOutputs::takeFrom(const QString &folder) const
{
    for (const QString &name : topNames()) {
        const QByteArray from = QFile::encodeName(folder + u'/' + name);
        // Not Qt's, which looks at what a link leads to.
        ::rename(from.constData(), QFile::encodeName(m_folder + u'/' + name).constData());
    }
}

void AgentOutputs::removeObstacles() const
{
    static const QStringList names{QStringLiteral("tool_calls.jsonl"), QStringLiteral("state.tar"),
                                   QStringLiteral("result.json")};
    const QFileInfo folder(m_folder);
    if (folder.isSymLink() || !folder.isDir()) {
        remove(m_folder);
        QDir().mkpath(m_folder);
    }
    // A folder there would be in the way, and a link would lead Proctor's own writing elsewhere.
    for (const QString &name : names)
        remove(m_folder + u'/' + name);
}

static QString kindProblem(mode_t mode)
{
    if (S_ISREG(mode))
        return {};
    if (S_ISLNK(mode))
        return Outputs::tr("is a symbolic link");
    if (S_ISDIR(mode))
        return Outputs::tr("is a folder");
    return Outputs::tr("is no regular file");
}

static QString systemProblem(int error)
{
    switch (error) {
    case ENOENT:
        return Outputs::tr("is missing");
    case ELOOP:
        return Outputs::tr("is a symbolic link");
    case ENOTDIR:
        return Outputs::tr("lies below a link or a file");
    default:
        return Outputs::tr("cannot be read (%1)").arg(qt_error_string(error));
    }
}

/// A descriptor, or why there is none.
static Expected<int, QString> openBelow(const QString &folder, const QString &path)
{
    constexpr int folderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
    Descriptor place(::open(QFile::encodeName(folder).constData(), folderFlags));
    QStringList parts = path.split(u'/');
    const QByteArray name = QFile::encodeName(parts.takeLast());
    for (const QString &part : std::as_const(parts)) {
        if (place.get() >= 0)
            place.reset(::openat(place.get(), QFile::encodeName(part).constData(), folderFlags | O_NOFOLLOW));
    }
    if (place.get() < 0)
        return systemProblem(errno);

    // Looked at first: to open a device may do something.
    struct stat seen = {};
    if (::fstatat(place.get(), name.constData(), &seen, AT_SYMLINK_NOFOLLOW) != 0)
        return systemProblem(errno);
    if (const QString problem = kindProblem(seen.st_mode); !problem.isEmpty())
        return problem;
    Descriptor file(
        ::openat(place.get(), name.constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.get() < 0 || ::fstat(file.get(), &seen) != 0)
        return systemProblem(errno);
    if (const QString problem = kindProblem(seen.st_mode); !problem.isEmpty())
        return problem;
    return file.take();
}

static Error copyProblem(const QTemporaryFile &copy)
{
    // The machine's doing, and not the agent's.
    return Error::ofMachine(Outputs::tr("cannot be copied (%1)").arg(copy.errorString()));
}

static Expected<Nothing> copyTo(QTemporaryFile &copy, int descriptor)
{
    constexpr qint64 atOnce = 1 << 20;
    QFile file;
    if (!file.open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered) || !copy.open())
        return copyProblem(copy);
    // It may be larger by now than it was, or grow while it is read.
    for (qint64 left = largestOutput + 1;;) {
        const QByteArray chunk = file.read(std::min(left, atOnce));
        if (file.error() != QFileDevice::NoError)
            return Error(Outputs::tr("cannot be read (%1)").arg(file.errorString()));
        if (chunk.isEmpty())
            break;
        left -= chunk.size();
        if (left == 0)
            return Error(Outputs::tr("is larger than %1 MB").arg(largestOutput >> 20));
        if (copy.write(chunk) != chunk.size())
            return copyProblem(copy);
    }
    if (!copy.flush())
        return copyProblem(copy);
    return Nothing{};
}

static Expected<OpenedOutput> copyOf(const QString &folder, const QString &path)
{
    const auto opened = openBelow(folder, path);
    if (!opened)
        return Error(opened.error());
    const Descriptor descriptor(*opened);
    auto copy = std::make_unique<QTemporaryFile>();
    const auto copied = copyTo(*copy, descriptor.get());
    if (!copied)
        return copied.error();
    return OpenedOutput(path, std::move(copy));
}

Expected<std::vector<OpenedOutput>> AgentOutputs::open() const
{
    std::vector<OpenedOutput> opened;
    QStringList problems;
    for (const QString &path : m_paths) {
        auto copy = copyOf(m_folder, path);
        if (copy)
            opened.push_back(std::move(*copy));
        else if (copy.error().kind == Error::Kind::Machine)
            return Error::ofMachine(path + u' ' + copy.error().message);
        else
            problems << path + u' ' + copy.error().message;
    }
    if (!problems.isEmpty())
        return Error(Outputs::tr("The agent's outputs are not as required: %1")
                         .arg(problems.join(QStringLiteral("; "))));
    return opened;
}

} // namespace proctor
