# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tools of the demo exam share: arguments, database, call log, output.

A tool is one SQL query whose named values (`:city`) are the tool's arguments; a
list arrives in SQL as JSON text for json_each(). `Tool` makes it a program:
`tool --key value ...` prints {"count": N, "results": [...]} and exits 0, or
prints a sentence on stderr and exits 1 (the call failed) or 2 (wrong arguments).

Only json, os, sqlite3 and sys are imported: a tool's time is its start-up.
"""
import json
import os
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(sys.argv[0] or __file__))


class Refusal(Exception):
    """A call that cannot be answered; its text is for the agent."""


def app_folder():
    """The nearest folder above the tools that holds tool_defs.json: /app in a
    sandbox, also when the real tools were moved to /app/.tools_real."""
    folder = HERE
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.exists(os.path.join(folder, "tool_defs.json")):
            return folder
    return "/app"


def open_database(name):
    app = app_folder()
    places = (HERE, os.path.dirname(HERE), os.path.join(app, "environment"),
              os.path.join(app, "environment", "tools"), os.path.join(app, "tools"))
    for place in places:
        path = os.path.join(place, name)
        if os.path.exists(path):
            # immutable: no lock or journal files beside the database
            uri = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            database = sqlite3.connect(uri + "?mode=ro&immutable=1", uri=True)
            database.row_factory = sqlite3.Row
            return database
    raise Refusal("database " + name + " not found")


def log_call(tool, arguments, count):
    """One line, one write: calls that run side by side cannot mix theirs."""
    line = json.dumps({"tool": tool, "arguments": arguments, "result_count": count},
                      ensure_ascii=False) + "\n"
    log = os.open(os.path.join(app_folder(), ".tool_calls.jsonl"),
                  os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(log, line.encode())
    finally:
        os.close(log)


class Parameter:
    def __init__(self, name, schema, parse, description, required=False, default=None):
        self.name = name
        self.schema = dict(schema, description=description)
        self.parse = parse
        self.required = required
        self.default = default


def parse_number(value):
    figure = float(value)
    if figure - figure != 0:  # NaN or infinite: neither JSON nor SQL has them
        raise ValueError(value)
    return figure


def parse_bool(value):
    return {"true": True, "false": False}[value.lower()]


def parse_list(value):
    if not value.startswith("["):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [str(item) for item in json.loads(value)]


def text(name, description, **more):
    return Parameter(name, {"type": "string"}, str, description, **more)


def integer(name, description, **more):
    return Parameter(name, {"type": "integer"}, int, description, **more)


def number(name, description, **more):
    return Parameter(name, {"type": "number"}, parse_number, description, **more)


def boolean(name, description, **more):
    return Parameter(name, {"type": "boolean"}, parse_bool, description, **more)


def id_list(name, description, **more):
    return Parameter(name, {"type": "array", "items": {"type": "string"}}, parse_list,
                     description + " (a JSON list)", required=True, **more)


class Tool:
    """`nothing_found`: the refusal when no row matches; without it an empty
    result is an answer like any other."""

    def __init__(self, name, description, database, query, *parameters, nothing_found=None):
        self.name = name
        self.description = description.strip()
        self.database = database
        self.query = query
        self.nothing_found = nothing_found
        self.parameters = {parameter.name: parameter for parameter in parameters}

    def definition(self):
        """The tool as an OpenAI function definition."""
        return {"type": "function", "function": {
            "name": self.name,
            "description": self.description,
            "parameters": {
                "type": "object",
                "properties": {p.name: p.schema for p in self.parameters.values()},
                "required": [p.name for p in self.parameters.values() if p.required]}}}

    def help(self):
        lines = ["usage: " + self.name + " [--key value ...]", self.description, ""]
        for p in self.parameters.values():
            remark = "required" if p.required else "default %s" % json.dumps(p.default)
            lines.append("  --%-14s %s [%s, %s]" % (
                p.name, p.schema["description"], p.schema["type"], remark))
        return "\n".join(lines)

    def read_arguments(self, words):
        given = {}
        words = list(words)
        while words:
            word = words.pop(0)
            if not word.startswith("--"):
                raise ValueError("unexpected word: " + word)
            key, equals, value = word[2:].partition("=")
            if key not in self.parameters:
                raise ValueError("unknown option --" + key)
            if not equals:
                if not words:
                    raise ValueError("--" + key + " needs a value")
                value = words.pop(0)
            if value == "null" and not self.parameters[key].required:
                continue  # how a JSON caller says "not given"
            try:
                given[key] = self.parameters[key].parse(value)
            except (ValueError, KeyError, RecursionError):
                raise ValueError("--%s: %s expected, got %s" % (
                    key, self.parameters[key].schema["type"], value)) from None
        for p in self.parameters.values():
            if p.required and given.get(p.name) in (None, "", []):
                raise ValueError("--" + p.name + " is required")
        return given

    def main(self):
        sys.stdout.reconfigure(encoding="utf-8")
        sys.stderr.reconfigure(encoding="utf-8", errors="replace")
        words = sys.argv[1:]
        if words and words[0] in ("--help", "-h"):
            print(self.help())
            return
        try:
            given = self.read_arguments(words)
        except ValueError as error:
            sys.exit(self.complain(str(error) + " (see --help)", 2))
        try:
            rows = self.ask(given)
            log_call(self.name, given, len(rows))
        except (Refusal, sqlite3.Error, OSError, OverflowError, UnicodeError) as error:
            sys.exit(self.complain(str(error), 1))
        json.dump({"count": len(rows), "results": rows}, sys.stdout, ensure_ascii=False)
        print()

    def ask(self, given):
        values = {}
        for p in self.parameters.values():
            value = given.get(p.name, p.default)
            values[p.name] = json.dumps(value) if isinstance(value, list) else value
        rows = [plain(row) for row in open_database(self.database).execute(self.query, values)]
        if not rows and self.nothing_found:
            raise Refusal(self.nothing_found)
        return rows

    def complain(self, why, code):
        print(self.name + ": " + why, file=sys.stderr)
        return code


def plain(row):
    """A row as a dict; a column named *_list holds its items separated by "|"."""
    result = {}
    for key in row.keys():
        if key.endswith("_list"):
            result[key[:-len("_list")]] = row[key].split("|") if row[key] else []
        else:
            result[key] = row[key]
    return result
