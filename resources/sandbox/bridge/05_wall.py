# SPDX-License-Identifier: GPL-3.0-or-later
# What an agent can see.


WRAPPER = r'''#!@PYTHON@ -IS
# Runs the tool @NAME@ outside this sandbox with the same arguments and input; gives back its output, errors and exit code.
# (No json, socket or re here: their import would double what a call costs.)
import _socket, binascii, os, select, stat
REAL = "@REAL@"

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
    if REAL and os.getuid() == 0:       # a tool or the verifier: nothing is kept from them
        try:
            os.execv(REAL, [REAL] + sys.argv[1:])
        except OSError:
            pass
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


def to_bytes(text):
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return clean(text).encode("utf-8")


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) and "\0" not in item for item in value)


class Wall:
    """What is between the agent and the rest. Each wall has a file of its own and is entered in WALLS by the name that `init`
    uses; a host that knows its wall may leave the file of another one out."""

    HIDDEN = ("tests", "**/*.db", "**/*.db-wal", "**/*.db-shm", "**/*.db-journal")
    WRITABLE = ("answer.json", "answer.md", "artifacts", "logs")
    HOME = "/home/agent"
    LIMITS = {"NPROC": 512}     # of an agent unless `run` says otherwise

    def __init__(self, bridge, init):
        hide = init.get("hide") or []
        if not is_texts(hide) or len(hide) > 1000:
            raise Refused("bad", "hide must be a list of globs")
        self.bridge = bridge
        self.shown = time.monotonic()
        self.links_brought = dict(self.odd_entries())
        self.hidden = re.compile("(?:%s)\\Z" % "|".join(map(glob_pattern, self.HIDDEN + tuple(hide))), re.S)

    def prepare(self, tools_folder, tools, port):
        """Builds it, once; returns the folder in which the real programs of the tools are from now on."""
        raise NotImplementedError

    def limits(self, who, wanted):
        """Those of a run that wants `wanted`."""
        return dict(self.LIMITS, **wanted) if who == "agent" else wanted

    def new_run(self, id, message):
        """The Run of a `run` message, started."""
        raise NotImplementedError

    def folder_of(self, who):
        """Where a command starts that was given no folder."""
        return APP

    def environment(self, who):
        """What a program starts with; who is agent, verifier, setup or tool."""
        return dict(self.bridge.environment, HOME=self.HOME if who == "agent" else "/tmp", USER="agent", LOGNAME="agent")

    def show_life(self):
        """For work whose length is an agent's choice (it may have left millions of files): a host that hears nothing for a while
        takes the sandbox for lost, which is not counted against the agent."""
        now = time.monotonic()
        if now - self.shown > 2:
            self.shown = now
            self.bridge.on_ping(None, None)

    def odd_entries(self):
        """(path, target) of the links where an agent can write; the target of what is no folder, file or link is None."""
        for folder in self.WRITABLE:
            for _, entry, info in entries_below(os.path.join(APP, folder)):
                self.show_life()
                if stat.S_ISLNK(info.st_mode):
                    yield entry.path, os.readlink(entry.path)
                elif not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
                    yield entry.path, None

    def remove_traps(self):
        """A verifier reads all: a link of the agent's would show it the right answer in the agent's place, a pipe would let it wait
        until its time is over. Links among the agent's own files stay, and those that were there before it."""
        own = tuple(os.path.join(APP, name) for name in self.WRITABLE)
        for path, target in list(self.odd_entries()):
            if target is not None:
                leads_to = os.path.realpath(path)
                if self.links_brought.get(path) == target or is_below(leads_to + "/", own) and os.path.exists(leads_to):
                    continue
            try:
                os.unlink(path)
            except OSError:
                pass    # it went with another one

    def cut_answers(self):
        """To what the host has kept of them. A sparse file costs an agent nothing, and would be the end of a verifier that reads
        it: a fault of the harness, which is not counted."""
        for name in self.WRITABLE:
            try:
                if "." in name and os.lstat(os.path.join(APP, name)).st_size > BODY_MAX:
                    os.truncate(os.path.join(APP, name), BODY_MAX)
            except OSError:
                pass

    def after_agent(self):
        """Nobody of the agent is alive."""

    def before_verifier(self):
        """Nor of tools, and the verifier is not yet."""
        self.cut_answers()
        self.remove_traps()

    def before_end(self):
        """The bridge is about to end."""

    def about(self):
        """What `ready` says of it."""
        return {}


WALLS = {}


def write_wrapper(path, name, real, port):
    text = WRAPPER
    for key, value in (("PYTHON", sys.executable), ("NAME", name), ("REAL", real), ("PORT", str(port))):
        text = text.replace("@%s@" % key, value)
    with open(path, "w") as file:
        file.write(text)
        os.fchmod(file.fileno(), 0o755)
