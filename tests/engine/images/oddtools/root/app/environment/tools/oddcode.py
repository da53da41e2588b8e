# SPDX-License-Identifier: GPL-3.0-or-later
"""What importing does; executable, as some images have it, and still no tool."""
import json
import sys


def main():
    with open("/app/.tool_calls.jsonl", "a", encoding="utf-8") as log:
        log.write(json.dumps({"tool": "importing"}) + "\n")
    print(json.dumps({"importing": sys.argv[1:]}))
