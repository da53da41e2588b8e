# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks one attempt: TESTS_DIR/rubric.json says for what there are points,
TESTS_DIR/gold.json what is right. Prints the table of marks and writes the
reward, a number from 0 to 1, to the file named on the command line."""
import json
import os
import sys

import rubric

TESTS = os.environ.get("TESTS_DIR") or os.path.dirname(os.path.abspath(__file__))


def load(name):
    with open(os.path.join(TESTS, name), encoding="utf-8") as file:
        return json.load(file)


def main(reward_file):
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    work = rubric.Work(os.path.dirname(os.path.abspath(TESTS)))
    marks = rubric.mark(load("rubric.json"), load("gold.json"), work)
    reward = rubric.reward_of(marks)
    print(rubric.table(marks, reward))
    os.makedirs(os.path.dirname(reward_file), exist_ok=True)
    with open(reward_file, "w", encoding="ascii") as file:
        file.write(f"{reward:g}\n")


if __name__ == "__main__":
    main(sys.argv[1])
