# SPDX-License-Identifier: GPL-3.0-or-later
# The wall of a container: the agent is another user than root.


def prctl(option, value):
    try:
        import ctypes
        return ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


def user_of(pid):
    """The real user id, None when it is gone."""
    try:
        with open("/proc/%d/status" % pid, "rb") as file:
            return int(file.read().partition(b"\nUid:")[2].split()[0])
    except (OSError, IndexError):
        return None


class UserWall(Wall):
    """Bridge, tools and verifier are root, the agent is a user that exists for this attempt alone: it works by rights, and by
    ending everybody before anything is looked at. The bridge is process 1, or (exec form) a process beside the image's own."""

    SCRATCH = "/run/proctor/tmp"    # of root's programs: in /tmp an agent might foresee their names
    ASIDE, RESERVE = "/run/proctor/of_agent", "/run/proctor/reserve"
    RESERVE_SIZE, RESERVE_FILES = 8 * MIB, 16
    SHARED = ("/tmp", "/var/tmp", "/dev/shm")
    ROOM = 64                       # processes the container may have beyond the agent's
    PRIVATE = SHARED + (APP + "/artifacts", APP + "/logs", Wall.HOME)    # where the agent can write
    SEARCHED = ("PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX", "LD_LIBRARY_PATH", "LD_PRELOAD",
                "BASH_ENV", "ENV", "NODE_PATH", "PERL5LIB", "RUBYLIB")

    def __init__(self, bridge, init):
        Wall.__init__(self, bridge, init)
        self.user = init.get("uid")
        if os.getuid() != 0:
            raise Refused("refused", "the wall \"uid\" needs a bridge that is root (--user 0:0)")
        if not isinstance(self.user, int) or isinstance(self.user, bool) or not 0 < self.user < (1 << 32) - 1:
            raise Refused("bad", "uid must be a number above 0")
        with open("/proc/self/status") as file:
            fenced = "\nNoNewPrivs:\t1\n" in file.read()
        if not fenced and not prctl(38, 1):
            raise Refused("refused", "programs of the image could give the agent rights: start with no-new-privileges")
        os.umask(0o022)
        self.ender = Everybody(bridge) if os.getpid() == 1 else Others(bridge, self.user)
        self.most = max(16, self.process_limit() - self.ROOM)

    @staticmethod
    def process_limit():
        for path in ("/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"):
            try:
                with open(path) as file:
                    return int(file.read())
            except (OSError, ValueError):
                pass
        return 1 << 22

    def prepare(self, tools_folder, tools, port):
        folders, rights = ToolFolders(tools_folder), Rights(self.user, self)
        for path in (APP, APP + "/environment"):
            if os.path.isdir(path) and not os.path.islink(path):
                take_from_others(path, os.lstat(path), self.user)
        folders.put_away()
        real = folders.stand_in(tools, port)
        rights.set(list(folders.folders) + list(folders.away.values()))
        rights.make_home()
        rights.add_account()
        for path in (self.SCRATCH, self.ASIDE, self.RESERVE):
            os.makedirs(path, exist_ok=True)
            lock(path)
        self.keep_reserve()
        rights.close_system(self.bridge.environment["PATH"])
        os.makedirs("/root", 0o700, exist_ok=True)
        take_from_others("/root", os.stat("/root"), self.user)
        return real

    def new_run(self, id, message):
        return UserRun(self.bridge, id, message)

    def limits(self, who, wanted):
        """An agent never gets so many processes that there is no room for the tools it calls."""
        limits = Wall.limits(self, who, wanted)
        if who == "agent" and isinstance(limits["NPROC"], int):
            limits["NPROC"] = min(limits["NPROC"], self.most)
        return limits

    def folder_of(self, who):
        """The image's WORKDIR, unless the agent cannot be there (/root)."""
        return self.bridge.folder if who == "agent" and self.may_enter(self.bridge.folder) else APP

    def may_enter(self, path):
        while True:
            info = os.stat(path)
            bit = 0o100 if info.st_uid == self.user else 0o010 if info.st_gid == self.user else 0o001
            if not info.st_mode & bit:
                return False
            if path == "/":
                return True
            path = os.path.dirname(path)

    def environment(self, who):
        given = self.bridge.environment
        if who == "agent":
            return dict(given, HOME=self.HOME, USER="agent", LOGNAME="agent")
        env = dict(given, HOME="/root", USER="root", LOGNAME="root", TMPDIR=self.SCRATCH)
        for key in self.SEARCHED:   # nothing of the agent's making runs as root
            if key in env:
                env[key] = ":".join(part for part in env[key].split(":") if part.startswith("/") and not
                                    is_below(os.path.normpath(part) + "/", self.PRIVATE)) or None
        return {key: value for key, value in env.items() if value is not None}

    def before_verifier(self):
        """Tools that an agent outside called may have left something that still writes."""
        self.bridge.tools.expect_the_end("agent")
        self.ender.end(self.user)
        self.bridge.reap()
        Wall.before_verifier(self)
        self.put_aside()
        for name in os.listdir(self.RESERVE):
            os.unlink(os.path.join(self.RESERVE, name))

    def put_aside(self):
        """What the agent left where everybody may write, for a program that runs there as root would import it, and find its own
        files' names taken."""
        folders, count = [path for path in self.SHARED if os.path.isdir(path)], 0
        while folders:
            for entry in list(os.scandir(folders.pop())):
                self.show_life()
                if entry.stat(follow_symlinks=False).st_uid == self.user:
                    count += 1
                    try:
                        os.rename(entry.path, os.path.join(self.ASIDE, str(count)))
                    except OSError:             # mounted apart
                        remove_tree(entry)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)

    def keep_reserve(self):
        """Room on the disk. An agent that fills it would else turn a bad score into a verifier that cannot write its reward, which
        is not counted against the agent."""
        try:
            for number in range(self.RESERVE_FILES):
                with open(os.path.join(self.RESERVE, str(number)), "wb") as file:
                    if number == 0:
                        os.posix_fallocate(file.fileno(), 0, self.RESERVE_SIZE)
        except OSError:
            pass    # a quota this small is a choice

    def before_end(self):
        self.ender.before_end()

    def about(self):
        return self.ender.about()


class UserRun(Run):
    """A command in a container; only an agent's is not root's."""

    def start(self, argv, env, cwd, nice, rlimits):
        wall = self.bridge.wall
        self.user = wall.user if self.who == "agent" else 0
        wall.ender.before_run(self.user)
        if self.user and cwd == self.bridge.folder:     # the host passes on what `hello` told it
            cwd = wall.folder_of(self.who)
        return self.launch(argv, env, cwd, nice=nice, rlimits=rlimits, user=self.user or None)

    def end(self):
        if self.child.status is None:   # else it has ended already and only its calls are waited for
            self.ended = True
            self.end_everybody()
            self.bridge.dispatch()

    def end_everybody(self):
        """Returns how many of its user there were."""
        self.bridge.tools.expect_the_end("agent" if self.user else "verifier")
        self.bridge.collect()
        before = len(self.bridge.ended)     # these ended by themselves
        self.bridge.wall.ender.end(self.user)
        if self.bridge.wall.ender.loses_orphans:
            end_family(self.mark, self.child.pid)
        return sum(ended.uid == self.user and ended.pid not in self.bridge.children and
                   exit_code(ended.status)[1] == signal.SIGKILL for ended in self.bridge.ended[before:])

    def exited(self):
        self.has_exited()
        if not self.ended:
            self.leftovers = self.end_everybody()
        self.finish()

    def orphan_ended(self, orphan):
        if orphan.uid == self.user:
            self.add_usage(orphan.usage)


class Everybody:
    """Process 1 ends all the others at a stroke: kill(-1) spares it alone, needs no fork (there may be none left) and nobody
    can outrun it, also not the daemons that tools left."""

    PATIENCE = 20
    loses_orphans = False

    def __init__(self, bridge):
        self.bridge = bridge

    def about(self):
        return {"form": "main"}

    def before_run(self, user):
        pass

    def end(self, user):
        limit = time.monotonic() + self.PATIENCE    # somebody may hang in the kernel; it will never come back from there
        while time.monotonic() < limit:
            try:
                os.kill(-1, signal.SIGKILL)
            except ProcessLookupError:              # also no zombie is left
                break
            self.bridge.collect()
            time.sleep(0.0005)

    def before_end(self):
        pass        # the kernel does it


class Others:
    """The bridge was started by `docker exec` beside a service that must live on. All of the agent's user are ended at a stroke
    by a process that becomes that user; then all that descend from the bridge, to which orphans come."""

    def __init__(self, bridge, user):
        self.bridge, self.pid = bridge, None
        self.loses_orphans = not prctl(36, 1)
        if self.loses_orphans:
            os.write(2, b"proctor: python3 has no ctypes: root's orphans are only found by their environment\n")
        users = {user_of(pid) for pid, _, _, _ in processes()}
        if user in users:
            raise Refused("refused", "uid %d is in use in this container" % user)
        self.cover = next(uid for uid in range(64000, 60000, -1) if uid not in users and uid != user)

    def about(self):
        return {"form": "exec", "adopts": not self.loses_orphans}

    def before_run(self, user):
        """The striker has to be there before the agent, who may leave no room for one."""
        if not user or self.pid:
            return
        to_striker, ours = os.pipe()
        back, from_striker = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                self.strike(user, to_striker, from_striker)
            finally:
                os._exit(1)
        os.close(to_striker)
        os.close(from_striker)
        self.pid, self.order, self.answer = pid, ours, back
        self.bridge.children[pid] = lambda *_: self.lost()

    def strike(self, user, order, answer):
        signal.set_wakeup_fd(-1)
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(name, signal.SIG_IGN)
        for name in os.listdir("/proc/self/fd"):
            if int(name) not in (order, answer):
                try:
                    os.close(int(name))
                except OSError:
                    pass
        os.setgroups([])
        first = os.read(order, 1)
        # real and saved ids are nobody's: the agent has no right to signal us, and our real id would hit root's processes
        os.setresuid(self.cover, user, self.cover)
        while True:
            try:
                os.kill(-1, signal.SIGKILL)
            except OSError:
                pass
            if not first:       # the bridge has gone
                os._exit(0)
            os.write(answer, b"!")
            first = os.read(order, 1)

    def lost(self):
        if self.pid:
            os.close(self.order)
            os.close(self.answer)
            self.pid = None

    def order_strike(self):
        if self.pid:
            try:
                os.write(self.order, b"!")
                select.select([self.answer], [], [], 2)
                os.set_blocking(self.answer, False)
                read_some(self.answer, 16)
            except OSError:
                pass

    def end(self, user):
        if user:
            self.order_strike()
        limit = time.monotonic() + Everybody.PATIENCE
        while time.monotonic() < limit:
            self.bridge.collect()
            table = list(processes())
            found = descendants(table, {os.getpid()}) - {os.getpid(), self.pid}
            if user:
                found |= {pid for pid, _, _, _ in table if user_of(pid) == user and pid != self.pid}
            alive = [pid for pid, state, _, _ in table if pid in found and state not in (b"Z", b"X")]
            if not alive:
                break
            if user:
                self.order_strike()
            for pid in alive:
                kill(pid)
            time.sleep(0.0005)
        self.bridge.collect()

    def before_end(self):
        self.end(self.bridge.wall.user)


WALLS["uid"] = UserWall
