#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Stands in for `docker` and `podman`: records how it is called and plays what a test scripted.
#
# FAKE_ENGINE names a folder. `play.json` in it is {"<words>": [<answer>, …], …}: the longest key whose words are all
# among the arguments, in this order, decides; its n-th call gets the n-th answer, later ones the last. An answer is
# {"out": text, "err": text, "code": number, "seconds": number, "hangs": bool}, each optional; "seconds" pass before it
# ends. No key: exit code 1. `calls.jsonl` takes one line a call: its program name and arguments.
import fcntl
import json
import os
import sys
import time


def has(arguments, key):
    rest = iter(arguments)
    return all(word in rest for word in key.split())


def main():
    folder = os.environ["FAKE_ENGINE"]
    arguments = sys.argv[1:]
    with open(os.path.join(folder, "play.json"), encoding="utf-8") as file:
        play = json.load(file)
    fitting = sorted((key for key in play if has(arguments, key)), key=len)
    with open(os.path.join(folder, "calls.jsonl"), "a+", encoding="utf-8") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        earlier = [json.loads(line) for line in log]
        log.write(json.dumps([os.path.basename(sys.argv[0]), *arguments]) + "\n")
    if not fitting:
        sys.stderr.write("the fake engine has no answer to: %s\n" % " ".join(arguments))
        return 1
    answers = play[fitting[-1]]
    number = sum(has(call[1:], fitting[-1]) for call in earlier)
    answer = answers[min(number, len(answers) - 1)]
    sys.stdout.write(answer.get("out", ""))
    sys.stdout.flush()
    sys.stderr.write(answer.get("err", ""))
    sys.stderr.flush()
    time.sleep(3600 if answer.get("hangs") else answer.get("seconds", 0))
    return answer.get("code", 0)


sys.exit(main())
