# SPDX-License-Identifier: GPL-3.0-or-later
"""The rubric of the demo exam: what an answer is worth, line by line.

A rubric is a list of criteria {"kind", "points", ...}; the points of the
positive ones add up to 1. Each kind is a function that gets the criterion, the
gold data and the agent's work, and returns (share of the points earned, why).
The kinds are the functions of KINDS below.

The work is read with distrust: it may be missing, a link, not JSON, huge.
"""
import json
import math
import os
import re
import stat

READ_LIMIT = 1 << 20
WITHOUT_EVIDENCE = 0.3


def read_text(path):
    """The text of a regular file of at most READ_LIMIT bytes, else ""."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with open(file, "rb") as stream:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return ""
        data = stream.read(READ_LIMIT + 1)
    return data.decode(errors="replace") if len(data) <= READ_LIMIT else ""


def parse(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Work:
    """What the agent left in the app folder."""

    def __init__(self, app):
        answer = parse(read_text(os.path.join(app, "answer.json")))
        self.answer = answer if isinstance(answer, dict) else {}
        self.report = read_text(os.path.join(app, "answer.md"))
        calls = [parse(line)
                 for line in read_text(os.path.join(app, ".tool_calls.jsonl")).splitlines()]
        self.tools = {call["tool"] for call in calls
                      if isinstance(call, dict) and isinstance(call.get("tool"), str)}


def is_number(value):
    return (isinstance(value, (int, float)) and not isinstance(value, bool)
            and abs(value) < 1e12 and not math.isnan(value))


def close(value, right):
    return abs(value - right) < 0.005


def choice(criterion, gold, work):
    """Full points for the right one, `second` of them for the runner-up."""
    field = criterion["field"]
    value = work.answer.get(field)
    if not isinstance(value, str):
        return 0, f"{field} is missing"
    if value.strip() == gold["best"][field]:
        return 1, f"{field} is right"
    if value.strip() == gold["second"][field]:
        return criterion["second"], f"{field} is the second best"
    return 0, f"{field} is wrong"


def figure(criterion, gold, work):
    """Full points for the right number, half of them within a tenth of it."""
    field = criterion["field"]
    value, right = work.answer.get(field), gold["best"][field]
    if not is_number(value):
        return 0, f"{field} is not a number"
    if close(value, right):
        return 1, f"{field} is right"
    if abs(value - right) <= abs(right) / 10:
        return 0.5, f"{field} is within a tenth"
    return 0, f"{field} is wrong"


def numbers_in(text):
    found = re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", text[:100_000]))
    return [float(number) for number in found if len(number) < 20]


def is_mentioned(right, text):
    if isinstance(right, str):
        return right.casefold() in text.casefold()
    return any(close(number, right) for number in numbers_in(text))


def mentions(criterion, gold, work):
    """An equal share for each fact of the right answer that the report names."""
    missing = [field for field in criterion["fields"]
               if not is_mentioned(gold["best"][field], work.report)]
    share = 1 - len(missing) / len(criterion["fields"])
    return share, "report lacks " + ", ".join(missing) if missing else "report names all"


def language(criterion, gold, work):
    """The report is in the language of the question."""
    chinese = len(re.findall(r"[\u4e00-\u9fff]", work.report))
    latin = len(re.findall(r"[A-Za-z]+", work.report))
    if chinese + latin < 5:
        return 0, "no report to speak of"
    written = "zh" if chinese > latin else "en"
    return int(written == criterion["language"]), f"report is in {written}"


def tools(criterion, gold, work):
    """An equal share for each tool that was really called."""
    missing = [tool for tool in criterion["names"] if tool not in work.tools]
    share = 1 - len(missing) / len(criterion["names"])
    return share, "not called: " + ", ".join(missing) if missing else "all were called"


def penalty(criterion, gold, work):
    """Negative points for a choice that breaks a condition of the question."""
    bad = work.answer.get(criterion["field"]) in gold["forbidden"]
    return int(bad), criterion["why"] if bad else "kept"


KINDS = {kind.__name__: kind for kind in (choice, figure, mentions, language, tools, penalty)}


def mark(criteria, gold, work):
    """The marks as a list of (label, points earned, points possible, why)."""
    marks = []
    for criterion in criteria:
        share, why = KINDS[criterion["kind"]](criterion, gold, work)
        points = criterion["points"]
        # + 0.0: a penalty of none is printed as 0, not as -0
        marks.append((criterion["label"], points * share + 0.0, max(points, 0), why))
    earned = sum(line[1] for line in marks)
    if not work.tools and earned > WITHOUT_EVIDENCE:
        # An answer that no tool call supports was guessed or copied.
        marks.append(("evidence", WITHOUT_EVIDENCE - earned, 0, "no tool was called"))
    return marks


def reward_of(marks):
    return min(1.0, max(0.0, round(sum(line[1] for line in marks), 4)))


def table(marks, reward):
    lines = [f"{'criterion':<22} {'points':>6} {'of':>5}  remark"]
    lines += [f"{label:<22} {earned:>6.2f} {possible:>5.2f}  {why}"
              for label, earned, possible, why in marks]
    lines.append(f"{'reward':<22} {reward:>6.2f} {1:>5.2f}")
    return "\n".join(lines)
