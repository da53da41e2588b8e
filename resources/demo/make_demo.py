#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the demo exam: make_demo.py OUTPUT_DIR

OUTPUT_DIR/<family>/<instance>/  the bundles (contents of a task image's /app)
OUTPUT_DIR/<family>.jsonl        the dataset files
OUTPUT_DIR/<family>.yaml         a configuration each; matrix.yaml for both agents
OUTPUT_DIR/agents/               agents that run on the host

Two runs with the same Python write the same bytes. Standard library only.
"""
import json
import os
import shutil
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, "tasks"), os.path.join(HERE, "tools")]

import e_commerce  # noqa: E402 (the paths above must be set first)
import travel  # noqa: E402

FAMILIES = {"travel": travel, "e_commerce": e_commerce}
REWARD_FILES = {"app": "/app/reward.txt", "logs": "/logs/verifier/reward.txt"}
INSTRUCTION = {
    "en": "{question}\n\nWrite /app/answer.json as {format} and a short report to "
          "/app/answer.md.\n",
    "zh": "{question}\n\n请把答案写入 /app/answer.json，格式为 {format}，并把简短的说明写入 "
          "/app/answer.md。\n",
}


def write_text(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def write_json(path, value):
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def read_text(*parts):
    with open(os.path.join(HERE, *parts), encoding="utf-8") as file:
        return file.read()


def write_database(path, tables):
    database = sqlite3.connect(path)
    database.executescript("PRAGMA page_size = 4096; PRAGMA journal_mode = OFF;")
    for table, (columns, rows) in tables.items():
        columns = columns.split()
        database.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)
    database.commit()
    database.close()
    os.chmod(path, 0o644)


def gold_of(task, database_path):
    """The best answer and the best one with another choice. The task must have
    exactly one right answer: a tie or a lack of candidates is a mistake in it."""
    database = sqlite3.connect(database_path)
    database.row_factory = sqlite3.Row
    ranked = [dict(row) for row in database.execute(task["gold"])]
    field = next(part["field"] for part in task["rubric"] if part["kind"] == "choice")
    others = [row for row in ranked if row[field] != ranked[0][field]]
    if not others or next(iter(ranked[0].values())) == next(iter(ranked[1].values())):
        raise SystemExit(f"{task['id']}: no single best answer among {ranked[:3]}")
    forbidden = [row[0] for row in database.execute(task["forbidden"])] \
        if "forbidden" in task else []
    database.close()
    return {"best": ranked[0], "second": others[0], "forbidden": forbidden}


def tool_definition(source):
    """Runs the tool's file without its main part and asks its TOOL."""
    scope = {"__name__": "tool"}
    code = compile(source, "tool", "exec")
    scope["__doc__"] = code.co_consts[0]
    exec(code, scope)
    return scope["TOOL"].definition()


def write_tools(task, family, bundle, tools_folder):
    definitions = []
    for name in task["tools"]:
        source = read_text("tools", family, name)
        definitions.append(tool_definition(source))
        write_text(os.path.join(bundle, tools_folder, name), source, 0o755)
    write_text(os.path.join(bundle, tools_folder, "toolkit.py"), read_text("tools", "toolkit.py"))
    write_json(os.path.join(bundle, "tool_defs.json"), definitions)


def write_bundle(task, family, system, bundle):
    in_environment = task["layout"] == "environment"
    tools_folder = "environment/tools" if in_environment else "tools"
    write_text(os.path.join(bundle, "system.md"), system.format(tools="/app/" + tools_folder))
    write_text(os.path.join(bundle, "instruction.md"),
               INSTRUCTION[task["language"]].format(**task))
    write_json(os.path.join(bundle, "context.json"), task["context"])
    write_tools(task, family, bundle, tools_folder)

    database_folder = "environment" if task["database_in"] == "environment" else tools_folder
    database = os.path.join(bundle, database_folder, task["database"])
    write_database(database, task["tables"])

    tests = os.path.join(bundle, "tests")
    script = read_text("verifier", "test.sh").replace("@REWARD_FILE@",
                                                      REWARD_FILES[task["reward"]])
    write_text(os.path.join(tests, "test.sh"), script, 0o755)
    for name in ("verify.py", "rubric.py"):
        write_text(os.path.join(tests, name), read_text("verifier", name))
    write_json(os.path.join(tests, "rubric.json"), task["rubric"])
    write_json(os.path.join(tests, "gold.json"), gold_of(task, database))

    for name in ("careful.py", "hasty.py", "scripted.py"):
        write_text(os.path.join(bundle, "agent", name), read_text("agent", name))
    write_json(os.path.join(bundle, "agent", "plan.json"), task["plans"])


def dataset_line(task, family):
    return json.dumps({
        "instance_id": task["id"],
        "docker_image": "proctor-demo/" + task["id"],
        "domain": task["domain"],
        "user_question": task["question"],
        "config": family,
        "bundle": f"{family}/{task['id']}"}, ensure_ascii=False) + "\n"


def make(output):
    for family, module in FAMILIES.items():
        shutil.rmtree(os.path.join(output, family), ignore_errors=True)
        for task in module.TASKS:
            write_bundle(task, family, module.SYSTEM, os.path.join(output, family, task["id"]))
        write_text(os.path.join(output, family + ".jsonl"),
                   "".join(dataset_line(task, family) for task in module.TASKS))
    for name in sorted(os.listdir(os.path.join(HERE, "config"))):
        write_text(os.path.join(output, name), read_text("config", name))
    for folder, name in (("agents", "openai_agent.py"), ("agents", "scripted_host.py"), ("agent", "scripted.py")):
        write_text(os.path.join(output, "agents", name), read_text(folder, name))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: make_demo.py OUTPUT_DIR")
    make(sys.argv[1])
