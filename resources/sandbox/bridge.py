# SPDX-License-Identifier: GPL-3.0-or-later
"""The bridge: main process of a sandbox, the only thing in it the host talks to (JSON lines on fds 0 and 1).

STARTING IT (local sandbox). The host starts an outer bubblewrap whose process 1 is this program:

    bwrap --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try
      --as-pid-1 --die-with-parent --new-session --hostname sandbox --cap-drop ALL
      --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv LANG C.UTF-8
      --ro-bind /usr /usr  + for each of bin sbin lib lib32 lib64 libx32 that exists on the host:
        `--symlink usr/NAME /NAME` where the host has a link, `--ro-bind /NAME /NAME` where it has a folder
      --proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev
      --perms 0755 --size 1048576 --tmpfs /etc + --ro-bind-try for /etc/{alternatives,ssl,ld.so.cache,localtime}
      --perms 1777 --size 1073741824 --tmpfs /tmp   --perms 0755 --size 16777216 --tmpfs /run
      --perms 0755 --size 67108864 --tmpfs /logs    --perms 0755 --size QUOTA --tmpfs /app
      --remount-ro / --chdir /app  python3 -I -S -u -c BOOT

--as-pid-1 is required (`init` is refused otherwise): nothing inside can then signal the bridge, orphans come to it, and its
end is the end of everything. The bridge itself writes passwd, group, hosts, nsswitch.conf into the empty /etc.
A host that is root first becomes an ordinary user (setgroups([]), setresgid, setresuid to a uid of the attempt, for example
20000+n; no passwd entry needed): started by real root the inner /proc would be refused. The uid inside stays that uid.
--die-with-parent follows the *thread* that started bwrap. BOOT is boot.py; then "<length>\n", this file, and the protocol.

ORDER: hello <- ; put* -> ok*; init -> ready; run/tool/...; bye -> bye.  Before init only put, get, list, ping, bye.

WHAT IS ADDED to version 1 (all optional for the host):
  init         "wall":"bwrap" (needed; another wall is answered by `fail`). `fail` of an init has "id":null. Ports that are not
               named are 9999 and 9998; 0 leaves one closed.
  ready        reward_files: the stale ones that were found *and removed*. prompts: paths relative to /app, so
               "environment/system.md" where only that exists; of system.md instruction.md context.json.
  run          rlimits {"NPROC":60,...} by name. Ends in `exit`, or in `fail` when nothing could be started (program missing,
               wall not built; then `started` may have been sent).
               signal is only reported where the bridge ended the run itself (limit, kill), or for who=verifier|setup;
               for an agent that died of a signal the inner bubblewrap says code 128+n and that is passed on as it is.
  out          "skip":n on the first message after a gap: n bytes over `cap` were dropped before it (the last 64 KiB of a
               stream are always sent). `dropped` in exit is the sum over both streams.
  tool_res     "error":"..." whenever status is not 200. Status 499: the caller hung up, or the agent's run ended.
  tool_start   of our wrapper's calls: "argv":[...] and "stdin_size":n in place of "args". When the JSON text of args or argv is
               over 64 KiB: null in its place and "cut":{"text":...,"size":n,"sha256":...}. who: agent | verifier.
               at: seconds since the `started` of the current run. Calls refused with 400/404 are reported too.
  log          "cut":{...} likewise.
  http         size is -1 for a chunked body. The body always ends with http_body "eof":true, even when it is empty.
  http_end     may carry "abort":true: the stream broke; the client sees a broken body instead of a clean end.
  entries, eof "truncated"; eof of diff: "deleted":[paths].
  fail         "id":null for a line that cannot be read. Any message may have an id and is then answered (ports -> ok).
Exit codes: 0 bye or end of input, 65 broken start or a line over 1 MiB, 70 SIGTERM, 71 heartbeat missed, 72 deadline.
"""

import _socket  # the C part alone: `socket` costs 3 ms more at each start and adds nothing that is needed here
import binascii
import errno
import json
import os
import re
import select
import signal
import stat
import sys
import time
from collections import deque

VERSION = 1
KIB, MIB = 1024, 1024 * 1024
CHUNK = 32 * KIB            # raw bytes a message carries at most
LINE_MAX = MIB
BULK_HIGH, BULK_LOW = MIB, 256 * KIB
EVENT_MAX = 64 * KIB        # arguments in an event
DEPTH_MAX = 200             # of structures in them: JSON readers have limits that an agent must not reach
TAIL = 64 * KIB             # kept of the end of a stream that went over its cap
TOOL_OUTPUT = 4 * MIB
HEADER_MAX, BODY_MAX = 64 * KIB, 64 * MIB
BODIES_MAX = 128 * MIB      # of all connections together: an agent must not make the bridge the largest process
CONNECTIONS_MAX = 256
QUEUE_MAX = 256
IDLE = 30                   # seconds a client has to send its request
APP = "/app"
REWARDS = ("/app/reward.txt", "/logs/verifier/reward.txt")
READ = select.EPOLLIN | select.EPOLLRDHUP
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Refused(Exception):
    """A question that is answered by `fail`."""

    def __init__(self, code, why):
        Exception.__init__(self, why)
        self.code = code


def b64(data):
    return binascii.b2a_base64(data, newline=False).decode("ascii")


BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


def unb64(text):
    data = text.encode("ascii")
    if data.translate(None, BASE64):    # a2b_base64 would skip what it does not know
        raise ValueError("not base64")
    return binascii.a2b_base64(data)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e15 < value < 1e15


def number(message, key, default, low, high):
    value = message.get(key)
    if value is None:
        value = default
    if not is_number(value):
        raise Refused("bad", "%s must be a number" % key)
    return min(max(value, low), high)


def clean(text):
    """Replaces lone surrogates, which JSON readers elsewhere refuse or change."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def encode(message):
    line = json.dumps(message, separators=(",", ":"))
    if "\\ud" in line:
        line = json.dumps(json.loads(clean(json.dumps(message, ensure_ascii=False))), separators=(",", ":"))
    return line.encode("ascii") + b"\n"


def depth(value):
    levels, row = 0, [value]
    while row:
        levels += 1
        row = [child for item in row if isinstance(item, (dict, list))
               for child in (item.values() if isinstance(item, dict) else item)]
    return levels


def for_event(key, value):
    """{key: value}, or what says that the value is too large or too deep for a line of the protocol."""
    text = clean(json.dumps(value, ensure_ascii=False))
    raw = text.encode("utf-8")
    if len(raw) > EVENT_MAX or depth(value) > DEPTH_MAX:
        import hashlib
        return {key: None, "cut": {"text": raw[:EVENT_MAX].decode("utf-8", "ignore"), "size": len(raw),
                                   "sha256": hashlib.sha256(raw).hexdigest()}}
    return {key: json.loads(text, parse_constant=str)}


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


# ---------------------------------------------------------------------------------------------------------------- the loop

class Loop:
    """One epoll, a few timers. A callback that fails is reported on stderr and stops nothing else."""

    def __init__(self):
        self.epoll = select.epoll()
        self.callbacks = {}
        self.timers = {}

    def watch(self, fd, callback, mask=READ):
        if fd in self.callbacks:
            self.epoll.modify(fd, mask)
        else:
            self.epoll.register(fd, mask)
        self.callbacks[fd] = callback

    def unwatch(self, fd):
        if self.callbacks.pop(fd, None) is not None:
            self.epoll.unregister(fd)

    def after(self, key, seconds, callback):
        self.timers[key] = (time.monotonic() + seconds, callback)

    def cancel(self, key):
        self.timers.pop(key, None)

    def turn(self):
        wait = -1
        if self.timers:
            wait = max(0, min(when for when, _ in self.timers.values()) - time.monotonic()) + 0.0005
        for fd, events in self.epoll.poll(wait):
            if fd in self.callbacks:
                self.guard(self.callbacks[fd], events)
        now = time.monotonic()
        for key in [key for key, (when, _) in self.timers.items() if when <= now]:
            if key in self.timers:
                self.guard(self.timers.pop(key)[1])

    @staticmethod
    def guard(callback, *arguments):
        try:
            callback(*arguments)
        except Exception:
            sys.excepthook(*sys.exc_info())


def read_some(fd, size):
    """Bytes, b"" at the end, None when there is nothing yet."""
    try:
        return os.read(fd, size)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:
        return b""


class Wire:
    """The two ends of the pipe. Control messages overtake bulk ones (output, file contents, calls and what follows them)."""

    def __init__(self, loop, fd_in, fd_out, on_line, on_end, on_room):
        self.loop, self.fd_in, self.fd_out = loop, fd_in, fd_out
        self.on_line, self.on_end, self.on_room = on_line, on_end, on_room
        self.control, self.bulk, self.current = deque(), deque(), b""
        self.control_size = self.bulk_size = 0
        self.full = False
        self.text = bytearray()
        self.jobs = deque()
        self.heard = time.monotonic()
        os.set_blocking(fd_in, False)
        os.set_blocking(fd_out, False)
        loop.watch(fd_in, self.readable, select.EPOLLIN)

    def send(self, message):
        line = encode(message)
        self.control.append(line)
        self.control_size += len(line)
        self.write()

    def send_bulk(self, message):
        line = encode(message)
        self.bulk.append(line)
        self.bulk_size += len(line)
        if self.bulk_size > BULK_HIGH:
            self.full = True
        self.write()

    def add_job(self, job):
        """A generator that sends one bulk message a step; it goes on only while there is room."""
        self.jobs.append(job)
        self.write()

    def write(self, _=0):
        try:
            while True:
                if not self.current:
                    if self.control:
                        self.current = self.control.popleft()
                        self.control_size -= len(self.current)
                    elif self.bulk:
                        self.current = self.bulk.popleft()
                        self.bulk_size -= len(self.current)
                    else:
                        break
                self.current = self.current[os.write(self.fd_out, self.current):]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.on_end()
        if self.current or self.jobs:
            self.loop.watch(self.fd_out, self.writable, select.EPOLLOUT)
        else:
            self.loop.unwatch(self.fd_out)
        # a host that asks without reading the answers is not listened to until it has read them
        if self.control_size > MIB:
            self.loop.unwatch(self.fd_in)
        elif self.fd_in not in self.loop.callbacks:
            self.heard = time.monotonic()
            self.loop.watch(self.fd_in, self.readable, select.EPOLLIN)

    def writable(self, _):
        self.write()
        if self.bulk_size < BULK_LOW and self.full:
            self.full = False
            self.on_room()
        steps = len(self.jobs) if self.bulk_size < BULK_LOW else 0
        for _ in range(steps):
            job = self.jobs.popleft()
            if next(job, None) is not None:
                self.jobs.append(job)
        if steps:
            self.write()

    def idle(self):
        return not (self.current or self.control or self.bulk or self.jobs)

    def readable(self, _):
        data = read_some(self.fd_in, 256 * KIB)
        if data is None:
            return
        if not data:
            self.on_end()
        self.heard = time.monotonic()
        searched = len(self.text)
        self.text += data
        start = 0
        while True:
            end = self.text.find(b"\n", max(start, searched))
            if (end if end >= 0 else len(self.text)) - start > LINE_MAX:
                self.on_line(None)
            if end < 0:
                break
            self.on_line(bytes(self.text[start:end]))
            start = end + 1
        del self.text[:start]


# ------------------------------------------------------------------------------------------------------------- children

def spawn(argv, env, cwd, with_input, nice, rlimits, keep):
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
            become(argv, env, cwd, (stdin, child_out, child_err), child_verdict, nice, rlimits, keep)
        opened.remove(child_verdict)
        os.close(child_verdict)
        failure = os.read(verdict, 64)      # ends with the exec, a few ms
        if failure:
            os.waitpid(pid, 0)
            raise OSError(int(failure), os.strerror(int(failure)))
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


def become(argv, env, cwd, stdio, verdict, nice, rlimits, keep):
    """The child's side of spawn. Every other descriptor closes by itself at exec (PEP 446)."""
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
        os.chdir(cwd)
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        os.write(verdict, b"%d" % (error.errno or errno.EINVAL))
    except BaseException:
        os.write(verdict, b"%d" % errno.EINVAL)
    finally:
        os._exit(127)


class Child:
    """A process in a session of its own, its output in pipes, its input bytes or /dev/null. `on_exit` is called once it has
    been reaped; the owner then ends what it left behind and calls `drain`, so that no grandchild holds a result back."""

    def __init__(self, bridge, argv, env, cwd, on_out, on_exit, stdin=None, nice=0, rlimits=(), keep=()):
        self.bridge, self.on_out, self.on_exit = bridge, on_out, on_exit
        self.status, self.usage, self.input = None, None, stdin
        self.pid, self.feed, out, err = spawn(argv, env, cwd, stdin is not None, nice, rlimits, keep)
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


# ---------------------------------------------------------------------------------------------------------------- files

def is_below(path, roots):
    return any(path.startswith(root + "/") for root in roots)


def checked_path(path):
    if not isinstance(path, str) or "\0" in path or not is_below(path, (APP, "/logs")) or os.path.normpath(path) != path:
        raise Refused("refused", "a path must be absolute, plain and below %s" % APP)
    return path


def open_checked(path, flags, mode=0):
    """Opens a regular file, never through a link, and asks the kernel where the descriptor really is: no race, no linked
    folder, no pipe that blocks."""
    fd = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, mode)
    if not stat.S_ISREG(os.fstat(fd).st_mode) or not is_below(os.readlink("/proc/self/fd/%d" % fd), (APP, "/logs")):
        os.close(fd)
        raise Refused("refused", "%s is not a regular file below %s" % (path, APP))
    return fd


def entries_below(top):
    """(path below top, entry, lstat), parents first, sorted, links not followed."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            found = sorted(os.scandir(os.path.join(top, folder)), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            name = os.path.join(folder, entry.name)
            try:
                yield name, entry, entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)


class Files:
    """put, get, list, snapshot, diff."""

    def __init__(self, wire):
        self.wire = wire
        self.puts = {}      # id -> [fd, path, mode], fd None when it has failed already
        self.before = None  # path -> what tells a change

    def put(self, id, message):
        data = unb64(message["d"])
        try:
            if id not in self.puts:
                if len(self.puts) >= 16:
                    raise Refused("bad", "too many files at once")
                self.puts[id] = self.begin_put(message)
            fd = self.puts[id][0]
            while fd is not None and data:
                data = data[os.write(fd, data):]
        except (OSError, Refused):
            if self.puts.get(id, [None])[0] is not None:
                os.close(self.puts[id][0])
            if message.get("eof"):
                self.puts.pop(id, None)
            elif len(self.puts) < 16:
                self.puts[id] = [None, "", 0]
            raise
        if message.get("eof"):
            fd, path, mode = self.puts.pop(id)
            if fd is not None:
                os.fchmod(fd, mode)
                os.close(fd)
                self.wire.send({"t": "ok", "id": id})

    @staticmethod
    def begin_put(message):
        path, mode = checked_path(message["path"]), int(message.get("mode", 0o644)) & 0o777
        parent = os.path.dirname(path)
        if not is_below(os.path.realpath(parent) + "/", (APP, "/logs")):
            raise Refused("refused", "%s leads out of %s" % (parent, APP))
        os.makedirs(parent, 0o755, exist_ok=True)
        fd = open_checked(path, os.O_WRONLY | os.O_CREAT, 0o600)
        os.ftruncate(fd, 0)
        return [fd, path, mode]

    def get(self, id, message):
        limit = int(number(message, "max", BODY_MAX, 0, 1 << 40))
        fd = open_checked(checked_path(message["path"]), os.O_RDONLY)

        def job():
            size = 0
            while size < limit:
                data = os.read(fd, min(CHUNK, limit - size))
                if not data:
                    break
                size += len(data)
                self.wire.send_bulk({"t": "data", "id": id, "d": b64(data)})
                yield True
            truncated = bool(os.read(fd, 1))
            os.close(fd)
            self.wire.send_bulk({"t": "eof", "id": id, "size": size, "truncated": truncated})

        self.wire.add_job(self.guarded(id, job()))

    def guarded(self, id, job):
        try:
            yield from job
        except OSError as error:
            self.wire.send_bulk({"t": "fail", "id": id, "code": "refused", "why": str(error)})

    def list(self, id, message):
        import hashlib
        top = message["path"] if message["path"] == APP else checked_path(message["path"])
        if os.path.realpath(top) != top or not os.path.isdir(top):
            code = "refused" if os.path.lexists(top) else "not_found"
            raise Refused(code, "%s is not a folder" % top)
        limit, room = int(number(message, "max", 1000, 0, 10000)), LINE_MAX // 2
        found, truncated = [], False
        for name, _, info in entries_below(top):
            entry = {"path": name, "type": "other", "size": info.st_size, "mtime": info.st_mtime}
            for kind, test in (("file", stat.S_ISREG), ("dir", stat.S_ISDIR), ("link", stat.S_ISLNK)):
                if test(info.st_mode):
                    entry["type"] = kind
            if entry["type"] == "file" and info.st_size <= BODY_MAX:
                try:
                    with open(open_checked(os.path.join(top, name), os.O_RDONLY), "rb") as file:
                        entry["sha256"] = hashlib.sha256(file.read(BODY_MAX)).hexdigest()
                except (OSError, Refused):
                    pass
            room -= len(encode(entry))
            if len(found) >= limit or room < 0:
                truncated = True
                break
            found.append(entry)
        self.wire.send({"t": "entries", "id": id, "list": found, "truncated": truncated})

    @staticmethod
    def sign(info):
        return info.st_mode, info.st_size, info.st_mtime_ns, info.st_ino

    def snapshot(self, id, _):
        self.before = {}
        for name, _, info in entries_below(APP):
            if len(self.before) >= 100000:
                break
            self.before[name] = self.sign(info)
        self.wire.send({"t": "ok", "id": id})

    def diff(self, id, message):
        if self.before is None:
            raise Refused("bad", "no snapshot was taken")
        self.wire.add_job(self.guarded(id, self.changes(id, int(number(message, "max", 256 * MIB, 0, 1 << 40)))))

    def changes(self, id, limit):
        import tarfile
        size, truncated, seen = 0, False, set()

        def send(data):
            nonlocal size
            size += len(data)
            for start in range(0, len(data), CHUNK):
                self.wire.send_bulk({"t": "data", "id": id, "d": b64(data[start:start + CHUNK])})
            return True

        for name, entry, info in entries_below(APP):
            seen.add(name)
            if self.before.get(name) == self.sign(info):
                continue
            head = tarfile.TarInfo(name)
            head.mode, head.mtime = stat.S_IMODE(info.st_mode), int(info.st_mtime)
            fd = None
            try:
                if stat.S_ISREG(info.st_mode):
                    if size + info.st_size > limit:
                        truncated = True
                        continue
                    fd, head.size = open_checked(entry.path, os.O_RDONLY), info.st_size
                elif stat.S_ISLNK(info.st_mode):
                    head.type, head.linkname = tarfile.SYMTYPE, os.readlink(entry.path)
                elif stat.S_ISDIR(info.st_mode) and name not in self.before:
                    head.type = tarfile.DIRTYPE
                else:
                    continue
            except (OSError, Refused):
                continue
            yield send(head.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"))
            left = head.size
            while left > 0:     # a file that shrank meanwhile is filled up: the head has promised its size
                data = os.read(fd, min(CHUNK, left)) or bytes(min(CHUNK, left))
                left -= len(data)
                yield send(data)
            if fd is not None:
                os.close(fd)
                yield send(bytes(-head.size % 512))
        send(bytes(1024))
        deleted = sorted(set(self.before) - seen)[:1000]
        self.wire.send_bulk({"t": "eof", "id": id, "size": size, "truncated": truncated, "deleted": deleted})


# ---------------------------------------------------------------------------------------------------------- wall and runs

WRAPPER = r'''#!@PYTHON@ -IS
# Runs the tool @NAME@ outside this sandbox with the same arguments and input; gives back its output, errors and exit code.
# (No json, socket or re here: their import would double what a call costs.)
import _socket, binascii, os, select, stat

def has_producer():
    """Whether a process that is not one of our callers can still write into the pipe on stdin. A caller that merely forgot
    to close it (as some agent frameworks do) would let us wait for ever; `slow_program | tool` must be waited for."""
    def parent(pid):
        with open("/proc/%d/stat" % pid, "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    callers, pid = {os.getpid()}, os.getpid()
    while pid > 1:
        pid = parent(pid)
        callers.add(pid)
    here = os.readlink("/proc/self/fd/0")
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in callers:
            try:
                for fd in os.listdir("/proc/%s/fd" % name):
                    if os.readlink("/proc/%s/fd/%s" % (name, fd)) == here:
                        with open("/proc/%s/fdinfo/%s" % (name, fd)) as file:
                            if int(file.read().split("flags:")[1].split()[0], 8) & 3:
                                return True
            except OSError:
                pass
    return False

def given_input():
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return b""
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return b""
    while not select.select([0], [], [], 0.3)[0]:
        if not has_producer():
            return b""
    parts = []
    while True:
        select.select([0], [], [])
        part = os.read(0, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)

def text(value):
    units = os.fsencode(value).decode("utf-8", "surrogateescape").encode("utf-16-be", "surrogatepass")
    return '"%s"' % "".join(["\\u%02x%02x" % (units[i], units[i + 1]) for i in range(0, len(units), 2)])

def put(fd, data):
    while data:
        select.select([], [fd], [])
        data = data[os.write(fd, data):]

def main():
    import sys
    stdin = binascii.b2a_base64(given_input(), newline=False).decode()
    body = ('{"argv":[%s],"stdin":"%s"}' % (",".join([text(a) for a in sys.argv[1:]]), stdin)).encode()
    link, reply = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM), b""
    try:
        link.connect(("127.0.0.1", @PORT@))
        try:
            link.sendall(b"POST /exec/@NAME@ HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        except BrokenPipeError:
            pass        # refused early; the reply says why
        parts = [link.recv(1 << 20)]
        while parts[-1]:
            parts.append(link.recv(1 << 20))
        reply = b"".join(parts)
    except OSError as error:
        put(2, b"@NAME@: the tool server does not answer: %s\n" % str(error).encode())
        return 125
    head, _, body = reply.partition(b"\r\n\r\n")
    if head[9:12] != b"200":
        put(2, b"@NAME@: %s\n" % (body or b"no answer"))
        return 127 if head[9:12] == b"404" else 125
    def field(name):
        return binascii.a2b_base64(body.partition(b'"%s":"' % name)[2].partition(b'"')[0])
    try:
        put(1, field(b"out"))
        put(2, field(b"err"))
    except BrokenPipeError:
        return 141
    return int(body.partition(b'"code":')[2].partition(b",")[0])

os._exit(main())
'''


def glob_pattern(text):
    """A glob relative to /app: * and ? stay within a name, ** spans folders."""
    text = text[len(APP):] if text.startswith(APP + "/") else text
    out, rest = "", text.strip("/")
    while rest:
        piece = re.match(r"\*\*/|\*\*|\*|\?|\[[^]/]+\]|.", rest, re.S).group()
        rest = rest[len(piece):]
        if piece.startswith("[") and len(piece) > 2:
            out += "[" + piece[1:-1].replace("\\", "\\\\").replace("!", "^", 1 if piece[1] == "!" else 0) + "]"
        else:
            out += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(piece) or re.escape(piece)
    return out


class Bubblewrap:
    """The wall of the local sandbox. Tools and verifier run beside the bridge; the agent runs in an inner bubblewrap in which
    only what it may see exists. Works by what is bound, not by rights: everything has the same owner here."""

    HIDDEN = ("tests", "**/*.db", "**/*.db-wal", "**/*.db-shm", "**/*.db-journal")
    WRITABLE = ("answer.json", "answer.md", "artifacts", "logs")
    WRAPPERS = "/run/proctor/tools"
    HOME = "/home/agent"
    SCRATCH = 512 * MIB
    BINDS_MAX = 4000

    def __init__(self, hide):
        if os.getpid() != 1:
            raise Refused("refused", "the bridge must be process 1 of the outer bubblewrap (--as-pid-1)")
        programs = [os.path.join(folder, "bwrap") for folder in PATH.split(":")]
        self.program = next((path for path in programs if os.access(path, os.X_OK)), None)
        if self.program is None:
            raise Refused("not_found", "bwrap is not there inside the sandbox")
        self.hidden = re.compile("(?:%s)\\Z" % "|".join(map(glob_pattern, self.HIDDEN + tuple(hide))), re.S)
        self.binds = []

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
            text = WRAPPER.replace("@PYTHON@", sys.executable).replace("@NAME@", name).replace("@PORT@", str(port))
            with open(os.path.join(self.WRAPPERS, name), "w") as file:
                file.write(text)
                os.fchmod(file.fileno(), 0o755)
        for name in self.WRITABLE:
            path = os.path.join(APP, name)
            if "." in name:
                os.close(open_checked(path, os.O_RDONLY | os.O_CREAT, 0o644))
            else:
                os.makedirs(path, 0o755, exist_ok=True)
        # an older folder of tools beside the one that counts shows the same wrappers, never the programs
        self.tools_folders = {os.path.relpath(tools_folder, APP)}
        if os.path.isdir(APP + "/tools"):
            self.tools_folders.add("tools")

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


def to_bytes(text):
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return clean(text).encode("utf-8")


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) and "\0" not in item for item in value)


class Run:
    """One agent, verifier or set-up command."""

    def __init__(self, bridge, id, message):
        self.bridge, self.id, self.who = bridge, id, message.get("who")
        argv, env, cwd = message.get("argv"), message.get("env") or {}, message.get("cwd") or APP
        if self.who not in ("agent", "verifier", "setup"):
            raise Refused("bad", "who must be agent, verifier or setup")
        if not is_texts(argv) or not argv or not is_texts(list(env)) or not is_texts(list(env.values())) or not is_texts([cwd]):
            raise Refused("bad", "argv, env and cwd must be texts without NUL")
        if not all(env) or any("=" in key for key in env):
            raise Refused("bad", "a variable's name is empty or holds =")
        limit = number(message, "limit", 86400, 0.001, 1e7)
        self.cap = int(number(message, "cap", 4 * MIB, 0, 1 << 40))
        nice = int(number(message, "nice", 10 if self.who == "agent" else 0, 0, 19))
        rlimits = self.read_limits(message.get("rlimits") or {})
        self.total, self.sent, self.tails = {1: 0, 2: 0}, {1: 0, 2: 0}, {1: bytearray(), 2: bytearray()}
        self.errors = bytearray()
        self.ended = self.timed_out = False
        self.leftovers, self.cpu, self.rss = 0, 0.0, 0
        self.inner, self.status_fd, self.status_text = None, None, b""
        self.mark = bridge.new_mark()
        if self.who == "verifier":
            remove_rewards()
        full = dict(bridge.environment, HOME=bridge.wall.HOME if self.who == "agent" else "/tmp", USER="agent", LOGNAME="agent")
        full.update(env)
        self.begun = time.monotonic()
        self.child = self.start(argv, full, cwd, nice, rlimits)
        self.deadline = self.begun + limit
        bridge.wire.send_bulk({"t": "started", "id": id, "pid": self.child.pid})
        self.arm()

    @staticmethod
    def read_limits(wanted):
        import resource
        limits = []
        for name, value in wanted.items():
            which = getattr(resource, "RLIMIT_" + str(name), None)
            if which is None or not isinstance(value, int) or value < 0:
                raise Refused("bad", "unknown limit %s" % name)
            limits.append((which, value))
        return limits + [(resource.RLIMIT_CORE, 0)]

    def start(self, argv, env, cwd, nice, rlimits):
        keep = []
        marked = {"PATH": PATH, "LANG": "C.UTF-8"} if self.who == "agent" else env
        try:
            if self.who == "agent":
                self.status_fd, writer = os.pipe()
                os.set_blocking(self.status_fd, False)
                keep.append(writer)
                argv, memory = self.bridge.wall.agent_command(argv, env, cwd, writer)
                keep.append(memory)
                cwd = "/"
            variables = {to_bytes(key): to_bytes(value) for key, value in marked.items()}
            variables.update([self.mark.split(b"=")])
            return Child(self.bridge, [to_bytes(item) for item in argv], variables, to_bytes(cwd), self.output, self.exited,
                         nice=nice, rlimits=rlimits, keep=keep)
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

    def arm(self):
        self.bridge.loop.after(self, max(0, self.deadline - time.monotonic()), self.over_limit)

    def extend(self, seconds):
        self.deadline += seconds
        self.arm()

    def over_limit(self):
        self.timed_out = True
        self.end()

    def end(self):
        self.ended = True
        if self.who != "agent":
            kill_group(self.child.pid)
            end_family(self.mark, self.child.pid)
            return
        self.read_status()
        if self.inner:
            kill(self.inner)        # the kernel ends all of its namespace; bubblewrap outside sees it and follows
        else:
            end_family(self.mark, self.child.pid)

    def output(self, stream, data):
        self.total[stream] += len(data)
        if stream == 2 and len(self.errors) < 4096:
            self.errors += data
        head = data[:max(0, self.cap - self.sent[stream])]
        if head:
            self.sent[stream] += len(head)
            self.bridge.wire.send_bulk({"t": "out", "id": self.id, "s": stream, "d": b64(head)})
        tail = self.tails[stream]
        tail += data[len(head):]
        if len(tail) > TAIL:
            del tail[:-TAIL]

    def exited(self):
        self.bridge.loop.cancel(self)
        self.wall_time = time.monotonic() - self.begun
        self.add_usage(self.child.usage)
        if self.who != "agent":
            self.leftovers += end_family(self.mark, self.child.pid)
            self.finish()
            return
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

    def orphan_ended(self, pid, usage):
        self.read_status()
        if pid == self.inner:
            self.add_usage(usage)

    def add_usage(self, usage):
        self.cpu += usage.ru_utime + usage.ru_stime
        self.rss = max(self.rss, usage.ru_maxrss * KIB)

    def finish(self):
        self.child.drain()
        if self.who == "agent":
            self.bridge.http.drop_clients()
            self.bridge.tools.cut_off_agent(self.report)
        else:
            self.report()

    def report(self):
        dropped = 0
        for stream in (1, 2):
            tail = bytes(self.tails[stream])
            skipped = self.total[stream] - self.sent[stream] - len(tail)
            dropped += skipped
            for start in range(0, len(tail), CHUNK):
                message = {"t": "out", "id": self.id, "s": stream, "d": b64(tail[start:start + CHUNK])}
                if skipped and start == 0:
                    message["skip"] = skipped
                self.bridge.wire.send_bulk(message)
        failed = self.who == "agent" and not self.ended and b'"exit-code"' not in self.status_text
        self.close_status()
        if failed:
            why = "the agent's sandbox could not be built: " + bytes(self.errors).decode("utf-8", "replace").strip()
            self.bridge.wire.send_bulk({"t": "fail", "id": self.id, "code": "refused", "why": why[:2000]})
        else:
            message = {"t": "exit", "id": self.id}
            code, name = exit_code(self.child.status)
            if self.ended and self.who == "agent":
                code, name = None, int(signal.SIGKILL)
            message.update({"code": code} if name is None else {"signal": name})
            message.update({"timed_out": self.timed_out, "oom": False, "wall": round(self.wall_time, 4),
                            "cpu": round(self.cpu, 4), "rss": self.rss, "bytes": [self.total[1], self.total[2]],
                            "dropped": dropped, "leftovers": self.leftovers})
            self.bridge.wire.send_bulk(message)
        self.bridge.run_over()


def remove_rewards():
    found = [path for path in REWARDS if os.path.lexists(path)]
    for path in found:
        os.unlink(path)
    return found


# ---------------------------------------------------------------------------------------------------------------- tools

class CallError(Exception):
    """A call that is answered without running anything."""

    def __init__(self, status, text):
        Exception.__init__(self, text)
        self.status = status


def rendered(args):
    """The command line of a JSON object: --key value in the order of the body, structures and constants as JSON text."""
    if not isinstance(args, dict):
        raise CallError(400, "JSON body must be an object")
    argv = []
    for key, value in args.items():
        if not key or key.startswith("-"):
            raise CallError(400, "invalid tool argument name: '%s'" % key)
        if value is None or isinstance(value, (bool, list, dict)):
            value = json.dumps(value, ensure_ascii=False)
        argv += ["--" + key, str(value)]
        if "\0" in argv[-2] + argv[-1]:
            raise CallError(400, "invalid tool argument: '%s'" % key)
    return argv


def parsed(body):
    if not body.strip():
        return {}
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise CallError(400, "invalid JSON body") from None


class Call:
    """One call of a tool. `answer(call)` is told the end; `event` is {} for the host's own calls, which it knows already."""

    def __init__(self, id, name, who, answer, argv=(), stdin=None, limit=None, event=None):
        self.id, self.name, self.who, self.answer, self.event = id, name, who, answer, event
        self.argv, self.stdin, self.limit = argv, stdin, limit
        self.out, self.total = {1: bytearray(), 2: bytearray()}, {1: 0, 2: 0}
        self.child, self.status, self.error = None, 0, None
        self.code = self.signal = None
        self.timed_out = self.cut = False
        self.asked = self.begun = time.monotonic()

    def truncated(self):
        return max(self.total.values()) > TOOL_OUTPUT


class Tools:
    """Runs tools, `parallel` at a time, first come first served (a client has one call at a time, so that is fair)."""

    NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")

    def __init__(self, bridge):
        self.bridge = bridge
        self.folder, self.limit, self.parallel = None, 60, 1
        self.waiting, self.running = deque(), set()
        self.count = 0
        self.on_quiet = None

    def open(self, limit, parallel):
        self.limit, self.parallel = limit, parallel
        for layout, folder in (("environment", APP + "/environment/tools"), ("app", APP + "/tools")):
            if os.path.isdir(folder):
                self.folder = folder
                return layout
        raise Refused("not_found", "no tools directory found: neither /app/environment/tools nor /app/tools exists")

    def names(self):
        return sorted(entry.name for entry in os.scandir(self.folder) if entry.is_file() and not entry.name.endswith(".py"))

    def check(self, name):
        if not self.NAME.match(name):
            raise CallError(400, "invalid tool name: '%s'" % name)

    def new_id(self):
        self.count += 1
        return "t%d" % self.count

    def submit(self, call):
        if not os.path.isfile(os.path.join(self.folder, call.name)):
            self.refuse(call, 404, "tool not found: " + call.name)
        elif len(self.waiting) >= QUEUE_MAX:
            self.refuse(call, 503, "too many tool calls are waiting")
        else:
            self.waiting.append(call)
            self.start_next()

    def refuse(self, call, status, error):
        call.status, call.error, call.begun = status, error, time.monotonic()
        self.announce(call)
        self.conclude(call)

    def announce(self, call):
        if call.event is not None:
            since = self.bridge.run.begun if self.bridge.run else self.bridge.ready_at
            self.bridge.wire.send_bulk(dict(call.event, t="tool_start", id=call.id, name=call.name[:200], who=call.who,
                                            at=round(time.monotonic() - since, 4)))

    def start_next(self):
        while self.waiting and len(self.running) < self.parallel:
            self.start(self.waiting.popleft())

    def start(self, call):
        call.begun = time.monotonic()
        call.mark = self.bridge.new_mark()
        self.announce(call)
        path = to_bytes(os.path.join(self.folder, call.name))
        env = dict(self.bridge.environment, HOME="/tmp", PYTHONDONTWRITEBYTECODE="1")
        env.update([call.mark.decode().split("=")])
        try:
            call.child = Child(self.bridge, [path] + [to_bytes(item) for item in call.argv], env, APP,
                               lambda stream, data: self.output(call, stream, data), lambda: self.exited(call), stdin=call.stdin)
        except OSError as error:
            call.status, call.code, call.error = 500, 126, "cannot start %s: %s" % (call.name, error.strerror)
            self.output(call, 2, call.error.encode() + b"\n")
            self.conclude(call)
            return
        call.stdin = None
        self.running.add(call)
        self.bridge.loop.after(call, call.limit or self.limit, lambda: self.over_limit(call))

    def output(self, call, stream, data):
        room = TOOL_OUTPUT - len(call.out[stream])
        call.total[stream] += len(data)
        if room > 0:
            call.out[stream] += data[:room]
            self.bridge.wire.send_bulk({"t": "tool_out", "id": call.id, "s": stream, "d": b64(data[:room])})

    def over_limit(self, call):
        call.timed_out = True
        kill_group(call.child.pid)
        end_family(call.mark, call.child.pid)

    def exited(self, call):
        self.bridge.loop.cancel(call)
        end_family(call.mark, call.child.pid)
        call.child.drain()
        self.running.discard(call)
        call.code, call.signal = exit_code(call.child.status)
        if call.cut:
            call.status, call.error = 499, "the call was cut off"
        elif call.timed_out:
            call.status, call.error = 504, "tool timeout"
        elif call.code == 0:
            call.status = 200
        else:
            call.status, call.error = 500, bytes(call.out[2]).decode("utf-8", "replace")[:1000]
        self.conclude(call)
        self.start_next()

    def conclude(self, call):
        now = time.monotonic()
        message = {"t": "tool_res", "id": call.id, "status": call.status, "code": call.code, "signal": call.signal,
                   "timed_out": call.timed_out, "queued": round(call.begun - call.asked, 4),
                   "ms": round((now - call.begun) * 1000, 2), "bytes": [call.total[1], call.total[2]],
                   "truncated": call.truncated()}
        if call.error is not None:
            message["error"] = call.error[:1000]
        self.bridge.wire.send_bulk(message)
        call.answer(call)
        if self.on_quiet and not any(other.who == "agent" for other in self.running):
            done, self.on_quiet = self.on_quiet, None
            done()

    def cancel(self, call):
        call.cut = True
        if call in self.running:
            kill_group(call.child.pid)
            end_family(call.mark, call.child.pid)
        elif call in self.waiting:
            self.waiting.remove(call)
            self.refuse(call, 499, "the call was cut off")

    def cut_off_agent(self, then):
        """Ends the agent's calls; `then` is called when they are over. What it asked for must not go on changing things after
        its end."""
        for call in [call for call in list(self.waiting) + list(self.running) if call.who == "agent"]:
            self.cancel(call)
        if any(call.who == "agent" for call in self.running):
            self.on_quiet = then
        else:
            then()


# ---------------------------------------------------------------------------------------------------------------- http

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 408: "Request Timeout", 413: "Content Too Large",
           431: "Request Header Fields Too Large", 499: "Client Closed Request", 500: "Internal Server Error",
           501: "Not Implemented", 503: "Service Unavailable", 504: "Gateway Timeout"}
HOP = {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"}


def parse_head(raw):
    """(method, target, version, headers, length) of a request head; length -1 means chunked. CallError when it is not clean:
    what two readers could understand differently is refused."""
    lines = raw.decode("latin-1").split("\r\n")
    first = lines[0].split(" ")
    if len(first) != 3 or not re.match(r"[A-Z]+\Z", first[0]) or not re.match(r"HTTP/1\.[01]\Z", first[2]) or not first[1]:
        raise CallError(400, "malformed request line")
    headers, lengths, chunked = [], set(), False
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        name, value = name.lower(), value.strip(" \t")
        if not colon or not re.match(r"[!#$%&'*+.^_`|~0-9a-z-]+\Z", name) or re.search(r"[\0\r\n]", value):
            raise CallError(400, "malformed header")
        headers.append([name, value])
        if name == "content-length":
            lengths.add(value)
        if name == "transfer-encoding":
            chunked = True
            if value.lower() != "chunked":
                raise CallError(501, "unknown transfer encoding")
    if len(lengths) > 1 or (lengths and chunked) or any(not re.match(r"[0-9]{1,15}\Z", item) for item in lengths):
        raise CallError(400, "bad Content-Length")
    return first[0], first[1], first[2], headers, -1 if chunked else int(lengths.pop()) if lengths else 0


class Connection:
    """One client, one request. `service` decides what to do with head and body; it answers by `respond` or in parts."""

    def __init__(self, http, fd, service):
        self.http, self.loop, self.service = http, http.bridge.loop, service
        self.sock = _socket.socket(fileno=fd)
        self.fd = fd
        self.input, self.parts = bytearray(), deque()
        self.reader = self.read_head
        self.left = self.chunk = self.counted = 0
        self.got = 0
        self.closing = self.paused = False
        self.on_hangup = self.on_taken = None
        self.body = bytearray()
        os.set_blocking(fd, False)
        self.loop.after(self, IDLE, self.too_slow)
        self.update()

    def update(self):
        mask = (0 if self.paused else select.EPOLLIN) | (select.EPOLLOUT if self.parts or self.closing else 0)
        if self.fd is not None:
            self.loop.watch(self.fd, self.event, mask)

    def event(self, events):
        if events & (select.EPOLLHUP | select.EPOLLERR):
            self.hangup()
            return
        if events & select.EPOLLIN and not self.paused and not self.service.holds(self):
            data = read_some(self.fd, 64 * KIB)
            if data == b"":
                self.end_of_input()
            elif data and self.reader:
                if self.reader != self.read_head:       # a head has a time to be complete, a body only must not stand still
                    self.loop.after(self, IDLE, self.too_slow)
                self.input += data
                self.parse()
        if self.fd is not None:
            self.flush()

    def parse(self):
        try:
            while self.fd is not None and self.reader and self.reader():
                pass
        except CallError as error:
            self.reader = None
            self.fail(error)
        except Exception:
            sys.excepthook(*sys.exc_info())
            self.close()

    # readers return True when they got on
    def read_head(self):
        end = self.input.find(b"\r\n\r\n")
        if end > HEADER_MAX or end < 0 and len(self.input) > HEADER_MAX:
            raise CallError(431, "request header too large")
        if end < 0:
            return False
        raw = bytes(self.input[:end])
        del self.input[:end + 4]
        self.method, self.target, self.version, self.headers, self.length = parse_head(raw)
        if self.length > BODY_MAX:
            raise CallError(413, "request body too large")
        self.left = self.length
        self.reader = self.read_chunk_size if self.length < 0 else self.read_body
        if ["expect", "100-continue"] in [[name, value.lower()] for name, value in self.headers] and not self.input:
            self.parts.append((b"HTTP/1.1 100 Continue\r\n\r\n", 0))
        self.service.begin(self)
        if self.length == 0:
            self.end_of_body()
            return False
        return True

    def read_body(self):
        data = self.take(self.left)
        self.left -= len(data)
        if self.left == 0:
            self.end_of_body()
        return False

    def read_chunk_size(self):
        end = self.input.find(b"\r\n")
        if end < 0:
            if len(self.input) > 1024:
                raise CallError(400, "malformed chunk")
            return False
        text = bytes(self.input[:end]).split(b";")[0].strip()
        if not re.match(rb"[0-9a-fA-F]{1,12}\Z", text):
            raise CallError(400, "malformed chunk")
        del self.input[:end + 2]
        self.left = int(text, 16)
        self.reader = self.read_chunk if self.left else self.read_trailer
        return True

    def read_chunk(self):
        self.left -= len(self.take(self.left))
        if self.left:
            return False
        if len(self.input) < 2:
            return False
        if self.input[:2] != b"\r\n":
            raise CallError(400, "malformed chunk")
        del self.input[:2]
        self.reader = self.read_chunk_size
        return True

    def read_trailer(self):
        end = self.input.find(b"\r\n")
        if end < 0 or end > HEADER_MAX:
            return False
        del self.input[:end + 2]
        if end == 0:
            self.end_of_body()
        return True

    def take(self, size):
        data = bytes(self.input[:size])
        del self.input[:size]
        self.got += len(data)
        if self.got > BODY_MAX:
            raise CallError(413, "request body too large")
        if data:
            self.service.body(self, data)
        return data

    def keep_body(self, data):
        self.body += data
        self.counted += len(data)
        self.http.held += len(data)
        if self.http.held > BODIES_MAX:
            raise CallError(503, "too much is being sent at once")

    def end_of_body(self):
        self.reader = None
        self.loop.cancel(self)
        self.service.end(self)

    def end_of_input(self):
        """The client has closed its side. A complete request may still want its answer (a half-closed connection)."""
        if self.reader or self.on_hangup or self.closing:
            self.hangup()
        else:
            self.paused = True

    def hangup(self):
        told, self.on_hangup = self.on_hangup, None
        self.close()
        if told:
            told()

    def wait_for_room(self, then):
        """Until the host has read on: what clients send must not pile up in our memory."""
        self.paused = True
        self.http.bridge.stalled[self] = then
        self.update()

    def go_on(self):
        self.paused = False
        self.update()

    def too_slow(self):
        if self.paused:
            self.loop.after(self, IDLE, self.too_slow)
            return
        self.fail(CallError(408, "the request did not come in time"))

    def fail(self, error):
        self.respond(error.status, {"error": clean(str(error))})

    def respond(self, status, value, kind="application/json; charset=utf-8"):
        if self.fd is None:
            return
        body = value
        if not isinstance(value, bytes):
            body = clean(json.dumps(value, ensure_ascii=False, separators=(",", ":"))).encode("utf-8")
        head = "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
        self.finish((head % (status, REASONS.get(status, "Unknown"), kind, len(body))).encode() + body)

    def finish(self, body=b""):
        if body:
            self.parts.append((body, 0))
        self.closing = True
        self.on_hangup = None
        self.loop.after(self, 2 * IDLE, self.close)
        self.update()

    def flush(self):
        try:
            while self.parts:
                data, worth = self.parts[0]
                sent = os.write(self.fd, data[:MIB] if len(data) > MIB else data)
                if sent < len(data):
                    self.parts[0] = (memoryview(data)[sent:], worth)
                else:
                    self.parts.popleft()
                    if worth and self.on_taken:
                        self.on_taken(worth)
        except BlockingIOError:
            pass
        except OSError:
            self.hangup()
            return
        if self.closing and not self.parts:
            self.leave()
        else:
            self.update()

    def leave(self):
        """Closes after the last byte. With unread input a plain close would reset the connection and destroy the answer."""
        self.closing = False
        try:
            self.sock.shutdown(_socket.SHUT_WR)
        except OSError:
            pass
        self.reader, self.on_hangup = None, self.close
        self.loop.after(self, 1, self.close)
        if self.paused or self.left == 0 and not self.input:
            self.close()
        else:
            self.update()

    def close(self):
        if self.fd is not None:
            self.loop.cancel(self)
            self.loop.unwatch(self.fd)
            self.fd = None
            self.sock.close()
            self.http.held -= self.counted
            self.http.connections.discard(self)
            self.http.bridge.stalled.pop(self, None)


class Http:
    """The two ports. Each may be opened and closed again; closing it also ends what is connected to it."""

    def __init__(self, bridge):
        self.bridge = bridge
        self.connections, self.listeners, self.held = set(), {}, 0

    def open(self, service, port):
        if service in self.listeners or not port:
            return
        listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
        listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
        listener.setblocking(False)
        self.listeners[service] = listener
        self.bridge.loop.watch(listener.fileno(), lambda _: self.accept(listener, service), select.EPOLLIN)

    def close(self, service):
        listener = self.listeners.pop(service, None)
        if listener:
            self.bridge.loop.unwatch(listener.fileno())
            listener.close()
        for connection in [item for item in self.connections if item.service is service]:
            connection.hangup()

    def drop_clients(self):
        """The agent has ended: what it had sent and nobody has read yet must not become a call now."""
        for listener in self.listeners.values():
            try:
                while True:
                    os.close(listener._accept()[0])
            except OSError:
                pass
        for connection in list(self.connections):
            connection.hangup()

    def accept(self, listener, service):
        try:
            fd, _ = listener._accept()
        except OSError:
            return
        if len(self.connections) >= CONNECTIONS_MAX:
            waiting = [item for item in self.connections if item.reader == item.read_head]
            if not waiting:
                os.close(fd)
                return
            waiting[0].close()      # somebody who only holds a connection makes room for somebody who may ask
        self.connections.add(Connection(self, fd, service))


class ToolPort:
    """127.0.0.1:9999. GET /health, /tools; POST /call/<tool> {args}, /exec/<tool> {argv, stdin}, /log {…}."""

    def __init__(self, bridge):
        self.bridge, self.tools = bridge, bridge.tools

    @staticmethod
    def holds(_):
        return False        # /health and /tools answer always; the others wait in `end`

    def begin(self, connection):
        pass

    def body(self, connection, data):
        connection.keep_body(data)

    def end(self, connection):
        method, path = connection.method, connection.target.encode("latin-1").decode("utf-8", "replace")
        if method == "POST" and self.bridge.wire.full:
            connection.wait_for_room(lambda: self.end_later(connection))
            return
        if method == "GET":
            answer = {"/health": lambda: {"status": "ok"}, "/tools": lambda: {"tools": self.tools.names()}}.get(path)
            connection.respond(*((200, answer()) if answer else (404, {"error": "not found"})))
        elif method != "POST":
            page = b"<html><body><h1>501 Not Implemented</h1></body></html>\n"
            connection.respond(501, b"" if method == "HEAD" else page, "text/html; charset=utf-8")
        else:
            body, connection.body = bytes(connection.body), bytearray()
            self.post(connection, path.strip("/"), body)

    def end_later(self, connection):
        connection.go_on()
        try:
            self.end(connection)
        except CallError as error:
            connection.fail(error)

    def post(self, connection, path, body):
        kind, slash, name = path.partition("/")
        if path == "log":
            self.log(connection, parsed(body))
        elif slash and kind in ("call", "exec"):
            (self.call if kind == "call" else self.execute)(connection, name, body)
        else:
            raise CallError(400, "use POST /call/<tool_name>")

    def who(self):
        return "verifier" if self.bridge.run and self.bridge.run.who != "agent" else "agent"

    def refuse(self, name, error, event):
        """A call that fails before it is one is reported all the same."""
        self.tools.refuse(Call(self.tools.new_id(), name, self.who(), lambda _: None, event=event), error.status, str(error))
        raise error

    def call(self, connection, name, body):
        event = {"args": {}}
        try:
            self.tools.check(name)
            args = parsed(body)
            event = for_event("args", args)
            argv = rendered(args)
        except CallError as error:
            self.refuse(name, error, event)
        self.tools.submit(Call(self.tools.new_id(), name, self.who(), lambda call: self.answer(connection, call), argv, None,
                               None, event))

    def answer(self, connection, call):
        if call.status == 200:
            connection.respond(200, self.result(call))
        elif call.status == 500:
            code = call.code if call.signal is None else -call.signal
            connection.respond(500, {"error": call.error, "returncode": code})
        else:
            connection.respond(call.status, {"error": call.error})

    @staticmethod
    def result(call):
        """The tool's own text when it is JSON (numbers stay as they were written), else {"raw": text}."""
        out = bytes(call.out[1])

        def refuse(_):
            raise ValueError("not JSON")

        if not call.truncated():
            try:
                json.loads(out.decode("utf-8"), parse_constant=refuse)
                return out.strip()
            except (ValueError, RecursionError):
                pass
        value = {"raw": out.decode("utf-8", "replace")}
        if call.truncated():
            value["truncated"] = True
        return value

    def execute(self, connection, name, body):
        event = {"argv": []}
        try:
            self.tools.check(name)
            args = parsed(body)
            if not isinstance(args, dict) or not is_texts(args.get("argv")):
                raise CallError(400, "argv must be a list of texts without NUL")
            try:
                stdin = unb64(args.get("stdin") or "")
            except (ValueError, TypeError):
                raise CallError(400, "stdin must be base64") from None
            event = dict(for_event("argv", args["argv"]), stdin_size=len(stdin))
        except CallError as error:
            self.refuse(name, error, event)
        call = Call(self.tools.new_id(), name, self.who(), lambda call: self.exec_answer(connection, call), args["argv"],
                    stdin or None, None, event)
        # our wrapper never half-closes: when it goes (^C, `timeout 1 tool`), its tool goes, as if it had been run directly
        connection.on_hangup = lambda: self.tools.cancel(call)
        self.tools.submit(call)

    def exec_answer(self, connection, call):
        if call.status not in (200, 500, 504):
            connection.respond(call.status, {"error": call.error})
            return
        code, err = call.code, bytes(call.out[2])
        if call.timed_out:
            code = 124
            err += ("%s: no result within %g s\n" % (call.name, call.limit or self.tools.limit)).encode()
        elif call.signal is not None:
            code = 128 + call.signal
        if call.truncated():
            err += ("%s: output was cut at %d bytes\n" % (call.name, TOOL_OUTPUT)).encode()
        connection.respond(200, {"code": code, "out": b64(bytes(call.out[1])), "err": b64(err), "signal": call.signal,
                                 "timed_out": call.timed_out, "truncated": call.truncated()})

    def log(self, connection, entry):
        if not isinstance(entry, dict):
            raise CallError(400, "JSON body must be an object")
        event = for_event("d", dict({"tool": "terminal"}, **dict(entry, tool="terminal")))
        line = clean(json.dumps(event["d"] or {"tool": "terminal", "cut": event["cut"]}, ensure_ascii=False)) + "\n"
        self.bridge.append_log(line.encode("utf-8"))
        self.bridge.wire.send_bulk(dict(event, t="log"))
        connection.respond(200, {"status": "ok"})


class ModelPort:
    """127.0.0.1:9998: requests go up the pipe as m1, m2, … and the host's answers come down into the client's socket."""

    WINDOW_MAX = 4 * MIB    # a host that ignores the window of 256 KiB loses the request, not our memory

    def __init__(self, bridge):
        self.bridge, self.count, self.open, self.token = bridge, 0, {}, None

    def holds(self, connection):
        if self.bridge.wire.full and not connection.closing:
            connection.wait_for_room(connection.go_on)
        return connection.paused

    def begin(self, connection):
        if self.token is not None and not self.admits(connection.headers):
            raise CallError(401, "this port asks for its token")
        self.count += 1
        connection.id = "m%d" % self.count
        self.open[connection.id] = connection
        connection.untold = connection.pending = 0
        connection.head_sent = connection.chunked = False
        connection.on_hangup = lambda: self.cancelled(connection)
        connection.on_taken = lambda size: self.taken(connection, size)
        self.bridge.wire.send_bulk({"t": "http", "id": connection.id, "method": connection.method, "path": connection.target,
                                    "headers": connection.headers, "size": connection.length, "d": ""})

    def admits(self, headers):
        from hmac import compare_digest
        wanted = self.token.encode("utf-8")
        offered = [value.partition(" ")[2] if name == "authorization" else value
                   for name, value in headers if name in ("authorization", "x-api-key", "api-key")]
        return any(compare_digest(value.strip().encode("latin-1"), wanted) for value in offered)

    def body(self, connection, data):
        for start in range(0, len(data), CHUNK):
            self.bridge.wire.send_bulk({"t": "http_body", "id": connection.id, "d": b64(data[start:start + CHUNK]), "eof": False})

    def end(self, connection):
        self.bridge.wire.send_bulk({"t": "http_body", "id": connection.id, "d": "", "eof": True})

    def cancelled(self, connection):
        if self.open.pop(connection.id, None):
            self.bridge.wire.send_bulk({"t": "http_cancel", "id": connection.id})

    def taken(self, connection, size):
        connection.pending -= size
        connection.untold += size
        if connection.untold >= 64 * KIB or connection.pending == 0:
            self.bridge.wire.send({"t": "ack", "id": connection.id, "n": connection.untold})
            connection.untold = 0

    # from the host; an id that is gone belongs to a client that hung up meanwhile
    def http_head(self, id, message):
        connection = self.open.get(id)
        if connection is None or connection.head_sent:
            return
        headers = [[str(name), str(value)] for name, value in message["headers"] if str(name).lower() not in HOP]
        if any(re.search(r"[\0\r\n]", name + value) for name, value in headers):
            raise Refused("bad", "a header holds a line end")
        sized = any(name.lower() == "content-length" for name, _ in headers)
        connection.chunked = not sized and connection.version == "HTTP/1.1" and connection.method != "HEAD"
        if connection.chunked:
            headers.append(["Transfer-Encoding", "chunked"])
        status = int(message["status"])
        lines = ["HTTP/1.1 %d %s" % (status, REASONS.get(status, "Status"))] + ["%s: %s" % tuple(item) for item in headers]
        connection.head_sent = True
        self.write(connection, ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode("utf-8"), 0)

    def http_data(self, id, message):
        connection, data = self.open.get(id), unb64(message["d"])
        if connection is None or not data:
            return
        connection.pending += len(data)
        if connection.pending > self.WINDOW_MAX:
            connection.hangup()
            return
        self.write(connection, b"%x\r\n%s\r\n" % (len(data), data) if connection.chunked else data, len(data))

    def http_end(self, id, message):
        connection = self.open.pop(id, None)
        if connection is None:
            return
        if message.get("abort"):
            connection.close()
            return
        connection.reader, connection.paused = None, False
        connection.finish(b"0\r\n\r\n" if connection.chunked else b"")
        connection.flush()

    @staticmethod
    def write(connection, data, worth):
        connection.parts.append((data, worth))
        connection.flush()


# --------------------------------------------------------------------------------------------------------------- bridge

class Bridge:
    """Reads the host's lines and hands them out."""

    BEFORE_INIT = ("init", "put", "get", "list", "ping", "bye")
    LOG_MAX = 64 * MIB

    def __init__(self, fd_in, fd_out):
        self.loop = Loop()
        self.children, self.outputs, self.stalled = {}, set(), {}
        self.environment = dict({"PATH": PATH, "LANG": "C.UTF-8", "TMPDIR": "/tmp"}, **os.environ)
        self.environment.pop("PWD", None)
        self.marks = 0
        self.ready_at = self.run = self.wall = None
        self.heartbeat = None
        self.logged = 0
        self.wake_signals()
        self.wire = Wire(self.loop, fd_in, fd_out, self.line, lambda: self.die(0), self.room)
        self.files, self.tools, self.http = Files(self.wire), Tools(self), Http(self)
        self.tool_port, self.model_port = ToolPort(self), ModelPort(self)
        names = sorted(os.environ)[:200]
        self.wire.send({"t": "hello", "v": VERSION, "pid": os.getpid(), "uid": os.getuid(), "cwd": os.getcwd(),
                        "python": "%d.%d.%d" % sys.version_info[:3], "env": names})

    def wake_signals(self):
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):     # process 1 has no default action: it must have its own
            signal.signal(name, lambda *_: self.die(70))
        self.loop.watch(reader, lambda _: (read_some(reader, 4096), self.reap()), select.EPOLLIN)

    def reap(self):
        """Everything that ends here is ours or has become ours: process 1 must take them all."""
        ended = []
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            ended.append((pid, status, usage))
        # only now the callbacks: they kill and look around, and must see a state without gaps
        for pid, status, usage in ended:
            if pid not in self.children and self.run:
                self.run.orphan_ended(pid, usage)
        for pid, status, usage in ended:
            callback = self.children.pop(pid, None)
            if callback:
                self.loop.guard(callback, status, usage)

    def room(self):
        for child in list(self.outputs):
            child.resume()
        while self.stalled and not self.wire.full:
            connection = next(iter(self.stalled))
            self.loop.guard(self.stalled.pop(connection))

    def new_mark(self):
        self.marks += 1
        return b"PROCTOR_PROCESS=%d" % self.marks

    def die(self, code):
        """The end of process 1 is the end of its namespace; the kernel waits for the others."""
        os._exit(code)

    def run_over(self):
        self.run = None

    def append_log(self, line):
        if self.logged + len(line) <= self.LOG_MAX:
            try:
                fd = open_checked(APP + "/.tool_calls.jsonl", os.O_WRONLY | os.O_APPEND)
                os.write(fd, line)
                os.close(fd)
                self.logged += len(line)
            except (OSError, Refused):
                pass

    # ---- the host's messages

    def line(self, raw):
        if raw is None:
            self.fail(None, "too_large", "a line is over %d bytes" % LINE_MAX)
            self.die(65)
        id = None
        try:
            try:
                message = json.loads(raw.decode("utf-8"))
            except (ValueError, RecursionError):
                raise Refused("bad", "the line is not JSON") from None
            if not isinstance(message, dict):
                raise Refused("bad", "the line is not an object")
            id = message.get("id")
            if not (id is None or isinstance(id, int) or isinstance(id, str) and len(id) < 200):
                id = None
                raise Refused("bad", "id must be a number or a short text")
            kind = message.get("t")
            answer = getattr(self, "on_" + kind, None) if isinstance(kind, str) and kind.isidentifier() else None
            if answer is None:
                raise Refused("bad", "unknown message %.100r" % (kind,))
            if self.ready_at is None and kind not in self.BEFORE_INIT:
                raise Refused("bad", "%s before init" % kind)
            answer(id, message)
        except Refused as error:
            self.fail(id, error.code, str(error))
        except OSError as error:
            known = {errno.ENOENT: "not_found", errno.ENOSPC: "too_large", errno.EFBIG: "too_large", errno.E2BIG: "too_large"}
            self.fail(id, known.get(error.errno, "refused"), str(error))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
            self.fail(id, "bad", "%s: %s" % (type(error).__name__, error))

    def fail(self, id, code, why):
        self.wire.send({"t": "fail", "id": id, "code": code, "why": why[:2000]})

    def on_init(self, id, message):
        if self.ready_at is not None:
            raise Refused("bad", "init came twice")
        if message.get("v") != VERSION:
            raise Refused("bad", "this bridge speaks version %d" % VERSION)
        if message.get("wall") != "bwrap":
            raise Refused("bad", "unknown wall %.100r" % (message.get("wall"),))
        hide, ports = message.get("hide") or [], message.get("ports", {})
        if not is_texts(hide) or len(hide) > 1000:
            raise Refused("bad", "hide must be a list of globs")
        if not isinstance(ports, dict):
            raise Refused("bad", "ports must be an object")
        self.ports = {self.tool_port: int(number(ports, "tools", 9999, 0, 65535)),
                      self.model_port: int(number(ports, "models", 9998, 0, 65535))}
        wall = Bubblewrap(hide)
        layout = self.tools.open(number(message, "tool_limit", 60, 0.01, 1e6), int(number(message, "tool_parallel", 1, 1, 8)))
        names = self.tools.names()
        removed = remove_rewards()
        os.makedirs("/logs/verifier", 0o755, exist_ok=True)
        os.close(open_checked(APP + "/.tool_calls.jsonl", os.O_WRONLY | os.O_CREAT, 0o644))
        wall.prepare(self.tools.folder, [name for name in names if Tools.NAME.match(name)], self.ports[self.tool_port])
        for service, port in self.ports.items():
            self.http.open(service, port)
        self.wall, self.ready_at = wall, time.monotonic()
        if message.get("heartbeat"):
            self.heartbeat = number(message, "heartbeat", 30, 0.1, 1e6)
            self.check_heartbeat()
        if message.get("deadline"):
            self.loop.after("deadline", number(message, "deadline", 0, 0.1, 1e8), lambda: self.die(72))

        def first(name):
            return next((path for path in (name, "environment/" + name) if os.path.isfile(os.path.join(APP, path))), None)

        prompts = [first(name) for name in ("system.md", "instruction.md", "context.json")]
        self.wire.send({"t": "ready", "layout": layout, "tools": names[:1000], "tool_defs": first("tool_defs.json") is not None,
                        "prompts": [name for name in prompts if name], "reward_files": removed})

    def check_heartbeat(self):
        silent = time.monotonic() - self.wire.heard
        if silent >= self.heartbeat and self.wire.fd_in in self.loop.callbacks:
            self.die(71)
        self.loop.after("heartbeat", max(0.05, self.heartbeat - silent), self.check_heartbeat)

    def on_put(self, id, message):
        self.files.put(id, message)

    def on_get(self, id, message):
        self.files.get(id, message)

    def on_list(self, id, message):
        self.files.list(id, message)

    def on_snapshot(self, id, message):
        self.files.snapshot(id, message)

    def on_diff(self, id, message):
        self.files.diff(id, message)

    def on_run(self, id, message):
        if self.run:
            raise Refused("bad", "another command is running")
        self.run = Run(self, id, message)

    def current(self, id):
        if self.run is None or self.run.id != id:
            raise Refused("not_found", "no such command is running")
        return self.run

    def on_kill(self, id, _):
        self.current(id).end()

    def on_extend(self, id, message):
        self.current(id).extend(number(message, "seconds", 0, -1e7, 1e7))

    def on_tool(self, id, message):
        name = message.get("name")
        call = Call(id, str(name), "host", lambda _: None, stdin=unb64(message["stdin"]) if message.get("stdin") else None,
                    limit=number(message, "limit", self.tools.limit, 0.01, 1e6))
        try:
            self.tools.check(call.name)
            if "argv" in message and not is_texts(message["argv"]):
                raise CallError(400, "argv must be a list of texts without NUL")
            call.argv = message["argv"] if "argv" in message else rendered(message.get("args") or {})
        except CallError as error:
            self.tools.refuse(call, error.status, str(error))
        else:
            self.tools.submit(call)

    def on_http_head(self, id, message):
        self.model_port.http_head(id, message)

    def on_http_data(self, id, message):
        self.model_port.http_data(id, message)

    def on_http_end(self, id, message):
        self.model_port.http_end(id, message)

    def on_ports(self, id, message):
        token = message.get("token")
        if not (token is None or isinstance(token, str) and token):
            raise Refused("bad", "token must be a text")
        self.model_port.token = token
        for service, key in ((self.tool_port, "tools"), (self.model_port, "models")):
            if message.get(key) is True:
                self.http.open(service, self.ports[service])
            elif key in message:
                self.http.close(service)
        if id is not None:
            self.wire.send({"t": "ok", "id": id})

    def on_ping(self, id, _):
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[1])
        events = {}
        for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
            try:
                with open(path) as file:
                    events = {key: int(value) for key, value in (line.split() for line in file)}
                    break
            except (OSError, ValueError):
                pass
        self.wire.send({"t": "pong", "id": id, "rss": pages * os.sysconf("SC_PAGE_SIZE"), "memory_events": events,
                        "procs": sum(name.isdigit() for name in os.listdir("/proc"))})

    def on_bye(self, id, _):
        """Leaves when all has been written, but does not wait for a host that reads no more."""
        self.wire.send_bulk({"t": "bye", "id": id})
        self.loop.after("bye", 2, lambda: self.die(0))
        self.leaving = True

    leaving = False

    def go(self):
        while True:
            self.loop.turn()
            if self.wire.full:
                for child in self.outputs:
                    child.pause()
            if self.leaving and self.wire.idle():
                self.die(0)


def main():
    # private copies first: then no print and no child can touch the protocol
    fd_in, fd_out = os.dup(0), os.dup(1)
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    Bridge(fd_in, fd_out).go()


main()
