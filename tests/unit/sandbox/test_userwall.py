#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bridge as a container runs it, without an engine: root with few capabilities, the agent another user. Needs root."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from host import SOURCE, Host    # noqa: E402
from test_bridge import HTTP, TOOLS, X, Case, bundle    # noqa: E402

CONTAINER = pathlib.Path(__file__).resolve().parent / "container.py"
UID = 20007
PYTHON = "#!/usr/bin/python3\nimport os, sys\nhere = os.path.dirname(%s)\n"
# How tools of published tasks find what belongs to them.
LOOKING = {
    "beside": PYTHON % "os.path.abspath(__file__)" + "print(open(here + '/inner.db').read(), end='')\n",
    "above": PYTHON % "os.path.realpath(__file__)" + "print(open(here + '/../shop.db').read())\n",
    "shell": "#!/bin/sh\ncat \"$(dirname \"$0\")/../data.txt\"\n",
    "helper": "#!/usr/bin/python3\nimport common\nprint(common.SECRET)\n",
    "fixed": "#!/usr/bin/python3\nimport sys\nsys.path.insert(0, 'FOLDER')\nimport common\n"
             "print(common.SECRET, open('FOLDER/inner.db').read(), end='')\n",
    "calls": "#!/bin/sh\n'FOLDER/show' \"$@\" < /dev/null\n",
    "named": "#!/bin/sh\nbasename \"$0\"\n",
    "writes": "#!/bin/sh\necho more >> FOLDER/inner.db\ncat FOLDER/inner.db\n",
}
IMAGE = r"""
cd FOLDER; ln -s named link; ln -s FOLDER/named absolute; ln -s ../tools/named around; ln -s /opt/deep/program outside
ln -s ../lib/program below; ln -s /bin/cat system; ln -s ../lib/far.py far.py; ln -s ../instruction.md read.md; mkdir ../lib /opt/deep
for folder in ../lib /opt/deep; do printf '#!/bin/sh\necho program; cat "$(dirname "$(realpath "$0")")/beside.txt"\n' > $folder/program
chmod 755 $folder/program; echo far > $folder/beside.txt; done; chmod 777 /opt/deep; echo 'SECRET = 1' > ../lib/far.py; echo I > ../instruction.md
"""


@unittest.skipUnless(os.getuid() == 0, "needs root: a container's bridge is root and its agent another user")
class ContainerCase(Case):
    def container(self, files=None, image="", form="main", cwd="/app", source=SOURCE, **init):
        """`files` are in the image, `image` is a script that has changed it. Not by put: that is not what an image is."""
        host = Host(argv=["unshare", "--pid", "--mount", "--net", "--ipc", "--uts", "--fork", "--kill-child", sys.executable,
                          str(CONTAINER), form, json.dumps({"files": bundle() if files is None else files, "script": image}), cwd], source=source)
        self.addCleanup(lambda: host.process.poll() is None and self.assertEqual(host.close(), 0))
        self.addCleanup(lambda: [pipe.close() for pipe in (host.process.stdin, host.process.stdout, host.process.stderr)
                                 if host.process.poll() is not None and self.quiet(pipe.flush)])
        host.ready = host.init(**dict({"wall": "uid", "uid": UID}, **init))
        return host

    def outs(self, host, script, who="agent", **wanted):
        result = host.run(script, who)
        self.assertHas(result, **dict({"code": 0}, **wanted))
        return result["out"].decode()

    def denied(self, host, *scripts):
        for script in scripts:
            with self.subTest(script):
                result = host.run(script)
                self.assertTrue(result["t"] == "exit" and result.get("code") not in (0, None), result)


class Image(ContainerCase):
    def test_both_layouts(self):
        for folder, layout in (("/app/tools", "app"), ("/app/environment/tools", "environment")):
            with self.subTest(layout):
                host = self.container(bundle(folder))
                self.assertHas(host.hello, v=1, pid=1, uid=0, cwd="/app")
                self.assertHas(host.ready, t="ready", layout=layout, form="main", tool_defs=True,
                               prompts=["system.md", "instruction.md"], tools=sorted(list(TOOLS) + ["plain"]))
                self.assertEqual(self.outs(host, "echo -n in | %s/show a 'b c'" % folder), "<a><b c>(in)")
                self.assertEqual(self.outs(host, "cd %s && ./show x; ./fail; echo $?" % folder, err=b"went wrong\n"), "<x>()out\n7\n")
                self.assertEqual(host.tool("show", argv=["h"])["out"], b"<h>()")
                self.assertEqual(self.outs(host, "%s/show v </dev/null; cat %s/common.py" % (folder, folder), "verifier"),
                                 "<v>()SECRET = 'real tool part'")
                for name, code in (("plain", 126), ("noshebang", 126), ("nothing", 127)):
                    self.assertHas(host.run([folder + "/" + name] if code == 0 else folder + "/" + name), code=code)
                self.denied(host, "cat %s/common.py" % folder, "ls %s/sub/" % folder, "cat %s/plain" % folder,
                            "ls %s" % os.path.join(os.path.dirname(folder), ".tools_real"), "touch %s/new" % folder,
                            "cat %s/../.tools_real/show" % folder, "rm %s/show" % folder, "mv %s /tmp/" % folder)
                self.assertEqual(host.close(), 0)

    def test_tools_that_look_around(self):
        for folder in ("/app/tools", "/app/environment/tools"):
            files = {"%s/%s" % (folder, name): (text.replace("FOLDER", folder), X) for name, text in dict(TOOLS, **LOOKING).items()}
            files.update({folder + "/inner.db": ("INNER\n", 0o666), folder + "/common.py": ("SECRET = 'part'", 0o644),
                          os.path.dirname(folder) + "/shop.db": ("SHOP", 0o644), os.path.dirname(folder) + "/data.txt": ("data", 0o644)})
            host = self.container(files, IMAGE.replace("FOLDER", folder))
            for name, wanted in (("beside", "INNER\n"), ("above", "SHOP\n"), ("shell", "data"), ("helper", "part\n"),
                                 ("fixed", "part INNER\n"), ("calls x", "<x>()"), ("named", "named\n"), ("link", "link\n"),
                                 ("absolute", "absolute\n"), ("around", "around\n"), ("outside", "program\nfar\n"),
                                 ("below", "program\nfar\n"), ("system ../etc/hostname", None), ("writes", "INNER\nmore\n")):
                with self.subTest(folder=folder, tool=name):
                    result = host.run("%s/%s" % (folder, name))
                    if wanted is not None:
                        self.assertHas(result, code=0, out=wanted.encode())
                    self.assertHas(host.tool(name.split()[0], argv=name.split()[1:]), t="tool_res")
            # nothing was written through a link, and what the links led to is out of reach
            self.assertEqual(self.outs(host, "head -n 1 /opt/deep/program; stat -Lc %a /opt/deep/program /opt/deep /bin/cat;"
                                       "head -n 1 FOLDER/inner.db".replace("FOLDER", folder), "verifier").split("\n")[:5],
                             ["#!/bin/sh", "700", "775", "755", "INNER"])
            self.outs(host, "cat %s/../instruction.md" % folder, out=b"I\n")
            self.denied(host, "cat %s/inner.db" % folder, "echo x > %s/inner.db" % folder, "/opt/deep/program", "cat /opt/deep/program",
                        "cat %s/../lib/program" % folder, "cat %s/../lib/far.py" % folder, "mv /opt/deep/program /opt/deep/x", "touch /opt/deep/new")
            self.assertEqual(host.close(), 0)

    def test_folders_of_tools_that_are_links(self):
        for image in ("mv tools /opt/tools; ln -s /opt/tools tools", "mkdir environment; mv tools environment; ln -s environment/tools tools",
                      "mkdir environment; ln -s ../tools environment/tools", "mkdir environment; ln -s /app/tools environment/tools"):
            with self.subTest(image):
                host = self.container(image=image)
                self.assertEqual(self.outs(host, "tools/show a"), "<a>()")
                self.assertEqual(self.outs(host, "tools/show a </dev/null", "verifier"), "<a>()")
                if "environment" in image:
                    self.assertEqual(self.outs(host, "environment/tools/show a"), "<a>()")
                self.denied(host, "cat tools/common.py", "cat /opt/tools/common.py", "cat /opt/tools/show", "cat environment/tools/common.py",
                            "grep -r 'real tool part' /app /opt")
                self.assertEqual(host.close(), 0)

    def test_an_older_folder_beside_shows_the_same(self):
        host = self.container(bundle("/app/environment/tools", **{"/app/tools/show": ("#!/bin/sh\necho OLD\n", X),
                                                                  "/app/tools/old.txt": ("OLD", 0o644)}))
        self.assertHas(host.ready, layout="environment")
        self.assertEqual(self.outs(host, "tools/show 1; environment/tools/show 2"), "<1>()<2>()")
        self.denied(host, "cat tools/old.txt", "grep -r OLD /app")

    def test_hidden(self):
        files = bundle(**{"/app/docs/x.secret": ("HIDDEN", 0o644), "/app/a/b/private/c": ("HIDDEN", 0o666),
                          "/app/a/b/public": ("P", 0o644), "/app/real/gold": ("HIDDEN", 0o644), "/app/run.sh": ("HIDDEN", X),
                          "/opt/free/open": ("HIDDEN", 0o644), "/opt/gold.db": ("HIDDEN", 0o644), "/gold/x": ("HIDDEN", 0o644), "/app/logs/x.db": ("HIDDEN", 0o644),
                          "/app/artifacts/a/b.db": ("HIDDEN", 0o666)})
        host = self.container(files, "ln -s real/gold pointer; ln -s /opt/free away; ln -s . self; ln -s /app/nowhere dangling; ln -s /opt/gold.db there.db; ln -s /gold folder.db;"
                              "ln -s /bin/cat system.db; ln -s /opt opt.db; ln -s /usr/lib lib.db; chmod 777 artifacts/a; chmod 777 a/b/private",
                              hide=["/app/gold.json", "docs/*.secret", "**/private/**", "**/private", "pointer", "away", "self",
                                    "dangling", "run.sh"])
        self.assertHas(host.ready, t="ready")
        lines = self.outs(host, "cd /app; stat -c '%a %U %n' tests shop.db data/deep/hotels.db data/hotels.db-wal gold.json docs/x.secret"
                          " a/b/private real/gold run.sh /opt/free /opt/free/open . docs", "verifier").split("\n")
        self.assertEqual(lines[:-1], ["700 root tests", "600 root shop.db", "600 root data/deep/hotels.db", "600 root data/hotels.db-wal",
                                      "600 root gold.json", "600 root docs/x.secret", "700 root a/b/private", "600 root real/gold",
                                      "700 root run.sh", "700 root /opt/free", "644 root /opt/free/open", "755 root .", "755 root docs"])
        result = host.run("grep -rsE 'DATABASE|GOLD|HIDDEN|SECRET' /app /tmp /home /run /logs /root; grep -rs HIDDEN /opt /gold; cat docs/a.txt a/b/public;"
                          "stat -Lc %a system.db opt.db lib.db; touch artifacts/a/new && echo new")
        self.assertEqual(result["out"].split(), [b"AP755", b"755", b"755", b"new"])

    def test_what_an_image_left_open_is_closed(self):
        files = bundle("/app/environment/tools", **{"/app/lib/part.py": ("P", 0o666)})
        host = self.container(files, "chmod 777 /app environment environment/tools lib tests docs; chmod 666 shop.db instruction.md;"
                              "chmod 600 system.md; chown -R %d docs; chmod 700 environment; mv tool_defs.json environment; mkdir -m 777 /logs/verifier" % UID)
        self.denied(host, "touch new", "mv environment x", "mv environment/tools environment/x", "mv environment/.tools_real environment/x",
                    "touch environment/new", "echo x > lib/part.py", "touch lib/new", "echo x > instruction.md", "touch docs/new",
                    "chmod 777 docs", "rm docs/a.txt", "cat shop.db", "touch /logs/x", "touch /logs/verifier/reward.txt")
        self.assertEqual(self.outs(host, "cat system.md environment/tool_defs.json lib/part.py; environment/tools/show 1"), "S[]P<1>()")

    def test_traps_in_an_image(self):
        image = ("ln -s /opt/victim answer.json; ln -s /opt/dir artifacts; ln -s /opt/victim .tool_calls.jsonl; echo v > /opt/victim; mkdir /opt/dir;"
                 "echo old > answer.md; echo 0.9 > reward.txt; mkdir /logs/verifier; echo 0.8 > /logs/verifier/reward.txt;"
                 "sed -i '$ a agent:x:1000:1000::/home/other:/bin/false\\nother:x:20007:20007::/opt:/bin/false' /etc/passwd; printf 'agent:x:1000:' >> /etc/group;"
                 "mkdir -m 700 /home/agent; echo rc > /home/agent/.rc; chmod 600 /home/agent/.rc; chown -R 1000 /home/agent")
        host = self.container(image=image)
        self.assertEqual(host.ready["reward_files"], ["/app/reward.txt", "/logs/verifier/reward.txt"])
        text = self.outs(host, "id; getent passwd agent; getent group agent; cat ~/.rc answer.md; echo 1 > answer.json; echo 2 > artifacts/x; echo ~; stat -c %U ~")
        self.assertEqual(text, "uid=20007(agent) gid=20007(agent) groups=20007(agent)\nagent:x:20007:20007:agent:/home/agent:/bin/bash\n"
                         "agent:x:20007:\nrc\nold\n/home/agent\nagent\n")
        self.assertEqual(self.outs(host, "cat /opt/victim; ls /opt/dir; stat -c %U /opt/victim .tool_calls.jsonl; grep -c root: /etc/passwd",
                                   "verifier"), "v\nroot\nroot\n1\n")
        self.assertEqual(host.get("/app/answer.json")[0], b"1\n")
        host = self.container(image="mkdir answer.json")
        self.assertHas(host.ready, t="fail", code="refused")
        self.assertIn("answer.json", host.ready["why"])

    def test_init_refused(self):
        for why, init in (("uid", {"uid": 0}), ("uid", {"uid": None}), ("uid", {"uid": "7"}), ("uid", {"uid": True}), ("uid", {"uid": -1}),
                          ("process 1|bwrap", {"wall": "bwrap"}), ("hide", {"hide": [1]})):
            with self.subTest(init=init):
                host = self.container(**init)
                if init.get("wall") != "bwrap":
                    self.assertHas(host.ready, t="fail", id=None)
                    self.assertRegex(host.ready["why"], why)
                host.close()
        host = self.container({})
        self.assertHas(host.ready, t="fail", code="not_found")

    def test_an_incomplete_python_is_named(self):
        for module in ("json", "_socket"):
            code = "import sys; sys.modules[%r] = None; exec(sys.stdin.read())" % module
            result = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((result.returncode, result.stdout), (66, b""))
            self.assertIn(b"python3 in this image has no module %s;" % module.encode(), result.stderr)


class Agents(ContainerCase):
    def test_who_it_is(self):
        host = self.container(cwd="/opt")
        self.assertHas(host.hello, cwd="/opt")
        id = host.ask("run", who="agent", argv=["bash", "-c", "id -u; id -g; id -G; pwd; nice; ulimit -u -c; ls -l /proc/self/fd | wc -l;"
                                                "grep -E 'Cap(Prm|Eff|Inh|Amb)|NoNew' /proc/self/status; cat /proc/self/oom_score_adj; env | sort"],
                      env={"KEY": "v"})
        text = host.end_of(id)["out"].decode()
        for wanted in ("20007\n20007\n20007\n/opt\n10\n", "NoNewPrivs:\t1\n500\n", "HOME=/home/agent\n", "KEY=v\n", "USER=agent\n", "IMAGE_VARIABLE=1\n"):
            self.assertIn(wanted, text)
        self.assertEqual(text.count("\t" + "0" * 16 + "\n"), 4)
        self.assertRegex(text, r"\(-u\) 512\n")
        self.assertRegex(text, r"\(-c\) 0|blocks, -c\) 0")
        self.assertNotIn("PROCTOR_PROCESS", text)
        self.assertIn("PATH=/usr/local/bin:/usr/bin:/bin:/home/agent/bin\n", text)
        text = self.outs(host, "pwd; id -u; env", "verifier")
        for wanted in ("/app\n0\n", "HOME=/root\n", "PATH=/usr/local/bin:/usr/bin:/bin\n", "TMPDIR=/run/proctor/tmp\n"):
            self.assertIn(wanted, text)
        fds = self.outs(host, "for f in /proc/self/fd/*; do readlink $f; done; true").split("\n")
        self.assertTrue(all(name.startswith(("/dev/null", "pipe:", "/proc/")) or not name for name in fds), fds)
        missing = host.run(["no-such-program"])
        self.assertHas(missing, t="fail", code="not_found")
        self.assertIn("No such file or directory: 'no-such-program'", missing["why"])
        refused = host.run(["true"], cwd="/app/tests")
        self.assertHas(refused, t="fail", code="refused")
        self.assertIn("'/app/tests'", refused["why"])
        self.assertHas(host.run("exit 7"), code=7)
        self.assertHas(host.run("kill -SEGV $$"), signal=11)

    def test_what_it_must_not(self):
        host = self.container(bundle(**{"/app/tools/spy": ("#!/bin/sh\ntouch /tmp/of_root; exec sleep 30\n", X)}), tool_parallel=2)
        self.denied(host, "cat tests/test.sh", "ls tests", "cat shop.db", "touch /app/new", "echo x >> .tool_calls.jsonl", "rm .tool_calls.jsonl",
                    "rm answer.json", "mv answer.json artifacts/", "touch docs/new", "ls /root", "ls /run/proctor/tmp", "touch /etc/new",
                    "echo x >> /etc/passwd", "ls /logs/verifier && touch /logs/verifier/x", "kill -9 1", "kill -0 1", "chroot / true", "su -c true",
                    "mknod /tmp/x c 1 3", "chown 0 answer.json", "nice -n -5 true 2>&1 | grep -q . && exit 1", "ln shop.db artifacts/x && cat artifacts/x",
                    "mount -t tmpfs x /app", "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'")
        for script in ("echo {} > answer.json", "echo x > answer.md", "mkdir -p artifacts/a && echo > artifacts/a/b", "echo > logs/x",
                       "cat .tool_calls.jsonl", "echo > /dev/shm/x", "echo > ~/x", "echo > /tmp/x", "cat docs/a.txt data/deep/notes.txt"):
            with self.subTest(script):
                self.assertHas(host.run(script), code=0)
        # root's processes: the bridge and a tool
        probe = r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
roots = [int(n) for n in os.listdir("/proc") if n.isdigit() and os.stat("/proc/" + n).st_uid == 0]
print(len(roots) > 1)
for pid in roots:
    for name in ("environ", "mem", "maps", "fd", "fd/3", "cwd", "root", "exe", "io", "stack", "fdinfo", "map_files", "syscall", "auxv"):
        path = "/proc/%d/%s" % (pid, name)
        for what in (os.readlink, os.listdir, lambda p: open(p, "rb").read(1) or 1 / 0, lambda p: open(p, "r+b").write(b"x")):
            try:
                what(path)
            except (OSError, ZeroDivisionError):
                continue
            print("REACHED", path, what)
    for signal in (0, 9, 15, 19):
        try:
            os.kill(pid, signal)
            print("SIGNALLED", pid)
        except PermissionError:
            pass
    for request in (16, 0x4206):
        if libc.ptrace(request, pid, 0, 0) != -1: print("TRACED", pid)
    fd = os.pidfd_open(pid)
    if libc.syscall(438, fd, 0, 0) != -1: print("TAKEN", pid)
    if libc.prlimit(pid, 7, b"\0" * 16, None) != -1: print("LIMITED", pid)
    if libc.setpriority(0, pid, 19) != -1: print("RENICED", pid)
try: os.unlink("/tmp/of_root"); print("REMOVED")
except PermissionError: pass
print("end")
"""
        self.assertEqual(self.outs(host, "tools/spy & while [ ! -e /tmp/of_root ]; do sleep 0.01; done\npython3 - <<'E'\n%s\nE" % probe), "True\nend\n")

    def test_nothing_of_its_making_runs_as_root(self):
        host = self.container(bundle(**{"/app/tools/python": ("#!/usr/bin/env python3\nimport os\nprint(os.getuid())\n", X)}))
        plant = r"""
for home in /tmp ~ /app/artifacts; do for version in $(seq 6 20); do
    mkdir -p $home/.local/lib/python3.$version/site-packages
    echo 'open("/tmp/caught", "a").write(str(__import__("os").getuid()) + "\n")' > $home/.local/lib/python3.$version/site-packages/usercustomize.py
done; done
mkdir -p ~/bin; printf '#!/bin/sh\nid -u >> /tmp/caught\n' > ~/bin/cat; cp ~/bin/cat ~/bin/python3; chmod +x ~/bin/*
tools/python
"""
        self.assertEqual(self.outs(host, plant), "0\n")
        self.outs(host, "python3 -c 'print(1)'; PATH=$PATH; cat /dev/null", "verifier")
        self.assertNotIn("0\n", host.run("cat /tmp/caught", "setup")["out"].decode())

    def test_a_verifier_meets_no_traps(self):
        files = bundle(**{"/app/data/brought": ("B", 0o644)})
        for form in ("main", "exec"):
            host = self.container(files, "mkdir artifacts; ln -s ../data/brought artifacts/brought; ln -s ../data/brought artifacts/changed", form=form)
            self.outs(host, r"""
cd artifacts; ln -s /app/tests/test.sh gold; ln -s /app/tests d; mkdir in; ln -s ../../tests/test.sh in/relative; ln -s gold chain; mkfifo pipe in/pipe
ln -s in inner; ln -s ../answer.md report; echo own > in/own; ln -s in/own link; ln -s nowhere later; ln -sf ../tests changed
ln -s ../shop.db ../logs/db; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
mkdir -p /tmp/work; for f in /tmp /tmp/work /var/tmp /dev/shm; do [ ! -d $f ] || echo 'print("caught")' > $f/json.py; done; ln -s /app/artifacts/in/own /tmp/result
""")
            self.outs(host, "touch /tmp/of_root; mkdir -m 777 /tmp/open", "setup")
            self.outs(host, "echo 'print(\"caught\")' > /tmp/open/json.py")
            text = self.outs(host, "cd artifacts; find . ../logs -mindepth 1 | sort | tr '\n' ' '; cat link inner/own brought; cd /tmp; echo x > result;"
                             "find /tmp -mindepth 1 | sort; python3 -c 'import json'; cd /tmp/open; python3 -c 'import json'; cd /dev/shm; python3 -c 'import json';"
                             "cat /app/artifacts/in/own", "verifier")
            self.assertEqual(text, "./brought ./in ./in/own ./inner ./link ./report own\nown\nB/tmp/of_root\n/tmp/open\n/tmp/result\nown\n")
            self.ends(host, form)

    def test_very_many_files_do_not_look_like_a_lost_sandbox(self):
        host = self.container(source=SOURCE.replace(b"now - self.shown > 2", b"now - self.shown > 0.05"))
        self.outs(host, "python3 -c \"\nimport os\nfor place in ('/tmp/', '/app/artifacts/'):\n    for i in range(10000): os.mknod(place + str(i))\"")
        first = len(host.events)
        self.assertEqual(self.outs(host, "ls /tmp; ls /app/artifacts | wc -l", "verifier"), "10000\n")
        self.assertIn(None, [m["id"] for m in host.events[first:] if m["t"] == "pong"])

    def test_a_full_disk_does_not_stop_the_verifier(self):
        """The root of these tests is a tmpfs of half the memory, so the reserve alone is looked at."""
        host = self.container()
        self.assertEqual(self.outs(host, "stat -c '%s %b' /run/proctor/reserve/0; ls /run/proctor/reserve | wc -l", "setup"), "8388608 16384\n16\n")
        self.denied(host, "ls /run/proctor/reserve", "ls /run/proctor/of_agent")
        self.assertEqual(self.outs(host, "ls /run/proctor/reserve", "verifier"), "")

    def test_variables_lead_root_nowhere_else(self):
        for name, given, wanted in (("PYTHONPYCACHEPREFIX", "/tmp/cache", None), ("BASH_ENV", "/home/agent/.bashrc", None), ("ENV", "rc", None),
                                    ("PYTHONPATH", "/app/artifacts:/app/lib:.", "/app/lib"), ("LD_PRELOAD", "/app/logs/../logs/x.so", None),
                                    ("PYTHONUSERBASE", "/opt/base", "/opt/base")):
            host = self.container(source=b"# SPDX\nimport os; os.environ[%a] = %a\n" % (name, given) + SOURCE)
            value = self.outs(host, "echo ${%s-unset}" % name, "verifier").strip()
            self.assertEqual(value, wanted or "unset", name)
            self.assertEqual(host.close(), 0)

    def test_programs_of_root_s_that_an_image_left_open(self):
        image = ("mkdir -p /opt/venv/bin /opt/venv/lib/deep; printf '#!/bin/sh\\necho mine\\n' > /opt/venv/bin/program; mkdir -p /run/proctor;"
                 "chmod -R 777 /opt/venv /run /etc; chmod 777 / /opt; ln -s /opt/venv/bin /opt/link")
        path = "/opt/link:/opt/venv/lib:/usr/local/bin:/usr/bin:/bin:/none"
        host = self.container(image=image, source=b"# SPDX\nimport os; os.environ['PATH'] = %a\n" % path + SOURCE)
        self.denied(host, "touch /opt/venv/bin/new", "echo > /opt/venv/bin/program", "mv /opt/venv /opt/v", "touch /opt/venv/lib/deep/new",
                    "mv /app /a", "mv /run/proctor /run/p", "echo > /etc/passwd", "touch /etc/new", "touch /new")
        self.assertEqual(self.outs(host, "program", "verifier"), "mine\n")
        self.assertEqual(self.outs(host, "program; stat -c %a /tmp"), "mine\n1777\n")

    def test_a_workdir_that_is_root_s(self):
        host = self.container(cwd="/root")
        self.assertHas(host.hello, cwd="/root")
        id = host.ask("run", who="agent", argv=["pwd"], cwd="/root")
        self.assertHas(host.end_of(id), code=0, out=b"/app\n")

    def test_room_for_tools(self):
        source = SOURCE.replace(b"return 1 << 22", b"return 200")
        host = self.container(source=source)
        for wanted, limit in (({"NPROC": 512}, "136\n"), ({"NPROC": 100}, "100\n"), ({}, "136\n")):
            self.assertHas(host.run("ulimit -u", rlimits=wanted), out=limit.encode())

    def test_leftovers_are_counted_and_ended(self):
        daemons = ("import os, signal, time\nfor i in range(10):\n    if os.fork() == 0:\n        os.setsid()\n"
                   "        for s in range(1, 32):\n            try: signal.signal(s, signal.SIG_IGN)\n            except OSError: pass\n"
                   "        if os.fork() == 0:\n            if i % 2: os.closerange(0, 3)\n            os.environ.clear()\n"
                   "            time.sleep(60)\n        os._exit(0)\ntime.sleep(0.3)\n")
        for form in ("main", "exec"):
            host = self.container(form=form)
            for who in ("agent", "verifier", "setup", "agent"):
                with self.subTest(form=form, who=who):
                    result = host.run(["python3", "-c", daemons], who)
                    self.assertHas(result, code=0, leftovers=10, timed_out=False)
                    self.assertLess(result["wall"], 2)
                    self.only_ours(host, form)
            self.ends(host, form)

    def only_ours(self, host, form):
        """The bridge; in the exec form also process 1, two services and what is ready to end the agent."""
        wanted = (1,) if form == "main" else (4, 5)
        self.assertIn(host.answer(host.ask("ping"), ["pong"])["procs"], wanted)

    def ends(self, host, form, code=0, end=None):
        """Ends it and sees to it that the services live on and nobody else."""
        if end is None:
            host.ask("bye")
        else:
            end()
        self.assertEqual(host.process.wait(10), code)
        if form == "exec":
            self.assertIn(b"alive: ['sleep 271828', 'sleep 271829']", host.process.stderr.read())

    def test_limit_extend_kill(self):
        script = "trap '' TERM; echo begun; (setsid sleep 50 &); setsid sleep 51 & sleep 52"
        for form in ("main", "exec"):
            host = self.container(form=form)
            for who in ("agent", "verifier"):
                with self.subTest(form=form, who=who):
                    result = host.run(script, who, limit=0.4)
                    self.assertHas(result, signal=9, timed_out=True, oom=False, out=b"begun\n")
                    self.assertTrue(0.4 <= result["wall"] < 1, result)
                    id = host.start(script, who, limit=0.4)
                    host.send(t="extend", id=id, seconds=0.4)
                    self.assertTrue(0.8 <= host.end_of(id)["wall"] < 1.8)
                    id = host.start(script, who)
                    host.send(t="kill", id=id)
                    self.assertHas(host.end_of(id), signal=9, timed_out=False)
                    self.only_ours(host, form)
            self.ends(host, form)

    def test_kill_at_once_and_closed_stdio(self):
        for form in ("main", "exec"):
            host = self.container(form=form)
            for _ in range(5):
                id = host.ask("run", who="agent", argv=["sleep", "60"], limit=20)
                host.send(t="kill", id=id)
                self.assertHas(host.end_of(id), signal=9)
            self.assertHas(host.run("exec >&- 2>&- <&-; (sleep 60 &); exit 3"), code=3, leftovers=1)
            self.assertHas(host.run("exec >&- 2>&- <&-; sleep 60", limit=0.3), signal=9, timed_out=True)
            self.only_ours(host, form)
            self.ends(host, form)

    def test_kill_everything(self):
        for form in ("main", "exec"):
            host = self.container(form=form)
            loop = "import os, signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True:\n    try: os.fork() or os.setsid()\n    except OSError: pass\n    os.kill(-1, 15)\n"
            self.assertHas(host.run(["python3", "-c", loop], limit=0.5, rlimits={"NPROC": 60}), signal=9, timed_out=True)
            self.assertEqual(host.run("python3 -c 'import os; os.kill(-1, 9)'; kill -9 1; echo alive")["t"], "exit")
            self.only_ours(host, form)
            self.assertEqual(self.outs(host, "tools/show 1"), "<1>()")
            self.ends(host, form)

    def test_fork_bomb(self):
        bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n"
        for form in ("main", "exec"):
            host = self.container(form=form)
            result = host.run(["python3", "-c", bomb], limit=0.7, rlimits={"NPROC": 120})
            self.assertHas(result, signal=9, timed_out=True)
            self.assertLess(result["wall"], 10)
            self.only_ours(host, form)
            self.assertHas(host.run(["true"], "verifier"), code=0)
            self.ends(host, form)

    def test_no_late_rewrite(self):
        late = ("import os, time\nfor i in range(4):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork(): os._exit(0)\n"
                "        while True: open('/app/answer.json', 'w').write('late')\n"
                "time.sleep(0.2); open('/app/answer.json', 'w').write('{}')\n")
        for form in ("main", "exec"):
            host = self.container(form=form)
            host.run(["python3", "-c", late])
            before = host.get("/app/answer.json")[0]
            self.outs(host, "cp /app/answer.json /tmp/a; sleep 0.3; cmp /app/answer.json /tmp/a", "verifier")
            self.assertEqual(host.get("/app/answer.json")[0], before)
            self.ends(host, form)

    def test_calls_in_flight_end_with_the_agent(self):
        for form in ("main", "exec"):
            host = self.container(form=form)
            call = "import urllib.request as u; u.urlopen('http://127.0.0.1:9999/call/slow', b'')"
            result = host.run("python3 -c \"%s\" & sleep 0.4; tools/slow & tools/daemon & sleep 0.3" % call)
            self.assertHas(result, code=0)
            exit = host.events.index(host.answer(result["id"], ["exit"]))
            started = {m["id"] for m in host.events if m["t"] == "tool_start"}
            ended = {m["id"]: m["status"] for m in host.events[:exit] if m["t"] == "tool_res"}
            self.assertEqual((started, set(ended.values())), (set(ended), {499}))
            self.only_ours(host, form)
            # a tool that left a daemon, and an agent that ends after it
            self.assertHas(host.run("tools/holder"), code=0, leftovers=0)
            self.only_ours(host, form)
            self.ends(host, form)

    def test_daemons_of_tools_end_before_the_verifier(self):
        writer = ("#!/usr/bin/python3\nimport os, time\nif os.path.exists('/app/of_tool'): os.unlink('/app/of_tool')\nif os.fork() == 0:\n    os.setsid()\n    os.closerange(0, 3)\n    os.environ.clear()\n"
                  "    if os.fork() == 0: os.execve('/bin/sh', ['sh', '-c', 'while :; do date +%N > /app/of_tool; sleep 0.01; done'], {'PATH': '/bin'})\n"
                  "    os._exit(0)\nwhile not os.path.exists('/app/of_tool'): time.sleep(0.01)\n")
        for form in ("main", "exec"):
            host = self.container(bundle(**{"/app/tools/writer": (writer, X)}), form=form)
            self.assertHas(host.tool("writer"), status=200)
            self.outs(host, "cp of_tool /tmp/a; until ! cmp -s of_tool /tmp/a; do sleep 0.01; done", "setup")    # it does outlive its tool
            self.assertHas(host.tool("writer"), status=200)
            self.outs(host, "sleep 0.05; cp of_tool /tmp/a; sleep 0.1; cmp of_tool /tmp/a", "verifier")
            self.ends(host, form)

    def test_oom_is_not_claimed_without_an_event(self):
        host = self.container()
        self.assertHas(host.run("kill -9 $$"), signal=9, oom=False)
        self.assertHas(host.run("exit 137"), code=137, oom=False)


class Ends(ContainerCase):
    def test_ends(self):
        def silent():
            time.sleep(1.3)
        for form in ("main", "exec"):
            for why, init, code in (("end of input", {}, 0), ("terminated", {}, 70), ("heartbeat", {"heartbeat": 1}, 71),
                                    ("deadline", {"deadline": 1}, 72)):
                with self.subTest(form=form, why=why):
                    host = self.container(form=form, **init)
                    host.start("trap '' TERM INT HUP; (setsid sleep 60 &); sleep 61")
                    host.send(t="tool", id=9, name="daemon", args={})
                    end = {"end of input": host.process.stdin.close, "terminated": lambda: self.terminate(host)}.get(why, silent)
                    Agents.ends(self, host, form, code, end)

    @staticmethod
    def terminate(host):
        """SIGTERM to the bridge, the only one with its command line that was not started to start it."""
        text = subprocess.run(["pgrep", "-f", "^python3 -I -S -u -c"], stdout=subprocess.PIPE).stdout.split()
        mine = [int(pid) for pid in text if Ends.descends(int(pid), host.process.pid)]
        os.kill(mine[0], signal.SIGTERM)

    @staticmethod
    def descends(pid, ancestor):
        while pid > 1 and pid != ancestor:
            with open("/proc/%d/stat" % pid) as file:
                pid = int(file.read().rpartition(")")[2].split()[1])
        return pid == ancestor

    def test_killed_bridge_beside_a_service(self):
        host = self.container(form="exec")
        host.start("trap '' TERM INT HUP; (setsid sleep 60 &); sleep 61")
        pids = [int(pid) for pid in subprocess.run(["pgrep", "-f", "^python3 -I -S -u -c"], stdout=subprocess.PIPE).stdout.split()]
        mine = [pid for pid in pids if self.descends(pid, host.process.pid)]
        os.kill(min(mine), signal.SIGKILL)      # the other one is ready to end the agent, and does
        Agents.ends(self, host, "exec", 128 + 9, lambda: None)

    def test_a_user_that_is_there_already(self):
        host = self.container(form="exec", uid=33)
        self.assertHas(host.ready, t="fail", code="refused")
        self.assertIn("in use", host.ready["why"])
        host.close()
        host = self.container(form="exec")
        self.assertHas(host.ready, form="exec", adopts=True)

    def test_without_ctypes_users_are_still_found(self):
        host = self.container(form="exec", source=SOURCE.replace(b"import ctypes", b"import no_such_module"))
        self.assertHas(host.ready, form="exec", adopts=False)
        self.assertHas(host.run("(setsid sleep 60 &); sleep 0.1; exit 3"), code=3)
        self.assertHas(host.run("(setsid sleep 60 &); sleep 61", "verifier", limit=0.5), signal=9, timed_out=True)
        self.assertEqual(host.process.poll(), None)
        Agents.ends(self, host, "exec")


class Files(ContainerCase):
    def test_what_is_put_has_the_owner_that_is_asked_for(self):
        host = self.container()
        for path, uid in (("/app/program.py", 0), ("/app/artifacts/given", UID)):
            host.send(t="put", id=7 + uid, path=path, mode=0o600, uid=uid, d="eA==", eof=True)
            self.assertHas(host.answer(7 + uid, ("ok", "fail")), t="ok")
        self.assertEqual(self.outs(host, "stat -c '%a %u %g' /app/program.py /app/artifacts/given"), "600 0 0\n600 20007 20007\n")
        self.denied(host, "cat program.py")
        self.outs(host, "mkdir artifacts/d; ln -s /etc artifacts/d/out; ln -s /app/tests/gold.json artifacts/gold; mkfifo artifacts/pipe")
        for path in ("/app/artifacts/gold", "/app/artifacts/d/out/passwd", "/app/artifacts/pipe"):
            self.assertHas(host.get(path)[1], t="fail", code="refused")
        self.assertHas(host.put("/app/artifacts/d/out/new", b"x"), t="fail", code="refused")


class Trajectory(ContainerCase):
    def test_steps(self):
        host = self.container()
        text = HTTP.replace("PORT", "9999") + r"""
import json
for body in (json.dumps({"step": 1, "text": "\u676d", "deep": {"a": [1.5, None]}}), json.dumps({"text": "x" * 200000}), "[]", "{", "",
             json.dumps({"text": "x" * (1 << 20)})):
    status, answer = post("/trajectory", body)
    print(status, answer.decode())
"""
        lines = self.outs(host, "python3 - <<'E'\n%s\nE" % text).strip().split("\n")
        self.assertEqual([line.split()[0] for line in lines], ["200", "200", "400", "400", "200", "413"])
        steps = [m for m in host.events if m["t"] == "step"]
        self.assertEqual(steps[0]["d"], {"step": 1, "text": "杭", "deep": {"a": [1.5, None]}})
        self.assertEqual((steps[1]["d"], steps[1]["cut"]["size"]), (None, 200012))
        self.assertEqual(steps[2]["d"], {})

    def test_log_is_root_s(self):
        host = self.container()
        text = HTTP.replace("PORT", "9999") + "\nprint(post('/log', '{\"tool\": \"search\", \"command\": \"ls\"}'))"
        self.outs(host, "python3 - <<'E'\n%s\nE\ntools/logger" % text)
        lines = [json.loads(line) for line in host.get("/app/.tool_calls.jsonl")[0].splitlines()]
        self.assertEqual(lines, [{"tool": "terminal", "command": "ls"}, {"tool": "logger"}])
        host = self.container()
        text = HTTP.replace("PORT", "9999") + r"""
post('/log', '{"tool": "x", "command": {"tool": "search"}, "name": "search", "cut": {"tool": "search"}, "result_preview": "a\\u2028[1]\\u0085{}\\u2029b"}')
post('/log', '{"command": "%s", "cut": {"tool": "search"}}' % ("x" * 100000))
"""
        self.outs(host, "python3 - <<'E'\n%s\nE" % text)
        lines = [json.loads(line) for line in host.get("/app/.tool_calls.jsonl")[0].decode().splitlines()]
        self.assertEqual(lines[0], {"tool": "terminal", "result_preview": "a\u2028[1]\x85{}\u2029b"})
        self.assertEqual((len(lines), sorted(lines[1]), sorted(lines[1]["cut"])), (2, ["cut", "tool"], ["sha256", "size", "text"]))
        self.assertEqual(self.outs(host, "stat -c '%a %U' .tool_calls.jsonl"), "644 root\n")


if __name__ == "__main__":
    unittest.main()
