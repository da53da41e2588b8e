# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent without a model: it follows a plan, step by step.

A plan says which tools to call with which arguments and how to choose among
their results; it holds no answer. What the agent writes comes from the tools.
The steps (keys of a step; "$name.key" stands for an earlier result):

  say     a thought, for the log
  call    a tool; with: its arguments; as: the name of its results
  keep    the rows of results that fit `where` [[key, operator, value], ...]; as: name
  choose  one row of results: `by` ["min"|"max", key] or ["first"]; as: name
  answer  the content of answer.json
  report  the text of answer.md; "{name.key}" is filled in
  fail    end with exit code 1 and this message on stderr

"$name.*.key" is the list of a key of all rows, "$name.0.key" that of the first.
"""
import json
import operator
import os
import re
import subprocess
import sys

APP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

OPERATORS = {
    "=": operator.eq, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
    "has": lambda row_value, wanted: wanted in row_value,
    "in": lambda row_value, wanted: row_value in wanted,
}


def say(text):
    print(text, flush=True)


def tools_folder():
    for folder in ("environment/tools", "tools"):
        path = os.path.join(APP, folder)
        if os.path.isdir(path):
            return path
    raise SystemExit("no tools folder below " + APP)


def show(value):
    """A value as a person would write it: 428.0 is 428."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value)


class Run:
    def __init__(self, output=APP):
        self.output = output
        self.results = {}
        self.turn = 0

    def look_up(self, path):
        """"hotels.*.hotel_id" -> the list of ids; "best.name" -> one value."""
        value = self.results
        keys = path.split(".")
        while keys:
            key = keys.pop(0)
            if key == "*":
                return [row[keys[0]] for row in value]
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def fill(self, value):
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, str) and value.startswith("$"):
            return self.look_up(value[1:])
        return value

    def do_say(self, step):
        say("# " + step["say"])

    def do_call(self, step):
        self.turn += 1
        arguments = self.fill(step.get("with", {}))
        say(f"[{self.turn}] {step['call']} {json.dumps(arguments, ensure_ascii=False)}")
        rows = self.ask_tool(step["call"], arguments)["results"]
        say(f"    {len(rows)} results")
        self.results[step["as"]] = rows

    def ask_tool(self, name, arguments):
        """What the tool printed, as a value. In a sandbox a tool is a program."""
        words = [os.path.join(tools_folder(), name)]
        for key, value in arguments.items():
            words += ["--" + key, value if isinstance(value, str) else
                      json.dumps(value, ensure_ascii=False)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
        note(self.turn, name, arguments, done.returncode)
        if done.returncode != 0:
            why = (done.stderr or done.stdout).decode(errors="replace").strip()
            raise SystemExit(f"{name} failed with exit code {done.returncode}: {why}")
        return json.loads(done.stdout)

    def do_keep(self, step):
        where = self.fill(step["where"])
        rows = [row for row in self.results[step["keep"]]
                if all(OPERATORS[sign](row[key], value) for key, sign, value in where)]
        say(f"    {len(rows)} of {len(self.results[step['keep']])} fit")
        self.results[step["as"]] = rows

    def do_choose(self, step):
        rows = self.results[step["choose"]]
        if not rows:
            raise SystemExit("nothing left to choose from in " + step["choose"])
        way, *key = step["by"]
        row = {"first": lambda: rows[0],
               "min": lambda: min(rows, key=lambda r: r[key[0]]),
               "max": lambda: max(rows, key=lambda r: r[key[0]])}[way]()
        say("    chosen: " + json.dumps(row, ensure_ascii=False))
        self.results[step["as"]] = row

    def do_answer(self, step):
        self.write("answer.json", json.dumps(self.fill(step["answer"]), ensure_ascii=False,
                                             indent=2) + "\n")

    def do_report(self, step):
        text = re.sub(r"\{([^{}]+)\}", lambda found: show(self.look_up(found[1])), step["report"])
        self.write("answer.md", text + "\n")

    def do_fail(self, step):
        raise SystemExit(step["fail"])

    def write(self, name, text):
        """In place: in a sandbox the file itself is mounted and cannot be renamed over."""
        with open(os.path.join(self.output, name), "w", encoding="utf-8") as file:
            file.write(text)
        say(f"    wrote {name}, {len(text.encode())} bytes")

    def follow(self, steps):
        for step in steps:
            kind = next(iter(step))
            getattr(self, "do_" + kind)(step)
        say("done")


def note(turn, tool, arguments, code):
    """A line of the trajectory, where the sandbox has a folder for it."""
    line = json.dumps({"event": "tool", "turn": turn, "name": tool, "arguments": arguments,
                       "exit_code": code}, ensure_ascii=False) + "\n"
    try:
        with open(os.path.join(APP, "logs", "trajectory.jsonl"), "a", encoding="utf-8") as log:
            log.write(line)
    except OSError:
        pass


def read(name):
    with open(os.path.join(APP, name), encoding="utf-8") as file:
        return file.read()


def follow(agent):
    sys.stdout.reconfigure(encoding="utf-8")
    say(f"{agent} agent, no model")
    say("task: " + read("instruction.md").strip().splitlines()[0])
    with open(os.path.join(APP, "agent", "plan.json"), encoding="utf-8") as file:
        Run().follow(json.load(file)[agent])
