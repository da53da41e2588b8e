#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bridge as a real process in two real nested bubblewraps. On a machine where bubblewrap cannot work this fails."""
import base64
import hashlib
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from host import PARTS, Host, Lost, outer_argv    # noqa: E402

X = 0o755
SHOW = r"""#!/usr/bin/python3 -IS
import os, sys
out = sys.stdout.buffer
for item in sys.argv[1:]:
    out.write(b"<" + os.fsencode(item) + b">")
out.write(b"(" + sys.stdin.buffer.read() + b")")
"""
TOOLS = {
    "show": SHOW,
    "json": "#!/bin/sh\nprintf '%s' '{\"price\": 1.10, \"big\": 12345678901234567890123, \"text\": \"杭州\"}\n'\n",
    "nan": "#!/bin/sh\necho '{\"x\": NaN}'\n",
    "fail": "#!/bin/sh\necho out; echo went wrong >&2; exit 7\n",
    "crash": "#!/bin/sh\nkill -SEGV $$\n",
    "slow": "#!/bin/sh\nsleep 30 & sleep 30\n",
    "nap": "#!/bin/sh\nsleep 0.5; echo '\"rested\"'\n",
    "huge": "#!/usr/bin/python3 -IS\nimport sys\nsys.stdout.write('x' * 6000000)\nsys.stderr.write('e' * 6000000)\n",
    "bytes": "#!/bin/sh\nprintf 'a\\377\\200b'\nprintf 'e\\376' >&2\n",
    "holder": "#!/bin/sh\n(sleep 40) &\n(setsid sleep 41) &\necho '\"done\"'\n",
    "daemon": "#!/usr/bin/python3 -IS\nimport os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
              "        time.sleep(42)\n    os._exit(0)\nos.wait()\ntime.sleep(43)\n",
    "logger": "#!/bin/sh\necho '{\"tool\": \"logger\"}' >> /app/.tool_calls.jsonl\necho '{}'\n",
    "noshebang": "echo hello\n",
    "closed": "#!/bin/sh\nexec >&- 2>&-\nsleep 0.1\nexit 3\n",
    "env": "#!/usr/bin/python3 -IS\nimport os\nprint(sorted(os.environ))\n",
}


def bundle(folder="/app/tools", **more):
    files = {"%s/%s" % (folder, name): (text, X) for name, text in TOOLS.items()}
    files[folder + "/plain"] = ("not executable", 0o644)
    files[folder + "/common.py"] = ("SECRET = 'real tool part'", 0o644)
    files[folder + "/sub/inside"] = ("#!/bin/sh\n", X)
    files.update({"/app/tests/test.sh": ("echo 0.25 > /app/reward.txt\n", X), "/app/tests/gold.json": ("GOLD", 0o644),
                  "/app/shop.db": ("DATABASE", 0o644), "/app/data/deep/hotels.db": ("DATABASE", 0o644),
                  "/app/data/deep/notes.txt": ("notes", 0o644), "/app/data/hotels.db-wal": ("DATABASE", 0o644),
                  "/app/docs/a.txt": ("A", 0o644), "/app/gold.json": ("HIDDEN", 0o644), "/app/system.md": ("S", 0o644),
                  "/app/instruction.md": ("I", 0o644), "/app/tool_defs.json": ("[]", 0o644)})
    files.update(more)
    return files


class Case(unittest.TestCase):
    """Starts sandboxes and sees to it that each one ends cleanly unless the test ended it itself."""

    def sandbox(self, files=None, **init):
        host = Host(bundle() if files is None else files, init)
        self.addCleanup(lambda: host.process.poll() is None and self.assertEqual(host.close(), 0))
        self.addCleanup(lambda: host.process.poll() is not None and [pipe.close() for pipe in (
            host.process.stdin, host.process.stdout, host.process.stderr) if self.quiet(pipe.flush)])
        return host

    @staticmethod
    def quiet(action):
        try:
            action()
        except (OSError, ValueError):
            pass
        return True

    def assertHas(self, message, **wanted):
        self.assertEqual({key: message.get(key) for key in wanted}, wanted, message)

    def nobody_left(self, host, timeout=3):
        """Only the bridge runs inside."""
        end = time.monotonic() + timeout
        while True:
            procs = host.answer(host.ask("ping"), ["pong"])["procs"]
            if procs == 1 or time.monotonic() > end:
                return self.assertEqual(procs, 1)


class Protocol(Case):
    def test_parts_begin_where_the_start_program_divides_them(self):
        for part in PARTS:
            self.assertEqual((part.startswith(b"# SPDX"), part.count(b"# SPDX"), part[-1:]), (True, 1, b"\n"), part[:80])

    def test_hello_and_ready(self):
        host = self.sandbox()
        self.assertHas(host.hello, v=1, pid=1, cwd="/app")
        self.assertNotIn("HOME", host.hello["env"])
        self.assertHas(host.ready, layout="app", tool_defs=True, prompts=["system.md", "instruction.md"], reward_files=[])
        self.assertEqual(host.ready["tools"], sorted(list(TOOLS) + ["plain"]))
        self.assertEqual(host.close(), 0)

    def test_second_layout_wins_and_its_prompts_are_found(self):
        files = bundle("/app/environment/tools", **{"/app/tools/show": ("#!/bin/sh\necho OLD\n", X)})
        files["/app/environment/system.md"] = files.pop("/app/system.md")
        host = self.sandbox(files)
        self.assertHas(host.ready, layout="environment", prompts=["environment/system.md", "instruction.md"])
        self.assertIn("sub", host.run("ls -a environment/tools", "verifier")["out"].decode())
        for folder in ("tools", "environment/tools"):
            self.assertHas(host.run("%s/show 1; ls %s/common.py" % (folder, folder)), out=b"<1>()", code=2)

    def test_stale_rewards_are_removed(self):
        files = bundle(**{"/app/reward.txt": ("0.99", 0o644), "/logs/verifier/reward.txt": ("0.98", 0o644)})
        host = self.sandbox(files)
        self.assertEqual(host.ready["reward_files"], ["/app/reward.txt", "/logs/verifier/reward.txt"])
        self.assertHas(host.run("exit 7", "verifier"), code=7)
        self.assertHas(host.get("/app/reward.txt")[1], t="fail", code="not_found")
        host.run("bash tests/test.sh; echo 0.5 > /logs/verifier/reward.txt", "verifier")
        self.assertEqual((host.get("/app/reward.txt")[0], host.get("/logs/verifier/reward.txt")[0]), (b"0.25\n", b"0.5\n"))

    def test_folders_in_the_place_of_rewards_are_removed(self):
        host = self.sandbox(bundle(**{"/app/reward.txt/x": ("0.99", 0o644)}))
        self.assertEqual(host.ready["reward_files"], ["/app/reward.txt"])
        host.run("mkdir -p /app/reward.txt/y; rm -r /logs/verifier", "setup")
        self.assertHas(host.run("echo 0.5 > /app/reward.txt; echo 0.5 > /logs/verifier/reward.txt", "verifier"), code=0)
        self.assertEqual((host.get("/app/reward.txt")[0], host.get("/logs/verifier/reward.txt")[0]), (b"0.5\n", b"0.5\n"))

    def test_init_refused(self):
        for why, files, init in (("wall", bundle(), {"wall": "uid"}), ("wall", bundle(), {"wall": None}),
                                 ("version", bundle(), {"v": 2}), ("tools", {}, {}), ("hide", bundle(), {"hide": "x"}),
                                 ("tool_limit", bundle(), {"tool_limit": "much"}), ("tools", bundle(), {"ports": {"tools": "a"}})):
            with self.subTest(why=why, init=init):
                host = self.sandbox(files, **init)
                self.assertHas(host.ready, t="fail", id=None)
                self.assertIn(why, host.ready["why"])
                self.assertHas(host.answer(host.ask("run", who="agent", argv=["true"]), ["fail"]), code="bad")
                host.close()

    def test_bad_lines_are_answered_and_harm_nothing(self):
        host = self.sandbox()
        lines = [b"", b"{", b"[]", b"17", b"\xff\xfe", b'{"t":"nothing","id":1}', b'{"t":"__init__","id":1}', b'{"t":5}', b'{}',
                 b'{"t":"run"}', b'{"t":"run","id":1,"who":"root","argv":["true"]}', b'{"t":"run","id":1,"who":"agent","argv":[]}',
                 b'{"t":"run","id":1,"who":"agent","argv":[1]}', b'{"t":"run","id":1,"who":"agent","argv":["a\\u0000"]}',
                 b'{"t":"run","id":1,"who":"agent","argv":["a"],"env":{"":"x"}}', b'{"t":"run","id":1,"who":"agent","argv":"true"}',
                 b'{"t":"run","id":1,"who":"agent","argv":["a"],"env":["x"]}', b'{"t":"run","id":1,"who":"agent","argv":["a"],"limit":"x"}',
                 b'{"t":"run","id":1,"who":"agent","argv":["true"],"rlimits":{"NOTHING":1}}',
                 b'{"t":"run","id":1,"who":"verifier","argv":["no-such-program"]}',
                 b'{"t":"run","id":1,"who":"verifier","argv":["true"],"cwd":"/nowhere"}',
                 b'{"t":"put","id":1,"path":"/app/x","d":"***","eof":true}', b'{"t":"put","id":1,"d":"","eof":true}',
                 b'{"t":"get","id":1}', b'{"t":"get","id":1,"path":7}', b'{"t":"list","id":1}', b'{"t":"diff","id":1}',
                 b'{"t":"kill","id":1}', b'{"t":"extend","id":1,"seconds":4}', b'{"t":"init","v":1,"wall":"bwrap"}',
                 b'{"t":"ports","id":1,"token":7}', b'{"t":"ping","id":{"a":1}}', b'{"t":"tool","id":1,"name":"show","stdin":5}',
                 b"[" * 100000, b'{"t":"ping","id":' + b"9" * 5000 + b"}"]
        for line in lines:
            with self.subTest(line=line[:80]):
                before = len(host.events)
                host.raw(line + b"\n")
                self.assertHas(host.wait(lambda m: True, 2, before), t="fail")
        for line in (b'{"t":"http_head","id":"m9","status":200,"headers":[]}', b'{"t":"http_data","id":"m9","d":""}',
                     b'{"t":"http_end","id":"m9"}', b'{"t":"tool","id":77,"name":"../x","args":{}}'):
            host.raw(line + b"\n")
        self.assertHas(host.answer(77, ["tool_res"]), status=400, error="invalid tool name: '../x'")
        self.assertHas(host.run(["true"]), code=0)

    def test_cut_lines(self):
        host = self.sandbox()
        for byte in b'{"t":"ping","id":5}\n{"t":"ping","id":6}\n{"t":"pi':
            host.raw(bytes([byte]))
        host.answer(5, ["pong"]), host.answer(6, ["pong"])
        host.raw(b'ng","id":7}\n')
        host.answer(7, ["pong"])

    def test_line_over_the_limit_ends_it(self):
        for rest in (b"", b"\n"):
            host = self.sandbox()
            with self.assertRaises((Lost, BrokenPipeError)):
                host.raw(b"x" * (1 << 20) + b"yy" + rest)
                host.wait(lambda m: m["t"] == "none", 5)
            self.assertEqual(host.process.wait(5), 65)
        host = self.sandbox()
        host.raw(b'{"t":"ping","id":8,"x":"' + b"x" * ((1 << 20) - 100) + b'"}\n')
        host.answer(8, ["pong"])

    def test_slow_reader_holds_the_agent_not_the_memory(self):
        host = self.sandbox()
        id = host.start("head -c 50000000 /dev/zero | tr '\\0' x", cap=60000000)
        time.sleep(1)
        ping = host.ask("ping")
        result = host.end_of(id)
        pong = host.answer(ping, ["pong"])
        self.assertLess(pong["rss"], 32 << 20)
        self.assertLess(host.events.index(pong), host.events.index(host.answer(id, ["exit"])))     # control overtakes
        self.assertHas(result, code=0, bytes=[50000000, 0], dropped=0)
        self.assertEqual(result["out"], b"x" * 50000000)

    def test_ends(self):
        def silent(host):
            time.sleep(1.3)
        for why, init, end, code in (("end of input", {}, lambda host: host.process.stdin.close(), 0),
                                     ("terminated", {}, lambda host: host.process.send_signal(signal.SIGTERM), None),
                                     ("heartbeat", {"heartbeat": 1}, silent, 71), ("deadline", {"deadline": 1}, silent, 72)):
            with self.subTest(why):
                host = self.sandbox(**init)
                host.start("trap '' TERM INT HUP; (setsid sleep 987654 &); sleep 987654")
                host.send(t="tool", id=9, name="daemon", args={})
                begun = time.monotonic()
                end(host)
                exit = host.process.wait(3)
                self.assertLess(time.monotonic() - begun, 2)
                if code is not None:
                    self.assertEqual(exit, code)
                self.all_gone("987654")

    def all_gone(self, text):
        end = time.monotonic() + 2
        while running(text) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse(running(text))

    def test_pings_keep_it_alive(self):
        host = self.sandbox(heartbeat=0.6)
        for _ in range(8):
            time.sleep(0.2)
            host.answer(host.ask("ping"), ["pong"])

    def test_killed_from_outside(self):
        host = self.sandbox()
        host.start("(setsid sleep 987653 &); sleep 987653")
        host.process.kill()
        host.process.wait(3)
        self.all_gone("987653")

    def test_sigterm_reaches_the_bridge(self):
        host = self.sandbox()
        pids = subprocess.run(["pgrep", "-P", str(host.process.pid)], stdout=subprocess.PIPE).stdout.split()
        os.kill(int(pids[0]), signal.SIGTERM)
        self.assertEqual(host.process.wait(2), 70)


def running(text):
    return subprocess.run(["pgrep", "-f", "sleep " + text], stdout=subprocess.DEVNULL).returncode == 0


class Files(Case):
    def test_put_and_get(self):
        host = self.sandbox()
        for name, data, mode in (("empty", b"", 0o644), ("中文/ 文件", b"\x00\xff\n", 0o600), ("big", os.urandom(3000000), 0o755),
                                 ("edge", b"x" * 32768, 0o644)):
            self.assertHas(host.put("/app/" + name, data, mode), t="ok")
            self.assertEqual(host.get("/app/" + name)[0], data)
            self.assertHas(host.run(["stat", "-c", "%a", "/app/" + name], "verifier"), out=b"%o\n" % mode)
        self.assertHas(host.put("/app/edge", b"short"), t="ok")
        self.assertEqual(host.get("/app/edge")[0], b"short")
        data, end = host.get("/app/big", 1000)
        self.assertEqual((len(data), end["size"], end["truncated"]), (1000, 1000, True))

    def test_refused(self):
        host = self.sandbox()
        host.run("cd artifacts; ln -s /etc/passwd link; ln -s /etc dir; mkfifo fifo; ln -s /app/docs in; ln -s /app/docs/a.txt here; mkdir folder;"
                 "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")'")
        for path, code in (("/app/artifacts/link", "refused"), ("/app/artifacts/here", "refused"), ("/app/artifacts/dir/passwd", "refused"),
                           ("/app/artifacts/fifo", "refused"), ("/app/artifacts/folder", "refused"),
                           ("/app/artifacts/sock", "refused"), ("/etc/passwd", "refused"), ("/app/../etc/passwd", "refused"),
                           ("/app/./x", "refused"), ("app/x", "refused"), ("/app", "refused"), ("/app/none", "not_found"),
                           ("/proc/1/environ", "refused"), ("/application", "refused"), ("/app/a\0b", "refused")):
            with self.subTest(path):
                self.assertHas(host.get(path)[1], t="fail", code=code)
        for path in ("/app/artifacts/link", "/app/artifacts/dir/new", "/etc/new", "/app/../x", "/app/artifacts/fifo", "/app/docs"):
            with self.subTest(put=path):
                self.assertHas(host.put(path, b"x"), t="fail", code="refused")
        self.assertEqual(host.get("/app/artifacts/in/a.txt")[0], b"A")     # a link that stays inside

    def test_full_disk_is_told(self):
        host = Host(bundle(), {}, quota=1 << 20)
        self.assertHas(host.put("/app/large", b"x" * 3000000), t="fail", code="too_large")
        self.assertHas(host.put("/app/large", b"x"), t="ok")
        self.assertEqual(host.close(), 0)

    def test_list(self):
        host = self.sandbox()
        host.run("cd artifacts; mkdir d; echo -n abc > d/f; ln -s d l; mkfifo p; touch $'\\xff'")
        answer = host.answer(host.ask("list", path="/app/artifacts", max=100), ["entries"])
        found = {item["path"]: item for item in answer["list"]}
        self.assertEqual({name: item["type"] for name, item in found.items()},
                         {"d": "dir", "d/f": "file", "l": "link", "p": "other", "\ufffd": "file"})
        self.assertHas(found["d/f"], size=3, sha256=hashlib.sha256(b"abc").hexdigest())
        self.assertFalse(answer["truncated"])
        host.run("cd artifacts; python3 -c 'for i in range(3000): open(\"n%0200d\" % i, \"w\")'")
        answer = host.answer(host.ask("list", path="/app/artifacts", max=100000), ["entries"])
        self.assertTrue(answer["truncated"] and len(answer["list"]) > 1000)
        for path in ("/app/artifacts/l", "/app/none", "/etc", "/app/artifacts/d/f"):
            self.assertHas(host.answer(host.ask("list", path=path), ["entries", "fail"]), t="fail")

    def test_diff(self):
        host = self.sandbox()
        self.assertHas(host.answer(host.ask("snapshot"), ["ok", "fail"]), t="ok")
        host.run("rm docs/a.txt; mkdir -p new/dir; echo -n changed > gold.json; head -c 100000 /dev/zero > new/big;"
                 "ln -s /etc/passwd new/link; mkfifo new/fifo; echo x > new/$(printf '长%.0s' $(seq 60))", "verifier")
        id = host.ask("diff")
        end = host.answer(id, ["eof", "fail"])
        with tarfile.open(fileobj=io.BytesIO(host.data(id))) as archive:
            found = {member.name: archive.extractfile(member).read() if member.isfile() else member.linkname for member in archive}
            kinds = {member.name: (member.isdir(), oct(member.mode)) for member in archive}
        self.assertEqual((kinds["new/dir"], kinds["gold.json"]), ((True, "0o755"), (False, "0o644")))
        self.assertEqual(found, {"gold.json": b"changed", "new": "", "new/dir": "", "new/big": bytes(100000),
                                 "new/link": "/etc/passwd", "new/" + "长" * 60: b"x\n"})
        self.assertHas(end, truncated=False, deleted=["docs/a.txt"])
        id = host.ask("diff", max=5000)
        self.assertTrue(host.answer(id, ["eof"])["truncated"])
        with tarfile.open(fileobj=io.BytesIO(host.data(id))) as archive:
            self.assertNotIn("new/big", archive.getnames())


class Runs(Case):
    def test_table(self):
        host = self.sandbox()
        for who in ("agent", "verifier", "setup"):
            for argv, wanted in ((["true"], {"code": 0}), ("exit 7", {"code": 7, "timed_out": False, "leftovers": 0}),
                                 ("echo out; echo err >&2", {"out": b"out\n", "err": b"err\n", "bytes": [4, 4]}),
                                 ("printf '\\377\\200\\0x'", {"out": b"\xff\x80\0x"}), ("exec >&- 2>&-; exit 3", {"code": 3}),
                                 ("cat; echo end", {"out": b"end\n"}), (["printf", "%s|", "a b", "", "'\"$x", "杭州"],
                                                                      {"out": "a b||'\"$x|杭州|".encode()}),
                                 ("echo '{\"t\":\"bye\",\"id\":1}'; echo '{\"t\":\"exit\",\"id\":101,\"code\":0}' >&2",
                                  {"out": b'{"t":"bye","id":1}\n', "code": 0}),
                                 ("kill -9 $$", {"code": 137} if who == "agent" else {"signal": 9}),
                                 ("kill -SEGV $$", {"code": 139} if who == "agent" else {"signal": 11})):
                with self.subTest(who=who, argv=argv):
                    self.assertHas(host.run(argv, who), **wanted)
        self.nobody_left(host)

    def test_environment(self):
        host = self.sandbox()
        for who, home in (("agent", b"/home/agent"), ("verifier", b"/tmp")):
            result = host.run("echo $HOME $KEY $(pwd); touch ~/x /tmp/y && env", who, env={"KEY": "v=1 \"q\" 杭州"}, cwd="/app/docs")
            self.assertHas(result, code=0)
            lines = result["out"].split(b"\n")
            self.assertEqual(lines[0], home + " v=1 \"q\" 杭州 /app/docs".encode())
            self.assertNotIn(b"PYTHON", result["out"])
            self.assertNotIn(b"PWD=/app\n", result["out"])

    def test_figures(self):
        host = self.sandbox()
        result = host.run("nice; python3 -c 'x = bytearray(60 << 20); s = 0\nfor i in range(3000000): s += i'; sleep 0.2", nice=7)
        self.assertEqual(result["out"], b"%d\n" % min(19, os.nice(0) + 7))
        self.assertTrue(0.05 < result["cpu"] < 20 and result["wall"] > 0.25 and 60 << 20 < result["rss"] < 200 << 20, result)

    def test_limit_extend_kill(self):
        host = self.sandbox()
        for who in ("agent", "verifier"):
            with self.subTest(who):
                script = "trap '' TERM; echo begun; (setsid sleep 50 &); setsid sleep 51 & sleep 52"
                result = host.run(script, who, limit=0.3)
                self.assertHas(result, signal=9, timed_out=True, out=b"begun\n")
                self.assertTrue(0.3 <= result["wall"] < 1, result)
                id = host.start(script, who, limit=0.4)
                host.send(t="extend", id=id, seconds=0.5)
                result = host.end_of(id)
                self.assertTrue(result["timed_out"] and 0.9 <= result["wall"] < 1.8, result)
                id = host.start(script, who)
                host.send(t="kill", id=id)
                self.assertHas(host.end_of(id), signal=9, timed_out=False)
                self.nobody_left(host)

    def test_kill_at_once(self):
        host = self.sandbox()
        for _ in range(10):
            id = host.ask("run", who="agent", argv=["sleep", "60"], cwd="/app", limit=20)
            host.send(t="kill", id=id)
            self.assertHas(host.end_of(id), signal=9)
        self.nobody_left(host)

    def test_one_at_a_time(self):
        host = self.sandbox()
        id = host.start("sleep 0.3")
        self.assertHas(host.run(["true"]), t="fail", code="bad")
        self.assertHas(host.end_of(id), code=0)

    def test_output_cap_keeps_head_and_tail(self):
        host = self.sandbox()
        result = host.run("echo HEAD; head -c 1000000 /dev/zero; echo TAIL; echo LAST >&2", cap=1000)
        self.assertHas(result, bytes=[1000010, 5], err=b"LAST\n", dropped=1000010 - 1000 - 65536)
        self.assertEqual((result["out"][:5], result["out"][-5:], len(result["out"])), (b"HEAD\n", b"TAIL\n", 66536))
        gap = [message for message in host.events if message["t"] == "out" and "skip" in message]
        self.assertEqual([message["skip"] for message in gap], [result["dropped"]])
        self.assertHas(host.run("head -c 66000 /dev/zero", cap=1000), dropped=0)

    def test_wall_that_cannot_be_built_is_no_agent_fault(self):
        host = self.sandbox()
        self.assertHas(host.run(["true"], cwd="/nowhere"), t="fail")
        self.assertHas(host.run(["true"], rlimits={"NPROC": 0}), t="fail")
        self.assertHas(host.run(["no-such-program"]), t="fail")
        self.assertHas(host.run(["true"]), code=0)


class HostileAgents(Case):
    def test_leftovers_are_counted_and_ended(self):
        host = self.sandbox()
        daemons = ("import os, signal, time\nfor i in range(10):\n    if os.fork() == 0:\n        os.setsid()\n"
                   "        for s in range(1, 32):\n            try: signal.signal(s, signal.SIG_IGN)\n            except OSError: pass\n"
                   "        if os.fork() == 0:\n            if i % 2: os.closerange(0, 3)\n            time.sleep(60)\n"
                   "        os._exit(0)\ntime.sleep(0.3)\n")
        for who in ("agent", "verifier"):
            result = host.run(["python3", "-c", daemons], who)
            self.assertHas(result, code=0, leftovers=10, timed_out=False)
            self.assertLess(result["wall"], 2)
            self.nobody_left(host)

    def test_fork_bomb(self):
        host = self.sandbox()
        bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n"
        result = host.run(["python3", "-c", bomb], limit=0.7, rlimits={"NPROC": 120})
        self.assertHas(result, signal=9, timed_out=True)
        self.assertLess(result["wall"], 10)     # 0.8 on a quiet machine
        self.nobody_left(host)
        self.assertHas(host.run("ulimit -u"), out=b"512\n")
        self.assertHas(host.run(["true"], "verifier"), code=0)

    def test_kill_everything(self):
        host = self.sandbox()
        result = host.run("python3 -c 'import os\nfor s in (15, 9): os.kill(-1, s)'; kill -9 1; echo alive")
        self.assertEqual(result["t"], "exit")
        self.nobody_left(host)
        self.assertHas(host.run("kill -9 1; echo alive", "verifier"), out=b"alive\n")   # process 1 cannot be killed from inside

    def test_much_output(self):
        host = self.sandbox()
        result = host.run("head -c 50000000 /dev/urandom & head -c 5000000 /dev/urandom >&2; wait", cap=100000)
        self.assertHas(result, code=0, dropped=50000000 + 5000000 - 2 * (100000 + 65536))
        self.assertEqual(result["bytes"], [50000000, 5000000])

    def test_what_cannot_be_reached(self):
        host = self.sandbox(hide=["/app/gold.json", "docs/*.secret", "**/private/**"], files=bundle(**{
            "/app/docs/x.secret": ("HIDDEN", 0o644), "/app/a/b/private/c": ("HIDDEN", 0o644), "/app/a/b/public": ("P", 0o644)}))
        result = host.run("find /app | sort; grep -rsE 'DATABASE|GOLD|HIDDEN|SECRET' /app /tmp /home /run; true")
        lines = result["out"].decode().split()
        self.assertEqual([line for line in lines if not line.startswith("/app/tools")],
                         ["/app", "/app/.tool_calls.jsonl", "/app/a", "/app/a/b", "/app/a/b/private", "/app/a/b/public",
                          "/app/answer.json", "/app/answer.md", "/app/artifacts", "/app/data", "/app/data/deep",
                          "/app/data/deep/notes.txt", "/app/docs", "/app/docs/a.txt", "/app/instruction.md", "/app/logs",
                          "/app/system.md", "/app/tool_defs.json"])
        self.assertEqual(result["out"].count(b"HIDDEN"), 0)
        for script in ("cat /app/tests/test.sh", "cat /app/shop.db", "cat /app/tools/common.py", "cat /run/proctor/tools/show",
                       "touch /app/new", "touch /app/tools/show", "echo x >> /app/.tool_calls.jsonl", "rm /app/answer.json",
                       "mv /app/answer.json /app/artifacts/", "touch /app/tests", "ls /logs", "touch /dev/new", "touch /etc/new",
                       "unshare -U true", "mount -t tmpfs x /app", "mknod /tmp/x c 1 3", "ls /proc/1/root/app/tests",
                       "umount /app/tools", "touch /app/docs/new"):
            with self.subTest(script):
                self.assertNotEqual(host.run(script).get("code"), 0)
        for script in ("echo {} > answer.json", "echo x > answer.md", "mkdir -p artifacts/a && echo > artifacts/a/b",
                       "echo > logs/x", "cat .tool_calls.jsonl", "echo > /dev/shm/x", "echo > ~/x"):
            with self.subTest(script):
                self.assertHas(host.run(script), code=0)
        seen = host.run("cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'; grep CapEff /proc/self/status")
        self.assertNotIn(b"-I\n-S", seen["out"])
        self.assertNotIn(b"PROCTOR_PROCESS", host.run("env")["out"])
        self.assertRegex(seen["out"], rb"CapEff:\t0+\n")
        self.assertHas(host.run("ls /app | wc -l; cat answer.json artifacts/a/b", "verifier"), code=0)

    def test_a_flood_of_events_waits_for_the_host(self):
        host = self.sandbox(heartbeat=300)
        text = HTTP.replace("PORT", "9999") + r"""
import threading
entry = '{"command": "%s"}' % ("\u676d" * 20000)
def flood():
    for _ in range(40): post('/log', entry)
threads = [threading.Thread(target=flood) for _ in range(20)]
[t.start() for t in threads]; time.sleep(0.5); print(ask(b"GET /health HTTP/1.0\r\n\r\n")[0]); [t.join() for t in threads]
"""
        id = host.start(["python3", "-c", "import time\n" + text], limit=100)
        time.sleep(1.5)
        ping = host.ask("ping")
        self.assertLess(host.answer(ping, ["pong"])["rss"], 32 << 20)
        self.assertHas(host.end_of(id, timeout=120), code=0, out=b"200\n", err=b"")
        self.assertEqual(sum(m["t"] == "log" for m in host.events), 800)

    def test_a_full_disk_does_not_stop_the_verifier(self):
        host = Host(bundle(), {}, quota=16 << 20)
        self.addCleanup(host.close)
        self.assertHas(host.run("head -c 100000000 /dev/zero > artifacts/x; echo '{}' > answer.json; stat -c %s artifacts/x"), code=0)
        self.assertHas(host.run("bash tests/test.sh && head -c 1000000 /dev/zero > /app/scratch", "verifier"), code=0)
        self.assertEqual(host.get("/app/reward.txt")[0], b"0.25\n")

    def test_a_trajectory_is_bounded(self):
        host = self.sandbox(heartbeat=300)
        text = HTTP.replace("PORT", "9999") + r"""
body = '{"text": "%s"}' % ("x" * 65000)
codes = []
while not codes or codes[-1] == 200: codes.append(post('/trajectory', body)[0])
print(len(codes), codes[-1], post('/trajectory', body)[0], post('/call/json', '')[0])
"""
        result = host.run(["python3", "-c", text], limit=100)
        count = sum(m["t"] == "step" for m in host.events)
        self.assertHas(result, code=0, out=b"%d 413 413 200\n" % (count + 1))
        self.assertTrue(1000 < count < 1040, count)

    def test_requests_left_in_the_socket_do_not_become_calls(self):
        host = self.sandbox(tool_parallel=8)
        text = HTTP.replace("PORT", "9999") + r"""
import os
links = [socket.create_connection(("127.0.0.1", 9999)) for _ in range(100)]
for link in links: link.send(b"POST /call/logger HTTP/1.0\r\n\r\n")
os._exit(0)
"""
        id = host.start(["python3", "-c", text])
        host.end_of(id)
        before = host.get("/app/.tool_calls.jsonl")[0]
        host.run("sleep 0.3", "verifier")
        self.assertEqual(host.get("/app/.tool_calls.jsonl")[0], before)
        exit = host.events.index(host.answer(id, ["exit"]))
        self.assertFalse([m for m in host.events[exit:] if m["t"].startswith("tool_")])
        self.nobody_left(host)

    def test_links_in_a_bundle_made_by_setup(self):
        host = self.sandbox()
        host.run("ln -s tests/gold.json shortcut; ln -s docs alias; ln -s /app/shop.db docs/d", "setup")
        self.assertHas(host.run("cat shortcut"), code=1)
        self.assertHas(host.run("cat docs/d"), code=1)
        self.assertHas(host.run("cat alias/a.txt"), code=0, out=b"A")

    def test_many_files(self):
        host = self.sandbox(bundle(**{"/app/kb/%d.txt" % i: ("x", 0o644) for i in range(300)}, **{"/app/kb/x.db": ("DATABASE", 0o644)}))
        result = host.run("ls kb | wc -l")
        self.assertHas(result, out=b"300\n")
        self.assertLess(result["wall"], 2)

    def test_a_tool_call_in_flight_ends_with_the_agent(self):
        host = self.sandbox()
        call = "import urllib.request as u; u.urlopen('http://127.0.0.1:9999/call/slow', b'')"
        result = host.run("python3 -c \"%s\" & sleep 0.4; tools/slow & tools/daemon & sleep 0.3" % call)
        self.assertHas(result, code=0)
        self.nobody_left(host)
        exit = host.events.index(host.answer(result["id"], ["exit"]))
        started = {m["id"] for m in host.events if m["t"] == "tool_start"}
        ended = {m["id"]: m["status"] for m in host.events[:exit] if m["t"] == "tool_res"}
        self.assertEqual(started, set(ended))
        self.assertEqual(set(ended.values()), {499})

    def test_bodies_that_grow_when_they_are_read(self):
        host = self.sandbox()
        text = HTTP.replace("PORT", "9999") + r"""
lists = b"[],"
for path, body in (("/call/show", b'{"a":[' + lists * 100000 + b"1]}"), ("/exec/show", b'{"argv":[' + lists * (20 << 20) + b"1]}"),
                   ("/log", b'{"a":' + b"9" * 5000000 + b"}"), ("/call/show", b'{"a":"' + b"x" * (9 << 20) + b'"}'),
                   ("/call/show", b'{"a":' + b"9" * 4000 + b"}")):
    print(post(path, body)[0], flush=True)
"""
        id = host.start(["python3", "-c", text])
        worst = 0
        while not any(m["t"] == "exit" for m in host.events):
            pong = host.answer(host.ask("ping"), ["pong"])
            worst = max(worst, pong["rss"])
            time.sleep(0.02)
        self.assertHas(host.end_of(id), code=0, err=b"", out=b"413\n413\n400\n413\n200\n")
        self.assertLess(worst, 300 << 20)

    def test_a_verifier_meets_no_traps(self):
        host = self.sandbox()
        self.assertHas(host.run("cd artifacts; ln -s /app/tests/gold.json gold; ln -s ../tests d; ln -s ../answer.json answer; mkfifo pipe; ln -s none later;"
                                "mkdir in; ln -s . in/self; mkfifo ../logs/pipe; echo x > in/file; ln -s in/file link"), code=0)
        self.assertHas(host.run("cd artifacts; find . ../logs -mindepth 1 | sort; cat link", "verifier"), code=0,
                       out=b"./answer\n./in\n./in/file\n./in/self\n./link\nx\n")

    def test_answers_that_nobody_could_read(self):
        host = self.sandbox()
        self.assertHas(host.run("echo '{}' > answer.json; truncate -s 100G answer.md; mkdir -p artifacts/d/e; echo x > artifacts/d/e/f; mkfifo artifacts/d/pipe;"
                                "chmod 0 artifacts/d/e/f artifacts/d/e artifacts/d answer.json artifacts logs"), code=0)
        self.assertEqual(host.get("/app/answer.json")[0], b"{}\n")
        self.assertHas(host.run("cat answer.json artifacts/d/e/f; ls logs; stat -c %s answer.md; ls artifacts/d", "verifier"), code=0,
                       out=b"{}\nx\n67108864\ne\n")

    def test_an_agent_cannot_make_a_line_too_long(self):
        host = self.sandbox()
        body = json.dumps({"text": "\U0001f600" * 400000, "lone": "\ud800"})
        host.put("/app/artifacts/body", body)
        text = ("python3 - <<'E'\nimport urllib.request\nfor route in ('call/show', 'log', 'call/none', 'call/' + 'n' * 50000):\n"
                "    try: urllib.request.urlopen('http://127.0.0.1:9999/' + route, open('/app/artifacts/body','rb').read()).read()\n"
                "    except Exception as e: print(e)\nE\n")
        self.assertHas(host.run(text), code=0)
        starts = [m for m in host.events if m["t"] == "tool_start"]
        self.assertEqual(len(starts), 3)
        self.assertEqual((starts[0]["args"], starts[0]["cut"]["size"] > 1600000), (None, True))
        log = host.wait(lambda m: m["t"] == "log")
        self.assertEqual(len(log["cut"]["sha256"]), 64)
        many = host.run("tools/show $(seq 1 60000) >/dev/null; echo $?")
        self.assertHas(many, code=0, out=b"0\n")


HTTP = r"""
import socket, sys
def ask(raw, wait=None):
    link = socket.create_connection(("127.0.0.1", PORT)); link.settimeout(60)
    link.sendall(raw)
    reply = b""
    while True:
        part = link.recv(65536)
        if not part: break
        reply += part
    head, _, body = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), body
def post(path, body, kind="POST"):
    body = body if isinstance(body, bytes) else body.encode()
    return ask(("%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (kind, path, len(body))).encode() + body)
"""


class ToolPort(Case):
    def script(self, host, text, port=9999, timeout=30):
        result = host.run(["python3", "-c", HTTP.replace("PORT", str(port)) + text])
        self.assertHas(result, code=0, err=b"")
        return result["out"].decode()

    def test_contract(self):
        host = self.sandbox()
        bad = {"error": "invalid JSON body"}
        table = [("GET", "/health", "", 200, {"status": "ok"}),
                 ("GET", "/tools", "", 200, {"tools": sorted(list(TOOLS) + ["plain"])}),
                 ("GET", "/health/", "", 404, {"error": "not found"}), ("GET", "/call/json", "", 404, {"error": "not found"}),
                 ("POST", "/health", "", 400, {"error": "use POST /call/<tool_name>"}),
                 ("POST", "/call/", "", 400, {"error": "use POST /call/<tool_name>"}),
                 ("POST", "/call/a/b", "", 400, {"error": "invalid tool name: 'a/b'"}),
                 ("POST", "/call/../x", "", 400, {"error": "invalid tool name: '../x'"}),
                 ("POST", "/call/show?x=1", "", 400, {"error": "invalid tool name: 'show?x=1'"}),
                 ("POST", "/call/sh%6fw", "", 400, {"error": "invalid tool name: 'sh%6fw'"}),
                 ("POST", "/call/show", "{", 400, bad), ("POST", "/call/show", b"\xff", 400, bad), ("POST", "/call/show", "[" * 99999, 400, bad),
                 ("POST", "/call/show", "[]", 400, {"error": "JSON body must be an object"}),
                 ("POST", "/call/show", '{"":1}', 400, {"error": "invalid tool argument name: ''"}),
                 ("POST", "/call/show", '{"-x":1}', 400, {"error": "invalid tool argument name: '-x'"}),
                 ("POST", "/call/show", '{"x":"a\\u0000"}', 400, {"error": "invalid tool argument: 'x'"}),
                 ("POST", "/call/none", "", 404, {"error": "tool not found: none"}),
                 ("POST", "/call/sub", "", 404, {"error": "tool not found: sub"}),
                 ("POST", "/call/show", "", 200, {"raw": "()"}), ("POST", "/call/show", " \n", 200, {"raw": "()"}),
                 ("POST", "/call/show/", "", 200, {"raw": "()"}),
                 ("POST", "/call/show", '{"b":1,"a":"x y","c":[1,"杭"],"d":{"k":null},"e":true,"f":null,"g":1e20,"h":NaN,"i":"-v","j":1.5}', 200,
                  {"raw": '<--b><1><--a><x y><--c><[1, "杭"]><--d><{"k": null}><--e><true><--f><null><--g><1e+20><--h><nan><--i><-v><--j><1.5>()'}),
                 ("POST", "/call/nan", "", 200, {"raw": '{"x": NaN}\n'}), ("POST", "/call/bytes", "", 200, {"raw": "a\ufffd\ufffdb"}),
                 ("POST", "/call/fail", "", 500, {"error": "went wrong\n", "returncode": 7}),
                 ("POST", "/call/crash", "", 500, {"error": "", "returncode": -11}),
                 ("POST", "/call/closed", "", 500, {"error": "", "returncode": 3}),
                 ("POST", "/call/plain", "", 500, {"error": "cannot start plain: Permission denied", "returncode": 126}),
                 ("POST", "/call/noshebang", "", 500, {"error": "cannot start noshebang: Exec format error", "returncode": 126}),
                 ("POST", "/call/show", json.dumps({"x": "y" * 200000}), 500, {"error": "cannot start show: Argument list too long", "returncode": 126}),
                 ("POST", "/call/holder", "", 200, "done"), ("POST", "/exec/show", '{"argv":"x"}', 400, {"error": "argv must be a list of texts without NUL"}),
                 ("POST", "/exec/show", '{"argv":[],"stdin":"*"}', 400, {"error": "stdin must be base64"}),
                 ("POST", "/exec/show", '{"argv":[],"stdin":5}', 400, {"error": "stdin must be base64"}),
                 ("POST", "/exec/show", '{"argv":[],"stdin":["a"]}', 400, {"error": "stdin must be base64"}),
                 ("POST", "/log", "[]", 400, {"error": "JSON body must be an object"})]
        text = "import json\nfor kind, path, body in json.load(open('/app/docs/table.json')):\n" \
               "    status, reply = post(path, body.encode('latin-1'), kind)\n    print(json.dumps([status, json.loads(reply)]))\n"
        host.put("/app/docs/table.json", json.dumps([(kind, path, (body if isinstance(body, bytes) else body.encode()).decode("latin-1"))
                                                     for kind, path, body, _, _ in table]))
        for row, line in zip(table, self.script(host, text).splitlines()):
            with self.subTest(row[1], body=row[2][:60]):
                self.assertEqual(json.loads(line), [row[3], row[4]])
        for start in [m for m in host.events if m["t"] == "tool_start"]:
            host.answer(start["id"], ["tool_res"])
        self.nobody_left(host)

    def test_json_passes_as_written_and_huge_is_cut(self):
        host = self.sandbox(tool_limit=60)
        out = self.script(host, "import json\nprint(post('/call/json', '')[1].decode())\nv = json.loads(post('/call/huge', '{}')[1])\n"
                                "print(len(v['raw']), v['truncated'], post('/x', '', 'PUT')[0], post('/x', '', 'DELETE')[0])\n")
        self.assertEqual(out, '{"price": 1.10, "big": 12345678901234567890123, "text": "杭州"}\n4194304 True 501 501\n')
        self.assertHas(host.wait(lambda m: m["t"] == "tool_res" and m["truncated"]), bytes=[6000000, 6000000], status=200)

    def test_malformed_requests(self):
        host = self.sandbox()
        table = [(b"nonsense\r\n\r\n", 400), (b"GET  /health HTTP/1.1\r\n\r\n", 400), (b"GET /health HTTP/9\r\n\r\n", 400),
                 (b"GET /health HTTP/1.1\r\nA : b\r\n\r\n", 400), (b"GET /health HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
                 (b"POST /log HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400), (b"POST /log HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
                 (b"POST /log HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400),
                 (b"POST /log HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", 400),
                 (b"POST /log HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
                 (b"POST /log HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n{}", 501), (b"POST /log HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
                 (b"GET /health HTTP/1.1\r\nX: " + b"y" * 70000 + b"\r\n\r\n", 431),
                 (b"POST /log HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
                 (b'POST /log HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n8;x=y\r\na": "b"}\r\n0\r\nT: u\r\n\r\n', 200),
                 (b"GET /health HTTP/1.0\r\n\r\nGET /health HTTP/1.0\r\n\r\n", 200), (b"GET /health HTTP/1.1\r\n\r\n" + b"x" * 100000, 200)]
        host.put("/app/docs/table.json", json.dumps([raw.decode("latin-1") for raw, _ in table]))
        out = self.script(host, "import json\nfor raw in json.load(open('/app/docs/table.json')):\n    print(ask(raw.encode('latin-1'))[0])\n")
        self.assertEqual(out.split(), [str(status) for _, status in table])

    def test_bytewise_half_closed_and_continued(self):
        host = self.sandbox()
        out = self.script(host, r"""
link = socket.create_connection(("127.0.0.1", 9999)); link.setsockopt(6, 1, 1)
for byte in b'POST /call/show HTTP/1.1\r\nContent-Length: 7\r\n\r\n{"a":1}': link.send(bytes([byte]))
print(link.recv(99999).split(b"\r\n\r\n")[1])
link = socket.create_connection(("127.0.0.1", 9999))
link.sendall(b"POST /call/nap HTTP/1.1\r\n\r\n"); link.shutdown(socket.SHUT_WR)
print(link.recv(99999).split(b"\r\n\r\n")[1])
link = socket.create_connection(("127.0.0.1", 9999))
link.sendall(b"POST /call/show HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
print(link.recv(99999).split()[1]); link.sendall(b"{}"); print(link.recv(99999).split()[1])
""")
        self.assertEqual(out, "b'{\"raw\":\"<--a><1>()\"}'\nb'\"rested\"'\nb'100'\nb'200'\n")

    def test_nothing_disturbs_the_others(self):
        """Idle connections, abandoned calls, a tool over its time: /health answers at once, the next call works."""
        host = self.sandbox(tool_limit=1.5)
        out = self.script(host, r"""
import time, struct
idle = [socket.create_connection(("127.0.0.1", 9999)) for _ in range(300)]
for path in ("call/slow", "exec/slow", "call/daemon", "call/huge"):
    link = socket.create_connection(("127.0.0.1", 9999))
    link.sendall(b'POST /%s HTTP/1.1\r\nContent-Length: 11\r\n\r\n{"argv":[]}' % path.encode())
    if path == "call/daemon": link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()
begun = time.monotonic()
print(ask(b"GET /health HTTP/1.0\r\n\r\n")[0], time.monotonic() - begun < 1)
print(post("/call/slow", "")); print(post("/call/show", ""))
""")
        self.assertEqual(out, "200 True\n(504, b'{\"error\":\"tool timeout\"}')\n(200, b'{\"raw\":\"()\"}')\n")
        self.nobody_left(host)

    def test_parallel_and_queue(self):
        for parallel, low, high in ((1, 2, 8), (4, 0.5, 1.9)):
            host = self.sandbox(tool_parallel=parallel, tool_limit=1.6)
            out = self.script(host, r"""
import threading, time
begun = time.monotonic(); done = []
threads = [threading.Thread(target=lambda: done.append(post("/call/nap", "")[0])) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
print(done, time.monotonic() - begun)
""")
            self.assertTrue(out.startswith("[200, 200, 200, 200]"), out)
            self.assertTrue(low < float(out.split()[-1]) < high, out)      # waiting is not part of the tool's limit
            queued = sorted(m["queued"] for m in host.events if m["t"] == "tool_res")
            self.assertEqual(queued[-1] > 1, parallel == 1)

    def test_deep_arguments_are_told_as_text(self):
        host = self.sandbox()
        self.script(host, "post('/call/show', '{\"a\":' + '[' * 500 + ']' * 500 + '}')")
        self.assertHas(host.wait(lambda m: m["t"] == "tool_start"), args=None)

    def test_default_ports(self):
        host = Host(bundle())
        self.addCleanup(host.close)
        host.send(t="init", v=1, wall="bwrap")
        host.wait(lambda m: m["t"] == "ready")
        self.assertHas(host.run("tools/show x"), out=b"<x>()")

    def test_log(self):
        host = self.sandbox()
        self.script(host, "print(post('/log', '{\"tool\": \"search\", \"command\": \"ls 杭\", \"result_preview\": \"x\"}'))")
        wanted = {"tool": "terminal", "command": "ls 杭", "result_preview": "x"}
        self.assertEqual(host.wait(lambda m: m["t"] == "log")["d"], wanted)
        self.script(host, "post('/call/logger', '')")
        lines = host.get("/app/.tool_calls.jsonl")[0].decode().splitlines()
        self.assertEqual([json.loads(line) for line in lines], [wanted, {"tool": "logger"}])

    def test_ports(self):
        host = self.sandbox()
        probe = "import socket\nfor p in (9999, 9998): print(socket.socket().connect_ex(('127.0.0.1', p)))"
        for tools, models, wanted in ((True, True, b"0\n0\n"), (False, True, b"111\n0\n"), (False, False, b"111\n111\n"), (True, False, b"0\n111\n")):
            self.assertHas(host.answer(host.ask("ports", tools=tools, models=models), ["ok"]))
            self.assertHas(host.run(["python3", "-c", probe]), out=wanted)

    def test_host_calls(self):
        host = self.sandbox(tool_limit=2)
        for name, extra, wanted in (("show", {"args": {"a": 1, "b": "杭州"}}, {"status": 200, "code": 0, "out": "<--a><1><--b><杭州>()".encode()}),
                                    ("show", {"argv": ["--k=v", "-x"], "stdin": base64.b64encode(b"in\0").decode()}, {"out": b"<--k=v><-x>(in\0)"}),
                                    ("fail", {}, {"status": 500, "code": 7, "out": b"out\n", "err": b"went wrong\n", "error": "went wrong\n"}),
                                    ("crash", {}, {"status": 500, "code": None, "signal": 11}), ("none", {}, {"status": 404, "error": "tool not found: none"}),
                                    ("a/b", {}, {"status": 400}), ("show", {"args": {"-a": 1}}, {"status": 400}), ("show", {"args": []}, {"status": 200}),
                                    ("slow", {}, {"status": 504, "timed_out": True, "signal": 9}), ("nap", {"limit": 0.1}, {"status": 504}),
                                    ("huge", {}, {"status": 200, "truncated": True}), ("plain", {}, {"status": 500, "code": 126})):
            with self.subTest(name, **extra):
                self.assertHas(host.tool(name, **extra), **wanted)
        self.assertEqual([m for m in host.events if m["t"] == "tool_start"], [])
        self.assertNotIn(b"JUDGE", host.tool("env")["out"])
        self.nobody_left(host)

    def test_host_calls_can_be_cut_off(self):
        host = self.sandbox(tool_limit=30)
        running, waiting = host.ask("tool", name="slow"), host.ask("tool", name="show", argv=["never"])
        host.send(t="tool_cancel", id=waiting)
        self.assertHas(host.answer(waiting, ("tool_res",)), status=499, code=None)
        host.send(t="tool_cancel", id=running)
        self.assertHas(host.answer(running, ("tool_res",)), status=499, signal=9, error="the call was cut off")
        host.send(t="tool_cancel", id=running)
        self.assertHas(host.tool("show", argv=["after"]), status=200, out=b"<after>()")
        self.assertEqual([m for m in host.events if m["t"] == "fail"], [])
        self.nobody_left(host)


class Wrapper(Case):
    def test_what_a_shell_user_typed(self):
        host = self.sandbox()
        for arguments in ("--cityName=杭州 --maxPrice=500", "--help", "-h -- pos1 'two words' \"\"", "--flag --other 1.10 1e3 NaN '\"q\"' Infinity",
                          "$'\\xff\\xfe' '\U0001f600' $'line\\nbreak'", "a=b '*' '$HOME' '\\'"):
            with self.subTest(arguments):
                real = host.run("tools/show " + arguments + " </dev/null", "verifier")
                self.assertHas(host.run("tools/show " + arguments), code=0, out=real["out"], err=b"")

    def test_streams_and_codes(self):
        host = self.sandbox(tool_limit=3)
        for script, wanted in (("tools/fail", {"code": 7, "out": b"out\n", "err": b"went wrong\n"}), ("tools/crash; exit $?", {"code": 139}),
                               ("tools/bytes", {"out": b"a\xff\x80b", "err": b"e\xfe"}), ("tools/plain", {"code": 126}),
                               ("cd /tmp; ln -s /app/tools/fail other; ./other", {"code": 7}), ("tools/slow", {"code": 124, "err": b"slow: no result within 3 s\n"}),
                               ("printf 'a\\0\\377' | tools/show", {"out": b"(a\0\xff)"}), ("tools/show < docs/a.txt", {"out": b"(A)"}),
                               ("(sleep 1; echo late) | tools/show", {"out": b"(late\n)"}), ("tools/show <<< here", {"out": b"(here\n)"}),
                               ("tools/show < <(sleep 0.5; echo sub)", {"out": b"(sub\n)"}), ("tools/nap | tools/show", {"out": b'("rested"\n)'}),
                               ("tools/show <&-", {"code": 0, "out": b"()"}), ("tools/show </dev/zero", {"out": b"()"}),
                               ("head -c 3000000 /dev/zero | tools/show | wc -c", {"out": b"3000002\n"}),
                               ("tools/huge 2>/dev/null | wc -c", {"out": b"4194304\n"}), ("tools/huge 2>/dev/null | head -c 5", {"out": b"xxxxx"})):
            with self.subTest(script):
                self.assertHas(host.run(script), **wanted)

    def test_open_stdin_does_not_hang_it(self):
        host = self.sandbox()
        text = ("import subprocess, pty, os, time\nbegun = time.monotonic()\n"
                "p = subprocess.Popen(['/app/tools/show', 'pipe'], stdin=subprocess.PIPE); print(p.wait())\n"
                "m, s = pty.openpty(); print(subprocess.Popen(['/app/tools/show', 'tty'], stdin=s).wait())\n"
                "import socket; a, b = socket.socketpair(); print(subprocess.Popen(['/app/tools/show', 'socket'], stdin=b).wait())\n"
                "print(time.monotonic() - begun < 10)\n")
        self.assertHas(host.run(["python3", "-u", "-c", text]), out=b"<pipe>()0\n<tty>()0\n<socket>()0\nTrue\n")

    def test_abandoned_call_ends_its_tool(self):
        host = self.sandbox()
        self.assertHas(host.run("timeout 1 tools/slow; timeout 1 tools/daemon; tools/show after"), out=b"<after>()", code=0)
        self.assertEqual([m["status"] for m in host.events if m["t"] == "tool_res"], [499, 499, 200])
        self.nobody_left(host)

    def test_closed_ports_are_told(self):
        host = self.sandbox()
        host.ask("ports", tools=False)
        result = host.run("tools/show")
        self.assertEqual((result["code"], b"does not answer" in result["err"]), (125, True))


class ModelPort(Case):
    def start(self, host, text):
        return host.start(["python3", "-c", HTTP.replace("PORT", "9998") + text])

    def b64(self, data):
        return base64.b64encode(data).decode()

    def request(self, host, number):
        head = host.wait(lambda m: m["t"] == "http" and m["id"] == "m%d" % number)
        host.wait(lambda m: m["t"] == "http_body" and m["id"] == head["id"] and m["eof"])
        return head, base64.b64decode(head["d"]) + b"".join(base64.b64decode(m["d"]) for m in host.events
                                                            if m["t"] == "http_body" and m["id"] == head["id"])

    def test_request_and_answer(self):
        host = self.sandbox()
        id = self.start(host, "print(post('/v1/chat/completions?x=1', b'\\x00\\xff' * 500000))\nprint(ask(b'GET /v1/models HTTP/1.1\\r\\nA: b\\r\\n\\r\\n'))\n"
                              "print(ask(b'POST /c HTTP/1.0\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\nabc\\r\\n0\\r\\n\\r\\n'))")
        head, body = self.request(host, 1)
        self.assertHas(head, method="POST", path="/v1/chat/completions?x=1", size=1000000, headers=[["host", "x"], ["content-length", "1000000"]])
        self.assertEqual(body, b"\0\xff" * 500000)
        host.send(t="http_head", id="m1", status=200, headers=[["content-type", "text/event-stream"], ["connection", "keep-alive"]])
        host.send(t="http_data", id="m1", d=self.b64(b"data: 1\n\n"))
        host.wait(lambda m: m["t"] == "ack" and m["id"] == "m1" and m["n"] == 9)
        host.send(t="http_data", id="m1", d=self.b64(b"data: 2\n\n"))
        host.send(t="http_end", id="m1")
        head, body = self.request(host, 2)
        self.assertEqual((head["method"], head["size"], body), ("GET", 0, b""))
        host.send(t="http_head", id="m2", status=503, headers=[["content-length", "2"]])
        host.send(t="http_data", id="m2", d=self.b64(b"no"))
        host.send(t="http_end", id="m2")
        head, body = self.request(host, 3)
        self.assertEqual((head["size"], body), (-1, b"abc"))
        host.send(t="http_head", id="m3", status=200, headers=[])
        host.send(t="http_end", id="m3")
        result = host.end_of(id)
        self.assertEqual(result["out"].decode().splitlines(),
                         [r"(200, b'9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n')", "(503, b'no')", "(200, b'')"])
        self.assertFalse([m for m in host.events if m["t"] == "http_cancel"])

    def test_token(self):
        host = self.sandbox()
        host.ask("ports", tools=False, models=True, token="judge-token")
        id = self.start(host, r"""
for value in (b"A: b", b"Authorization: Bearer wrong", b"Authorization: Bearer judge-token", b"x-api-key: judge-token"):
    print(ask(b"GET / HTTP/1.1\r\n%s\r\n\r\n" % value)[0])
""")
        for number in (1, 2):
            self.request(host, number)
            host.send(t="http_head", id="m%d" % number, status=204, headers=[["content-length", "0"]])
            host.send(t="http_end", id="m%d" % number)
        self.assertHas(host.end_of(id), out=b"401\n401\n204\n204\n")

    def test_window_and_hang_up(self):
        host = self.sandbox()
        id = self.start(host, "link = socket.create_connection(('127.0.0.1', 9998)); link.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n')\n"
                              "import time; time.sleep(1); print(len(link.recv(10))); link.close(); time.sleep(0.3)")
        self.request(host, 1)
        host.send(t="http_head", id="m1", status=200, headers=[])
        sent, begun = 0, time.monotonic()
        acked = lambda: sum(m["n"] for m in host.events if m["t"] == "ack")     # noqa: E731
        while time.monotonic() < begun + 0.6:
            if sent - acked() < 256 << 10:
                host.send(t="http_data", id="m1", d=self.b64(b"x" * 32768))
                sent += 32768
            else:
                host.pump(0.05)
        self.assertLess(sent, 8 << 20)      # kernel buffers and one window
        self.assertEqual(host.answer("m1", ["http_cancel"])["id"], "m1")
        host.send(t="http_data", id="m1", d=self.b64(b"late"))
        host.send(t="http_end", id="m1")
        self.assertHas(host.end_of(id), code=0, out=b"10\n")

    def test_abort_and_missing_window(self):
        host = self.sandbox()
        id = self.start(host, "print(ask(b'GET / HTTP/1.1\\r\\n\\r\\n')[1])\nlink = socket.create_connection(('127.0.0.1', 9998))\n"
                              "link.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); import time; time.sleep(0.7)")
        self.request(host, 1)
        host.send(t="http_head", id="m1", status=200, headers=[])
        host.send(t="http_data", id="m1", d=self.b64(b"half"))
        host.send(t="http_end", id="m1", abort=True)
        self.request(host, 2)
        host.send(t="http_head", id="m2", status=200, headers=[])
        for _ in range(600):
            host.send(t="http_data", id="m2", d=self.b64(b"x" * 32768))
        host.answer("m2", ["http_cancel"])
        self.assertHas(host.end_of(id), code=0, out=rb"b'4\r\nhalf\r\n'" + b"\n")

    def test_large_upload_waits_for_the_host(self):
        host = self.sandbox()
        id = self.start(host, "print(post('/', b'x' * 40000000)[0])")
        time.sleep(0.7)
        ping = host.ask("ping")
        self.assertLess(host.answer(ping, ["pong"])["rss"], 60 << 20)
        _, body = self.request(host, 1)
        self.assertEqual(len(body), 40000000)
        host.send(t="http_head", id="m1", status=200, headers=[["content-length", "0"]])
        host.send(t="http_end", id="m1")
        self.assertHas(host.end_of(id), out=b"200\n")


if __name__ == "__main__":
    unittest.main()
