#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fake endpoint keeps to its script, or the tests that use it prove nothing."""
import email.utils
import http.client
import json
import os
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from modelprocess import PROGRAM, FakeModel    # noqa: E402

ASK = [{"role": "user", "content": "What is it?"}]


def post(url, messages=None, key="k", **more):
    body = json.dumps(dict({"model": "fake-1", "messages": ASK if messages is None else messages}, **more)).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + key}
    with urllib.request.urlopen(urllib.request.Request(url + "/chat/completions", body, headers), timeout=20) as answer:
        return answer.read()


def say(url, *arguments, **more):
    return json.loads(post(url, *arguments, **more))["choices"][0]["message"]["content"]


def after(turns):
    """A conversation in which the assistant has spoken this many times."""
    return ASK + [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}] * turns


class Choosing(unittest.TestCase):
    def test_by_the_length_of_the_conversation(self):
        with FakeModel([{"text": "one"}, {"text": "two"}]) as model:
            self.assertEqual([say(model.url, after(n)) for n in (1, 0, 0, 2, 9)], ["two", "one", "one", "two", "two"])
            self.assertEqual(say(model.url + "/v1"), "one")

    def test_by_arrival(self):
        with FakeModel({"by": "arrival", "steps": [{"text": "one"}, {"text": "two"}]}) as model:
            self.assertEqual([say(model.url) for _ in range(3)], ["one", "two", "two"])

    def test_lanes(self):
        lanes = [{"when": {"key": "red"}, "steps": [{"text": "key"}]},
                 {"when": {"model": "big"}, "steps": [{"text": "model"}]},
                 {"when": {"says": "杭州"}, "steps": [{"text": "words"}]}]
        with FakeModel({"lanes": lanes, "steps": [{"text": "none"}]}) as model:
            self.assertEqual(say(model.url, key="red", model="big"), "key")
            self.assertEqual(say(model.url, model="big"), "model")
            self.assertEqual(say(model.url, [{"role": "user", "content": "去杭州吗"}]), "words")
            self.assertEqual(say(model.url), "none")
            self.assertEqual([request["lane"] for request in model.requests()], [0, 1, 2, None])

    def test_tries_belong_to_one_conversation(self):
        with FakeModel([[{"status": 500}, {"text": "at last"}]]) as model:
            for messages in (ASK, [{"role": "user", "content": "other"}]):
                with self.assertRaises(urllib.error.HTTPError):
                    post(model.url, messages)
                self.assertEqual(say(model.url, messages), "at last")
            self.assertEqual([request["try"] for request in model.requests()], [0, 1, 0, 1])

    def test_many_at_once(self):
        with FakeModel([{"text": "slow", "delay": 0.5}]) as model:
            start, answers = time.monotonic(), []
            threads = [threading.Thread(target=lambda: answers.append(say(model.url))) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(answers, ["slow"] * 20)
            self.assertLess(time.monotonic() - start, 6)


class Answers(unittest.TestCase):
    def error(self, url, **more):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            post(url, **more)
        with caught.exception as error:
            return error, json.loads(error.read())["error"]

    def test_tool_calls_and_usage(self):
        step = {"tool_calls": [{"name": "look", "arguments": {"city": "杭州"}}, {"name": "odd", "arguments": "{", "id": "x"}],
                "usage": {"in": 7, "out": 3, "cached": 2, "reasoning": 1}}
        with FakeModel([step]) as model:
            answer = json.loads(post(model.url))
        choice = answer["choices"][0]
        self.assertEqual(choice["finish_reason"], "tool_calls")
        self.assertIsNone(choice["message"]["content"])
        first, second = choice["message"]["tool_calls"]
        self.assertEqual(json.loads(first["function"]["arguments"]), {"city": "杭州"})
        self.assertEqual((second["id"], second["function"]["arguments"]), ("x", "{"))
        self.assertEqual(answer["usage"], {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10,
                                           "prompt_tokens_details": {"cached_tokens": 2},
                                           "completion_tokens_details": {"reasoning_tokens": 1}})

    def test_errors(self):
        script = {"by": "arrival", "steps": [{"status": 429, "retry_after": 2, "error": "slow down"},
                                             {"status": 429, "retry_after_date": 30}, {"status": 503}]}
        with FakeModel(script) as model:
            error, body = self.error(model.url)
            self.assertEqual((error.code, error.headers["Retry-After"], body["message"]), (429, "2", "slow down"))
            error, _ = self.error(model.url)
            wait = email.utils.parsedate_to_datetime(error.headers["Retry-After"]).timestamp() - time.time()
            self.assertTrue(20 < wait <= 30, wait)
            self.assertEqual(self.error(model.url)[0].code, 503)

    def test_keys(self):
        with FakeModel([{"text": "in"}], keys=["one", "two"]) as model:
            self.assertEqual([say(model.url, key="one"), say(model.url, key="two")], ["in", "in"])
            error, body = self.error(model.url, key="three")
            self.assertEqual((error.code, body["code"]), (401, "invalid_api_key"))
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(model.url + "/v1/models")
            caught.exception.close()
            self.assertEqual(caught.exception.code, 401)
            statuses = [request["status"] for request in model.requests()]
            self.assertEqual(statuses, [200, 200, 401, 401])
            self.assertEqual(model.requests()[2]["headers"]["authorization"], "Bearer three")

    def test_models_and_other_routes(self):
        with FakeModel({"models": ["a", "b"], "bases": ["/v1"], "steps": []}) as model:
            with urllib.request.urlopen(model.url + "/v1/models") as answer:
                self.assertEqual([entry["id"] for entry in json.load(answer)["data"]], ["a", "b"])
            self.assertEqual(self.error(model.url)[0].code, 404)
            self.assertEqual(self.error(model.url + "/v1")[0].code, 400)

    def test_broken_answers(self):
        steps = [{"raw": "{\"choices\": ["}, {"body": {"choices": []}}, {"text": "abcdef", "cut": 20}, {"hangup": True},
                 {"size": 3000000}]
        with FakeModel({"by": "arrival", "steps": steps}) as model:
            self.assertEqual(post(model.url), b'{"choices": [')
            self.assertEqual(json.loads(post(model.url)), {"choices": []})
            with self.assertRaises(http.client.IncompleteRead) as caught:
                post(model.url)
            self.assertEqual(len(caught.exception.partial), 20)
            with self.assertRaises((http.client.RemoteDisconnected, urllib.error.URLError)):
                post(model.url)
            self.assertEqual(len(say(model.url)), 3000000)

    def test_a_slow_answer(self):
        with FakeModel([{"raw": "abcd", "chunk": 1, "pause": 0.1}]) as model:
            start = time.monotonic()
            self.assertEqual(post(model.url), b"abcd")
            self.assertGreater(time.monotonic() - start, 0.3)


class Streams(unittest.TestCase):
    def events(self, text):
        lines = text.decode().split("\n\n")
        self.assertEqual(lines.pop(), "")
        self.assertTrue(all(line.startswith("data: ") for line in lines))
        self.assertEqual(lines.pop(), "data: [DONE]")
        return [json.loads(line[6:]) for line in lines]

    def test_pieces(self):
        step = {"text": "你好, a longer text", "tool_calls": [{"name": "look", "arguments": {"city": "Hangzhou"}}], "chunk": 4}
        with FakeModel([step]) as model:
            events = self.events(post(model.url, stream=True, stream_options={"include_usage": True}))
        self.assertEqual(events[-1]["usage"]["total_tokens"], 15)
        choices = [event["choices"][0] for event in events[:-1]]
        self.assertEqual("".join(choice["delta"].get("content", "") for choice in choices), "你好, a longer text")
        calls = [call for choice in choices for call in choice["delta"].get("tool_calls", [])]
        self.assertEqual(calls[0]["function"]["name"], "look")
        self.assertEqual("".join(call["function"]["arguments"] for call in calls), '{"city": "Hangzhou"}')
        self.assertEqual(choices[-1]["finish_reason"], "tool_calls")

    def test_slowly(self):
        with FakeModel([{"text": "abcd", "chunk": 1, "pause": 0.1}]) as model:
            start = time.monotonic()
            self.assertEqual(len(self.events(post(model.url, stream=True))), 6)
            self.assertGreater(time.monotonic() - start, 0.5)

    def test_cut_off(self):
        with FakeModel([{"text": "abcd", "cut": 300}]) as model:
            with self.assertRaises(http.client.IncompleteRead):
                post(model.url, stream=True)


class Process(unittest.TestCase):
    def test_ends_with_its_stdin(self):
        with FakeModel([{"delay": 60, "text": "late"}]) as model:
            thread = threading.Thread(target=lambda: self.assertRaises(Exception, post, model.url))
            thread.start()
            while not os.path.exists(model.log):
                time.sleep(0.01)
            start = time.monotonic()
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(model.process.returncode, 0)
        thread.join()

    def test_a_script_that_is_none_is_refused(self):
        done = subprocess.run([sys.executable, PROGRAM, "--script", os.devnull], stdin=subprocess.DEVNULL, capture_output=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
