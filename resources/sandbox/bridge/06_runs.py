# SPDX-License-Identifier: GPL-3.0-or-later
# Agent, verifier and set-up commands.


class Run:
    """One agent, verifier or set-up command. How it is started and ended is its wall's, in the classes made of this one."""

    def __init__(self, bridge, id, message):
        self.bridge, self.id, self.who = bridge, id, message.get("who")
        argv, env = message.get("argv"), message.get("env") or {}
        cwd = message.get("cwd") or bridge.wall.folder_of(self.who)
        if self.who not in ("agent", "verifier", "setup"):
            raise Refused("bad", "who must be agent, verifier or setup")
        if not is_texts(argv) or not argv or not is_texts(list(env)) or not is_texts(list(env.values())) or not is_texts([cwd]):
            raise Refused("bad", "argv, env and cwd must be texts without NUL")
        if not all(env) or any("=" in key for key in env):
            raise Refused("bad", "a variable's name is empty or holds =")
        limit = number(message, "limit", 86400, 0.001, 1e7)
        self.cap = int(number(message, "cap", 4 * MIB, 0, 1 << 40))
        nice = int(number(message, "nice", 10 if self.who == "agent" else 0, 0, 19))
        rlimits = self.read_limits(bridge.wall.limits(self.who, message.get("rlimits") or {}))
        self.total, self.sent, self.tails = {1: 0, 2: 0}, {1: 0, 2: 0}, {1: bytearray(), 2: bytearray()}
        self.errors = bytearray()
        self.ended = self.timed_out = False
        self.leftovers, self.cpu, self.rss = 0, 0.0, 0
        self.mark = bridge.new_mark()
        if self.who == "verifier":
            remove_rewards()
            os.makedirs("/logs/verifier", 0o755, exist_ok=True)
            bridge.wall.before_verifier()
        self.begun = time.monotonic()
        self.killed_before = memory_events().get("oom_kill", 0)
        self.child = self.start(argv, dict(bridge.wall.environment(self.who), **env), cwd, nice, rlimits)
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
        """Returns the Child; OSError or Refused when there is none."""
        raise NotImplementedError

    def end(self):
        """Ends it now, and whatever belongs to it; its exit is reported when the process has been reaped."""
        raise NotImplementedError

    def exited(self):
        """The process has ended, by itself or not: ends what it left, counts that and comes to `finish`."""
        raise NotImplementedError

    def orphan_ended(self, orphan):
        """Something ended that is no child of the bridge's making."""

    def failure(self):
        """Why there was no run at all, None when there was one."""
        return None

    def launch(self, argv, variables, cwd, **more):
        variables = {to_bytes(key): to_bytes(value) for key, value in variables.items()}
        if more.get("user") is None:    # nobody but root reads it
            variables.update([self.mark.split(b"=")])
        return Child(self.bridge, [to_bytes(item) for item in argv], variables, to_bytes(cwd), self.output, self.exited, **more)

    def arm(self):
        self.bridge.loop.after(self, max(0, self.deadline - time.monotonic()), self.over_limit)

    def extend(self, seconds):
        self.deadline += seconds
        self.arm()

    def over_limit(self):
        self.timed_out = True
        self.end()

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

    def has_exited(self):
        self.bridge.loop.cancel(self)
        self.wall_time = time.monotonic() - self.begun
        self.add_usage(self.child.usage)

    def add_usage(self, usage):
        self.cpu += usage.ru_utime + usage.ru_stime
        self.rss = max(self.rss, usage.ru_maxrss * KIB)

    def finish(self):
        """Nobody of it is alive."""
        self.child.drain()
        if self.who == "agent":
            self.bridge.wall.after_agent()
        self.bridge.http.drop_clients()
        self.bridge.tools.cut_off("agent" if self.who == "agent" else "verifier", self.report)

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
        why = self.failure()
        if why is not None:
            self.bridge.wire.send_bulk({"t": "fail", "id": self.id, "code": "refused", "why": why[:2000]})
        else:
            message = {"t": "exit", "id": self.id}
            code, name = exit_code(self.child.status)
            if self.ended and self.who == "agent":
                code, name = None, int(signal.SIGKILL)
            killed = not self.ended and (name == signal.SIGKILL or code == 128 + signal.SIGKILL)
            message.update({"code": code} if name is None else {"signal": name})
            message.update({"timed_out": self.timed_out, "wall": round(self.wall_time, 4),
                            "oom": killed and memory_events().get("oom_kill", 0) > self.killed_before,
                            "cpu": round(self.cpu, 4), "rss": self.rss, "bytes": [self.total[1], self.total[2]],
                            "dropped": dropped, "leftovers": self.leftovers})
            self.bridge.wire.send_bulk(message)
        self.bridge.run_over()


def remove_rewards():
    found = [path for path in REWARDS if os.path.lexists(path)]
    for path in found:
        if os.path.isdir(path) and not os.path.islink(path):
            import shutil
            shutil.rmtree(path)
        else:
            os.unlink(path)
    return found


def memory_events():
    """The counters of this container's memory group, {} where there is none of its own; only v2 has more than `oom_kill`."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(path) as file:
                return {key: int(value) for key, value in (line.split() for line in file)}
        except (OSError, ValueError):
            pass
    return {}
