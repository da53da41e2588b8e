# SPDX-License-Identifier: GPL-3.0-or-later
# Processes: starting them, and ending all that belongs to them.


def processes():
    """(pid, state, parent, session) of everything that can be seen; read without a lock, so a snapshot at best."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                yield int(name), fields[0], int(fields[1]), int(fields[3])
            except (OSError, IndexError):
                pass


def descendants(table, roots):
    found, grown = set(roots), True
    while grown:
        grown = False
        for pid, _, parent, _ in table:
            if parent in found and pid not in found:
                found.add(pid)
                grown = True
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def kill_group(leader):
    """Of a child that leads its session: the leader first, or a shell would have time to report the death of its children;
    then its group at a stroke, which forks cannot outrun."""
    kill(leader)
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        pass


def end_family(mark, leader):
    """Kills what carries `mark` in its environment, belongs to the leader's session or descends from it, until nothing is
    found; returns how many there were beside the leader. The mark finds daemons that left session and parent."""
    seen, mine = set(), os.getpid()
    for _ in range(200):
        table = list(processes())
        members = {pid for pid, _, _, session in table if pid == leader or session == leader}
        for pid, _, _, _ in table:
            try:
                with open("/proc/%d/environ" % pid, "rb") as file:
                    if mark in file.read().split(b"\0"):
                        members.add(pid)
            except OSError:
                pass
        members = descendants(table, members) - {mine}
        alive = {pid for pid, state, _, _ in table if pid in members and state not in (b"Z", b"X")}
        if not alive:
            break
        seen |= alive
        kill_group(leader)
        for pid in alive:
            kill(pid)
        time.sleep(0.001)
    return len(seen - {leader})


def spawn(argv, env, cwd, with_input, nice, rlimits, keep, user=None):
    """Starts a program; returns pid, the write end of its stdin (or None), the read ends of stdout and stderr. OSError tells
    why it could not be started, also when it was the exec that failed."""
    opened = []

    def pipe():
        opened.extend(os.pipe())
        return opened[-2:]

    try:
        if with_input:
            stdin, feed = pipe()
        else:
            stdin, feed = os.open("/dev/null", os.O_RDONLY), None
            opened.append(stdin)
        out, child_out = pipe()
        err, child_err = pipe()
        verdict, child_verdict = pipe()
        pid = os.fork()
        if pid == 0:
            become(argv, env, cwd, (stdin, child_out, child_err), child_verdict, nice, rlimits, keep, user)
        opened.remove(child_verdict)
        os.close(child_verdict)
        failure = os.read(verdict, 4096)      # ends with the exec, a few ms
        if failure:
            os.waitpid(pid, 0)
            number, about = failure.split(b" ", 1)
            raise OSError(int(number), os.strerror(int(number)), os.fsdecode(about))
    except OSError:
        for fd in opened:
            os.close(fd)
        raise
    for fd in opened:
        if fd in (feed, out, err):
            os.set_blocking(fd, False)
        else:
            os.close(fd)
    return pid, feed, out, err


def become(argv, env, cwd, stdio, verdict, nice, rlimits, keep, user):
    """The child's side of spawn. Every other descriptor closes by itself at exec (PEP 446)."""
    about = b"its process"
    try:
        import resource
        os.setsid()
        signal.set_wakeup_fd(-1)
        for name in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(name, signal.SIG_DFL)
        for target, fd in enumerate(stdio):
            os.dup2(fd, target)
        for fd in keep:
            os.set_inheritable(fd, True)
        os.nice(nice)
        for name, value in rlimits:
            hard = resource.getrlimit(name)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(name, (value, value))
        if user is not None:
            become_user(user)
        about = os.fsencode(cwd)
        os.chdir(cwd)
        about = os.fsencode(argv[0])
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        os.write(verdict, b"%d %s" % (error.errno or errno.EINVAL, about[:2000]))
    except BaseException:
        os.write(verdict, b"%d %s" % (errno.EINVAL, about[:2000]))
    finally:
        os._exit(127)


def become_user(user):
    """Every right goes with the last call. Where memory runs out the agent is a better choice than the bridge; that it may
    take this back to 0 has to be lived with."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")
    except OSError:
        pass
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


class Child:
    """A process in a session of its own, its output in pipes, its input bytes or /dev/null. `on_exit` is called once it has
    been reaped; the owner then ends what it left behind and calls `drain`, so that no grandchild holds a result back."""

    def __init__(self, bridge, argv, env, cwd, on_out, on_exit, stdin=None, nice=0, rlimits=(), keep=(),
                 user=None):
        self.bridge, self.on_out, self.on_exit = bridge, on_out, on_exit
        self.status, self.usage, self.input = None, None, stdin
        self.pid, self.feed, out, err = spawn(argv, env, cwd, stdin is not None, nice, rlimits, keep, user)
        self.streams = {out: 1, err: 2}
        bridge.children[self.pid] = self.exited
        bridge.outputs.add(self)
        self.resume()
        if self.feed is not None:
            self.push_input()

    def exited(self, status, usage):
        self.status, self.usage = status, usage
        self.on_exit()

    def push_input(self, _=0):
        try:
            while self.input:
                self.input = self.input[os.write(self.feed, self.input[:MIB]):]
        except BlockingIOError:
            self.bridge.loop.watch(self.feed, self.push_input, select.EPOLLOUT)
            return
        except OSError:
            pass
        self.end_input()

    def end_input(self):
        if self.feed is not None:
            self.bridge.loop.unwatch(self.feed)
            os.close(self.feed)
            self.feed, self.input = None, b""

    def resume(self):
        for fd in self.streams:
            if not self.bridge.wire.full:
                self.bridge.loop.watch(fd, lambda _, fd=fd: self.readable(fd), select.EPOLLIN)

    def pause(self):
        for fd in self.streams:
            self.bridge.loop.unwatch(fd)

    def readable(self, fd):
        data = read_some(fd, CHUNK)
        if data:
            self.on_out(self.streams[fd], data)
        elif data is not None:
            self.close(fd)

    def close(self, fd):
        self.bridge.loop.unwatch(fd)
        os.close(fd)
        del self.streams[fd]

    def drain(self):
        """What is in the pipes now, at most what a pipe can be made to hold."""
        for fd, stream in list(self.streams.items()):
            left = MIB
            while left > 0:
                data = read_some(fd, CHUNK)
                if not data:
                    break
                left -= len(data)
                self.on_out(stream, data)
            self.close(fd)
        self.end_input()
        self.bridge.outputs.discard(self)


def exit_code(status):
    """(code, signal) of a wait status, one of them None."""
    return (None, os.WTERMSIG(status)) if os.WIFSIGNALED(status) else (os.WEXITSTATUS(status), None)
