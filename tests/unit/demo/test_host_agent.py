#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The host agents that users copy, as processes, against a fake endpoint and a fake tool proxy."""
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "support")]
import test_demo    # noqa: E402
from modelprocess import FakeModel    # noqa: E402

AGENTS = os.path.join(test_demo.DEMO, "agents")
KEY = "sk-host-1234567890"
DEFINITIONS = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in ("look", "fail")]
ANSWER = {"text": json.dumps({"answer_json": {"a": 1}, "answer_md": "# Report\n\nOne."})}


def setUpModule():
    test_demo.setUpModule()


def tearDownModule():
    test_demo.tearDownModule()


def look(city="Hangzhou", **more):
    return dict({"tool_calls": [{"name": "look", "arguments": {"city": city}}]}, **more)


class ToolProxy(http.server.ThreadingHTTPServer):
    """POST /prefix/call/<tool>; `answer` makes (status, value) of a name and its arguments."""

    daemon_threads = True

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), ToolConnection)
        self.answer, self.calls = answer, []
        self.url = "http://127.0.0.1:%d/prefix" % self.server_address[1]
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class ToolConnection(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        arguments = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        start, _, name = self.path.rpartition("/")
        self.server.calls.append((name, arguments))
        status, value = self.server.answer(name, arguments) if start == "/prefix/call" else (404, {"error": "not found"})
        self.send_response(status)
        self.end_headers()
        self.wfile.write(value if isinstance(value, bytes) else json.dumps(value).encode())


def answer(name, arguments):
    return (200, {"found": arguments}) if name == "look" else (500, {"error": "it broke", "returncode": 3})


class Trial:
    """One run of the example. `model` is a script; `context` changes the manifest."""

    def __init__(self, test, model, *words, context=(), paths=("answer.json", "answer.md"), tools=answer, **variables):
        self.folder = tempfile.mkdtemp(prefix="host-agent-")
        test.addCleanup(shutil.rmtree, self.folder)
        path = os.path.join(self.folder, "agent_context.json")
        with FakeModel(model, [KEY]) as endpoint, ToolProxy(tools) as proxy:
            manifest = {"protocol_version": "1.0", "instance_id": "i1", "prompts": {"system": "You plan.", "user": "Find it."},
                        "tools": {"url": proxy.url, "definitions": DEFINITIONS}, "task_context": None,
                        "output": {"directory": self.folder, "paths": list(paths)},
                        "llm": {"base_url": endpoint.url + "/v1", "model": "m", "api_key_env": "LLM_API_KEY"}}
            manifest.update(dict(context))
            with open(path, "w", encoding="utf-8") as file:
                json.dump(manifest, file)
            environment = dict({"PATH": os.environ["PATH"], "LLM_API_KEY": KEY}, **variables)
            if "FLYAI_BENCH_CONTEXT" in variables:
                environment["FLYAI_BENCH_CONTEXT"] = path
            else:
                words = ("--context", path) + words
            done = subprocess.run([sys.executable, os.path.join(AGENTS, "openai_agent.py"), *words], env=environment,
                                  capture_output=True, timeout=60, cwd="/")
            self.requests = endpoint.requests() if os.path.exists(endpoint.log) else []
            self.calls = proxy.calls
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()
        test.assertNotIn("Traceback", self.err)
        test.assertNotIn(KEY, self.out + self.err)

    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def answers(self):
        return json.loads(self.text("answer.json")), self.text("answer.md")

    def events(self):
        return [json.loads(line) for line in self.text("artifacts/trajectory.jsonl").splitlines()]


PATHS = ("answer.json", "answer.md", "artifacts/trajectory.jsonl")


class Example(unittest.TestCase):
    def test_from_manifest_to_answers(self):
        trial = Trial(self, [look("杭州", text="I look."), ANSWER], paths=PATHS, context={"task_context": {"nights": 3}})
        self.assertEqual(trial.code, 0, trial.err)
        self.assertEqual(trial.calls, [("look", {"city": "杭州"})])
        self.assertEqual(trial.answers(), ({"a": 1}, "# Report\n\nOne.\n"))
        first, second = (request["body"] for request in trial.requests)
        self.assertEqual((first["model"], first["tools"]), ("m", DEFINITIONS))
        self.assertTrue(first["messages"][0]["content"].startswith("You plan."))
        self.assertTrue(first["messages"][1]["content"].startswith("Find it."))
        self.assertIn('"nights": 3', first["messages"][1]["content"])
        self.assertEqual(json.loads(second["messages"][3]["content"]), {"found": {"city": "杭州"}})
        self.assertEqual([(event["event"], event["turn"]) for event in trial.events()],
                         [("assistant", 1), ("tool", 1), ("final_assistant", 2)])

    def test_no_trajectory_unless_it_is_declared(self):
        trial = Trial(self, [ANSWER])
        self.assertEqual(trial.code, 0)
        self.assertFalse(os.path.exists(os.path.join(trial.folder, "artifacts")))

    def test_the_context_may_come_from_the_environment(self):
        self.assertEqual(Trial(self, [ANSWER], FLYAI_BENCH_CONTEXT="").code, 0)

    def test_errors_of_tools_are_told_to_the_model(self):
        calls = [{"name": "fail", "arguments": {}}, {"name": "unknown", "arguments": {}}, {"name": "look", "arguments": "{"},
                 {"name": "look", "arguments": "[]"}]
        trial = Trial(self, [{"tool_calls": calls}, ANSWER])
        self.assertEqual(trial.code, 0)
        told = [json.loads(message["content"]) for message in trial.requests[1]["body"]["messages"][3:]]
        self.assertEqual(told[0], {"error": "it broke", "status": 500})
        self.assertTrue(all("error" in result for result in told[1:]))
        self.assertEqual([name for name, _ in trial.calls], ["fail"])

    def test_a_proxy_that_answers_nonsense(self):
        for tools in (lambda *_: (200, b"not JSON"), lambda *_: (502, b"<html>")):
            trial = Trial(self, [look(), ANSWER], tools=tools)
            self.assertEqual(trial.code, 0)
            self.assertIn("error", json.loads(trial.requests[1]["body"]["messages"][3]["content"]))

    def test_the_answer_is_forced_when_the_turns_are_used_up(self):
        trial = Trial(self, [look(), look(), ANSWER], "--max-turns", "2", paths=PATHS)
        self.assertEqual((trial.code, len(trial.requests)), (0, 3))
        self.assertNotIn("tools", trial.requests[2]["body"])
        self.assertEqual(trial.answers()[0], {"a": 1})
        self.assertEqual(trial.events()[-1]["event"], "final_assistant")

    def test_no_answer_at_all(self):
        trial = Trial(self, [look(), {"status": 400, "error": "no more"}], "--max-turns", "2", paths=PATHS)
        self.assertEqual(trial.code, 1)
        self.assertIn("no more", trial.err)
        self.assertEqual([(event["event"], event["turn"]) for event in trial.events()],
                         [("assistant", 1), ("tool", 1), ("llm_error", 2), ("final_error", 3)])
        self.assertFalse(os.path.exists(os.path.join(trial.folder, "answer.json")))

    def test_an_empty_reply_is_no_answer(self):
        trial = Trial(self, {"by": "arrival", "steps": [{"text": " "}, ANSWER]})
        self.assertEqual((trial.code, len(trial.requests)), (0, 2))
        self.assertEqual(Trial(self, [{"text": ""}], "--max-turns", "1").code, 1)

    def test_passing_troubles_are_tried_again(self):
        troubles = [{"status": 429, "retry_after": 0}, {"raw": "{"}, {"text": "x", "cut": 30}]
        trial = Trial(self, [troubles + [ANSWER]])
        self.assertEqual((trial.code, len(trial.requests)), (0, 4))

    def test_proxy_settings_do_not_reach_the_tools(self):
        trial = Trial(self, [look(), ANSWER], http_proxy="http://127.0.0.1:9", no_proxy="127.0.0.1")
        self.assertEqual((trial.code, len(trial.calls)), (0, 1))

    def test_wrong_options(self):
        for words in (["--max-turns", "0"], ["--max-turns", "x"]):
            self.assertEqual(Trial(self, [ANSWER], *words).code, 2)
        done = subprocess.run([sys.executable, os.path.join(AGENTS, "openai_agent.py")], capture_output=True,
                              env={"PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--context", done.stderr)


class LastWords(unittest.TestCase):
    """What the model's last message becomes."""

    CASES = [
        ('{"b": 2}', {"b": 2}, '# Answer\n\n{"b": 2}\n'),
        ('Here:\n```json\n{"b": 2}\n```\nDone.', {"b": 2}, '# Answer\n\nHere:\n```json\n{"b": 2}\n```\nDone.\n'),
        ('```\n{"answer_json": [1], "answer_md": "plain"}\n```', [1], "# Answer\n\nplain\n"),
        ('{"answer_json": {"c": 3}}', {"c": 3}, '# Answer\n\n{"answer_json": {"c": 3}}\n'),
        ("# Title\n\nNo JSON.", {"response": "# Title\n\nNo JSON."}, "# Title\n\nNo JSON.\n"),
        ("```json\n{broken\n```", {"response": "```json\n{broken\n```"}, "# Answer\n\n```json\n{broken\n```\n"),
    ]

    def test_split(self):
        for text, value, report in self.CASES:
            with self.subTest(text):
                trial = Trial(self, [{"text": text}])
                self.assertEqual(trial.answers(), (value, report))


class Scripted(unittest.TestCase):
    """The agent without a model earns on the host what its twin earns in the sandbox."""

    def reward(self, family, row, plan):
        with test_demo.App(row["bundle"]) as app, ToolProxy(lambda *call: self.run_tool(app, *call)) as proxy:
            path = os.path.join(app.root, "agent_context.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"instance_id": row["instance_id"], "tools": {"url": proxy.url},
                           "output": {"directory": app.path, "paths": list(PATHS)}}, file)
            program = os.path.join(test_demo.demo, "agents", "scripted_host.py")
            done = subprocess.run([sys.executable, program, "--context", path, "--plans",
                                   os.path.join(test_demo.demo, family), "--plan", plan], capture_output=True, cwd="/",
                                  env={"PATH": os.environ["PATH"]})
            self.assertTrue(os.path.isfile(app.file(PATHS[2])))
            if done.returncode != 0:
                self.assertNotIn(b"Traceback", done.stderr)
                return None
            with open(app.file(PATHS[2]), encoding="utf-8") as file:
                events = [json.loads(line)["event"] for line in file]
            self.assertEqual(events.count("tool"), len(proxy.calls))
            return app.verify()[2]

    @staticmethod
    def run_tool(app, name, arguments):
        words = []
        for key, value in arguments.items():
            words += ["--" + key, json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict, bool)) else str(value)]
        done = app.tool(name, *words)
        if done.returncode != 0:
            return 500, {"error": done.stderr, "returncode": done.returncode}
        return 200, json.loads(done.stdout)

    def test_rewards(self):
        expected = test_demo.load(test_demo.EXPECTED)
        for family, row in test_demo.instances():
            for plan in test_demo.AGENTS:
                with self.subTest(row["instance_id"], plan=plan):
                    self.assertEqual(self.reward(family, row, plan), expected[family][plan][row["instance_id"]])

    def test_nothing_is_left_beside_the_configuration(self):
        self.assertEqual(sorted(os.listdir(os.path.join(test_demo.demo, "agents"))),
                         ["openai_agent.py", "scripted.py", "scripted_host.py"])

    def test_a_tool_that_fails_ends_it(self):
        family, row = test_demo.instances()[0]
        with tempfile.TemporaryDirectory() as folder, ToolProxy(lambda *_: (500, {"error": "it broke"})) as proxy:
            path = os.path.join(folder, "agent_context.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"instance_id": row["instance_id"], "tools": {"url": proxy.url},
                           "output": {"directory": folder, "paths": []}}, file)
            done = subprocess.run([sys.executable, os.path.join(test_demo.demo, "agents", "scripted_host.py"), "--context",
                                   path, "--plans", os.path.join(test_demo.demo, family)], capture_output=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"it broke", done.stderr)


if __name__ == "__main__":
    unittest.main()
