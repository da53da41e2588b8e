#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in agent: a model with a terminal in the sandbox. Python 3.9 or newer, standard library only.

Environment
  LLM_BASE_URL, LLM_MODEL   the OpenAI-compatible endpoint and the model's name; both are needed
  LLM_API_KEY               sent as a bearer token when it is not empty; the commands that run do not get it
  MAX_ITERATIONS (30)       turns: requests that the model answers, or fails to
  COMMAND_TIMEOUT (120)     seconds a command may take
  TOOL_CALL_LOG (/app/.tool_calls.jsonl)   only written when no bridge listens
  LLM_TIMEOUT (600), LLM_TRIES (4), LLM_BACKOFF (1)   seconds an answer may take, requests a turn, seconds before the
                            second of them
  BRIDGE_URL (http://127.0.0.1:9999), APP_DIR (/app)  the sandbox's services and the task's folder

It reads system.md and instruction.md, gives the model one tool, terminal{command}, and ends when the model
answers in words while answer.json holds something. Each step goes to the bridge as it happens.

Exit codes: 0 done, or out of turns (with a warning); 1 the model answered nothing in the first turns;
2 the environment is not usable.
"""
import sys

if __name__ == "__main__":      # this file lies among the task's own, which are not modules to import
    sys.path = [folder for folder in sys.path if folder != __file__.rpartition("/")[0]]

import email.utils    # noqa: E402
import http.client    # noqa: E402
import json           # noqa: E402
import os             # noqa: E402
import random         # noqa: E402
import re             # noqa: E402
import signal         # noqa: E402
import subprocess     # noqa: E402
import threading      # noqa: E402
import time           # noqa: E402
import urllib.error   # noqa: E402
import urllib.parse   # noqa: E402
import urllib.request  # noqa: E402

APP = os.environ.get("APP_DIR") or "/app"
OUTPUT_MAX, OUTPUT_END = 8000, 4000     # characters of a command's output: above the first, this many from each end
KEPT_BYTES = 64 << 10                   # of a command's stream, from each end
ANSWER_MAX = 16 << 20                   # bytes of a model's answer
REPLY_MAX = 40000                       # characters of one reply that stay in the conversation
CONVERSATION_MAX = 600000               # characters of the whole conversation
CALLS_MAX = 16                          # tool calls taken from one reply
EVENT_MAX = 60000                       # bytes of one line of the trajectory
WAIT_MAX, RETRY_AFTER_MAX = 30, 120     # seconds between two requests
UNHEARD_TURNS = 3                       # without a single answer in this many turns there is no use in going on

SYSTEM = """You work on a task inside a Linux sandbox, alone, until it is finished. The tool `terminal` runs a shell \
command; each command starts anew in {app}, so nothing but files survives from one to the next. Look before you guess: \
everything you state must come from what the commands printed."""
INSTRUCTION = """The task is described by the files in {app}. Read them, use the programs in the tools folder, and write \
the result to {app}/answer.json and a short report to {app}/answer.md."""
REMINDER = "There is no answer in {app}/answer.json yet. Go on, and write it with the terminal before you finish."

TERMINAL = {"type": "function", "function": {
    "name": "terminal",
    "description": "Run a bash command in the sandbox and get what it printed.",
    "parameters": {"type": "object", "required": ["command"],
                   "properties": {"command": {"type": "string", "description": "The command, as for bash -c"}}}}}

secret = ""


class Trouble(Exception):
    """A request that brought no usable answer; `again` when another try may, after `wait` seconds if they are named."""

    def __init__(self, why, again=True, wait=None, status=None):
        super().__init__(why)
        self.again, self.wait, self.status = again, wait, status


def without_secret(text):
    return text.replace(secret, "[key]") if len(secret) >= 6 else text


def say(text, stream=None):
    try:
        print(without_secret(text), file=stream or sys.stdout, flush=True)
    except OSError:
        pass    # nobody reads any more: the work goes on


def warn(text):
    say("warning: " + text, sys.stderr)


def shortened(text, limit):
    """`text` with its middle left out when it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return "%s\n[… %d characters left out …]\n%s" % (text[:half], len(text) - 2 * half, text[-half:])


def read_prompt(name, fallback):
    for folder in (APP, os.path.join(APP, "environment")):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text:
            return text
    return fallback.format(app=APP)


def has_answer():
    try:
        return os.stat(os.path.join(APP, "answer.json")).st_size > 2
    except OSError:
        return False


# ---- commands


class Ends:
    """The first and the last bytes of a stream, read by a thread of its own. It reads on when the command has ended: what was
    left in the background must neither wait for a reader nor hold the result back."""

    def __init__(self, pipe):
        self.head, self.tail, self.lock = bytearray(), bytearray(), threading.Lock()
        self.thread = threading.Thread(target=self.read, args=(pipe,), daemon=True)
        self.thread.start()

    def read(self, pipe):
        with pipe:
            while True:
                data = os.read(pipe.fileno(), 65536)
                if not data:
                    return
                with self.lock:
                    room = KEPT_BYTES - len(self.head)
                    self.head += data[:max(0, room)]
                    self.tail += data[max(0, room):]
                    del self.tail[:-KEPT_BYTES]

    def text(self):
        with self.lock:
            return bytes(self.head + self.tail).decode("utf-8", "replace").replace("\0", "\ufffd")


def cut_output(text):
    if len(text) <= OUTPUT_MAX:
        return text
    return text[:OUTPUT_END] + "\n[… the middle was left out …]\n" + text[-OUTPUT_END:]


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    process.wait()


def run_command(command, limit):
    """What the command printed, as the model sees it."""
    environment = {name: value for name, value in os.environ.items() if name != "LLM_API_KEY"}
    try:
        process = subprocess.Popen(["bash", "-c", command], cwd=APP, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, close_fds=False)
    except (OSError, ValueError) as error:      # no bash, too long, a NUL, half a character
        return "error: the command could not be started: %s" % error
    try:
        streams = [Ends(process.stdout), Ends(process.stderr)]
    except RuntimeError as error:       # what earlier commands left running has used up all processes
        end_group(process)
        return "error: the command's output could not be read: %s" % error
    note = ""
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        note = "\n[the command was ended after %g seconds]" % limit
        end_group(process)
    for stream in streams:
        stream.thread.join(0.3)
    out, err = (stream.text() for stream in streams)
    text = out + ("\n[stderr]\n" + err if err else "")
    if not text and not note:
        note = "(no output, exit code %d)" % process.returncode
    return without_secret(cut_output(text) + note)


# ---- the model


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to wherever it points."""

    def redirect_request(self, *_):
        return None


class Endpoint:
    def __init__(self, base, key, model, timeout, tries, backoff):
        parts = urllib.parse.urlsplit(base.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError("LLM_BASE_URL must start with http:// or https:// and name a host")
        self.shown = "%s://%s%s" % (parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"))
        place = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
        root = parts.path.rstrip("/")
        self.urls = [urllib.parse.urlunsplit(place._replace(path=root + "/chat/completions"))]
        if not re.search(r"/v\d+[a-z]*(/|$)", root):
            self.urls.append(urllib.parse.urlunsplit(place._replace(path=root + "/v1/chat/completions")))
        self.headers = {"Content-Type": "application/json", "Accept": "application/json",
                        "User-Agent": "proctor-terminal-agent"}
        if key:
            self.headers["Authorization"] = "Bearer " + key
        self.model, self.timeout, self.tries, self.backoff = model, timeout, tries, backoff
        direct = parts.hostname in ("localhost", "::1", "host.docker.internal") or parts.hostname.startswith("127.")
        self.opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({} if direct else None))

    def ask(self, messages):
        """(message, usage) of the model's answer; Trouble when there is none after all tries."""
        body = json.dumps({"model": self.model, "messages": messages, "tools": [TERMINAL], "temperature": 0.1}).encode("ascii")
        for number in range(1, self.tries + 1):
            try:
                return self.reply_in(self.send(body))
            except Trouble as trouble:
                if not trouble.again or number == self.tries:
                    raise
                wait = min(WAIT_MAX, self.backoff * 2 ** (number - 1)) * random.uniform(0.5, 1.5)
                if trouble.wait is not None:
                    wait = trouble.wait + random.uniform(0, 0.25)
                warn("%s; another try in %.1f s" % (trouble, wait))
                time.sleep(wait)

    def send(self, body):
        try:
            return self.post(self.urls[0], body)
        except Trouble as trouble:
            if trouble.status != 404 or len(self.urls) == 1:
                raise
            # a base URL without /v1 is meant both ways; whichever answers is kept
            try:
                data = self.post(self.urls[1], body)
            except Trouble as second:
                if second.status != 404:
                    del self.urls[0]
                    raise
                raise trouble from None
            del self.urls[0]
            return data

    def post(self, url, body):
        over = time.monotonic() + self.timeout
        try:
            with self.opener.open(urllib.request.Request(url, body, self.headers), timeout=self.timeout) as answer:
                return read_all(answer, over)
        except urllib.error.HTTPError as error:
            with error:
                raise refusal(error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:   # URLError and time-outs are OSErrors
            reason = getattr(error, "reason", error)
            raise Trouble("no answer from %s: %s" % (self.shown, reason or type(error).__name__)) from None

    def reply_in(self, data):
        try:
            answer = json.loads(data)
            message = answer["choices"][0]["message"]
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise Trouble("the answer of %s is not a chat completion: %s" % (self.shown, preview(data))) from None
        if not isinstance(message, dict):
            raise Trouble("the answer of %s holds no message" % self.shown)
        return message, answer.get("usage")


def preview(data):
    return repr(data[:120].decode("utf-8", "replace"))


def read_all(answer, over):
    data = bytearray()
    while True:
        part = answer.read1(65536)
        if not part:
            return bytes(data)
        data += part
        if len(data) > ANSWER_MAX:
            raise Trouble("an answer of more than %d MiB" % (ANSWER_MAX >> 20))
        if time.monotonic() > over:
            raise TimeoutError("the answer took too long")


def refusal(error):
    """What an HTTP error means."""
    try:
        data = error.read1(4096)
    except (OSError, http.client.HTTPException):
        data = b""
    text = data.decode("utf-8", "replace")
    try:
        said = json.loads(text)["error"]
        text = said["message"] if isinstance(said, dict) else said
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    again = error.code in (408, 409, 425, 429) or error.code >= 500
    return Trouble("HTTP %d: %s" % (error.code, str(text).strip()[:300]), again, retry_after(error.headers), error.code)


def retry_after(headers):
    """Seconds asked for by Retry-After (a number or a date), at most RETRY_AFTER_MAX; None without."""
    value = (headers.get("Retry-After") or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
        seconds = float(value)
    else:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError, IndexError, OverflowError):
            return None
    return min(max(0.0, seconds), RETRY_AFTER_MAX)


def text_of(content):
    """The text of a message's content, which is a text or a list of parts."""
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


class Call:
    """A tool call as it arrived, however broken."""

    def __init__(self, raw, turn, number):
        raw = raw if isinstance(raw, dict) else {}
        function = raw.get("function") if isinstance(raw.get("function"), dict) else {}
        self.id = str(raw.get("id") or "call_%d_%d" % (turn, number))[:200]
        self.name = str(function.get("name") or "")[:100]
        self.arguments, self.error = function.get("arguments"), None
        if isinstance(self.arguments, str):
            try:
                self.arguments = json.loads(self.arguments or "{}")
            except (ValueError, RecursionError) as error:
                self.error = "error: the arguments are not JSON (%s): call terminal with {\"command\": \"…\"}" % error
        if self.error is None:
            command = self.arguments.get("command") if isinstance(self.arguments, dict) else None
            if self.name != "terminal":
                self.error = "error: there is no tool %r, only terminal{command}" % self.name
            elif not isinstance(command, str) or not command.strip():
                self.error = "error: terminal needs {\"command\": \"…\"}, a text that is not empty"
        self.command = None if self.error else self.arguments["command"]

    def as_message(self):
        """For the conversation: arguments that could not be read would have the endpoint refuse all that follows."""
        text = json.dumps(self.arguments if isinstance(self.arguments, dict) else {"unreadable": str(self.arguments)[:500]})
        if len(text) > REPLY_MAX:
            text = json.dumps({"command": shortened(self.command or "", REPLY_MAX // 8)})
        return {"id": self.id, "type": "function", "function": {"name": self.name or "unnamed", "arguments": text}}


def bound(messages, limit):
    """Keeps the conversation below `limit`: what the oldest commands printed goes first, then the oldest words and commands."""
    size = sum(len(json.dumps(message)) for message in messages)
    for kind in ("tool", "assistant"):
        for message in messages[2:-4]:
            if size <= limit:
                return
            if message["role"] == kind:
                size -= len(json.dumps(message))
                shrink(message)
                size += len(json.dumps(message))


def shrink(message):
    message["content"] = shortened(message["content"], 200)
    for call in message.get("tool_calls", []):
        function = call["function"]
        if len(function["arguments"]) > 400:
            function["arguments"] = json.dumps({"command": shortened(function["arguments"], 200)})


# ---- what others see


class Bridge:
    """The sandbox's service for records; outside a sandbox, or with an older bridge, a file that can be written."""

    def __init__(self, url):
        self.address = urllib.parse.urlsplit(url)
        self.absent = set()

    def record(self, route, entry, path):
        entry = json.loads(without_secret(json.dumps(entry)))
        if route in self.absent or not self.post(route, entry):
            self.absent.add(route)      # for good: lines in two places would lose their order
            try:
                with open(path, "a", encoding="utf-8", errors="replace") as file:
                    file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            except OSError:
                pass

    def post(self, route, entry):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        try:
            connection.request("POST", route, json.dumps(entry).encode("ascii"), {"Content-Type": "application/json"})
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


class Journal:
    """The trajectory, step by step, and the log of commands."""

    def __init__(self, bridge, tool_log):
        self.bridge, self.tool_log = bridge, tool_log
        self.path = os.path.join(APP, "logs", "trajectory.jsonl")
        self.start, self.steps = time.monotonic(), 0
        self.bridge.record("/trajectory", {"schema_version": 1, "agent": "terminal"}, self.path)

    def step(self, role, content, calls=(), **more):
        self.steps += 1
        for limit in (12000, 3000, 500, 50):
            entry = {"step": self.steps, "role": role, "content": shortened(content, limit)}
            if calls:
                entry["tool_calls"] = [{"id": call.id, "name": call.name, "arguments": readable(call.arguments, limit)}
                                       for call in calls]
            entry.update(more, at=round(time.monotonic() - self.start, 3))
            if len(json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace")) <= EVENT_MAX:
                break
        self.bridge.record("/trajectory", entry, self.path)

    def command(self, command, result):
        self.bridge.record("/log", {"tool": "terminal", "command": shortened(command, 12000), "result_preview": result[:200]},
                           self.tool_log)


def readable(arguments, limit):
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return arguments if len(text) <= limit else shortened(text, limit)


def tokens(usage):
    """{in, out, cached, reasoning} of what the endpoint counted; {} when it did not."""
    if not isinstance(usage, dict):
        return {}

    def count(value, *names):
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    return {"tokens": {"in": count(usage, "prompt_tokens"), "out": count(usage, "completion_tokens"),
                       "cached": count(usage, "prompt_tokens_details", "cached_tokens"),
                       "reasoning": count(usage, "completion_tokens_details", "reasoning_tokens")}}


# ---- the loop


class Agent:
    def __init__(self, endpoint, journal, turns, command_limit):
        self.endpoint, self.journal, self.turns, self.command_limit = endpoint, journal, turns, command_limit
        self.messages, self.room, self.heard = [], CONVERSATION_MAX, False

    def run(self):
        """The exit code."""
        self.add("system", read_prompt("system.md", SYSTEM))
        self.add("user", read_prompt("instruction.md", INSTRUCTION))
        for turn in range(1, self.turns + 1):
            try:
                bound(self.messages, self.room)
                message, usage = self.endpoint.ask(self.messages)
            except Trouble as trouble:
                if not self.go_on_after(trouble, turn):
                    return 1
                continue
            self.heard = True
            if self.take(message, usage, turn):
                say("[%d/%d] finished: answer.json is written" % (turn, self.turns))
                return 0
        warn("out of turns after %d%s" % (self.turns, "" if has_answer() else ", and answer.json is still missing"))
        return 0

    def add(self, role, text):
        self.messages.append({"role": role, "content": text})
        self.journal.step(role, text)

    def go_on_after(self, trouble, turn):
        say("[%d/%d] model error: %s" % (turn, self.turns, trouble))
        self.journal.step("system", "The model did not answer: %s" % trouble, error=True)
        if not self.heard and turn >= min(UNHEARD_TURNS, self.turns):
            say("error: the model could not be asked at %s: %s" % (self.endpoint.shown, trouble), sys.stderr)
            return False
        if trouble.status in (400, 413):    # the conversation may have become too long for the model
            self.room //= 2
        time.sleep(2 * self.endpoint.backoff if turn < self.turns else 0)
        return True

    def take(self, message, usage, turn):
        """Does what a reply wants; true when it was the last one."""
        text = text_of(message.get("content"))
        raw = message.get("tool_calls")
        calls = [Call(item, turn, number) for number, item in enumerate(raw if isinstance(raw, list) else [])]
        left_out, calls = calls[CALLS_MAX:], calls[:CALLS_MAX]
        self.journal.step("assistant", text, calls, **tokens(usage))
        said = {"role": "assistant", "content": shortened(text, REPLY_MAX)}
        if calls:
            said["tool_calls"] = [call.as_message() for call in calls]
        self.messages.append(said)
        if text.strip():
            say("[%d/%d] %s" % (turn, self.turns, shortened(text.strip(), 2000)))
        for call in calls:
            self.obey(call, turn)
        if left_out:
            self.add("user", "Only the first %d tool calls of your reply were carried out." % CALLS_MAX)
        if calls or has_answer():
            return not calls
        said["content"] = said["content"] or "(nothing)"    # some endpoints refuse a message without content
        self.add("user", REMINDER.format(app=APP))
        return False

    def obey(self, call, turn):
        if call.error:
            result = call.error
            say("[%d/%d] %s" % (turn, self.turns, result))
        else:
            say("[%d/%d] $ %s" % (turn, self.turns, shortened(call.command, 2000)))
            start = time.monotonic()
            result = run_command(call.command, self.command_limit)
            first = (result.strip().splitlines() or [""])[0]
            say("    %s (%d characters, %.1f s)" % (shortened(first, 160), len(result), time.monotonic() - start))
            self.journal.command(call.command, result)
        self.journal.step("tool", result, tool_call_id=call.id, name=call.name)
        self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def number(name, default, least):
    text = os.environ.get(name, "").strip()
    try:
        value = type(default)(text) if text else default
    except ValueError:
        value = None
    if value is None or not least <= value <= 1e7:      # no NaN either
        raise ValueError("%s is %r, not a number from %s on" % (name, text[:50], least))
    return value


def hide_from_commands():
    """Lets no process of the same account read this one's memory and environment (PR_SET_DUMPABLE)."""
    try:
        import ctypes
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def from_environment():
    global secret
    secret = os.environ.get("LLM_API_KEY", "").strip()
    if not (secret.isascii() and (secret.isprintable())):
        raise ValueError("LLM_API_KEY holds characters that a request cannot carry")
    for name in ("LLM_BASE_URL", "LLM_MODEL"):
        if not os.environ.get(name, "").strip():
            raise ValueError("%s is not set: it names the %s" % (name, "model" if "MODEL" in name else "model's endpoint"))
    endpoint = Endpoint(os.environ["LLM_BASE_URL"], secret, os.environ["LLM_MODEL"].strip(), number("LLM_TIMEOUT", 600.0, 0.1),
                        number("LLM_TRIES", 4, 1), number("LLM_BACKOFF", 1.0, 0))
    turns, limit = number("MAX_ITERATIONS", 30, 1), number("COMMAND_TIMEOUT", 120.0, 0.1)
    journal = Journal(Bridge(os.environ.get("BRIDGE_URL") or "http://127.0.0.1:9999"),
                      os.environ.get("TOOL_CALL_LOG") or os.path.join(APP, ".tool_calls.jsonl"))
    return Agent(endpoint, journal, turns, limit)


def main():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    hide_from_commands()
    try:
        agent = from_environment()
    except ValueError as error:
        say("error: %s" % error, sys.stderr)
        return 2
    say("terminal agent: %s at %s, at most %d turns" % (agent.endpoint.model, agent.endpoint.shown, agent.turns))
    return agent.run()


if __name__ == "__main__":
    sys.exit(main())
