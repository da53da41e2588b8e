// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostwall.h"

#include "app/agents/hostcommand.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

#include <pwd.h>
#include <unistd.h>

namespace proctor
{

static const QString home = QStringLiteral("/tmp/home");

namespace
{

struct Wall {
    Q_DECLARE_TR_FUNCTIONS(proctor::HostWall)
};

/// What stands at a path in the agent's view.
struct Mount {
    enum class Kind { Hidden, Masked, Shown, Writable };

    Kind kind;
    /// Where it is seen; links resolved.
    QString path;
    /// Where it comes from; empty = from the same path.
    QString source;
};

/// Paths in the agent's view, to be built from the outside in.
class View
{
public:
    void hide(const QString &folder);
    /// A file that is there but cannot be read.
    void mask(const QString &file);
    void show(const QString &path);
    void showWorkspace(const QString &folder, const QString &workspace);
    bool isHidden(const QString &path) const;
    /// Whether something hidden lies in the folder or is it.
    bool wouldUncover(const QString &folder) const;

    QStringList arguments() const;

private:
    QList<Mount> m_mounts;
};

bool isWithin(const QString &path, const QString &folder)
{
    return path == folder || path.startsWith(folder + u'/');
}

/// Empty for what does not exist, and for the root, of which there is nothing to say.
QString resolved(const QString &path)
{
    const QString canonical = path.isEmpty() ? QString() : QFileInfo(path).canonicalFilePath();
    return canonical == QLatin1String("/") ? QString() : canonical;
}

void View::hide(const QString &folder)
{
    if (const QString path = resolved(folder); !path.isEmpty() && QFileInfo(path).isDir())
        m_mounts << Mount{Mount::Kind::Hidden, path, {}};
}

void View::mask(const QString &file)
{
    if (const QString path = resolved(file); !path.isEmpty())
        m_mounts << Mount{Mount::Kind::Masked, path, {}};
}

void View::show(const QString &path)
{
    const QString there = resolved(path);
    if (!there.isEmpty() && isHidden(there))
        m_mounts << Mount{Mount::Kind::Shown, there, {}};
}

void View::showWorkspace(const QString &folder, const QString &workspace)
{
    m_mounts << Mount{Mount::Kind::Writable, folder, workspace};
    const PromptFiles prompts(folder);
    m_mounts << Mount{Mount::Kind::Shown, prompts.folder, {}};
}

bool View::isHidden(const QString &path) const
{
    return std::any_of(m_mounts.begin(), m_mounts.end(), [&](const Mount &mount) {
        return mount.kind == Mount::Kind::Hidden && isWithin(path, mount.path);
    });
}

bool View::wouldUncover(const QString &folder) const
{
    return std::any_of(m_mounts.begin(), m_mounts.end(), [&](const Mount &mount) {
        return mount.kind == Mount::Kind::Hidden && isWithin(mount.path, folder);
    });
}

QStringList View::arguments() const
{
    // A folder before what lies in it; what is shown over what is hidden.
    QList<Mount> mounts = m_mounts;
    std::stable_sort(mounts.begin(), mounts.end(), [](const Mount &a, const Mount &b) {
        const auto depth = [](const Mount &mount) { return mount.path.count(u'/'); };
        return std::pair(depth(a), a.kind) < std::pair(depth(b), b.kind);
    });
    QStringList arguments;
    for (const Mount &mount : std::as_const(mounts)) {
        const QString source = mount.source.isEmpty() ? mount.path : mount.source;
        switch (mount.kind) {
        case Mount::Kind::Hidden:
            arguments << QStringLiteral("--size") << QStringLiteral("1073741824") << QStringLiteral("--tmpfs")
                      << mount.path;
            break;
        case Mount::Kind::Masked:
            arguments << QStringLiteral("--ro-bind") << QStringLiteral("/dev/null") << mount.path;
            break;
        case Mount::Kind::Shown:
            arguments << QStringLiteral("--ro-bind") << source << mount.path;
            break;
        case Mount::Kind::Writable:
            arguments << QStringLiteral("--bind") << source << mount.path;
            break;
        }
    }
    return arguments;
}

void hideWhatIsPrivate(View &view)
{
    view.hide(qEnvironmentVariable("HOME"));
    if (const passwd *account = getpwuid(getuid()))
        view.hide(QString::fromLocal8Bit(account->pw_dir));
    for (const char *folder : {"/home", "/root", "/tmp", "/var/tmp", "/run", "/mnt", "/media", "/etc/ssh"})
        view.hide(QLatin1String(folder));
    for (const char *file : {"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-"})
        view.mask(QLatin1String(file));
    // Names are looked up with what may lie in /run.
    view.show(QStringLiteral("/etc/resolv.conf"));
}

/// The program that a script names in its first line; empty for anything else.
QString interpreterOf(const QString &program)
{
    QFile file(program);
    if (!file.open(QIODevice::ReadOnly) || file.read(2) != "#!")
        return {};
    constexpr qint64 longestLine = 256;
    return QFile::decodeName(file.readLine(longestLine).trimmed().split(' ').first());
}

/// Beside a program lies what it needs: its interpreter's library, or its virtual environment.
void showProgram(View &view, const QString &program)
{
    const QDir folder = QFileInfo(program).absoluteDir();
    const QDir prefix(QFileInfo(folder.path()).absolutePath());
    if (folder.dirName() != QLatin1String("bin"))
        return view.show(program);
    if (prefix.exists(QStringLiteral("pyvenv.cfg")))
        return view.show(prefix.path());
    for (const char *name : {"bin", "lib", "lib64", "libexec"})
        view.show(prefix.filePath(QLatin1String(name)));
}

void showProgramAndInterpreter(View &view, const QString &program)
{
    const QString interpreter = interpreterOf(program);
    for (const QString &path : {program, interpreter}) {
        if (path.isEmpty())
            continue;
        showProgram(view, path);
        showProgram(view, QFileInfo(path).canonicalFilePath());
    }
}

} // namespace

QString HostWall::program()
{
    return QStandardPaths::findExecutable(QStringLiteral("bwrap"));
}

void HostWall::adapt(QProcessEnvironment &environment)
{
    environment.insert(QStringLiteral("HOME"), home);
    for (const char *name : {"TMPDIR", "TMP", "TEMP"})
        environment.remove(QLatin1String(name));
}

Expected<QStringList> HostWall::arguments(const QStringList &command) const
{
    const QString working = workingFolderOf(config);
    const QStringList &words = config.agent.registration->command;
    const bool needsConfig = std::any_of(words.begin(), words.end(), [](const QString &word) {
        return word.contains(QLatin1String("{config_dir}"));
    });

    View view;
    hideWhatIsPrivate(view);
    for (const QString &seen :
         needsConfig ? QStringList{working, resolved(config.configDir)} : QStringList{working}) {
        if (!seen.isEmpty() && seen != QLatin1String("/") && view.wouldUncover(seen))
            return Error(Wall::tr("agents.%1: the folder %2 is what sandbox: bubblewrap is there to hide; "
                                  "give the agent a working folder (cwd) of its own")
                             .arg(config.agent.name, seen));
    }
    view.hide(config.runner.outputDir);
    if (!folder.isEmpty())
        view.hide(QFileInfo(folder).absolutePath());
    view.hide(bundle.isEmpty() ? QString() : QFileInfo(bundle).absolutePath());
    view.hide(bundle);
    view.mask(config.dataset.path);
    view.mask(config.file);
    view.show(working);
    if (needsConfig)
        view.show(config.configDir);
    showProgramAndInterpreter(view, command.first());
    if (!folder.isEmpty())
        view.showWorkspace(folder, workspace);

    QStringList arguments = QStringLiteral("--unshare-user --unshare-pid --unshare-ipc --unshare-uts "
                                           "--unshare-cgroup-try --die-with-parent --cap-drop ALL "
                                           "--ro-bind / / --dev /dev --proc /proc "
                                           "--ro-bind /proc/sys /proc/sys "
                                           "--ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger")
                                .split(u' ');
    arguments += view.arguments();
    arguments << QStringLiteral("--dir") << home << QStringLiteral("--chdir") << working
              << QStringLiteral("--");
    return arguments + command;
}

} // namespace proctor
