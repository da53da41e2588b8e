# SPDX-License-Identifier: GPL-3.0-or-later
# The wall of the local sandbox.


class Bubblewrap(Wall):
    """The wall of the local sandbox. Tools and verifier run beside the bridge; the agent runs in an inner bubblewrap in which
    only what it may see exists. Works by what is bound, not by rights: everything has the same owner here."""

    WRAPPERS = "/run/proctor/tools"
    SCRATCH = 512 * MIB
    BINDS_MAX = 4000
    RESERVE = 8 * MIB           # of /app, kept from the agent for the verifier
    RESERVE_FILES = 16

    def __init__(self, bridge, init):
        Wall.__init__(self, bridge, init)
        if os.getpid() != 1:
            raise Refused("refused", "the bridge must be process 1 of the outer bubblewrap (--as-pid-1)")
        programs = [os.path.join(folder, "bwrap") for folder in PATH.split(":")]
        self.program = next((path for path in programs if os.access(path, os.X_OK)), None)
        if self.program is None:
            raise Refused("not_found", "bwrap is not there inside the sandbox")
        self.reserve = []

    def prepare(self, tools_folder, tools, port):
        uid, gid = os.getuid(), os.getgid()
        for name, text in (("passwd", "root:x:0:0:root:/root:/bin/sh\nagent:x:%d:%d:agent:%s:/bin/bash\n" % (uid, gid, self.HOME)),
                           ("group", "root:x:0:\nagent:x:%d:\n" % gid),
                           ("hosts", "127.0.0.1 localhost\n::1 localhost\n127.0.0.1 %s\n" % os.uname().nodename),
                           ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")):
            path = "/etc/" + name
            if not os.path.exists(path):
                with open(path, "w") as file:
                    file.write(text)
        os.makedirs(self.WRAPPERS, 0o755, exist_ok=True)
        for name in tools:
            write_wrapper(os.path.join(self.WRAPPERS, name), name, "", port)
        for name in self.WRITABLE:
            path = os.path.join(APP, name)
            if "." in name:
                os.close(open_checked(path, os.O_RDONLY | os.O_CREAT, 0o644))
            else:
                os.makedirs(path, 0o755, exist_ok=True)
        self.keep_reserve()
        # an older folder of tools beside the one that counts shows the same wrappers, never the programs
        self.tools_folders = {os.path.relpath(tools_folder, APP)}
        if os.path.isdir(APP + "/tools"):
            self.tools_folders.add("tools")
        return tools_folder

    def new_run(self, id, message):
        return (WalledRun if message.get("who") == "agent" else OuterRun)(self.bridge, id, message)

    def keep_reserve(self):
        """Holds room in files without a name. An agent that fills the disk would else turn a bad score into a verifier that
        cannot write its reward, which is not counted against the agent."""
        try:
            for _ in range(self.RESERVE_FILES):
                self.reserve.append(os.open(APP, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600))
            os.posix_fallocate(self.reserve[0], 0, self.RESERVE)
        except OSError:
            pass    # a quota this small is a choice

    def after_agent(self):
        """Everything has one owner here, who is not root: what the agent has closed is opened again."""
        paths = [os.path.join(APP, name) for name in self.WRITABLE]
        while paths:
            path = paths.pop()
            self.show_life()
            try:
                mode = os.lstat(path).st_mode
                right = 0o700 if stat.S_ISDIR(mode) else 0o600
                if mode & right != right and (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                    os.chmod(path, stat.S_IMODE(mode) | right)
                if stat.S_ISDIR(mode):
                    paths += [entry.path for entry in os.scandir(path)]
            except OSError:
                pass

    def before_verifier(self):
        Wall.before_verifier(self)
        while self.reserve:
            os.close(self.reserve.pop())

    def view(self, folder=""):
        """(whole, arguments) for a folder of /app: whole when nothing in it is hidden or treated apart, so that it can be
        bound as one; else its parts, one by one. What tools add to a folder that is bound in parts stays unseen."""
        whole, parts = True, []
        for entry in sorted(os.scandir(os.path.join(APP, folder)), key=lambda entry: entry.name):
            name = os.path.join(folder, entry.name)
            path = os.path.join(APP, name)
            if name in self.tools_folders:
                whole, binds = False, ["--ro-bind", self.WRAPPERS, path]
            elif self.hidden.match(name):
                whole = False
                continue
            elif name in self.WRITABLE:
                whole, binds = False, ["--bind", path, path]
            elif entry.is_symlink():
                binds = ["--symlink", os.readlink(path), path]
            elif entry.is_dir():
                inner_whole, binds = self.view(name)
                if inner_whole:
                    binds = ["--ro-bind", path, path]
                else:
                    whole, binds = False, ["--perms", "0755", "--dir", path] + binds
            elif entry.is_file():
                binds = ["--ro-bind", path, path]
            else:
                whole = False
                continue
            parts += binds
        return whole, parts

    def agent_command(self, argv, env, cwd, status_fd):
        """The command, and the descriptors it needs. The options go through a memory file: they would else be readable as
        the command line of process 1 inside, and can be many."""
        options = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--disable-userns", "--new-session", "--cap-drop", "ALL",
                   "--json-status-fd", str(status_fd), "--clearenv"]
        for key, value in env.items():
            options += ["--setenv", key, value]
        options += ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
        for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
            if os.path.islink("/" + name):
                options += ["--symlink", os.readlink("/" + name), "/" + name]
            elif os.path.isdir("/" + name):
                options += ["--ro-bind", "/" + name, "/" + name]
        size = ["--size", str(self.SCRATCH), "--tmpfs"]
        options += ["--proc", "/proc", "--dev", "/dev"] + size + ["/dev/shm", "--remount-ro", "/dev", "--perms", "1777"]
        options += size + ["/tmp", "--perms", "0755", "--dir", "/home", "--perms", "0755"] + size + [self.HOME]
        options += ["--perms", "0755", "--dir", APP] + self.view()[1] + ["--remount-ro", "/", "--chdir", cwd]
        if options.count("--ro-bind") > self.BINDS_MAX:
            raise Refused("too_large", "too many files beside hidden ones: keep hidden files in folders of their own")
        memory = os.memfd_create("options")
        os.write(memory, b"".join(to_bytes(option) + b"\0" for option in options))
        os.lseek(memory, 0, os.SEEK_SET)
        return [self.program, "--args", str(memory), "--"] + argv, memory


class OuterRun(Run):
    """A verifier or set-up command, beside the bridge. All have one owner, so what belongs to it is known by its mark."""

    def start(self, argv, env, cwd, nice, rlimits):
        return self.launch(argv, env, cwd, nice=nice, rlimits=rlimits)

    def end(self):
        self.ended = True
        kill_group(self.child.pid)
        end_family(self.mark, self.child.pid)

    def exited(self):
        self.has_exited()
        self.leftovers += end_family(self.mark, self.child.pid)
        self.finish()


class WalledRun(Run):
    """An agent, in its bubblewrap."""

    status_fd, status_text, inner = None, b"", None

    def start(self, argv, env, cwd, nice, rlimits):
        keep = []
        try:
            self.status_fd, writer = os.pipe()
            os.set_blocking(self.status_fd, False)
            keep.append(writer)
            argv, memory = self.bridge.wall.agent_command(argv, env, cwd, writer)
            keep.append(memory)
            return self.launch(argv, {"PATH": PATH, "LANG": "C.UTF-8"}, "/", nice=nice, rlimits=rlimits, keep=keep)
        except (OSError, Refused):
            self.close_status()
            raise
        finally:
            for fd in keep:
                os.close(fd)

    def close_status(self):
        if self.status_fd is not None:
            os.close(self.status_fd)
            self.status_fd = None

    def read_status(self):
        """What bubblewrap says about itself: the pid of the inner process 1, and at the end that its set-up had worked."""
        if self.status_fd is not None:
            self.status_text += read_some(self.status_fd, 4096) or b""
        found = re.search(rb'"child-pid": *(\d+)', self.status_text)
        self.inner = int(found.group(1)) if found else None

    def end(self):
        self.ended = True
        self.read_status()
        if self.inner:
            kill(self.inner)        # the kernel ends all of its namespace; bubblewrap outside sees it and follows
        else:
            end_family(self.mark, self.child.pid)

    def exited(self):
        self.has_exited()
        self.read_status()
        table = list(processes())
        mine = [pid for pid, _, parent, _ in table if pid == self.inner and parent == os.getpid()]
        if mine:
            # Without --die-with-parent the inner process 1 outlives the agent as long as there are leftovers, so they can be
            # counted; its end is theirs. It has become our child and we wait for it: then nobody is left.
            alive = {pid for pid, state, _, _ in table if state not in (b"Z", b"X")}
            self.leftovers = len((descendants(table, mine) & alive) - set(mine))
            kill(self.inner)
            self.bridge.children[self.inner] = lambda _, usage: (self.add_usage(usage), self.finish())
        else:
            if self.inner is None:
                end_family(self.mark, self.child.pid)
            self.finish()

    def orphan_ended(self, orphan):
        self.read_status()
        if orphan.pid == self.inner:
            self.add_usage(orphan.usage)

    def failure(self):
        self.read_status()
        self.close_status()
        if self.ended or b'"exit-code"' in self.status_text:
            return None
        return "the agent's sandbox could not be built: " + bytes(self.errors).decode("utf-8", "replace").strip()


WALLS["bwrap"] = Bubblewrap
