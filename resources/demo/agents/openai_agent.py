#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host agent to copy and change: function calling over an OpenAI-compatible endpoint.

    openai_agent.py --context agent_context.json [--max-turns 30]

Python 3.9 or newer, standard library only. A run starts it once an instance with the path of a
manifest, in which it finds everything it may know (see `main`):

    prompts.system, prompts.user     what the exam tells the agent
    tools.definitions                the tools, as the model's endpoint wants them
    tools.url                        POST {url}/call/<name> with the arguments runs one
    task_context                     further facts about the task, or null
    output.directory, output.paths   where to write, and what is expected there
    llm.base_url, llm.model          the endpoint; the key is in the variable llm.api_key_env names

It must leave answer.json and answer.md in the output directory and exit with 0. Whatever it prints
is kept with the results. Register it in eval_config.yaml:

    agents:
      mine:
        command: python3 {config_dir}/openai_agent.py --context {context} --max-turns 30
        output_paths: [artifacts/trajectory.jsonl]
    agent:
      name: mine
"""
import argparse
import http.client
import json
import os
import random
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TRAJECTORY = "artifacts/trajectory.jsonl"
TOOL_TIMEOUT = 120      # seconds
MODEL_TIMEOUT = 600
TRIES = 4               # requests for one answer of the model
RESULT_MAX = 20000      # characters of a tool's result that the model gets to see

# The prompts are written for an agent with a shell: this one hands its answer over in words.
HAND_OVER = """You have no shell and cannot write files: use the functions you were given. When you \
are done, reply without a function call, with one JSON object and nothing else:
{"answer_json": <what the task wants in answer.json>, "answer_md": "<the text of answer.md>"}"""
GO_ON = "Your reply was empty. Call a function, or reply with the final JSON object."
LAST_WORD = "You cannot call any more functions. Reply now with the final JSON object."


class ModelError(Exception):
    """The model gave no usable answer, even after several tries."""


# ---- the model


class Model:
    def __init__(self, base_url, model, key):
        self.url, self.model, self.key = base_url.rstrip("/") + "/chat/completions", model, key

    def ask(self, messages, tools):
        """The model's next message. Tries again where that may help: a rate limit, a server that
        is busy, a connection that broke, an answer that is no answer."""
        body = {"model": self.model, "messages": messages}
        if tools:
            body["tools"] = tools
        for number in range(1, TRIES + 1):
            wait = 2 ** (number - 1) * random.uniform(0.5, 1.5)
            try:
                return self.post(json.dumps(body).encode())
            except urllib.error.HTTPError as error:
                why = f"HTTP {error.code}: {error.read(300).decode(errors='replace')}"
                if error.code not in (408, 429) and error.code < 500:
                    raise ModelError(why) from None
                wanted = error.headers.get("Retry-After", "")
                wait = min(int(wanted), 120) if wanted.isdigit() else wait
            except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException) as error:
                why = f"{type(error).__name__}: {error}"
            if number < TRIES:
                print(f"    the model did not answer ({why}), waiting {wait:.1f} s", flush=True)
                time.sleep(wait)
        raise ModelError(why)

    def post(self, body):
        headers = {"Content-Type": "application/json", "User-Agent": "example-host-agent"}
        if self.key:
            headers["Authorization"] = "Bearer " + self.key
        request = urllib.request.Request(self.url, body, headers)
        with urllib.request.urlopen(request, timeout=MODEL_TIMEOUT) as answer:
            message = json.load(answer)["choices"][0]["message"]
        if not isinstance(message, dict):
            raise ValueError("the answer holds no message")
        return message


# ---- the tools


class Tools:
    def __init__(self, url, definitions):
        self.url = url.rstrip("/")
        self.names = {tool["function"]["name"] for tool in definitions}
        # the tools are on this machine: no proxy, whatever is set
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(self, name, arguments):
        """The tool's result. An error is a result too: the model reads it and does better."""
        if name not in self.names:
            return {"error": f"there is no function {name}"}
        if not isinstance(arguments, dict):
            return {"error": "the arguments must be a JSON object"}
        request = urllib.request.Request(f"{self.url}/call/{urllib.parse.quote(name)}",
                                         json.dumps(arguments).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=TOOL_TIMEOUT) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                text = json.loads(text)["error"]
            except (ValueError, LookupError, TypeError):
                pass
            return {"error": text, "status": error.code}
        except (OSError, ValueError, http.client.HTTPException) as error:
            return {"error": f"{type(error).__name__}: {error}"}


# ---- what is left behind


class Outputs:
    def __init__(self, directory, paths):
        self.directory, self.trajectory = directory, None
        # Extra files may only be written when the registration's output_paths names them.
        if TRAJECTORY in paths:
            os.makedirs(os.path.join(directory, "artifacts"), exist_ok=True)
            self.trajectory = open(os.path.join(directory, TRAJECTORY), "w", encoding="utf-8",
                                   errors="replace")

    def note(self, event, turn, **more):
        """A line of the trajectory, written at once: it tells how far an agent came that was stopped."""
        if self.trajectory:
            line = json.dumps(dict({"event": event, "turn": turn}, **more), ensure_ascii=False)
            self.trajectory.write(line + "\n")
            self.trajectory.flush()

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "w", encoding="utf-8", errors="replace") as file:
            file.write(text)

    def write_answer(self, text):
        answer, report = split_answer(text)
        self.write("answer.json", json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
        if not report.lstrip().startswith("#"):
            report = "# Answer\n\n" + report
        self.write("answer.md", report.rstrip() + "\n")


def split_answer(text):
    """(value for answer.json, text for answer.md) of the model's last words: a JSON object, alone or
    in a ```json fence, that holds the answer or both answers; else the words themselves."""
    answer = None
    fence = re.search(r"```(?:json)?[ \t]*\n(.*?)```", text, re.DOTALL | re.IGNORECASE)
    for candidate in [text] + ([fence.group(1)] if fence else []):
        try:
            answer = json.loads(candidate)
            break
        except (ValueError, RecursionError):
            pass
    else:
        return {"response": text}, text
    if isinstance(answer, dict) and "answer_json" in answer:
        report = answer.get("answer_md")
        return answer["answer_json"], report if isinstance(report, str) and report.strip() else text
    return answer, text


# ---- the loop


def arguments_of(call):
    """(name, arguments) of a tool call; arguments of None when they are not JSON."""
    function = call.get("function") or {}
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
    return str(function.get("name")), arguments


def opening(context):
    """The conversation's first messages."""
    prompts = context["prompts"]
    user = prompts.get("user") or ""
    if context.get("task_context") is not None:
        facts = json.dumps(context["task_context"], ensure_ascii=False, indent=2)
        user += f"\n\nContext of the task:\n{facts}"
    system = "\n\n".join(part for part in ((prompts.get("system") or "").strip(), HAND_OVER) if part)
    return [{"role": "system", "content": system}, {"role": "user", "content": user.strip()}]


def work(model, tools, definitions, messages, outputs, max_turns):
    """The model's last words, or None when it used up its turns."""
    for turn in range(1, max_turns + 1):
        try:
            message = model.ask(messages, definitions)
        except ModelError as error:
            print(f"[{turn}/{max_turns}] model error: {error}", flush=True)
            outputs.note("llm_error", turn, error=str(error))
            continue
        content = message.get("content") if isinstance(message.get("content"), str) else ""
        calls = [call for call in message.get("tool_calls") or [] if isinstance(call, dict)]
        if not calls and content.strip():
            outputs.note("final_assistant", turn, content=content)
            return content
        outputs.note("assistant", turn, content=content, tool_calls=calls)
        if not calls:
            messages.append({"role": "user", "content": GO_ON})
            continue
        messages.append({"role": "assistant", "content": content, "tool_calls": calls})
        for call in calls:
            name, arguments = arguments_of(call)
            result = tools.call(name, arguments)
            print(f"[{turn}/{max_turns}] {name} {json.dumps(arguments)[:300]}", flush=True)
            outputs.note("tool", turn, name=name, arguments=arguments, result=result)
            messages.append({"role": "tool", "tool_call_id": call.get("id"),
                             "content": json.dumps(result, ensure_ascii=False)[:RESULT_MAX]})
    return None


def force_answer(model, messages, outputs, turn):
    """One more request, without tools: what is known by now is worth more than nothing."""
    try:
        content = model.ask(messages + [{"role": "user", "content": LAST_WORD}], None).get("content")
    except ModelError as error:
        outputs.note("final_error", turn, error=str(error))
        raise
    if not isinstance(content, str) or not content.strip():
        outputs.note("final_error", turn, error="the model's last answer is empty")
        raise ModelError("the model's last answer is empty")
    outputs.note("final_assistant", turn, content=content)
    return content


def main():
    parser = argparse.ArgumentParser(description="a host agent over an OpenAI-compatible endpoint")
    parser.add_argument("--context", default=os.environ.get("FLYAI_BENCH_CONTEXT"))
    parser.add_argument("--max-turns", type=int, default=30)
    options = parser.parse_args()
    if not options.context:
        parser.error("--context names the manifest, agent_context.json")
    if options.max_turns <= 0:
        parser.error("--max-turns must be 1 or more")
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")

    with open(options.context, encoding="utf-8") as file:
        context = json.load(file)
    llm, definitions = context["llm"], context["tools"]["definitions"]
    model = Model(llm["base_url"], llm["model"], os.environ.get(llm["api_key_env"], ""))
    tools = Tools(context["tools"]["url"], definitions)
    outputs = Outputs(context["output"]["directory"], context["output"]["paths"])

    messages = opening(context)
    try:
        text = work(model, tools, definitions, messages, outputs, options.max_turns)
        if text is None:
            text = force_answer(model, messages, outputs, options.max_turns + 1)
    except ModelError as error:
        sys.exit(f"no answer: {error}")
    outputs.write_answer(text)
    print("finished", flush=True)


if __name__ == "__main__":
    main()
