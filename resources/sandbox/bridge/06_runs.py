# SPDX-License-Identifier: GPL-3.0-or-later
# Agent, verifier and set-up commands.


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
        rlimits = self.read_limits(dict(bridge.wall.LIMITS if self.who == "agent" else {}, **(message.get("rlimits") or {})))
        self.total, self.sent, self.tails = {1: 0, 2: 0}, {1: 0, 2: 0}, {1: bytearray(), 2: bytearray()}
        self.errors = bytearray()
        self.ended = self.timed_out = False
        self.leftovers, self.cpu, self.rss = 0, 0.0, 0
        self.inner, self.status_fd, self.status_text = None, None, b""
        self.mark = bridge.new_mark()
        if self.who == "verifier":
            remove_rewards()
            bridge.wall.give_up_reserve()
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
