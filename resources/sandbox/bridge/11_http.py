# SPDX-License-Identifier: GPL-3.0-or-later
# HTTP for clients inside: small, strict, one request a connection.


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
            if chunked:
                raise CallError(400, "bad Transfer-Encoding")
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
        self.left = self.counted = 0
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
            self.loop.report()
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
