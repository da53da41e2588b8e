# SPDX-License-Identifier: GPL-3.0-or-later
# What an agent can see.


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
    LIMITS = {"NPROC": 512}     # of an agent unless `run` says otherwise; the kernel counts this sandbox only
    BINDS_MAX = 4000
    RESERVE = 8 * MIB           # of /app, kept from the agent for the verifier
    RESERVE_FILES = 16

    def __init__(self, hide):
        if os.getpid() != 1:
            raise Refused("refused", "the bridge must be process 1 of the outer bubblewrap (--as-pid-1)")
        programs = [os.path.join(folder, "bwrap") for folder in PATH.split(":")]
        self.program = next((path for path in programs if os.access(path, os.X_OK)), None)
        if self.program is None:
            raise Refused("not_found", "bwrap is not there inside the sandbox")
        self.hidden = re.compile("(?:%s)\\Z" % "|".join(map(glob_pattern, self.HIDDEN + tuple(hide))), re.S)
        self.reserve = []

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
        self.keep_reserve()
        # an older folder of tools beside the one that counts shows the same wrappers, never the programs
        self.tools_folders = {os.path.relpath(tools_folder, APP)}
        if os.path.isdir(APP + "/tools"):
            self.tools_folders.add("tools")

    def keep_reserve(self):
        """Holds room in files without a name. An agent that fills the disk would else turn a bad score into a verifier that
        cannot write its reward, which is not counted against the agent."""
        try:
            for _ in range(self.RESERVE_FILES):
                self.reserve.append(os.open(APP, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600))
            os.posix_fallocate(self.reserve[0], 0, self.RESERVE)
        except OSError:
            pass    # a quota this small is a choice

    def give_up_reserve(self):
        while self.reserve:
            os.close(self.reserve.pop())

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
