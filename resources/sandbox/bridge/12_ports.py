# SPDX-License-Identifier: GPL-3.0-or-later
# The two services inside.


class ToolPort:
    """127.0.0.1:9999. GET /health, /tools; POST /call/<tool> {args}, /exec/<tool> {argv, stdin}, /log {…},
    /trajectory {…}."""

    LOGGED = ("tool", "command", "result_preview")
    STEP_MAX, STEPS_MAX, STEPS_SIZE_MAX = MIB, 100000, 64 * MIB

    def __init__(self, bridge):
        self.bridge, self.tools = bridge, bridge.tools
        self.steps = self.steps_size = 0

    @staticmethod
    def holds(_):
        return False        # /health and /tools answer always; the others wait in `end`

    def begin(self, connection):
        pass

    def body(self, connection, data):
        connection.keep_body(data)
        if len(connection.body) > ARGUMENTS_MAX and not connection.target.startswith("/exec/"):     # that may carry a tool's input
            raise CallError(413, "request body too large")

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
        elif path == "trajectory":
            self.step(connection, body)
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
                json.loads(out.decode("utf-8"), parse_constant=refuse, parse_int=str)
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
            except (ValueError, TypeError, AttributeError):
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

    def step(self, connection, body):
        """A step of an agent inside, for the host to show while it runs. More than is taken does not hinder the agent."""
        if len(body) > self.STEP_MAX:
            raise CallError(413, "a step is at most %d bytes" % self.STEP_MAX)
        entry = parsed(body)
        if not isinstance(entry, dict):
            raise CallError(400, "JSON body must be an object")
        event = for_event("d", entry)
        size = len(encode(event))
        if self.steps >= self.STEPS_MAX or self.steps_size + size > self.STEPS_SIZE_MAX:
            raise CallError(413, "the trajectory is full")
        self.steps += 1
        self.steps_size += size
        self.bridge.wire.send_bulk(dict(event, t="step"))
        connection.respond(200, {"status": "ok"})

    def log(self, connection, entry):
        if not isinstance(entry, dict):
            raise CallError(400, "JSON body must be an object")
        event = for_event("d", dict({"tool": "terminal"}, **dict(entry, tool="terminal")))
        # Texts under the known names only, and no line ends but the last, whoever reads the lines and how: a command must not look
        # like the call of a tool, nor like a line of its own.
        line = {"tool": "terminal", "cut": event["cut"]} if event["d"] is None else \
            {key: value for key, value in event["d"].items() if key in self.LOGGED and isinstance(value, str)}
        line = clean(json.dumps(line, ensure_ascii=False))
        line = re.sub("[\x7f-\x9f\u2028\u2029]", lambda found: "\\u%04x" % ord(found.group()), line) + "\n"
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
