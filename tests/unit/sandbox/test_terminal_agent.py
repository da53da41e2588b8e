#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in agent as a process, against the fake endpoint, in a scratch folder that stands for /app."""
import base64
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
AGENT = os.path.join(ROOT, "resources", "sandbox", "terminal_agent.py")
sys.path[:0] = [os.path.join(ROOT, "tests", "support"), os.path.dirname(os.path.abspath(__file__))]
from host import Host    # noqa: E402
from modelprocess import FakeModel    # noqa: E402

KEY = "sk-very-secret-1234567890"
WRITE = {"tool_calls": [{"name": "terminal", "arguments": {"command": "echo '{\"a\": 1}' > answer.json"}}]}
DONE = {"text": "That is all."}


def run(command, **more):
    return dict({"tool_calls": [{"name": "terminal", "arguments": {"command": command}}]}, **more)


class FakeBridge(http.server.ThreadingHTTPServer):
    """Takes what the bridge takes; `routes` are those it has, others get the bridge's 400."""

    daemon_threads = True

    def __init__(self, routes=("/log", "/trajectory")):
        super().__init__(("127.0.0.1", 0), BridgeConnection)
        self.routes, self.got = routes, {route: [] for route in ("/log", "/trajectory")}
        self.busy = 0   # requests that are refused first
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.url = "http://127.0.0.1:%d" % self.server_address[1]


class BridgeConnection(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = self.path in self.server.routes and self.server.busy == 0
        self.server.busy = max(0, self.server.busy - 1)
        if known:
            self.server.got[self.path].append(body)
        self.send_response(200 if known else 400)
        self.end_headers()
        self.wfile.write(b"{}")


class Trial:
    """One run of the agent. `app` is removed at the end of the test."""

    def __init__(self, test, script, files=(), bridge=None, keys=(KEY,), base="", wait=120, ordinary=False,
                 **variables):
        self.app = tempfile.mkdtemp(prefix="terminal-agent-")
        test.addCleanup(shutil.rmtree, self.app, ignore_errors=True)
        os.mkdir(os.path.join(self.app, "logs"))
        for name, text in dict(files).items():
            self.write(name, text)
        with FakeModel(script, keys) as model:
            environment = {"PATH": os.environ["PATH"], "APP_DIR": self.app, "LLM_BASE_URL": model.url + base, "LLM_API_KEY": KEY,
                           "LLM_MODEL": "fake-1", "LLM_BACKOFF": "0.05", "BRIDGE_URL": bridge or "http://127.0.0.1:9",
                           "TOOL_CALL_LOG": os.path.join(self.app, ".tool_calls.jsonl")}
            environment.update((name, value) for name, value in variables.items() if value is not None)
            for name in [name for name, value in variables.items() if value is None]:
                environment.pop(name, None)
            start = time.monotonic()
            argv = self.as_ordinary_account() if ordinary else [sys.executable, AGENT]
            done = subprocess.run(argv, env=environment, capture_output=True, timeout=wait, cwd="/")
            self.seconds = time.monotonic() - start
            self.requests = model.requests() if os.path.exists(model.log) else []
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()
        test.assertNotIn("Traceback", self.err)
        test.assertNotIn(KEY, self.out + self.err + json.dumps(self.lines("logs/trajectory.jsonl")))

    def as_ordinary_account(self):
        """As in a sandbox: the agent lies in the task's folder, root is somebody else."""
        program = os.path.join(self.app, "mini_swe_agent.py")
        shutil.copy(AGENT, program)
        if os.getuid() != 0:
            return [sys.executable, program]
        for folder, _, _ in os.walk(self.app):
            os.chown(folder, 65534, 65534)
        return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", program]

    def write(self, name, text):
        path = os.path.join(self.app, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def lines(self, name):
        path = os.path.join(self.app, name)
        if not os.path.isfile(path):
            return []
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def steps(self):
        return self.lines("logs/trajectory.jsonl")[1:]

    def results(self):
        """What the model was told of each call."""
        return [step["content"] for step in self.steps() if step["role"] == "tool"]

    def last_messages(self):
        return self.requests[-1]["body"]["messages"]


class Conversation(unittest.TestCase):
    def test_from_prompt_to_answer(self):
        bridge = FakeBridge()
        trial = Trial(self, [dict(WRITE, text="I write.", usage={"in": 7, "out": 3, "cached": 2, "reasoning": 1}), DONE],
                      {"system.md": "\n You are examined. \n", "environment/instruction.md": "Find it.\n"}, bridge.url)
        self.assertEqual(trial.code, 0, trial.err)
        self.assertEqual(len(trial.requests), 2)
        first = trial.requests[0]["body"]
        self.assertEqual(first["messages"], [{"role": "system", "content": "You are examined."},
                                             {"role": "user", "content": "Find it."}])
        self.assertEqual((first["model"], first["temperature"]), ("fake-1", 0.1))
        self.assertNotIn("max_tokens", first)
        self.assertEqual([tool["function"]["name"] for tool in first["tools"]], ["terminal"])
        self.assertEqual(trial.requests[0]["headers"]["authorization"], "Bearer " + KEY)
        said, told = trial.last_messages()[2:]
        self.assertEqual((said["content"], said["tool_calls"][0]["id"]), ("I write.", "call_0"))
        self.assertEqual(told, {"role": "tool", "tool_call_id": "call_0", "content": "(no output, exit code 0)"})
        self.assertEqual(bridge.got["/log"], [{"tool": "terminal", "command": "echo '{\"a\": 1}' > answer.json",
                                               "result_preview": "(no output, exit code 0)"}])
        steps = bridge.got["/trajectory"]
        self.assertEqual(steps[0], {"schema_version": 1, "agent": "terminal"})
        self.assertEqual([(step["step"], step["role"]) for step in steps[1:]],
                         [(1, "system"), (2, "user"), (3, "assistant"), (4, "tool"), (5, "assistant")])
        self.assertEqual(steps[3]["tool_calls"], [{"id": "call_0", "name": "terminal",
                                                   "arguments": {"command": "echo '{\"a\": 1}' > answer.json"}}])
        self.assertEqual(steps[3]["tokens"], {"in": 7, "out": 3, "cached": 2, "reasoning": 1})
        self.assertEqual(sorted(step["at"] for step in steps[1:]), [step["at"] for step in steps[1:]])
        self.assertEqual(trial.lines("logs/trajectory.jsonl"), [])
        self.assertIn("$ echo", trial.out)
        bridge.shutdown()
        bridge.server_close()

    def test_prompts_of_its_own_when_there_are_none(self):
        trial = Trial(self, [WRITE, DONE], {"system.md": "  \n"})
        system, user = trial.requests[0]["body"]["messages"]
        self.assertIn("terminal", system["content"])
        self.assertIn(trial.app + "/answer.json", user["content"])

    def test_records_go_to_files_without_a_bridge(self):
        for bridge in (None, FakeBridge(routes=()).url):
            with self.subTest(bridge):
                trial = Trial(self, [WRITE, DONE], bridge=bridge)
                self.assertEqual(trial.lines("logs/trajectory.jsonl")[0], {"schema_version": 1, "agent": "terminal"})
                self.assertEqual([step["step"] for step in trial.steps()], [1, 2, 3, 4, 5])
                self.assertEqual([line["tool"] for line in trial.lines(".tool_calls.jsonl")], ["terminal"])

    def test_records_never_lie_in_two_places(self):
        bridge = FakeBridge()
        bridge.busy = 1
        trial = Trial(self, [WRITE, DONE], bridge=bridge.url)
        self.assertEqual(bridge.got["/trajectory"], [])
        self.assertEqual(len(trial.steps()), 5)

    def test_nowhere_to_record_is_no_reason_to_stop(self):
        trial = Trial(self, [WRITE, DONE], {"logs/trajectory.jsonl/in_the_way": ""}, TOOL_CALL_LOG="/proc/none/log")
        self.assertEqual((trial.code, trial.err), (0, ""))

    def test_words_without_an_answer_are_no_end(self):
        trial = Trial(self, [{"text": "Done!"}, {"text": ""}, WRITE, DONE], {"answer.json": "{}"})
        self.assertEqual((trial.code, len(trial.requests)), (0, 4))
        messages = trial.last_messages()
        self.assertEqual([message["role"] for message in messages],
                         ["system", "user", "assistant", "user", "assistant", "user", "assistant", "tool"])
        self.assertIn("answer.json", messages[3]["content"])
        self.assertTrue(messages[4]["content"], "no message without content")

    def test_out_of_turns(self):
        trial = Trial(self, [run("echo again")], MAX_ITERATIONS="3")
        self.assertEqual((trial.code, len(trial.requests)), (0, 3))
        self.assertIn("out of turns after 3, and answer.json is still missing", trial.err)

    def test_several_calls_are_run_in_order(self):
        calls = [{"name": "terminal", "arguments": {"command": "echo %d >> order; cat order" % number}, "id": "c%d" % number}
                 for number in range(3)]
        trial = Trial(self, [{"tool_calls": calls}, WRITE, DONE])
        self.assertEqual(trial.results()[:3], ["0\n", "0\n1\n", "0\n1\n2\n"])
        self.assertEqual([message["tool_call_id"] for message in trial.requests[1]["body"]["messages"][3:]], ["c0", "c1", "c2"])

    def test_broken_calls_are_answered(self):
        calls = [{"name": "search", "arguments": {}}, {"name": "terminal", "arguments": "{\"command\": "},
                 {"name": "terminal", "arguments": "[1]"}, {"name": "terminal", "arguments": {"command": 3}},
                 {"name": "terminal", "arguments": {"command": "a\0b"}}, {"name": "terminal", "arguments": {"command": "\ud800"}}]
        trial = Trial(self, [{"tool_calls": calls}, WRITE, DONE])
        self.assertEqual(trial.code, 0)
        results = trial.results()[:6]
        self.assertTrue(all(result.startswith("error: ") for result in results), results)
        self.assertIn("'search'", results[0])
        for call in trial.requests[1]["body"]["messages"][2]["tool_calls"]:
            self.assertIsInstance(json.loads(call["function"]["arguments"]), dict)

    def test_shapeless_messages_are_survived(self):
        bodies = [{"choices": [{"message": {"content": [{"type": "text", "text": "parts"}], "tool_calls": "none"}}], "usage": 3},
                  {"choices": [{"message": {"content": None, "tool_calls": [None, {"function": 1}, {"id": 7}]}}],
                   "usage": {"prompt_tokens": "many"}}]
        trial = Trial(self, [{"body": body} for body in bodies] + [WRITE, DONE])
        self.assertEqual(trial.code, 0)
        self.assertEqual(trial.steps()[2]["content"], "parts")
        self.assertEqual(len([result for result in trial.results() if result.startswith("error")]), 3)

    def test_too_many_calls_in_one_reply(self):
        calls = [{"name": "terminal", "arguments": {"command": "echo x >> count #" + "杭" * 9000}}] * 40
        trial = Trial(self, [{"tool_calls": calls}, WRITE, DONE])
        with open(os.path.join(trial.app, "count"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 16)
        self.assertEqual(len(trial.requests[1]["body"]["messages"][2]["tool_calls"]), 16)
        self.assertLess(max(len(json.dumps(step, ensure_ascii=False).encode()) for step in trial.steps()), 65536)


class Commands(unittest.TestCase):
    def result(self, command, **variables):
        trial = Trial(self, [run(command), WRITE, DONE], **variables)
        self.assertEqual(trial.code, 0, trial.err)
        return trial.results()[0]

    def test_output_and_errors(self):
        self.assertEqual(self.result("echo out; echo err >&2; exit 3"), "out\n\n[stderr]\nerr\n")
        self.assertEqual(self.result("exit 3"), "(no output, exit code 3)")
        self.assertEqual(self.result("cat"), "(no output, exit code 0)")

    def test_runs_in_the_task_folder_with_bash(self):
        trial = Trial(self, [run("pwd; [[ -n $BASH_VERSION ]] && echo bash"), WRITE, DONE])
        self.assertEqual(trial.results()[0], trial.app + "\nbash\n")

    def test_no_room_for_a_reader(self):
        """As after commands that left as many processes running as there may be."""
        text = ("import runpy, threading\nagent = runpy.run_path(%r)\ndef start(_): raise RuntimeError('no more threads')\n"
                "threading.Thread.start = start\nprint(agent['run_command']('sleep 77.7', 60))" % str(AGENT))
        start = time.monotonic()
        result = subprocess.run([sys.executable, "-c", text], env=dict(os.environ, APP_DIR="/tmp"), stdout=subprocess.PIPE, timeout=30)
        self.assertEqual(result.stdout, b"error: the command's output could not be read: no more threads\n")
        self.assertLess(time.monotonic() - start, 20)

    def test_bytes_that_are_no_text(self):
        self.assertEqual(self.result(r"printf 'a\377\200b\000c'; printf '\346\235\255'"), "a\ufffd\ufffdb\ufffdc杭")

    def test_long_output_is_cut(self):
        self.assertEqual(self.result("printf 'x%.0s' {1..8000}"), "x" * 8000)
        text = self.result("printf 'a%.0s' {1..8000}; printf 'b%.0s' {1..8000} >&2")
        self.assertEqual((text[:4000], text[-4000:]), ("a" * 4000, "b" * 4000))
        self.assertLess(len(text), 8100)

    def test_huge_output(self):
        text = self.result("echo first; head -c 300000000 /dev/zero | tr '\\0' x; echo last")
        self.assertTrue(text.startswith("first\nxx") and text.endswith("xx" + "last\n"), text[-20:])
        self.assertLess(len(text), 8100)

    def test_a_hanging_command_is_ended_with_its_family(self):
        command = "echo before; (trap '' TERM; sleep 77.5 & echo $! > pid; wait) & sleep 77.5"
        trial = Trial(self, [run(command), WRITE, DONE], COMMAND_TIMEOUT="1")
        self.assertEqual(trial.results()[0], "before\n\n[the command was ended after 1 seconds]")
        self.assertLess(trial.seconds, 15)
        with open(os.path.join(trial.app, "pid"), encoding="utf-8") as file:
            self.assertFalse(runs(int(file.read())))

    def test_what_is_left_in_the_background_does_not_hold_the_result_back(self):
        trial = Trial(self, [run("sleep 60 & echo $! > pid; setsid sleep 60 & echo $! > pid2; echo started"),
                             run("kill -0 $(cat pid) && echo alive"), WRITE, DONE])
        self.assertEqual(trial.results()[:2], ["started\n", "alive\n"])
        self.assertLess(trial.seconds, 15)
        for name in ("pid", "pid2"):
            with open(os.path.join(trial.app, name), encoding="utf-8") as file:
                os.kill(int(file.read()), signal.SIGKILL)

    def test_the_key_is_out_of_reach(self):
        trial = Trial(self, [run("env; tr '\\0' '\\n' < /proc/self/environ; cat /proc/$PPID/cmdline | tr '\\0' ' '"),
                             run("echo %s" % KEY), WRITE, DONE])
        self.assertNotIn("LLM_API_KEY", trial.results()[0])
        self.assertIn("LLM_MODEL=fake-1", trial.results()[0])
        self.assertEqual(trial.results()[1], "[key]\n")
        for request in trial.requests:
            self.assertNotIn(KEY, json.dumps([message for message in request["body"]["messages"] if message["role"] == "tool"]))
        for line in trial.lines(".tool_calls.jsonl"):
            self.assertNotIn(KEY, json.dumps(line))

    def test_the_agents_own_environment_cannot_be_read(self):
        trial = Trial(self, [run("cat /proc/$PPID/environ > /dev/null && echo readable"), WRITE, DONE], ordinary=True)
        self.assertEqual(trial.code, 0, trial.err)
        self.assertNotIn("readable", trial.results()[0])
        self.assertIn("denied", trial.results()[0])


def runs(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Endpoints(unittest.TestCase):
    """What can go wrong on the other side. WRITE and DONE follow once it is over."""

    def recovers(self, *troubles, tries=None, **variables):
        trial = Trial(self, [list(troubles) + [WRITE], DONE], **variables)
        self.assertEqual(trial.code, 0, trial.err)
        self.assertEqual(len(trial.requests), len(troubles) + 2 if tries is None else tries)
        self.assertEqual(trial.results(), ["(no output, exit code 0)"])
        return trial

    def test_retry_after_in_seconds(self):
        trial = self.recovers({"status": 429, "retry_after": 1.5})
        self.assertGreaterEqual(trial.requests[1]["at"] - trial.requests[0]["at"], 1.5)
        self.assertIn("HTTP 429: scripted error; another try in 1.", trial.err)

    def test_retry_after_as_a_date(self):
        trial = self.recovers({"status": 429, "retry_after_date": 3})
        self.assertGreaterEqual(trial.requests[1]["at"] - trial.requests[0]["at"], 1.5)

    def test_strange_retry_after(self):
        self.recovers(*({"status": 503, "retry_after": value} for value in ("soon", "-5", "0")))

    def test_server_errors(self):
        self.recovers({"status": 500}, {"status": 503}, {"status": 529})

    def test_slow_answer(self):
        self.recovers({"text": "late", "delay": 5}, LLM_TIMEOUT="1")
        self.recovers({"text": "drop by drop", "chunk": 20, "pause": 0.4}, LLM_TIMEOUT="1")

    def test_cut_off(self):
        self.recovers({"text": "abc", "cut": 40}, {"text": "abc", "cut": 0}, {"hangup": True})

    def test_wrong_json(self):
        self.recovers({"raw": "<html>busy</html>"}, {"raw": "[" * 100000}, {"raw": ""})

    def test_wrong_shape(self):
        self.recovers({"body": {"choices": []}}, {"body": [1]}, {"body": {"choices": [{"message": "x"}]}})

    def test_an_answer_without_end_is_refused(self):
        self.recovers({"size": 40000000})

    def test_a_long_reply_is_kept_short(self):
        trial = Trial(self, [dict(WRITE, size=3000000), DONE])
        self.assertEqual(trial.code, 0)
        self.assertLess(len(json.dumps(trial.last_messages())), 60000)
        self.assertLess(max(len(json.dumps(step)) for step in trial.steps()), 61000)

    def test_the_conversation_stays_bounded(self):
        loud = run("head -c 9000 /dev/zero | tr '\\0' x; # %s" % ("c" * 20000), size=30000)
        trial = Trial(self, [loud] * 28 + [WRITE, DONE], wait=60)
        self.assertEqual(trial.code, 0)
        sizes = [len(json.dumps(request["body"]["messages"])) for request in trial.requests]
        self.assertLess(max(sizes), 620000)
        self.assertEqual(trial.last_messages()[-2]["role"], "assistant")

    def test_a_turn_without_an_answer_is_spent(self):
        broken = [{"status": 500}] * 4 + [DONE]
        trial = Trial(self, [WRITE, broken], MAX_ITERATIONS="4")
        self.assertEqual((trial.code, len(trial.requests)), (0, 6))
        self.assertIn("[2/4] model error: HTTP 500", trial.out)
        self.assertTrue([step for step in trial.steps() if step["role"] == "system" and step.get("error")])

    def test_a_wish_that_is_refused_is_not_repeated(self):
        trial = Trial(self, [WRITE, [{"status": 400, "error": "context too long"}, DONE]])
        self.assertEqual((trial.code, len(trial.requests)), (0, 3))
        self.assertIn("context too long", trial.out)

    def test_wrong_key(self):
        trial = Trial(self, [DONE], keys=("another",))
        self.assertEqual((trial.code, len(trial.requests)), (1, 3))
        self.assertIn("HTTP 401", trial.err)

    def test_nobody_there(self):
        trial = Trial(self, [DONE], LLM_BASE_URL="http://user:word@127.0.0.1:9/v1?token=word", LLM_TRIES="2")
        self.assertEqual(trial.code, 1)
        self.assertIn("could not be asked at http://127.0.0.1:9/v1: ", trial.err)
        self.assertNotIn("word", trial.out + trial.err)

    def test_base_urls(self):
        only_v1 = {"bases": ["/v1"], "steps": [WRITE, DONE]}
        trial = Trial(self, only_v1)
        self.assertEqual((trial.code, [request["path"] for request in trial.requests]),
                         (0, ["/chat/completions", "/v1/chat/completions", "/v1/chat/completions"]))
        trial = Trial(self, only_v1, base="/v1/")
        self.assertEqual([request["path"] for request in trial.requests], ["/v1/chat/completions"] * 2)
        trial = Trial(self, [WRITE, DONE])
        self.assertEqual([request["path"] for request in trial.requests], ["/chat/completions"] * 2)
        trial = Trial(self, {"bases": ["/elsewhere"], "steps": [DONE]})
        self.assertEqual((trial.code, len(trial.requests)), (1, 6))

    def test_a_redirect_is_not_followed(self):
        trial = Trial(self, [{"status": 302, "headers": {"Location": "/v1/models"}, "raw": ""}])
        self.assertEqual((trial.code, [request["method"] for request in trial.requests]), (1, ["POST"] * 3))
        self.assertIn("HTTP 302", trial.err)

    def test_no_proxy_for_this_machine(self):
        proxy = "http://127.0.0.1:9"
        trial = Trial(self, [WRITE, DONE], http_proxy=proxy, HTTP_PROXY=proxy, all_proxy=proxy)
        self.assertEqual(trial.code, 0)

    def test_no_key(self):
        trial = Trial(self, [WRITE, DONE], keys=(), LLM_API_KEY=None)
        self.assertEqual(trial.code, 0)
        self.assertNotIn("authorization", trial.requests[0]["headers"])


class Environment(unittest.TestCase):
    def test_what_is_missing_or_wrong_is_named(self):
        cases = [{"LLM_BASE_URL": None}, {"LLM_MODEL": " "}, {"LLM_BASE_URL": "ftp://x"}, {"LLM_BASE_URL": "http://x:port/"},
                 {"MAX_ITERATIONS": "many"}, {"MAX_ITERATIONS": "0"}, {"COMMAND_TIMEOUT": "nan"}, {"LLM_API_KEY": "sk-\nx"}]
        for variables in cases:
            with self.subTest(variables):
                trial = Trial(self, [DONE], **variables)
                self.assertEqual((trial.code, trial.requests), (2, []))
                self.assertTrue(trial.err.startswith("error: "), trial.err)
                self.assertNotIn("sk-", trial.err)

    def test_files_of_the_task_are_not_imported(self):
        folder = tempfile.mkdtemp(prefix="terminal-agent-")
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(AGENT, os.path.join(folder, "mini_swe_agent.py"))
        for name in ("json.py", "email.py", "random.py"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("raise SystemExit(99)\n")
        done = subprocess.run([sys.executable, os.path.join(folder, "mini_swe_agent.py")], env={"PATH": "/usr/bin:/bin"},
                              capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_nobody_reads_what_it_prints(self):
        with FakeModel([WRITE, DONE]) as model, tempfile.TemporaryDirectory() as app:
            process = subprocess.Popen([sys.executable, AGENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       env={"PATH": os.environ["PATH"], "APP_DIR": app, "LLM_MODEL": "m",
                                            "LLM_BASE_URL": model.url, "BRIDGE_URL": "http://127.0.0.1:9"})
            process.stdout.close()
            process.wait(20)
            self.assertTrue(os.path.exists(os.path.join(app, "answer.json")))


class InTheSandbox(unittest.TestCase):
    """Behind the real bridge, in two bubblewraps: the model is asked through the pipe, the records go up it."""

    def model_answers(self, host, number, message):
        """Takes the agent's request and answers as an endpoint does; the messages that were sent."""
        id = "m%d" % number
        host.wait(lambda m: m["t"] == "http_body" and m["id"] == id and m["eof"])
        parts = [m["d"] for m in host.events if m["t"] in ("http", "http_body") and m["id"] == id]
        request = json.loads(b"".join(base64.b64decode(part) for part in parts))
        body = json.dumps({"choices": [{"message": message}]}).encode()
        host.send(t="http_head", id=id, status=200, headers=[["content-type", "application/json"]])
        host.send(t="http_data", id=id, d=base64.b64encode(body).decode())
        host.send(t="http_end", id=id)
        return request["messages"]

    def test_works_behind_the_bridge(self):
        with open(AGENT, "rb") as file:
            files = {"/app/mini_swe_agent.py": (file.read(), 0o644), "/app/tools/look": ("#!/bin/sh\necho '{\"found\": 3}'\n", 0o755),
                     "/app/instruction.md": ("Find it.", 0o644), "/app/answer.json": ("", 0o666)}
        host = Host(files, {})
        self.addCleanup(host.close)
        variables = {"LLM_BASE_URL": "http://127.0.0.1:9998/v1", "LLM_API_KEY": KEY, "LLM_MODEL": "m"}
        id = host.start(["python3", "/app/mini_swe_agent.py"], env=variables)
        commands = ["tools/look", "echo forged >> .tool_calls.jsonl", "cat /proc/*/environ; env",
                    "sleep 30 & echo '{\"a\": 3}' > answer.json"]
        for number, command in enumerate(commands, 1):
            call = {"id": "c", "type": "function", "function": {"name": "terminal", "arguments": json.dumps({"command": command})}}
            self.model_answers(host, number, {"role": "assistant", "content": None, "tool_calls": [call]})
        told = [message["content"] for message in self.model_answers(host, len(commands) + 1, {"content": "Done."})
                if message["role"] == "tool"]
        end = host.end_of(id)
        self.assertEqual((end["code"], end["err"]), (0, b""))
        self.assertEqual(json.loads(told[0]), {"found": 3})
        self.assertIn("[stderr]", told[1])
        self.assertNotIn(KEY, told[2])
        self.assertNotIn("[key]", told[2])
        self.assertEqual(host.get("/app/answer.json")[0], b'{"a": 3}\n')
        logged = [json.loads(line) for line in host.get("/app/.tool_calls.jsonl")[0].decode().splitlines()]
        self.assertEqual([line["command"] for line in logged], commands)
        self.assertEqual([m["d"] for m in host.events if m["t"] == "log"], logged)
        steps = [m["d"] for m in host.events if m["t"] == "step"]
        self.assertEqual([step.get("role") for step in steps], [None, "system", "user"] + ["assistant", "tool"] * 4 + ["assistant"])
        self.assertNotIn(KEY, json.dumps([m for m in host.events if m["t"] not in ("http", "http_body")]))


if __name__ == "__main__":
    unittest.main()
