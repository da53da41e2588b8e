# SPDX-License-Identifier: GPL-3.0-or-later
# What the host says, and the start.


Ended = namedtuple("Ended", "pid uid status usage")


class Bridge:
    """Reads the host's lines and hands them out."""

    BEFORE_INIT = ("init", "put", "get", "list", "ping", "bye")
    LOG_MAX = 64 * MIB

    def __init__(self, fd_in, fd_out):
        self.loop = Loop()
        self.children, self.outputs, self.stalled = {}, set(), {}
        self.environment = dict({"PATH": PATH, "LANG": "C.UTF-8", "TMPDIR": "/tmp"}, **os.environ)
        self.environment.pop("PWD", None)
        self.ended, self.dispatching = [], False
        self.marks = 0
        self.ready_at = self.run = self.wall = None
        self.heartbeat = None
        self.logged = 0
        self.folder = os.getcwd()
        self.wake_signals()
        self.wire = Wire(self.loop, fd_in, fd_out, self.line, lambda: self.die(0), self.room)
        self.files, self.tools, self.http = Files(self.wire), Tools(self), Http(self)
        self.tool_port, self.model_port = ToolPort(self), ModelPort(self)
        names = sorted(os.environ)[:200]
        self.wire.send({"t": "hello", "v": VERSION, "pid": os.getpid(), "uid": os.getuid(), "cwd": self.folder,
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
        self.collect()
        self.dispatch()

    def collect(self):
        """Takes everything that has ended; it is ours or has become ours, and process 1 must take them all."""
        while True:
            try:
                info = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if info is None:
                    break
                _, status, usage = os.wait4(info.si_pid, 0)
            except ChildProcessError:
                break
            self.ended.append(Ended(info.si_pid, info.si_uid, status, usage))

    def dispatch(self):
        """The callbacks, only after all has been taken: they kill, look around and collect more, and must see a state without
        gaps. What they collect comes after them."""
        if self.dispatching:
            return
        self.dispatching = True
        while self.ended:
            batch = list(self.ended)
            self.ended.clear()
            for ended in batch:
                if ended.pid not in self.children and self.run:
                    self.loop.guard(self.run.orphan_ended, ended)
            for ended in batch:
                callback = self.children.pop(ended.pid, None)
                if callback:
                    self.loop.guard(callback, ended.status, ended.usage)
        self.dispatching = False

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
        if self.wall:
            self.wall.before_end()
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
        if message.get("wall") not in tuple(WALLS):
            raise Refused("bad", "unknown wall %.100r" % (message.get("wall"),))
        ports = message.get("ports", {})
        if not isinstance(ports, dict):
            raise Refused("bad", "ports must be an object")
        self.ports = {self.tool_port: int(number(ports, "tools", 9999, 0, 65535)),
                      self.model_port: int(number(ports, "models", 9998, 0, 65535))}
        wall = WALLS[message["wall"]](self, message)
        layout = self.tools.open(number(message, "tool_limit", 60, 0.01, 1e6), int(number(message, "tool_parallel", 1, 1, 8)))
        names = self.tools.names()
        removed = remove_rewards()
        os.makedirs("/logs/verifier", 0o755, exist_ok=True)
        if os.path.islink(APP + "/.tool_calls.jsonl"):
            os.unlink(APP + "/.tool_calls.jsonl")
        os.close(open_checked(APP + "/.tool_calls.jsonl", os.O_WRONLY | os.O_CREAT, 0o644))
        self.tools.folder = wall.prepare(self.tools.folder, [name for name in names if Tools.NAME.match(name)],
                                         self.ports[self.tool_port])
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
                        "prompts": [name for name in prompts if name], "reward_files": removed, **wall.about()})

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
        self.run = self.wall.new_run(id, message)

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

    def on_tool_cancel(self, id, _):
        """No answer of its own: the call's tool_res says how it ended, cut off or just before."""
        for call in [call for call in list(self.tools.waiting) + list(self.tools.running) if call.who == "host" and call.id == id]:
            self.tools.cancel(call)

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
        self.wire.send({"t": "pong", "id": id, "rss": pages * os.sysconf("SC_PAGE_SIZE"), "memory_events": memory_events(),
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
