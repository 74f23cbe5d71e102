#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""accp serve --model, with a stand-in for the model's server. ACCP is the command."""
import http.server
import json
import os
import subprocess
import tempfile
import threading
import time
import unittest

from hub import PATIENCE, Hub

TALK = ("User: Add JWT auth to the login. Do not touch the registration flow. My key is ghp_ab12CD34ef56GH78ij90KL12mn34OP56qr78.\n"
        "Assistant: I'll use PyJWT in src/auth/login.py.\n"
        "User: no, take python-jose instead of PyJWT, it is installed\n"
        "Assistant: Done.\n")
ITEMS = {"constraints": [{"text": "The registration flow stays", "quote": "Do not touch the registration flow"}],
         "decisions": [{"choice": "PyJWT", "made_by": "agent", "quote": "use PyJWT in"},
                       {"choice": "python-jose", "reason": "installed", "made_by": "user", "quote": "take python-jose"}]}
CHECK = {"outdated": [{"item": 2, "quote": "no, take python-jose"}]}


class Model(http.server.ThreadingHTTPServer):
    """Answers both questions, once `may_answer` is set."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []
        self.has_request, self.may_answer = threading.Event(), threading.Event()
        self.may_answer.set()
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_port}/v1#m"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.requests.append(text)
        self.server.has_request.set()
        self.server.may_answer.wait()
        answer = json.dumps(CHECK if "You check a hand-off." in text else ITEMS)
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # the hub has ended

    def log_message(self, *_):
        pass


def call(hub, tool, headers=None, **arguments):
    """Returns the result of a call of MCP, which needs no session of MCP."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments, "_meta": meta}}
    status, told, _ = hub.request("POST", "/mcp", json.dumps(body), {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream", **(headers or {})})
    if status != 200:
        raise RuntimeError(f"{status}: {told}")
    return json.loads(told)["result"]


class Models(unittest.TestCase):
    def setUp(self):
        self.model = Model()
        self.place = tempfile.TemporaryDirectory()
        self.cache = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = self.place.name

    def tearDown(self):
        self.model.may_answer.set()
        self.model.shutdown()
        self.model.server_close()
        if self.cache is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = self.cache
        self.place.cleanup()

    def check_packet(self, result):
        self.assertNotIn("isError", result)
        made = result["structuredContent"]
        self.assertTrue(made["model"]["used"])
        self.assertIn("choice: python-jose", made["yaml"])
        self.assertIn("The registration flow stays", made["yaml"])
        self.assertNotIn("choice: PyJWT", made["yaml"])
        self.assertIn("a user said later: no, take python-jose", " ".join(made["model"]["notes"]))

    def test_packets_have_the_items_of_the_model(self):
        with Hub("--model", self.model.url) as hub:
            first = call(hub, "context_generate", task="Add JWT auth", conversation=TALK)
            self.check_packet(first)
            self.assertEqual(len(self.model.requests), 2)
            for request in self.model.requests:
                self.assertNotIn("ghp_", request)
            self.assertIn("My key is [redacted:github-token]", self.model.requests[0])
            # What it found is kept.
            self.check_packet(call(hub, "context_generate", task="Add JWT auth", conversation=TALK))
            self.assertEqual(len(self.model.requests), 2)
            plain = call(hub, "context_generate", task="Another task", conversation=TALK, model="none")
            self.assertNotIn("model", plain["structuredContent"])
            self.assertEqual(len(self.model.requests), 2)

    def test_packets_of_sessions_too(self):
        tokens = os.path.join(self.place.name, "tokens")
        token = subprocess.run([os.environ["ACCP"], "serve", "token", "--agents", "*,user,assistant", "--sessions", "*", "--trusted",
                                "--tokens", tokens], capture_output=True, text=True, check=True).stdout.strip()
        headers = {"Authorization": f"Bearer {token}"}
        said = [line.split(": ", 1) for line in TALK.splitlines()]
        with Hub("--model", self.model.url, "--tokens", tokens) as hub:
            call(hub, "session_append", headers, session="s",
                 messages=[{"role": speaker.lower(), "content": text} for speaker, text in said])
            self.check_packet(call(hub, "context_generate", headers, task="Add JWT auth", session="s"))
            self.assertEqual(len(self.model.requests), 2)

    def test_nobody_waits_for_the_packet_of_others(self):
        self.model.may_answer.clear()
        with Hub("--model", self.model.url) as hub:
            results = []
            threads = [threading.Thread(target=lambda task=task: results.append(call(hub, "context_generate", task=task, conversation=TALK)))
                       for task in ("Add JWT auth", "Add the auth", "Add a login")]
            for thread in threads:
                thread.start()
            self.assertTrue(self.model.has_request.wait(PATIENCE))
            # a call that waited for the model would time out
            self.assertEqual(hub.post("@plan>sync:registry{v:1}")[0], 200)
            call(hub, "session_append", session="s", messages=[{"role": "user", "content": "Use tabs."}])
            call(hub, "context_generate", task="Indent", session="s", model="none")
            self.assertEqual(hub.request("GET", "/api/context?session=s")[0], 200)
            self.assertEqual(results, [])
            self.model.may_answer.set()
            for thread in threads:
                thread.join(PATIENCE)
            self.assertEqual(len(results), 3)
            for result in results:
                self.check_packet(result)

    def test_a_waiting_packet_does_not_keep_the_hub_from_ending(self):
        self.model.may_answer.clear()
        with Hub("--model", self.model.url) as hub:
            def wait_in_vain():
                try:
                    call(hub, "context_generate", task="t", conversation=TALK)
                except ConnectionError:
                    pass  # the hub has ended

            thread = threading.Thread(target=wait_in_vain)
            thread.start()
            self.assertTrue(self.model.has_request.wait(PATIENCE))
            begin = time.monotonic()
            self.assertEqual(hub.stop(), 0)
            self.assertLess(time.monotonic() - begin, 60)  # the model has 300 s
            thread.join(PATIENCE)

    def test_a_failure_is_no_packet_of_rules(self):
        self.model.shutdown()
        self.model.server_close()
        with Hub("--model", self.model.url) as hub:
            result = call(hub, "context_generate", task="t", conversation=TALK)
            self.assertTrue(result["isError"])
            self.assertIn("no connection", result["content"][0]["text"])
        self.model = Model()


if __name__ == "__main__":
    unittest.main()
