# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of tools, from inside and from the host.


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


def short_number(text):
    if len(text) > DIGITS_MAX:
        raise ValueError("too many digits")
    return int(text)


def parsed(body):
    """The JSON of a body. What is small in a body but large or slow to read is refused: a reader of many empty lists takes twenty
    times their room, and one of long numbers (Python before 3.11) hours."""
    if not body.strip():
        return {}
    if sum(map(body.count, (b",", b"[", b"{"))) > ITEMS_MAX:
        raise CallError(413, "the JSON body has too many items")
    try:
        return json.loads(body.decode("utf-8"), parse_int=short_number)
    except (ValueError, RecursionError):
        raise CallError(400, "invalid JSON body") from None


class Call:
    """One call of a tool. `answer(call)` is told the end; `event` is None for the host's own calls, which it knows already."""

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
        env = dict(self.bridge.wall.environment("tool"), PYTHONDONTWRITEBYTECODE="1")
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
        if self.on_quiet and not any(other.who == self.on_quiet[0] for other in self.running):
            (_, done), self.on_quiet = self.on_quiet, None
            done()

    def cancel(self, call):
        call.cut = True
        if call in self.running:
            kill_group(call.child.pid)
            end_family(call.mark, call.child.pid)
        elif call in self.waiting:
            self.waiting.remove(call)
            self.refuse(call, 499, "the call was cut off")

    def cut_off(self, who, then):
        """Ends the calls of agent or verifier; `then` is called when they are over. What it asked for must not go on changing
        things after its end."""
        for call in [call for call in list(self.waiting) + list(self.running) if call.who == who]:
            self.cancel(call)
        if any(call.who == who for call in self.running):
            self.on_quiet = who, then
        else:
            then()

    def expect_the_end(self, who):
        """All processes here are about to be killed: no call starts meanwhile for `who`, and those that run are cut off."""
        for call in [call for call in self.waiting if call.who == who]:
            self.cancel(call)
        for call in self.running:
            call.cut = True
