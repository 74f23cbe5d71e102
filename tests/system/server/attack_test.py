#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Attacks on accp serve that try to block other clients, each with a limit in count and time. ACCP is the command."""
import base64
import contextlib
import json
import os
import re
import resource
import select
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from hub import PATIENCE, TYPE, Agent, Hub, figures, wait_until

SANITIZED = os.environ.get("ACCP_SANITIZED") == "1"

HEAD = "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/accp\r\n"
HEALTH = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

# How a request is made to look like another one to a second reader, by class: the bytes sent, and the expected status.
# tests/server/http_head_test.cc has the whole list, byte by byte. Here each class is sent over a socket, followed by a request that must not be
# answered.
SMUGGLED = [
    ("CL.TE", HEAD + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX", 400),
    ("TE.CL", HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n", 400),
    ("TE.TE", HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n", 400),
    ("TE, obscured", HEAD + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
    ("TE, blank before the colon", HEAD + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
    ("TE, folded", HEAD + "X: x\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("CL, hexadecimal", HEAD + "Content-Length: 0x90\r\n\r\n", 400),
    ("CL, plus", HEAD + "Content-Length: +5\r\n\r\nhello", 400),
    ("CL, minus", HEAD + "Content-Length: -1\r\n\r\n", 400),
    ("CL, list", HEAD + "Content-Length: 5, 5\r\n\r\nhello", 400),
    ("CL, blank before the colon", HEAD + "Content-Length : 5\r\n\r\nhello", 400),
    ("CL, twice", HEAD + "Content-Length: 5\r\nContent-Length: 0\r\n\r\nhello", 400),
    ("CL, twice the same", HEAD + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
    ("Host, twice", HEAD + "Host: evil.example\r\nContent-Length: 0\r\n\r\n", 400),
    ("no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400),
    ("folded", HEAD + "X: a\r\n b\r\nContent-Length: 0\r\n\r\n", 400),
    ("bare LF", HEAD + "X: a\nContent-Length: 0\r\n\r\n", 400),
    ("bare LF ends the head", "GET /healthz HTTP/1.1\nHost: localhost\n\n", 400),
    ("bare CR", HEAD + "X: a\rContent-Length: 0\r\n\r\n", 400),
    ("NUL", HEAD + "X: a\0b\r\nContent-Length: 0\r\n\r\n", 400),
    ("chunk size, plain", HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 411),
    ("chunk size, huge", HEAD + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 411),
    ("chunk size, 0x", HEAD + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n", 411),
    ("chunk size, an extension with LF", HEAD + "Transfer-Encoding: chunked\r\n\r\n5;a=\n\r\nhello\r\n0\r\n\r\n", 411),
    ("CONNECT", "CONNECT x:1 HTTP/1.1\r\n\r\n", 405),
    ("HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
]


def read_all(one, seconds=PATIENCE):
    """Returns what arrives until the other side closes the connection, and whether it did."""
    one.settimeout(seconds)
    got = b""
    try:
        while part := one.recv(65536):
            got += part
        return got, True
    except TimeoutError:
        return got, False
    except OSError:
        return got, True


def connect(hub, source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", hub.port), PATIENCE, (source, 0))


def cpu_seconds(hub):
    with open(f"/proc/{hub.process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def memory_kib(hub):
    with open(f"/proc/{hub.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def call(hub, tool, arguments, headers=None):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
    status, told, _ = hub.request("POST", "/mcp", json.dumps(body), {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream", **(headers or {})}, timeout=PATIENCE)
    return status, told


class Tokens(contextlib.ExitStack):
    """A file of tokens, and a certificate."""

    def __enter__(self):
        super().__enter__()
        self.place = self.enter_context(tempfile.TemporaryDirectory())
        self.file = f"{self.place}/tokens"
        return self

    def make(self, *arguments):
        return subprocess.run([os.environ["ACCP"], "serve", "token", "--tokens", self.file, *arguments],
                              capture_output=True, text=True, check=True).stdout.strip()

    def tls(self):
        files = f"{self.place}/cert.pem", f"{self.place}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-out", files[0],
                        "-keyout", files[1]], check=True, capture_output=True)
        return "--cert", files[0], "--key", files[1]


class Framing(unittest.TestCase):
    def test_no_request_can_be_read_as_two(self):
        with Hub() as hub:
            for name, text, status in SMUGGLED:
                with connect(hub) as one:
                    one.sendall((text + HEALTH).encode())
                    told, is_ended = read_all(one)
                self.assertTrue(told.startswith(b"HTTP/1.1 %d " % status), f"{name}: {told[:200]}")
                self.assertEqual(len(re.findall(rb"HTTP/1.1 \d", told)), 1, f"{name}: {told}")
                self.assertIn(b"connection: close", told.lower(), name)
                self.assertTrue(is_ended, name)
            self.assertEqual(hub.request("GET", "/healthz")[0], 200)
            by_head = sum(status != 411 for _, _, status in SMUGGLED)  # 411: the head is right, the request is not
            self.assertEqual(hub.metrics()["accp_hub_refused_heads_total"], by_head)

    def test_the_same_on_a_connection_that_was_used_and_byte_by_byte(self):
        with Hub() as hub:
            for is_slow in (False, True):
                with connect(hub) as one:
                    one.sendall(HEALTH.encode())
                    self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 200"))
                    text = (HEAD + "Content-Length: 0x90\r\n\r\n").encode()
                    for part in [text[i:i + 1] for i in range(len(text))] if is_slow else [text]:
                        one.sendall(part)
                    told, is_ended = read_all(one)
                    self.assertTrue(told.startswith(b"HTTP/1.1 400"), told)
                    self.assertTrue(is_ended)
                with connect(hub) as one:  # a valid head in parts
                    for _ in range(2):
                        for part in [HEALTH[i:i + 7] for i in range(0, len(HEALTH), 7)]:
                            one.sendall(part.encode())
                            time.sleep(0.002 * is_slow)
                        self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 200"))

    def test_the_same_over_tls(self):
        with Tokens() as tokens, Hub(*tokens.tls()) as hub:
            context = ssl._create_unverified_context()
            for text, status in ((HEAD + "Content-Length: 0x90\r\n\r\n", 400), ("CONNECT x:1 HTTP/1.1\r\n\r\n", 405), (HEALTH, 200)):
                for is_split in (False, True):
                    with context.wrap_socket(connect(hub)) as one:
                        for part in [text[:9], text[9:30], text[30:]] if is_split else [text]:
                            one.sendall(part.encode())
                            time.sleep(0.02)
                        one.settimeout(PATIENCE)
                        self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 %d" % status), text)


class Strangers(unittest.TestCase):
    """Connections without a token."""

    def test_they_have_a_bound_and_the_oldest_goes(self):
        with Tokens() as tokens:
            token = tokens.make("--agents", "*", "--sessions", "*")
            with Hub("--tokens", tokens.file) as hub:
                before = hub.open_files()
                one = connect(hub)
                one.sendall(f"GET /api/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
                self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 200"))
                held = [connect(hub) for _ in range(400)]
                wait_until(lambda: len(select.select(held, [], [], 0)[0]) >= 400 - 256, "the oldest are closed")
                time.sleep(0.3)  # for one more
                ready = set(select.select(held, [], [], 0)[0])
                # for one address the newest 256 connections stay (a sixteenth of --max-connections)
                self.assertEqual([i for i, two in enumerate(held) if two in ready], list(range(400 - 256)))
                self.assertTrue(all(two.recv(1) == b"" for two in ready))
                # a client that has shown a token stays, and another address is served
                one.sendall(f"GET /api/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: bearer {token}\r\n\r\n".encode())
                self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 200"))
                with connect(hub, "127.0.0.2") as two:
                    two.sendall(HEALTH.encode())
                    self.assertTrue(two.recv(4096).startswith(b"HTTP/1.1 200"))
                for two in (one, *held):
                    two.close()
                # otherwise the connection that asks for the counts is one too many
                wait_until(lambda: hub.open_files() <= before + 2, "the connections are closed")
                counts = hub.metrics({"Authorization": f"Bearer {token}"})
                self.assertEqual(counts['accp_hub_closed_connections_total{reason="unknown"}'], 400 - 256)
                self.assertEqual(counts['accp_hub_closed_connections_total{reason="late"}'], 0)

    def test_a_connect_is_refused_at_once_and_holds_nothing(self):
        with Hub() as hub:
            before = hub.open_files()
            many = [connect(hub) for _ in range(200)]
            for one in many:
                one.sendall(b"CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n")
            for one in many:
                told, is_ended = read_all(one)
                self.assertTrue(told.startswith(b"HTTP/1.1 405"), told)
                self.assertTrue(is_ended)
            for one in many:
                one.close()
            wait_until(lambda: hub.open_files() <= before + 2, "the connections are closed")

    def test_a_connection_that_ends_within_its_head_holds_nothing(self):
        with Hub() as hub:
            before = hub.open_files()
            for _ in range(100):
                with connect(hub) as one:
                    one.sendall(b"GET /healthz HT")
            wait_until(lambda: hub.open_files() <= before + 2, "the connections are closed")

    def test_a_body_is_read_of_who_has_shown_a_token(self):
        with Tokens() as tokens:
            tokens.make("--agents", "*", "--sessions", "*")
            with Hub("--tokens", tokens.file) as hub, connect(hub) as one:
                one.sendall((HEAD + "Content-Length: 60000\r\n\r\n").encode())
                one.settimeout(PATIENCE)
                self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 401"))

    def test_a_head_has_a_deadline(self):
        with Hub() as hub, connect(hub) as silent, connect(hub) as slow:
            slow.sendall(b"GET /healthz HT")
            for one in (silent, slow):
                self.assertEqual(read_all(one), (b"", True))
            self.assertEqual(hub.metrics()['accp_hub_closed_connections_total{reason="late"}'], 2)


class Work(unittest.TestCase):
    """Requests that cost the server more than their sender."""

    def test_what_is_refused_makes_no_session(self):
        with Tokens() as tokens:
            token = tokens.make("--agents", "*", "--sessions", "*", "--max-sessions", "1")
            auth = {"Authorization": "Bearer " + token}
            with Hub("--tokens", tokens.file, "--store", f"sqlite:{tokens.place}/s.db") as hub:
                for i in range(5):
                    status, told = hub.post(Agent("a").frame("req:build{what:$hot.nothing}"), f"s{i}", auth)
                    self.assertEqual(status, 400, told)
                    status, told = hub.post(f"@a>comp:x{{}}[mid:a0000000000{i},seq:7,ts:1794000000]", f"t{i}", auth)
                    self.assertIn("E3003", told)
                    told = call(hub, "session_append", {"session": f"m{i}", "messages": [{"agent": "a", "intent": "nothing"}]}, auth)[1]
                    self.assertIn('"isError":true', told)
                self.assertEqual(hub.request("GET", "/api/sessions", headers=auth)[1].strip(), "[]")
                self.assertEqual(hub.post(Agent("a").frame("comp:x{}"), "mine", auth)[0], 204)
                status, told = hub.post(Agent("a").frame("comp:x{}"), "more", auth)
                self.assertIn("E5001", told)
                self.assertEqual(hub.request("GET", "/api/sessions", headers=auth)[1].strip(), '["mine"]')

    def test_a_packet_costs_what_its_conversation_is_long(self):
        with Tokens() as tokens:
            token = tokens.make("--agents", "*", "--sessions", "*", "--read-only")
            with Hub("--tokens", tokens.file) as hub:
                costs = []
                for count in (1000, 2000, 4000):
                    talk = "".join(f"User: must keep tables r{i}.\nAssistant: ok.\n" for i in range(count))
                    before = cpu_seconds(hub)
                    call(hub, "context_generate", {"task": "build", "depth": "deep", "conversation": talk}, {"Authorization": "Bearer " + token})
                    costs.append(cpu_seconds(hub) - before)
                self.assertLess(costs[2], 3 * costs[1] + 0.1, costs)  # it was quadratic: 4.4 s for 155 KB, four times the time of half of it

    def test_a_page_that_follows_costs_little(self):
        with Hub() as hub:
            agent = Agent("a")
            for i in range(40):
                self.assertEqual(hub.post(agent.frame("comp:x{k:\"" + "x" * 8000 + "\"}"), "s")[0], 204)
            ask = b"GET /api/follow?session=s&after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            first = connect(hub)
            first.sendall(ask)
            got, ends = b"", time.monotonic() + PATIENCE
            first.settimeout(PATIENCE)
            while b"id: 40\n" not in got and time.monotonic() < ends:
                got += first.recv(65536)
            self.assertTrue(got.startswith(b"HTTP/1.1 200"))
            self.assertEqual([int(n) for n in re.findall(rb"\nid: (\d+)\n", got)], list(range(1, 41)))
            before = memory_kib(hub)
            pages = []
            for _ in range(63):
                one = socket.socket()
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.connect(("127.0.0.1", hub.port))
                one.sendall(ask)
                pages.append(one)
            time.sleep(2)
            if not SANITIZED:  # a sanitizer keeps freed memory
                # 8 KiB wait for a page, 10 are its connection; nothing of it is memory that the start of the command has freed
                self.assertLess((memory_kib(hub) - before) / len(pages), 20)
            with connect(hub) as one:
                one.sendall(ask)
                self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 429"))
            for one in (first, *pages):
                one.close()
            self.assertEqual(hub.request("GET", "/healthz")[0], 200)

    def test_long_work_does_not_hold_others(self):
        """Packets of long conversations are made outside the event loop, and one caller can have four of
        them at once."""
        with Hub() as hub:
            talk = "".join(f"User: we must keep table number {i} in room {i * 7}, since it failed with {i}.\nAssistant: I decided to use {i}.\n" for i in range(20_000))

            def press():
                """Returns the statuses of the packets, and the longest wait of others as a share of the time that the packets took."""
                answers = []
                crowd = [threading.Thread(target=lambda: answers.append(call(hub, "context_generate", {
                    "task": "build", "depth": "deep", "conversation": talk[:1_500_000]})[0])) for _ in range(8)]
                started, worst = time.monotonic(), 0
                for one in crowd:
                    one.start()
                while any(one.is_alive() for one in crowd):
                    began = time.monotonic()
                    self.assertEqual(hub.request("GET", "/healthz")[0], 200)
                    worst = max(worst, time.monotonic() - began)
                    time.sleep(0.01)
                for one in crowd:
                    one.join()
                return set(answers), worst / (time.monotonic() - started)

            # A busy machine may hold up a request. If the loop did the work, one would wait for all of it each time.
            tries = [press()]
            while tries[-1][0] != {200, 503} or tries[-1][1] > 0.5:
                self.assertLess(len(tries), 5, tries)
                tries.append(press())
            self.assertEqual(hub.post(Agent("a").frame("comp:x{}"), "s")[0], 204)
            self.assertIn("tokens", hub.request("GET", "/api/context?session=s")[1])

    def test_frames_of_http2_without_end(self):
        """CONTINUATION without END_HEADERS: its log and its time are limited, and others are served."""
        def frame(kind, flags, stream, body):
            return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body

        with Tokens() as tokens, Hub(*tokens.tls()) as hub:
            log = tokens.enter_context(tempfile.TemporaryFile())
            drain = subprocess.Popen(["cat"], stdin=hub.process.stderr, stdout=log)
            context = ssl._create_unverified_context()
            context.set_alpn_protocols(["h2"])

            def begin():
                one = context.wrap_socket(connect(hub))
                self.assertEqual(one.selected_alpn_protocol(), "h2")
                one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(1, 0, 1, b"\x82\x84\x87"))
                return one

            before = cpu_seconds(hub)
            one = begin()  # more headers than libwebsockets takes; the hub's own limit may come first for all others
            one.sendall(frame(9, 0, 1, b"\x88" * 4000))
            with contextlib.suppress(ConnectionError, ssl.SSLError):
                while one.recv(4096):
                    pass
            one.close()
            for header in (b"", b"\x00\x04abcd\x02xy" * 500, b"\x88" * 4000):
                one = begin()
                sent = 0
                try:
                    while sent < 8 << 20:
                        one.sendall(frame(9, 0, 1, header) * max(1, 16_000 // (len(header) + 9)))
                        sent += 16_000
                except OSError:
                    pass
                one.close()
                self.assertLess(sent, 8 << 20, "it was never ended")
            self.assertLess(cpu_seconds(hub) - before, 1.5)
            ran = subprocess.run(["curl", "-sk", "--http2", "-w", "%{http_code} %{http_version}",
                                  f"https://localhost:{hub.port}/metrics"], capture_output=True, text=True, check=False)
            text, _, version = ran.stdout.rpartition("\n")
            self.assertEqual(version, "200 2")
            counts = figures(text)
            self.assertGreater(counts['accp_hub_closed_connections_total{reason="flood"}'], 0)
            self.assertGreater(counts["accp_hub_libwebsockets_errors_total"], 0)
            hub.process.terminate()
            hub.process.wait(PATIENCE)
            drain.wait(PATIENCE)
            hub.process.stderr.close()
            self.assertLess(log.seek(0, 2), 64 << 10)


class Faces(unittest.TestCase):
    """Smaller ones."""

    def test_pages_of_other_sites(self):
        with Hub() as hub:
            hub.post(Agent("a").frame("comp:x{}"), "s")
            for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
                self.assertEqual(hub.request("GET", "/api/sessions", headers={"Sec-Fetch-Site": site})[0], status, site)

    def test_no_answer_is_taken_for_another_type(self):
        with Hub() as hub:
            hub.post(Agent("a").frame("comp:x{}"), "s")
            for path in ("/", "/api/sessions", "/api/context?session=s", "/healthz", "/metrics", "/.well-known/agent-card.json", "/nothing"):
                self.assertEqual(hub.request("GET", path)[2]["x-content-type-options"], "nosniff", path)

    def test_the_card_has_no_address_of_who_asks(self):
        with Hub() as hub, Hub("--public-url", "https://hub.example") as other:
            card = json.loads(hub.request("GET", "/.well-known/agent-card.json", headers={"Host": "localhost:1"})[1])
            self.assertEqual(card["url"], f"http://127.0.0.1:{hub.port}/a2a")
            card = json.loads(other.request("GET", "/.well-known/agent-card.json")[1])
            self.assertEqual(card["url"], "https://hub.example/a2a")

    def test_counts_of_all_sessions_are_for_tokens_of_all(self):
        with Tokens() as tokens:
            some, every = (tokens.make("--agents", "*", "--sessions", which) for which in ("team-*", "*"))
            with Hub("--tokens", tokens.file) as hub:
                for token, scheme, status in ((some, "Bearer", 403), (every, "Bearer", 200), (every, "bearer", 200), (every, "BEARER", 200),
                                              (every, "Basic", 401), (every, "Bearerx", 401)):
                    self.assertEqual(hub.request("GET", "/metrics", headers={"Authorization": f"{scheme} {token}"})[0], status, scheme)

    def test_a_token_file_that_others_may_write_is_refused(self):
        with Tokens() as tokens:
            tokens.make("--agents", "*", "--sessions", "*")
            for mode, is_good in ((0o600, True), (0o644, True), (0o666, False), (0o620, False)):
                os.chmod(tokens.file, mode)
                ran = subprocess.Popen([os.environ["ACCP"], "serve", "--listen", "127.0.0.1:0", "--tokens", tokens.file], stderr=subprocess.PIPE, text=True)
                said = ran.stderr.readline()
                ran.terminate()
                ran.wait(PATIENCE)
                ran.stderr.close()
                self.assertEqual("serving" in said, is_good, said)
                if not is_good:
                    self.assertIn(f"(mode {mode:03o})", said)

    def test_tls_has_no_suites_that_tell_later(self):
        with Tokens() as tokens, Hub(*tokens.tls()) as hub:
            for ciphers, is_good in (("ECDHE+AESGCM", True), ("AES128-GCM-SHA256", False), ("AES128-SHA", False), ("ECDHE-RSA-AES128-SHA", False),
                                     ("ECDHE-RSA-AES128-SHA256", False)):
                context = ssl._create_unverified_context()
                context.maximum_version = ssl.TLSVersion.TLSv1_2
                context.set_ciphers(ciphers + ":@SECLEVEL=0")
                try:
                    context.wrap_socket(connect(hub)).close()
                    is_taken = True
                except (ssl.SSLError, OSError):
                    is_taken = False
                self.assertEqual(is_taken, is_good, ciphers)

    def test_websockets_end_with_the_code_of_their_fault(self):
        def mask(data):
            return bytes([1, 2, 3, 4]) + bytes(b ^ (1, 2, 3, 4)[i % 4] for i, b in enumerate(data))

        hello = b"@dev>sync:registry{v:1}"
        cases = [("no mask", bytes([0x81, len(hello)]) + hello, 1002),
                 ("not UTF-8", b"\x81\x82" + mask(b"\xc3\x28"), 1007),
                 ("2^62 bytes", b"\x81\xff" + struct.pack(">Q", 1 << 62) + mask(b"x"), 1009),
                 ("2^63 - 1 bytes, none of them sent", b"\x81\xff" + struct.pack(">Q", (1 << 63) - 1), 1009),
                 ("2^63 bytes", b"\x81\xff" + struct.pack(">Q", 1 << 63), 1009)]
        with Hub() as hub:
            for name, text, code in cases:
                with connect(hub) as one:
                    key = base64.b64encode(os.urandom(16)).decode()
                    one.sendall(("GET /accp/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                 f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
                    one.settimeout(PATIENCE)
                    self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 101"))
                    one.sendall(text)
                    told = read_all(one)[0]
                self.assertEqual(told[:1], b"\x88", f"{name}: {told}")
                self.assertEqual(struct.unpack(">H", told[2:4])[0], code, name)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    sys.argv[1:] = sys.argv[1:] or ["-v"]
    unittest.main()
