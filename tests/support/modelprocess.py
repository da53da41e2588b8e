# SPDX-License-Identifier: GPL-3.0-or-later
"""For tests in Python: fakemodel.py as a process."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fakemodel.py")


class FakeModel:
    def __init__(self, script, keys=()):
        self.folder = tempfile.mkdtemp(prefix="fakemodel-")
        self.log = os.path.join(self.folder, "requests.jsonl")
        path = os.path.join(self.folder, "script.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(script, file)
        words = [sys.executable, PROGRAM, "--script", path, "--log", self.log]
        for key in keys:
            words += ["--key", key]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def requests(self):
        with open(self.log, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(10)
        shutil.rmtree(self.folder)
