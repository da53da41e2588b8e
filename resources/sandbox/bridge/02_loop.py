# SPDX-License-Identifier: GPL-3.0-or-later
# The loop and the two ends of the pipe.


class Loop:
    """One epoll, a few timers. A callback that fails is reported on stderr and stops nothing but itself; without the host's
    pipe there is nothing left to do."""

    def __init__(self):
        self.epoll = select.epoll()
        self.callbacks = {}
        self.since = {}
        self.timers = {}
        self.turns = 0
        self.vital = ()
        self.reports = 0

    def watch(self, fd, callback, mask=READ):
        if fd in self.callbacks:
            self.epoll.modify(fd, mask)
        else:
            self.epoll.register(fd, mask)
            self.since[fd] = self.turns
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
        events_now = self.epoll.poll(wait)
        self.turns += 1
        for fd, events in events_now:
            # A number that was closed and given out again since the poll: the event is its predecessor's.
            if self.since.get(fd) == self.turns:
                continue
            if fd in self.callbacks and not self.guard(self.callbacks[fd], events):
                if fd in self.vital:
                    os._exit(1)
                self.unwatch(fd)    # it would fail again at once
        now = time.monotonic()
        for key in [key for key, (when, _) in self.timers.items() if when <= now]:
            if key in self.timers:
                self.guard(self.timers.pop(key)[1])

    def guard(self, callback, *arguments):
        try:
            callback(*arguments)
            return True
        except Exception:
            self.report()
            return False

    def report(self):
        """The first ones only: what an agent may bring about as often as it likes must not fill the pipe, where we would wait."""
        self.reports += 1
        if self.reports <= 20:
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
        loop.vital = (fd_in, fd_out)
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
        # Also while full: an answer in between may have emptied the queue, and room is told of in writable().
        if self.current or self.jobs or self.full:
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
