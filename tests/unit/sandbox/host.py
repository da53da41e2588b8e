# SPDX-License-Identifier: GPL-3.0-or-later
"""A small host end for the bridge's tests: starts the outer bubblewrap, speaks the protocol, keeps all that arrives."""
import base64
import glob
import json
import os
import pathlib
import selectors
import shutil
import signal
import subprocess
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "resources" / "sandbox"
PARTS = [part.read_bytes() for part in sorted((FOLDER / "bridge").glob("*.py"))]
SOURCE = b"".join(PARTS)
BOOT = (FOLDER / "boot.py").read_text()
TEST_UID = 20321    # no account needs to exist for it


def outer_argv(quota=256 << 20):
    """The reference command of the outer bubblewrap (see the docstring of the bridge); a root first becomes an ordinary user."""
    argv = []
    if os.getuid() == 0:
        argv += ["setpriv", "--reuid", str(TEST_UID), "--regid", str(TEST_UID), "--clear-groups"]
    argv += ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
             "--as-pid-1", "--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL",
             "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8",
             "--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink("/" + name):
            argv += ["--symlink", os.readlink("/" + name), "/" + name]
        elif os.path.isdir("/" + name):
            argv += ["--ro-bind", "/" + name, "/" + name]
    argv += ["--proc", "/proc", "--dev", "/dev", "--size", str(64 << 20), "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
             "--perms", "0755", "--size", str(1 << 20), "--tmpfs", "/etc"]
    for name in ("alternatives", "ssl", "ld.so.cache", "localtime"):
        argv += ["--ro-bind-try", "/etc/" + name, "/etc/" + name]
    return argv + ["--perms", "1777", "--size", str(1 << 30), "--tmpfs", "/tmp", "--perms", "0755", "--size", str(16 << 20),
                   "--tmpfs", "/run", "--perms", "0755", "--size", str(64 << 20), "--tmpfs", "/logs",
                   "--perms", "0755", "--size", str(quota), "--tmpfs", "/app", "--remount-ro", "/", "--chdir", "/app",
                   "python3", "-I", "-S", "-u", "-c", BOOT]


class Lost(Exception):
    """The bridge has gone."""


class Host:
    def __init__(self, bundle=None, init=None, quota=256 << 20, stderr=subprocess.PIPE, argv=None,
                 source=SOURCE):
        self.process = subprocess.Popen(argv or outer_argv(quota), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, cwd="/")
        self.events, self.buffer, self.next_id = [], b"", 100
        self.raw(b"%d\n" % len(source) + source)
        self.hello = self.wait(lambda m: m["t"] == "hello")
        for path, (data, mode) in (bundle or {}).items():
            self.put(path, data, mode)
        if init is not None:
            self.ready = self.init(**init)

    def init(self, **extra):
        message = {"t": "init", "v": 1, "wall": "bwrap", "uid": 1, "hide": [], "ports": {"tools": 9999, "models": 9998},
                   "tool_limit": 5, "tool_parallel": 1, "heartbeat": 60, "deadline": 120}
        message.update(extra)
        self.send(**message)
        return self.wait(lambda m: m["t"] in ("ready", "fail"))

    # ---- the wire
    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **message):
        self.raw(json.dumps(message).encode() + b"\n")

    def ask(self, kind, **message):
        """Sends a question and returns its id."""
        self.next_id += 1
        self.send(t=kind, id=self.next_id, **message)
        return self.next_id

    def pump(self, timeout):
        """Reads once; False when nothing came in time."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(timeout):
                return False
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            raise Lost("end of the bridge's output; exit code %s, errors: %s" % (
                self.process.wait(5), self.process.stderr.read().decode() if self.process.stderr else ""))
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            assert len(line) <= 1 << 20, "a line of %d bytes" % len(line)
            message = json.loads(line.decode("ascii"), parse_constant=lambda name: 1 / 0)
            self.events.append(message)
        return True

    def wait(self, wanted, timeout=20, seen=0):
        """The first message (also an earlier one, from number `seen`) that `wanted` accepts."""
        end = time.monotonic() + timeout
        while True:
            for message in self.events[seen:]:
                if wanted(message):
                    return message
            seen = len(self.events)
            left = end - time.monotonic()
            if left <= 0 or not self.pump(left):
                raise AssertionError("no such message in time; last ones: %.2000s" % self.events[-6:])

    def answer(self, id, kinds, timeout=20):
        return self.wait(lambda m: m.get("id") == id and m["t"] in kinds, timeout)

    # ---- questions
    def put(self, path, data, mode=0o644):
        self.next_id += 1
        data = data.encode() if isinstance(data, str) else data
        for start in range(0, max(1, len(data)), 32768):
            piece = data[start:start + 32768]
            self.send(t="put", id=self.next_id, path=path, mode=mode, uid=0, d=base64.b64encode(piece).decode(),
                      eof=start + 32768 >= len(data))
        return self.answer(self.next_id, ("ok", "fail"))

    def get(self, path, limit=1 << 26):
        """(bytes, eof message) or (None, fail message)"""
        id = self.ask("get", path=path, max=limit)
        end = self.answer(id, ("eof", "fail"))
        return (self.data(id) if end["t"] == "eof" else None), end

    def data(self, id, kind="data", stream=None):
        return b"".join(base64.b64decode(m["d"]) for m in self.events
                        if m["t"] == kind and m.get("id") == id and m.get("s") == stream)

    def start(self, argv, who="agent", **extra):
        argv = ["bash", "-c", argv] if isinstance(argv, str) else argv
        id = self.ask("run", who=who, argv=argv, **dict({"cwd": "/app", "limit": 20, "env": {}}, **extra))
        self.answer(id, ("started", "fail"))
        return id

    def end_of(self, id, timeout=30):
        """The exit (or fail), with what was printed under "out" and "err"."""
        result = dict(self.answer(id, ("exit", "fail"), timeout))
        result["out"], result["err"] = self.data(id, "out", 1), self.data(id, "out", 2)
        return result

    def run(self, argv, who="agent", **extra):
        return self.end_of(self.start(argv, who, **extra))

    def tool(self, name, **extra):
        id = self.ask("tool", name=name, **extra)
        result = dict(self.answer(id, ("tool_res", "fail")))
        result["out"], result["err"] = self.data(id, "tool_out", 1), self.data(id, "tool_out", 2)
        return result

    def close(self):
        """Says goodbye as a host does and returns the exit code; kills what does not leave."""
        try:
            self.ask("bye")
            self.process.stdin.close()
            while True:
                self.pump(5) or self.process.kill()
        except (Lost, OSError, ValueError):
            pass
        self.process.stdout.close()
        if self.process.stderr:
            self.process.stderr.close()
        return self.process.wait(10)
