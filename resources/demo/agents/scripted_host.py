#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host agent without a model: it follows the demo's plans and calls the tools over HTTP.

scripted_host.py --context agent_context.json --plans FOLDER --plan careful|hasty

FOLDER holds the family's bundles (a plan lies in <instance>/agent/plan.json). It shows a host agent
at work where there is neither key nor network; openai_agent.py beside it is the one to build on.
"""
import argparse
import json
import os
import sys
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
import scripted  # noqa: E402 (no folder of compiled files beside the configuration)

TRAJECTORY = "artifacts/trajectory.jsonl"


class HostRun(scripted.Run):
    """Follows a plan with the tools at an address instead of programs in a folder."""

    def __init__(self, context):
        super().__init__(context["output"]["directory"])
        self.tools = context["tools"]["url"]
        self.trajectory = None
        if TRAJECTORY in context["output"]["paths"]:
            path = os.path.join(self.output, TRAJECTORY)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.trajectory = open(path, "w", encoding="utf-8")

    def ask_tool(self, name, arguments):
        request = urllib.request.Request(f"{self.tools}/call/{name}", json.dumps(arguments).encode(),
                                         {"Content-Type": "application/json"})
        # the tools are on this machine, whatever proxy is set
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                result = json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{name} failed: {error.read().decode(errors='replace').strip()}")
        self.note({"event": "tool", "turn": self.turn, "name": name, "arguments": arguments,
                   "result": result})
        return result

    def do_say(self, step):
        super().do_say(step)
        self.note({"event": "assistant", "turn": self.turn + 1, "content": step["say"]})

    def note(self, event):
        if self.trajectory:
            self.trajectory.write(json.dumps(event, ensure_ascii=False) + "\n")
            self.trajectory.flush()


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description="a host agent that follows a plan of the demo")
    parser.add_argument("--context", required=True)
    parser.add_argument("--plans", required=True)
    parser.add_argument("--plan", default="careful", choices=["careful", "hasty"])
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    context = load(options.context)
    scripted.say(f"{options.plan} agent on the host, no model")
    plans = load(options.plans, context["instance_id"], "agent", "plan.json")
    HostRun(context).follow(plans[options.plan])


if __name__ == "__main__":
    main()
