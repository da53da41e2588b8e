# SPDX-License-Identifier: GPL-3.0-or-later
# Files in a container whose agent is another user than root.

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/dev", "/proc", "/sys")
SHARED_FOLDERS = ("/home", "/logs", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/tmp", "/var", "/var/lib", "/var/tmp")


def copy(source, info, target, owner, mode):
    with open(source, "rb") as given, open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as made:
        while os.sendfile(made.fileno(), given.fileno(), None, 1 << 30):
            pass
        os.fchown(made.fileno(), *owner)
        os.fchmod(made.fileno(), mode)
        os.utime(made.fileno(), ns=(info.st_atime_ns, info.st_mtime_ns))


def is_layered():
    with open("/proc/mounts") as file:
        return any(line.split()[1:3] == ["/", "overlay"] for line in file)


def make_root_s(path, info, mode):
    """Sets owner and rights only where they differ: in an image's layer every change copies the whole file up."""
    if info.st_uid or info.st_gid:
        os.chown(path, 0, 0, follow_symlinks=False)
    if stat.S_IMODE(info.st_mode) != mode:
        os.chmod(path, mode)


def lock(path, layered=False):
    """Only root gets in; True unless `path` is a link, which is left alone. Where the file is in a layer of the image the kernel
    would copy it and wait for the disk (8 ms for the smallest, seconds for a large database): a copy of our own does not."""
    info = os.lstat(path)
    if stat.S_ISLNK(info.st_mode):
        return False
    folder_or_program = stat.S_ISDIR(info.st_mode) or info.st_mode & 0o111
    mode = 0o700 if folder_or_program else 0o600
    if layered and stat.S_ISREG(info.st_mode) and info.st_nlink == 1 and stat.S_IMODE(info.st_mode) != mode and \
            os.lstat(os.path.dirname(path)).st_dev == os.lstat("/").st_dev:
        try:
            copy(path, info, path + ".proctor", (0, 0), mode)
            os.rename(path + ".proctor", path)
            return True
        except OSError as error:        # mounted as a single file, or there is such a name
            if error.errno not in (errno.EBUSY, errno.EEXIST):
                raise
    make_root_s(path, info, mode)
    return True


def move(source, target):
    """rename, also where the kernel cannot: a folder of an image's layer, a mount point. Such a folder stays behind, empty."""
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EBUSY):
            raise
        move_piece(source, target)


def move_piece(source, target):
    info = os.lstat(source)
    if stat.S_ISREG(info.st_mode):
        copy(source, info, target, (info.st_uid, info.st_gid), stat.S_IMODE(info.st_mode))
        os.unlink(source)
        return
    if stat.S_ISLNK(info.st_mode):
        os.symlink(os.readlink(source), target)
        os.unlink(source)
        return
    if not stat.S_ISDIR(info.st_mode):
        raise Refused("refused", "%s is of a kind that cannot be moved" % source)
    os.mkdir(target, 0o700)
    for name in os.listdir(source):     # file by file, without trying to rename: that would copy it up as well, and wait
        move_piece(os.path.join(source, name), os.path.join(target, name))
    os.chown(target, info.st_uid, info.st_gid)
    os.chmod(target, stat.S_IMODE(info.st_mode))
    try:
        os.rmdir(source)
    except OSError:
        pass


def remove_tree(entry):
    """What cannot be removed stays."""
    folders, seen = [], [entry]
    while seen:
        entry = seen.pop()
        try:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
                seen += os.scandir(entry.path)
            else:
                os.unlink(entry.path)
        except OSError:
            pass
    for path in reversed(folders):
        try:
            os.rmdir(path)
        except OSError:
            pass


def is_program(path):
    """Whether the kernel can start it. Other files of a folder of tools are data that a tool may open by their names."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(4).startswith((b"#!", b"\x7fELF"))
    except OSError:
        return False


class ToolFolders:
    """The folder or folders of tools. What was there goes to a folder beside it that only root can enter, at the same depth, so
    that a tool finds what it looks for relative to itself. At the old place stand our wrappers, and for everything else (helper
    modules, data) links into the new one: root follows them, so names that are written down in a tool stay good, and the agent
    does not get through. A wrapper that root starts becomes the real program at once (tools that call tools, the verifier)."""

    AWAY = ".tools_real"

    def __init__(self, counting):
        self.counting = counting
        self.folders = [path for path in (APP + "/environment/tools", APP + "/tools") if os.path.isdir(path)]
        self.away = {path: self.free_name(os.path.dirname(path)) for path in self.folders}

    def free_name(self, parent):
        path = os.path.join(parent, self.AWAY)
        while os.path.lexists(path):
            path += "_"
        return path

    def moved(self, path):
        """Where that is now."""
        for old in self.folders:
            if path == old or path.startswith(old + "/"):
                return self.away[old] + path[len(old):]
        return path

    def put_away(self):
        targets = {path: os.path.realpath(path) for path in self.folders if os.path.islink(path)}
        for path in self.folders:
            if path not in targets:
                move(path, self.away[path])
                lock(self.away[path])
        for path, target in targets.items():
            os.unlink(path)
            os.symlink(self.moved(target), self.away[path])
            self.lock_elsewhere(self.moved(target))
        for path in self.folders:
            self.mend_links(path)

    def mend_links(self, old):
        """Links between tools go on leading to the real ones, not through a wrapper, which would lose the name they were
        called by. What a link to elsewhere leads to, a tool or a part of one, is locked."""
        for entry in list(os.scandir(self.away[old])):
            if not entry.is_symlink():
                continue
            text = os.readlink(entry.path)
            target = os.path.normpath(os.path.join(old, text))
            if "/" in text and self.moved(target) != target:
                os.unlink(entry.path)
                os.symlink(self.moved(target), entry.path)
            real = os.path.realpath(entry.path)
            if os.path.isfile(real):
                self.lock_elsewhere(real)

    @staticmethod
    def lock_elsewhere(path):
        """A tool may be a link to a program anywhere. Those of the system stay as they are (a tool may well be a link to one),
        and so does the interpreter the wrappers need."""
        own = ("/usr/local",)
        if path == APP or is_below(path, SYSTEM) and not is_below(path, own) or path in SYSTEM + own or path == "/":
            return
        if os.path.isfile(path) and os.path.samefile(path, sys.executable):
            return
        lock(path)
        while path != "/":      # nobody may put another one in its place
            path = os.path.dirname(path)
            take_from_others(path, os.lstat(path))

    def stand_in(self, tools, port):
        real = self.away[self.counting]
        programs = [name for name in tools if is_program(os.path.join(real, name))]
        for path in self.folders:
            os.makedirs(path, exist_ok=True)
            make_root_s(path, os.lstat(path), 0o755)
            for name in programs:
                write_wrapper(os.path.join(path, name), name, os.path.join(real, name), port)
            for name in set(os.listdir(self.away[path])) - set(programs):
                os.symlink(os.path.join("..", os.path.basename(self.away[path]), name), os.path.join(path, name))
        return real


def take_from_others(path, info, user=None):
    """Nobody but its owner writes it, and that is not the agent."""
    sticky = stat.S_ISDIR(info.st_mode) and info.st_mode & stat.S_ISVTX
    try:
        if user is not None and user in (info.st_uid, info.st_gid):
            os.chown(path, 0, 0, follow_symlinks=False)
        if info.st_mode & stat.S_IWOTH and not sticky:
            os.chmod(path, stat.S_IMODE(info.st_mode) & ~stat.S_IWOTH)
    except OSError as error:
        if error.errno != errno.EROFS:
            raise


class Rights:
    """Who may do what below /app and with the few other places an agent needs. Nothing of the agent runs yet."""

    READABLE = ("system.md", "instruction.md", "context.json", "tool_defs.json")

    def __init__(self, user, wall):
        self.user, self.wall = user, wall
        # beside services that have a file open it must stay the same file
        self.layered = os.getpid() == 1 and is_layered()

    def set(self, skipped):
        """`skipped` are folders of tools, which are treated already."""
        make_root_s(APP, os.lstat(APP), 0o755)
        self.treat_app(set(skipped), {os.path.join(APP, name) for name in self.wall.WRITABLE})
        for folder in (APP, APP + "/environment"):
            for name in self.READABLE:
                self.let_read(os.path.join(folder, name))
        make_root_s(APP + "/.tool_calls.jsonl", os.lstat(APP + "/.tool_calls.jsonl"), 0o644)
        for name in self.wall.WRITABLE:
            self.let_write(os.path.join(APP, name), is_file="." in name)
        for path in ("/logs", "/logs/verifier"):
            make_root_s(path, os.stat(path), 0o755)
        os.makedirs("/tmp", exist_ok=True)
        make_root_s("/tmp", os.stat("/tmp"), 0o1777)

    def treat_app(self, skipped, writable):
        """Hides what is to be hidden, and closes the rest to writers but for what `writable` names and holds."""
        folders = [""]
        while folders:
            folder = folders.pop()
            for entry in os.scandir(os.path.join(APP, folder)):
                name = os.path.join(folder, entry.name)
                if entry.path in skipped:
                    continue
                if self.wall.hidden.match(name):
                    self.hide(entry.path)
                elif not entry.is_symlink():
                    if entry.path not in writable and not is_below(entry.path, writable):
                        take_from_others(entry.path, entry.stat(follow_symlinks=False), self.user)
                    if entry.is_dir():
                        folders.append(name)

    def hide(self, path):
        if not lock(path, self.layered):    # a link: what it leads to, as long as that is no part of the system
            target = os.path.realpath(path)
            if is_below(target, (APP,)) and os.path.lexists(target):
                lock(target, self.layered)
            elif os.path.isfile(target) or os.path.isdir(target) and target not in SHARED_FOLDERS + (self.wall.HOME,):
                ToolFolders.lock_elsewhere(target)

    OPEN_MAX = 256 * MIB

    def close_system(self, path_list):
        """Where root's programs find programs and modules. What is in a folder is only looked at when the image left the folder
        open: it is much, and each change of a file in an image's layer copies the file."""
        folders = [path for path in path_list.split(":") if path.startswith("/") and not is_below(path + "/", self.wall.PRIVATE)]
        for base in ("/usr/lib", "/usr/local/lib", sys.prefix + "/lib"):
            for name in os.listdir(base) if os.path.isdir(base) else ():
                if name.startswith("python3"):
                    folders += [os.path.join(base, name, part) for part in ("", "site-packages", "dist-packages")]
        room, closed = self.OPEN_MAX, set()
        for path in map(os.path.realpath, folders + ["/run/proctor", "/etc"]):
            if not os.path.isdir(path) or path in closed:
                continue
            was_open = self.close(path, closed)
            for _, entry, info in entries_below(path) if was_open else ():
                if not stat.S_ISLNK(info.st_mode):
                    room -= info.st_size if stat.S_ISREG(info.st_mode) and info.st_mode & stat.S_IWOTH else 0
                    if room < 0:
                        os.write(2, b"proctor: the image lets everybody change programs, and they are too large to close them all\n")
                        return
                    take_from_others(entry.path, info, self.user)

    def close(self, path, closed):
        """With all that is above it; whether everybody could write there."""
        info = os.lstat(path)
        while path not in closed:
            closed.add(path)
            take_from_others(path, os.lstat(path), self.user)
            path = os.path.dirname(path)
        return info.st_mode & stat.S_IWOTH and not info.st_mode & stat.S_ISVTX

    def let_read(self, path):
        try:
            info = os.lstat(path)
        except OSError:
            return
        if not stat.S_ISREG(info.st_mode) or self.wall.hidden.match(os.path.relpath(path, APP)):
            return
        for part, right in ((path, 0o004), (os.path.dirname(path), 0o005)):
            mode = stat.S_IMODE(os.lstat(part).st_mode)
            if mode & right != right:
                os.chmod(part, mode | right)

    def let_write(self, path, is_file):
        if os.path.islink(path):    # never through it
            os.unlink(path)
        if is_file:
            fd = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
        else:
            os.makedirs(path, 0o755, exist_ok=True)
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        kind = os.fstat(fd).st_mode
        if stat.S_ISREG(kind) if is_file else stat.S_ISDIR(kind):
            os.fchown(fd, self.user, self.user)
            os.fchmod(fd, 0o644 if is_file else 0o755)
            os.close(fd)
        else:
            os.close(fd)
            raise Refused("refused", "%s in the image must be a %s" % (path, "file" if is_file else "folder"))

    def make_home(self):
        """An image may bring one, with programs of the agent. It gets the folders and small files; copying large ones up would
        cost more than it is worth, unless they could not be read else."""
        home = self.wall.HOME
        if os.path.islink(home):
            os.unlink(home)
        os.makedirs(home, 0o755, exist_ok=True)
        os.chown(home, self.user, self.user)
        os.chmod(home, 0o755)
        for name, entry, info in entries_below(home):
            kind = info.st_mode
            if stat.S_ISDIR(kind) or stat.S_ISREG(kind) and (info.st_size < MIB or not kind & stat.S_IROTH):
                os.chown(entry.path, self.user, self.user, follow_symlinks=False)

    def add_account(self):
        """An `agent` that the image brought is replaced. Before the others, so that the number is the agent's whoever had it."""
        for path, line in (("/etc/passwd", "agent:x:%d:%d:agent:%s:/bin/bash\n" % (self.user, self.user, self.wall.HOME)),
                           ("/etc/group", "agent:x:%d:\n" % self.user)):
            path = os.path.realpath(path)
            lines = [b"root:x:0:0:root:/root:/bin/sh\n" if path.endswith("passwd") else b"root:x:0:\n"]
            if os.path.exists(path):
                with open(path, "rb") as file:
                    lines = file.read().splitlines(True)
            lines = [old for old in lines if not old.startswith((b"agent:", b"+"))]
            if lines and not lines[-1].endswith(b"\n"):
                lines[-1] += b"\n"
            with open(path + ".proctor", "wb") as file:
                file.write(b"".join(lines[:1] + [line.encode()] + lines[1:]))
                os.fchmod(file.fileno(), 0o644)
            try:
                os.rename(path + ".proctor", path)
            except OSError:             # mounted as a single file
                os.unlink(path + ".proctor")
                with open(path, "wb") as file:
                    file.write(b"".join(lines[:1] + [line.encode()] + lines[1:]))
