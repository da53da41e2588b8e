#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the demo exam: /usr/bin/python3 tests/unit/demo/test_demo.py

Bundles are tried outside a sandbox, in a temporary folder that stands for /app;
what isolation does to them is tested with the sandbox itself.

`test_demo.py --write-expected` writes resources/demo/expected.json anew: read the
difference before you commit it.
"""
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
DEMO = os.path.join(ROOT, "resources", "demo")
EXPECTED = os.path.join(DEMO, "expected.json")
FAMILIES = ("travel", "e_commerce")
AGENTS = ("careful", "hasty")
# An answer without a single tool call is worth at most this much.
FORGED_REWARD = 0.3

demo = None  # the generated exam, made once


def setUpModule():
    global demo
    demo = tempfile.mkdtemp(prefix="demo-exam-")
    make(demo)


def tearDownModule():
    shutil.rmtree(demo)


def make(folder):
    subprocess.run([sys.executable, os.path.join(DEMO, "make_demo.py"), folder], check=True)


def load(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return json.load(file)


def dataset(family):
    with open(os.path.join(demo, family + ".jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def instances():
    return [(family, row) for family in FAMILIES for row in dataset(family)]


class App:
    """A copy of a bundle that stands for /app in a sandbox."""

    def __init__(self, bundle):
        self.root = tempfile.mkdtemp(prefix="demo-app-")
        self.path = os.path.join(self.root, "app")
        shutil.copytree(os.path.join(demo, bundle), self.path)
        inside = os.path.join(self.path, "environment", "tools")
        self.tools = inside if os.path.isdir(inside) else os.path.join(self.path, "tools")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        with open(self.file(name), "w", encoding="utf-8") as file:
            file.write(text)

    def tool_names(self):
        return sorted(name for name in os.listdir(self.tools)
                      if os.access(os.path.join(self.tools, name), os.X_OK))

    def tool(self, name, *words):
        return subprocess.run([os.path.join(self.tools, name), *words], capture_output=True,
                              text=True)

    def agent(self, name):
        return subprocess.run([sys.executable, self.file(f"agent/{name}.py")], cwd=self.path,
                              capture_output=True, text=True)

    def log(self):
        if not os.path.exists(self.file(".tool_calls.jsonl")):
            return []
        with open(self.file(".tool_calls.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def verify(self):
        """The verifier's exit code, printed table and reward (None without a file)."""
        reward = os.path.join(self.root, "logs", "reward.txt")
        done = subprocess.run(["bash", "tests/test.sh"], cwd=self.path, capture_output=True,
                              text=True, env={"PATH": "/usr/bin:/bin", "REWARD_FILE": reward,
                                              "TESTS_DIR": self.file("tests")})
        if not os.path.exists(reward):
            return done.returncode, done.stdout + done.stderr, None
        with open(reward, encoding="ascii") as file:
            return done.returncode, done.stdout + done.stderr, float(file.read())


def reward_of_agent(bundle, agent):
    """None when the agent itself failed."""
    with App(bundle) as app:
        if app.agent(agent).returncode != 0:
            return None
        return app.verify()[2]


def rewards():
    return {family: {agent: {row["instance_id"]: reward_of_agent(row["bundle"], agent)
                             for row in dataset(family)} for agent in AGENTS}
            for family in FAMILIES}


def mean(values):
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored)


class Generator(unittest.TestCase):
    def differences(self, comparison):
        found = comparison.left_only + comparison.right_only + comparison.diff_files
        for part in comparison.subdirs.values():
            found += self.differences(part)
        return found

    def test_two_runs_write_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as second:
            make(second)
            names = []
            for folder, _, files in os.walk(demo):
                names += [os.path.relpath(os.path.join(folder, name), demo) for name in files]
            same, different, missing = filecmp.cmpfiles(demo, second, names, shallow=False)
            self.assertEqual((different, missing), ([], []))
            self.assertEqual(self.differences(filecmp.dircmp(demo, second)), [])
            self.assertGreater(len(same), 12)

    def test_writing_again_over_an_older_exam_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as again:
            make(again)
            stale = os.path.join(again, "travel", "old_instance")
            os.mkdir(stale)
            make(again)
            self.assertFalse(os.path.exists(stale))

    def test_refuses_to_run_without_a_folder(self):
        done = subprocess.run([sys.executable, os.path.join(DEMO, "make_demo.py")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("usage", done.stderr)


class Dataset(unittest.TestCase):
    def test_every_bundle_is_complete(self):
        for family, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                self.assertEqual(list(row), ["instance_id", "docker_image", "domain",
                                             "user_question", "config", "bundle"])
                self.assertEqual(row["config"], family)
                for name in ("system.md", "instruction.md", "tool_defs.json", "context.json",
                             "tests/test.sh", "tests/gold.json", "agent/careful.py",
                             "agent/hasty.py"):
                    self.assertTrue(os.path.isfile(app.file(name)), name)
                with open(app.file("instruction.md"), encoding="utf-8") as file:
                    self.assertIn(row["user_question"], file.read())
                defined = [tool["function"]["name"] for tool in load(app.file("tool_defs.json"))]
                self.assertEqual(sorted(defined), app.tool_names())
                self.assertIn(len(defined), (2, 3))
                databases = [name for _, _, files in os.walk(app.path) for name in files
                             if name.endswith(".db")]
                self.assertEqual(len(databases), 1)

    def test_twelve_instances_in_two_layouts_and_two_languages(self):
        rows = [row for _, row in instances()]
        layouts = [os.path.isdir(os.path.join(demo, row["bundle"], "environment"))
                   for row in rows]
        chinese = [any("\u4e00" <= letter <= "\u9fff" for letter in row["user_question"])
                   for row in rows]
        self.assertEqual((len(rows), sum(layouts), sum(chinese)), (12, 6, 6))

    def test_gold_stays_below_tests(self):
        for _, row in instances():
            with App(row["bundle"]) as app:
                for folder, _, files in os.walk(app.path):
                    if not folder.startswith(app.file("tests")):
                        self.assertFalse({"gold.json", "rubric.json"} & set(files), folder)

    def test_plans_hold_no_answer(self):
        for _, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                with open(app.file("agent/plan.json"), encoding="utf-8") as file:
                    plan = file.read()
                best = load(app.file("tests/gold.json"))["best"]
                fields = [part["field"] for part in load(app.file("tests/rubric.json"))
                          if part["kind"] == "choice"]
                for field in fields:
                    self.assertNotIn(f'"{best[field]}"', plan)
                self.assertNotIn(best.get("name", best[fields[0]]), plan)


class Tools(unittest.TestCase):
    def test_help_and_wrong_arguments(self):
        tried = set()
        for _, row in instances():
            with App(row["bundle"]) as app:
                for name in set(app.tool_names()) - tried:
                    tried.add(name)
                    with self.subTest(name):
                        self.check_arguments(app, name)

    def check_arguments(self, app, name):
        shown = app.tool(name, "--help")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("usage: " + name, shown.stdout)
        for words in ([], ["--nonsense", "1"], ["stray"], ["--" + self.required(app, name)]):
            bad = app.tool(name, *words)
            self.assertEqual((bad.returncode, bad.stdout), (2, ""), words)
            self.assertIn(name, bad.stderr)
        self.assertEqual(app.log(), [], "help and refused calls are not logged")

    def required(self, app, name):
        for tool in load(app.file("tool_defs.json")):
            if tool["function"]["name"] == name:
                return tool["function"]["parameters"]["required"][0]
        raise AssertionError(name + " is not defined")

    def test_a_good_call_prints_json_and_is_logged(self):
        """The careful agent's own calls, repeated one by one."""
        for _, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                self.assertEqual(app.agent("careful").returncode, 0)
                calls = app.log()
                self.assertTrue(calls)
                for call in calls:
                    self.assertEqual(list(call), ["tool", "arguments", "result_count"])
                    words = [f"--{key}=" + (value if isinstance(value, str) else json.dumps(value))
                             for key, value in call["arguments"].items()]
                    done = app.tool(call["tool"], *words)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    printed = json.loads(done.stdout)
                    self.assertEqual(printed["count"], call["result_count"])
                    self.assertEqual(len(printed["results"]), call["result_count"])
                self.assertEqual(app.log(), calls * 2)

    def test_strange_values_get_a_sentence(self):
        cases = [(["--max_price", "nan"], 2), (["--max_price", "cheap"], 2),
                 (["--limit", "9" * 30], 1), (["--city", b"\xff"], 1), (["--city", "Atlantis"], 0),
                 (["--max_price", "null", "--limit=3"], 0)]
        _, row = instances()[0]
        with App(row["bundle"]) as app:
            for words, code in cases:
                with self.subTest(words):
                    done = app.tool("search_hotels", "--city", "杭州", *words)
                    self.assertEqual(done.returncode, code, done.stderr)
                    self.assertNotIn("Traceback", done.stderr)
                    self.assertEqual(bool(done.stderr), code != 0)
            self.assertEqual([call["result_count"] for call in app.log()], [0, 3])

    def test_ids_that_do_not_exist_are_an_error(self):
        tried = set()
        for _, row in instances():
            with App(row["bundle"]) as app:
                for tool in load(app.file("tool_defs.json")):
                    name = tool["function"]["name"]
                    properties = tool["function"]["parameters"]["properties"]
                    lists = [key for key, schema in properties.items()
                             if schema["type"] == "array"]
                    if name in tried or not lists or name == "opening_hours":
                        continue
                    tried.add(name)
                    with self.subTest(name):
                        words = [f"--{lists[0]}", '["none"]']
                        if "nights" in properties:
                            words += ["--nights", "2"]
                        done = app.tool(name, *words)
                        self.assertEqual((done.returncode, done.stdout), (1, ""))
                        self.assertIn("one of these", done.stderr)
                self.assertEqual(app.log(), [])

    def test_tools_find_their_database_when_moved_aside(self):
        """As a sandbox does that keeps the real tools in /app/.tools_real."""
        for _, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                self.assertEqual(app.agent("careful").returncode, 0)
                call = app.log()[0]
                os.rename(app.tools, app.file(".tools_real"))
                os.makedirs(app.tools)
                for name in os.listdir(app.file(".tools_real")):
                    if name.endswith(".db"):
                        os.rename(app.file(".tools_real/" + name), os.path.join(app.tools, name))
                words = [f"--{key}={value}" for key, value in call["arguments"].items()]
                done = subprocess.run([app.file(".tools_real/" + call["tool"]), *words],
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(app.log()[-1], call)


class Rewards(unittest.TestCase):
    def test_agents_get_the_expected_rewards(self):
        self.maxDiff = None
        found = rewards()
        self.assertEqual(found, load(EXPECTED))
        for family in FAMILIES:
            careful, hasty = (found[family][agent].values() for agent in AGENTS)
            self.assertNotIn(None, careful)
            self.assertGreater(mean(careful) - mean(hasty), 0.3)
        failed = [name for family in FAMILIES for name, reward in found[family]["hasty"].items()
                  if reward is None]
        self.assertEqual(len(failed), 1)

    def test_agents_differ_from_each_other_in_degree(self):
        table = load(EXPECTED)
        values = [reward for family in FAMILIES for agent in AGENTS
                  for reward in table[family][agent].values() if reward is not None]
        self.assertGreater(len(set(values)), 8, "rewards are graded")

    def test_no_answer_and_no_call_is_worth_nothing(self):
        for _, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                code, table, reward = app.verify()
                self.assertEqual((code, reward), (0, 0.0), table)
                self.assertIn("remark", table)

    def test_garbage_does_not_disturb_the_verifier(self):
        garbage = {
            "no json": "{\"hotel_id\": ",
            "a list": "[1, 2]",
            "deep": "[" * 100_000,
            "huge": "{\"total\": \"" + "9" * (2 << 20) + "\"}",
            "long number": "{\"total\": " + "9" * 6000 + "}",
            "not a number": "{\"total\": NaN, \"hotel_id\": [[]], \"product_id\": {}}",
            "surrogate": "{\"hotel_id\": \"\\ud800\", \"product_id\": \"\\ud800\"}",
        }
        one_of_each_domain = {row["domain"]: row for _, row in instances()}.values()
        for kind, text in garbage.items():
            for row in one_of_each_domain:
                with self.subTest(kind, instance=row["instance_id"]), App(row["bundle"]) as app:
                    app.write("answer.json", text)
                    app.write("answer.md", "")
                    code, table, reward = app.verify()
                    self.assertEqual((code, reward), (0, 0.0), table)

    def test_an_answer_that_is_no_regular_file_counts_as_none(self):
        _, row = instances()[0]
        with App(row["bundle"]) as app:
            os.symlink(app.file("tests/gold.json"), app.file("answer.json"))
            os.mkfifo(app.file("answer.md"))
            self.assertEqual(app.verify()[::2], (0, 0.0))

    def test_a_forged_answer_without_tool_calls_is_capped(self):
        for _, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                self.forge(app)
                code, table, reward = app.verify()
                self.assertEqual((code, reward), (0, FORGED_REWARD), table)

    def test_the_same_answer_with_all_tools_called_is_worth_everything(self):
        for _, row in instances():
            with self.subTest(row["instance_id"]), App(row["bundle"]) as app:
                self.forge(app)
                app.write(".tool_calls.jsonl", "".join(
                    json.dumps({"tool": name, "arguments": {}, "result_count": 1}) + "\n"
                    for name in app.tool_names()))
                code, table, reward = app.verify()
                self.assertEqual((code, reward), (0, 1.0), table)

    def forge(self, app):
        best = load(app.file("tests/gold.json"))["best"]
        app.write("answer.json", json.dumps(best))
        wanted = [part["language"] for part in load(app.file("tests/rubric.json"))
                  if part["kind"] == "language"]
        filler = "这是符合题目全部条件的最佳选择，" * 8 if wanted == ["zh"] else "This is the best one of all. "
        app.write("answer.md", filler + ", ".join(str(value) for value in best.values()))

    def test_a_verifier_without_its_gold_data_fails_and_writes_no_reward(self):
        _, row = instances()[0]
        with App(row["bundle"]) as app:
            os.remove(app.file("tests/gold.json"))
            code, _, reward = app.verify()
            self.assertNotEqual(code, 0)
            self.assertIsNone(reward)


def write_expected():
    setUpModule()
    table = rewards()
    with open(EXPECTED, "w", encoding="utf-8") as file:
        file.write(json.dumps(table, indent=2) + "\n")
    tearDownModule()
    for family in FAMILIES:
        for agent in AGENTS:
            print(family, agent, round(mean(table[family][agent].values()), 4))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write-expected"]:
        write_expected()
    else:
        unittest.main()
