#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake OpenAI-compatible endpoint that answers from a script.

fakemodel.py --script FILE [--host 127.0.0.1] [--port 0] [--key KEY]... [--log FILE]

Prints one line {"url": "http://127.0.0.1:PORT"} when it is ready and ends at the end of its stdin,
so that it never outlives the test that holds the other end. The url has no /v1; both {url} and
{url}/v1 are base URLs. With --key (which may be repeated) other keys get 401.

The script (JSON) is a list of steps, or an object:

  steps  the steps of every request that no lane wants
  lanes  [{"when": {...}, "steps": [...], "by": "..."}]: the first lane whose conditions all hold.
         when: key, model (equal), says (text found in the first user message)
  by     "length" (default): the step is the number of assistant messages in the request, so any
         number of agents can talk at once; "arrival": one step a request. Behind the last step it
         is repeated.
  bases  where the routes lie, ["", "/v1"] unless said
  models the ids that GET /models lists, ["fake-1"] unless said

A step that is a list of steps holds tries: the first request with these messages (from this key) gets
the first, the next the second, and so on; behind the last it is repeated. A step is an object:

  text, tool_calls [{name, arguments, id}], reasoning   the message; arguments: an object, or a text
                     that is sent as it is; id: "call_<n>" unless said
  usage              {"in": 10, "out": 5, "cached": 0, "reasoning": 0}
  finish_reason      "stop" or "tool_calls" unless said
  size               the text is this many letters long
  status, error      an error answer with this sentence; retry_after: seconds, retry_after_date:
                     seconds from now, sent as an HTTP date
  headers            {"name": "value"} sent beside
  delay              seconds before the answer
  hangup             true: the connection is closed without an answer
  cut                the connection is cut when this many bytes of the body have been sent
  raw                a text sent as the whole body (wrong JSON), or body: any JSON (wrong shape)
  chunk, pause       letters a piece (8) and seconds between pieces (0), when the request asks for a
                     stream; with a pause other answers are sent in pieces too

--log gets one JSON line a request, before it is answered: n, at (seconds since the start), method,
path, headers (names in small letters), body (parsed where it is JSON), lane (null: none), step, try, status.
"""
import argparse
import email.utils
import http.server
import json
import os
import socket
import sys
import threading
import time

LENGTH_MAX = 64 << 20


class Script:
    """Chooses the step of a request."""

    def __init__(self, source):
        if isinstance(source, list):
            source = {"steps": source}
        self.lanes = source.get("lanes", []) + [{"steps": source.get("steps", []), "by": source.get("by", "length")}]
        self.bases = source.get("bases", ["", "/v1"])
        self.models = source.get("models", ["fake-1"])
        self.lock = threading.Lock()
        self.arrived, self.tried = {}, {}

    def choose(self, key, request):
        """(lane, step number, try, step); a step of None when the script has none."""
        number, lane = next((n, lane) for n, lane in enumerate(self.lanes) if wanted(lane.get("when", {}), key, request))
        name = None if number == len(self.lanes) - 1 else number
        with self.lock:
            index = self.arrived.get(number, 0)
            self.arrived[number] = index + 1
            if lane.get("by", "length") == "length":
                index = sum(1 for message in messages_of(request) if message.get("role") == "assistant")
            if not lane["steps"]:
                return name, index, 0, None
            step = lane["steps"][min(index, len(lane["steps"]) - 1)]
            if not isinstance(step, list):
                return name, index, 0, step
            same = (number, index, key, json.dumps(request.get("messages"), sort_keys=True))
            attempt = self.tried.get(same, 0)
            self.tried[same] = attempt + 1
            return name, index, attempt, step[min(attempt, len(step) - 1)]


def messages_of(request):
    messages = request.get("messages")
    return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []


def text_of(content):
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def wanted(when, key, request):
    first = next((message for message in messages_of(request) if message.get("role") == "user"), {})
    return (when.get("key", key) == key and when.get("model", request.get("model")) == request.get("model")
            and when.get("says", "") in text_of(first.get("content")))


def message_of(step):
    message = {"role": "assistant", "content": "x" * step["size"] if "size" in step else step.get("text")}
    if "reasoning" in step:
        message["reasoning_content"] = step["reasoning"]
    calls = []
    for number, call in enumerate(step.get("tool_calls", [])):
        arguments = call.get("arguments", {})
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        calls.append({"id": call.get("id", "call_%d" % number), "type": "function",
                      "function": {"name": call["name"], "arguments": arguments}})
    if calls:
        message["tool_calls"] = calls
    return message


def usage_of(step):
    usage = step.get("usage", {})
    taken, given = usage.get("in", 10), usage.get("out", 5)
    return {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given,
            "prompt_tokens_details": {"cached_tokens": usage.get("cached", 0)},
            "completion_tokens_details": {"reasoning_tokens": usage.get("reasoning", 0)}}


def finish_of(step):
    return step.get("finish_reason", "tool_calls" if step.get("tool_calls") else "stop")


def completion(number, request, step):
    return {"id": "chatcmpl-%d" % number, "object": "chat.completion", "created": int(time.time()),
            "model": request.get("model"), "usage": usage_of(step),
            "choices": [{"index": 0, "message": message_of(step), "finish_reason": finish_of(step)}]}


def pieces(text, size):
    return [text[start:start + size] for start in range(0, len(text), size)]


def events(number, request, step):
    """The data of each event of a streamed answer."""
    message, size = message_of(step), step.get("chunk", 8)
    deltas = [{"role": "assistant", "content": ""}]
    for field in ("reasoning_content", "content"):
        deltas += [{field: piece} for piece in pieces(message.get(field) or "", size)]
    for index, call in enumerate(message.get("tool_calls", [])):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        deltas.append({"tool_calls": [dict(call, index=index, function={"name": name, "arguments": ""})]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
                   for piece in pieces(arguments, size)]
    base = {"id": "chatcmpl-%d" % number, "object": "chat.completion.chunk", "created": int(time.time()),
            "model": request.get("model")}
    for delta in deltas:
        yield json.dumps(dict(base, choices=[{"index": 0, "delta": delta, "finish_reason": None}]), ensure_ascii=False)
    yield json.dumps(dict(base, choices=[{"index": 0, "delta": {}, "finish_reason": finish_of(step)}]))
    if (request.get("stream_options") or {}).get("include_usage"):
        yield json.dumps(dict(base, choices=[], usage=usage_of(step)))
    yield "[DONE]"


def error_body(message, kind="invalid_request_error", code=None):
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


class Connection(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def setup(self):
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().setup()

    def log_message(self, *_):
        pass

    def do_GET(self):
        route = self.route()
        if route != "/models":
            return self.unknown()
        if not self.admitted():
            return self.refused()
        self.record({}, 200)
        return self.answer(200, {"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": "fake"}
                                                            for name in self.server.script.models]})

    def do_POST(self):
        text = self.read_body()
        if text is None:
            return None
        try:
            request = json.loads(text)
        except ValueError:
            request = None
        if self.route() != "/chat/completions":
            return self.unknown(request or text)
        if not self.admitted():
            return self.refused(request or text)
        if not isinstance(request, dict):
            self.record({"body": text}, 400)
            return self.answer(400, error_body("We could not parse the JSON body of your request."))
        return self.play(request)

    def route(self):
        """The path behind the longest base, None when it lies below none."""
        path = self.path.partition("?")[0]
        found = [path[len(base):] for base in self.server.script.bases if path.startswith(base + "/")]
        return min(found, key=len, default=None)

    def read_body(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LENGTH_MAX:
            self.close_connection = True
            self.answer(411, error_body("Content-Length is needed"))
            return None
        return self.rfile.read(int(length)).decode("utf-8", "replace")

    def key(self):
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        return value.strip() if kind.lower() == "bearer" else ""

    def admitted(self):
        return not self.server.keys or self.key() in self.server.keys

    def refused(self, body=None):
        self.record({"body": body}, 401)
        shown = self.key()
        why = "Incorrect API key provided: %s***%s." % (shown[:3], shown[-2:]) if shown else "You didn't provide an API key."
        return self.answer(401, error_body(why, code="invalid_api_key"))

    def unknown(self, body=None):
        self.record({"body": body}, 404)
        return self.answer(404, error_body("Invalid URL (%s %s)" % (self.command, self.path)))

    def record(self, more, status):
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.number = self.server.record(dict({"method": self.command, "path": self.path, "headers": headers, "body": None,
                                               "lane": None, "step": None, "try": None}, **more, status=status))

    def play(self, request):
        lane, index, attempt, step = self.server.script.choose(self.key(), request)
        if step is None:
            step = {"status": 400, "error": "the script has no steps"}
        self.record({"body": request, "lane": lane, "step": index, "try": attempt}, step.get("status", 200))
        time.sleep(step.get("delay", 0))
        if step.get("hangup"):
            return self.hang_up()
        headers = dict(step.get("headers", {}))
        if "retry_after" in step:
            headers["Retry-After"] = str(step["retry_after"])
        if "retry_after_date" in step:
            headers["Retry-After"] = email.utils.formatdate(time.time() + step["retry_after_date"], usegmt=True)
        status = step.get("status", 200)
        if "raw" in step or "body" in step:
            return self.answer(status, step["raw"] if "raw" in step else step["body"], headers, step)
        if status >= 400:
            error = error_body(step.get("error", "scripted error"), "rate_limit" if status == 429 else "server_error")
            return self.answer(status, error, headers, step)
        if request.get("stream"):
            return self.stream(request, step, headers)
        return self.answer(status, completion(self.number, request, step), headers, step)

    def answer(self, status, body, headers=None, step=None):
        """`step` may cut the answer or slow it down."""
        data = (body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)).encode("utf-8", "backslashreplace")
        self.send_response(status)
        for name, value in dict({"Content-Type": "application/json", "Content-Length": len(data)}, **(headers or {})).items():
            self.send_header(name, str(value))
        self.end_headers()
        step = step or {}
        for piece in pieces(data[:step.get("cut")], step.get("chunk", 8) if "pause" in step else len(data) + 1):
            self.wfile.write(piece)
            time.sleep(step.get("pause", 0))
        if "cut" in step:
            self.hang_up()

    def stream(self, request, step, headers):
        self.send_response(200)
        for name, value in dict({"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}, **headers).items():
            self.send_header(name, str(value))
        self.end_headers()
        left = step.get("cut")
        for data in events(self.number, request, step):
            event = ("data: %s\n\n" % data).encode("utf-8", "backslashreplace")
            if left is not None:
                event, left = event[:left], left - len(event)
            if event:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            if left is not None and left <= 0:
                return self.hang_up()
            time.sleep(step.get("pause", 0))
        return self.wfile.write(b"0\r\n\r\n")

    def hang_up(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address, script, keys, log):
        super().__init__(address, Connection)
        self.script, self.keys = script, keys
        self.start, self.count, self.lock = time.monotonic(), 0, threading.Lock()
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) if log else None

    def server_bind(self):
        super(http.server.HTTPServer, self).server_bind()   # the parent asks the name server who we are

    def handle_error(self, *_):
        pass    # a client that left is part of many tests

    def record(self, entry):
        with self.lock:
            self.count += 1
            entry = dict({"n": self.count, "at": round(time.monotonic() - self.start, 3)}, **entry)
            if self.log is not None:
                os.write(self.log, (json.dumps(entry) + "\n").encode("ascii"))
            return self.count


def main():
    parser = argparse.ArgumentParser(description="a fake OpenAI-compatible endpoint")
    parser.add_argument("--script", required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--key", action="append", default=[])
    parser.add_argument("--log")
    options = parser.parse_args()
    with open(options.script, encoding="utf-8") as file:
        script = Script(json.load(file))
    server = Server((options.host, options.port), script, options.key, options.log)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 5}, daemon=True).start()
    print(json.dumps({"url": "http://%s:%d" % server.server_address[:2]}), flush=True)
    while sys.stdin.buffer.read(65536):
        pass
    os._exit(0)     # answers that are still being written do not hold the end back


if __name__ == "__main__":
    main()
