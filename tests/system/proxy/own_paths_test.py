#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""The paths of accp proxy itself, under /_accp/. ACCP is the command."""
import json
import os
import re
import subprocess
import tempfile
import unittest

from forward_parties import CHAT, Case

SAMPLE = re.compile(r'([a-z_]+)(?:\{([a-z_]+="[^"\\\n]*"(?:,[a-z_]+="[^"\\\n]*")*)\})? (\d+(?:\.\d+)?(?:e[+-]?\d+)?)')


def read_metrics(text):
    """Returns {(name, labels): value}. Raises an AssertionError if the text is not in Prometheus' format."""
    values, family, seen = {}, None, set()
    for line in text.splitlines():
        if line.startswith("# HELP "):
            family = line.split(" ")[2]
            assert family not in seen, f"{family} comes twice"
            seen.add(family)
        elif line.startswith("# TYPE "):
            assert line.split(" ")[2] == family and line.split(" ")[3] in ("counter", "gauge", "histogram"), line
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample, line
            name, labels, value = sample.groups()
            assert re.fullmatch(family + "(_bucket|_sum|_count)?", name), line
            assert (name, labels) not in values, line
            values[name, labels] = float(value)
    return values


async def answer_usage(request, reader, writer):
    body = b'{"usage":{"prompt_tokens":2000,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":500}}}'
    if b"be refused" in request.body:
        error = b'{"error":{"type":"rate_limit_error","message":"be refused"}}'
        writer.write(b"HTTP/1.1 429 Slow Down\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(error), error))
    elif b"break off" in request.body:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" + body)
        return True
    elif b"no answer" in request.body:
        return True
    elif request.target == "/v1/limited":
        writer.write(b"HTTP/1.1 429 Slow Down\r\nContent-Length: 0\r\n\r\n")
    else:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


class OwnPaths(Case):
    def call(self, text="hello"):
        body = json.dumps({"model": "gpt-x", "messages": [{"role": "user", "content": text}]}).encode()
        return self.ask("POST", CHAT, body, headers=[("Authorization", "Bearer s3cret")])

    def get_json(self, path):
        answer = self.ask("GET", path)
        self.assertEqual((answer.status, answer.header("Content-Type"), answer.header("Cache-Control")), (200, "application/json", "no-store"))
        return json.loads(answer.body)

    def test_status(self):
        self.start(answer_usage)
        before = self.get_json("/_accp/status")
        self.assertEqual((before["name"], before["calls"], before["last_call_ms"], before["conversations"]), ("accp proxy", 0, None, 0))
        self.assertEqual(before["upstreams"], [{"name": "openai", "url": self.upstream.url}, {"name": "anthropic", "url": self.upstream.url}])
        self.call()
        self.ask("GET", "/v1/limited")
        after = self.get_json("/_accp/status")
        self.assertEqual((after["calls"], after["running"], after["conversations"], after["not_understood"]), (2, 0, 1, 0))
        self.assertEqual(after["bill"]["rewritten"]["input"], 1500)
        self.assertLessEqual(after["started_ms"], after["last_call_ms"])
        self.assertLessEqual(after["last_call_ms"], after["now_ms"])
        self.assertNotIn("s3cret", json.dumps(after))
        self.assertNotIn("hello", json.dumps(after))

    def test_failures(self):
        self.start(answer_usage)
        self.assertIsNone(self.get_json("/_accp/status")["last_failure"])
        self.call()
        for number, (text, reason) in enumerate((("break off", "transfer closed"), ("be refused", "status 429 (rate_limit_error)")), 1):
            self.call(text)
            status = self.get_json("/_accp/status")
            self.assertEqual(status["bill"]["rewritten"]["failed_calls"], number)
            self.assertEqual(status["last_failure"]["upstream"], "openai")
            self.assertIn(reason, status["last_failure"]["reason"])
            self.assertNotIn("be refused", json.dumps(status))
        self.call("no answer")
        status = self.get_json("/_accp/status")
        self.assertEqual((status["bill"]["rewritten"]["failed_calls"], status["bill"]["rewritten"]["calls"]), (3, 2))
        self.assertIn("mpty reply", status["last_failure"]["reason"])
        self.assertFalse(status["store_fails"])
        doctor = subprocess.run([os.environ["ACCP"], "proxy", "doctor", "openhands", "--address", f"http://127.0.0.1:{self.proxy.port}"], capture_output=True, text=True, check=False)
        self.assertIn("\nnote  proxy: 3 calls of models failed; the last one, of openai: Empty reply", doctor.stdout)
        self.assertEqual(read_metrics(self.ask("GET", "/_accp/metrics").body.decode())["accp_proxy_failed_calls_total", 'group="rewritten"'], 3)
        self.proxy.stop()
        self.assertIn("accp: proxy: 2 calls, billed", self.proxy.lines[-3])
        self.assertIn("; 3 calls failed", self.proxy.lines[-3])
        self.assertIn("last failure, of openai: Empty reply", self.proxy.lines[-2])

    # Another loopback address is as good as 127.0.0.1; a name that only begins like one is not.
    def test_loopback_addresses(self):
        self.start(answer_usage)
        for host, status in (("127.0.0.2", 200), ("127.255.255.254:7118", 200), ("[::1]:1", 200), ("localhost:5", 200), ("127.0.0.2.evil.example", 403),
                             ("127.evil.example", 403), ("128.0.0.1", 403), ("[::1", 403), ("[::2]", 403)):
            with self.proxy.client() as client:
                client.send(f"GET /_accp/status HTTP/1.1\r\nHost: {host}\r\n\r\n")
                self.assertEqual(client.answer().status, status, host)

    def test_metrics(self):
        self.start(answer_usage)
        for count in range(3):
            self.call(f"hello {count}")
        self.ask("GET", "/v1/limited")
        answer = self.ask("GET", "/_accp/metrics")
        self.assertEqual((answer.status, answer.header("Content-Type")), (200, "text/plain; version=0.0.4"))
        metrics = read_metrics(answer.body.decode())
        self.assertEqual(metrics["accp_proxy_calls_total", 'upstream="openai",status="200"'], 3)
        self.assertEqual(metrics["accp_proxy_calls_total", 'upstream="openai",status="429"'], 1)
        self.assertEqual(metrics["accp_proxy_tokens_total", 'kind="cache_read"'], 1500)
        self.assertEqual(metrics["accp_proxy_model_calls_total", 'group="rewritten"'], 3)
        self.assertEqual(metrics["accp_proxy_connections", None], 1)
        self.assertEqual(metrics["accp_proxy_deciding_seconds_count", None], 4)
        self.assertEqual(metrics["accp_proxy_answer_head_seconds_bucket", 'le="+Inf"'], 4)

    def test_nothing_is_forwarded_or_logged(self):
        self.start(answer_usage)
        for method, path, status in (("GET", "/_accp/status", 200), ("HEAD", "/_accp/status", 200), ("GET", "/_accp/x", 404), ("GET", "/_accp/../v1/models", 404),
                                     ("POST", "/_accp/status", 405), ("PUT", "/_accp/", 405), ("GET", "/_accp/v1/messages", 404), ("OPTIONS", "/_accp/status", 405)):
            with self.subTest(method=method, path=path):
                answer = self.ask(method, path, b"{}" if method in ("POST", "PUT") else None)
                self.assertEqual(answer.status, status)
                if status >= 400:
                    self.assertIn("accp proxy: ", json.loads(answer.body)["error"]["message"])
        self.call()
        line, = self.proxy.log(1)
        self.assertEqual((line["path"], line["call"]), (CHAT, 1))
        self.assertEqual(len(self.upstream.requests), 1)

    def test_who_may_read(self):
        token = "t0k3n-" * 6
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "token")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
                file.write(token + "\n")
            self.start(answer_usage, "--token-file", path)
        for shown, status in ((None, 401), (f"Bearer {token}", 200), (f"Bearer {token[:-1]}", 401), (f"Basic {token}", 401)):
            for path in ("/_accp/status", "/_accp/metrics"):
                answer = self.ask("GET", path, headers=[("Authorization", shown)] if shown else [])
                self.assertEqual((answer.status, answer.header("WWW-Authenticate") is not None), (status, status == 401), (path, shown))
        self.assertEqual(self.ask("GET", f"/_accp/status?token={token}").status, 401)
        for header in (("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")):
            self.assertEqual(self.ask("GET", "/_accp/status", headers=[header, ("Authorization", f"Bearer {token}")]).status, 403)


if __name__ == "__main__":
    unittest.main()
