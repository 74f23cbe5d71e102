#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""What accp proxy does when the upstream or the client fails, whom it serves, where it sends what, and how it ends. ACCP is the command."""
import asyncio
import json
import os
import resource
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import unittest

from forward_parties import CHAT, PATIENCE, Case, Client, Proxy, Upstream, answer_ok, wait_for_end, wait_until

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def reset(writer):
    writer.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
    return True


class UpstreamFails(Case):
    def check_502(self, answer, provider, *words):
        self.assertEqual((answer.status, answer.header("Content-Type")), (502, "application/json"))
        error = json.loads(answer.body)
        self.assertEqual(set(error), {"type", "error"} if provider == "anthropic" else {"error"})
        self.assertEqual(error["error"]["type"], "api_error" if provider == "anthropic" else "server_error")
        for word in ("accp proxy", provider, *words):
            self.assertIn(word, error["error"]["message"])

    def test_refused_and_unknown(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
            self.proxy = Proxy("--upstream", f"openai=http://127.0.0.1:{port}", "--upstream", "anthropic=http://no-such-host.invalid/base")
            self.addCleanup(self.proxy.stop)
            self.check_502(self.ask("POST", CHAT, b"{}"), "openai", f"http://127.0.0.1:{port}", "connect")
            self.check_502(self.ask("POST", "/v1/messages", b"{}"), "anthropic", "http://no-such-host.invalid/base", "resolve")
        lines = self.proxy.log(2)
        self.assertEqual([(line["status"], line["upstream"]) for line in lines], [(502, "openai"), (502, "anthropic")])

    def test_death_before_the_head_is_whole(self):
        starts = [b"", b"HTT", b"HTTP/1.1 200 OK\r\nX: y", b"HTTP/1.1 200 OK\r\nX: y\r\n", b"HTTP/1.1 103 Early\r\n\r\n"]

        async def script(request, reader, writer):
            writer.write(starts[int(request.target.split("?")[1][:1])])
            await writer.drain()
            return reset(writer) if request.target.endswith("r") else True
        self.start(script)
        for number in range(len(starts)):
            for how in "cr":
                with self.subTest(start=starts[number], how=how):
                    self.check_502(self.ask("POST", f"{CHAT}?{number}{how}", b"{}"), "openai")

    def test_an_answer_that_is_not_http(self):
        starts = [b"hello\r\n\r\n", b"\x16\3\1\0\5", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", b"HTTP/1.1 200 OK\r\nA\1b: c\r\n\r\n",
                  b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                  b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 5000 + b"\r\n" + b"Z: y\r\n" * 60_000 + b"\r\n", b"HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n",
                  b"HTTP/1.1 200 OK\rA: b\r\n\r\n", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc"]

        async def script(request, reader, writer):
            writer.write(starts[int(request.target.split("?")[1])])
            return True
        self.start(script)
        for number, start in enumerate(starts):
            with self.subTest(start=start[:60]):
                self.check_502(self.ask("POST", f"{CHAT}?{number}", b"{}"), "openai")

    def test_death_in_the_body_is_no_clean_end(self):
        """For each way to find the end of a body, an end after some bytes, by a close or a reset."""
        starts = {"length": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "chunks": STREAM + b"3\r\nabc\r\n", "half": STREAM + b"9\r\nabc",
                  "wrong": STREAM + b"3\r\nabc\r\nxyz\r\n"}

        async def script(request, reader, writer):
            writer.write(starts[request.target.split("?")[1][:-1]])
            await writer.drain()
            await asyncio.sleep(0.05)
            return reset(writer) if request.target.endswith("r") else True
        self.start(script)
        for kind in starts:
            for how in "cr":
                for version in ("1.1", "1.0"):
                    with self.subTest(kind=kind, how=how, version=version), self.proxy.client() as client:
                        client.send(f"POST {CHAT}?{kind}{how} HTTP/{version}\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}")
                        if version == "1.0" and kind != "length":  # only a reset can show it
                            with self.assertRaises(ConnectionResetError):
                                while client.socket.recv(1 << 16):
                                    pass
                            continue
                        answer = client.answer()
                        self.assertEqual((answer.status, answer.is_whole), (200, False))
                        self.assertIn(b"abc", answer.body + bytes(client.buffer))
        self.assertNotIn("whole", [line["end"] for line in self.proxy.log(len(starts) * 4)])

    def test_an_idle_stream_ends(self):
        async def script(request, reader, writer):
            if request.target.endswith("?head"):
                writer.write(STREAM + b"3\r\nabc\r\n")
            await wait_for_end(reader)
            self.upstream.ended.append(request.target)
            return True
        self.start(script, "--idle-timeout", "2")
        self.check_502(self.ask("POST", CHAT, b"{}"), "openai")
        self.assertFalse(self.ask("POST", CHAT + "?head", b"{}").is_whole)
        wait_until(lambda: len(self.upstream.ended) == 2)

    def test_a_call_again_if_a_kept_connection_is_closed(self):
        """The upstream resets each connection when its second request has come."""
        served = set()

        async def script(request, reader, writer):
            if writer in served:
                return reset(writer)
            served.add(writer)
            return await answer_ok(request, reader, writer)
        self.start(script)
        bodies = [b"%d" % number * 100_000 for number in range(6)]
        for body in bodies:
            self.assertEqual(self.ask("POST", CHAT, body).status, 200)
        self.assertEqual(len(served), len(bodies))
        self.assertEqual([request.body for request in self.upstream.requests], [bodies[0], *(body for body in bodies[1:] for _ in range(2))])

    def test_an_answer_before_the_body_was_read(self):
        async def serve(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlong")
            await writer.drain()
            await asyncio.sleep(1)
            writer.close()
        with Upstream(answer_ok) as upstream:
            server = asyncio.run_coroutine_threadsafe(asyncio.start_server(serve, "127.0.0.1", 0), upstream.loop).result(PATIENCE)
            with Proxy("--upstream", f"openai=http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as proxy, proxy.client() as client:
                answer = client.request("POST", CHAT, b"x" * (8 << 20)).answer()
        self.assertEqual((answer.status, answer.body), (413, b"long"))


class ClientFails(Case):
    def test_a_client_that_leaves_cancels_the_upstream(self):
        """Before the head of the answer, in the body, and while the upstream is paused."""
        async def script(request, reader, writer):
            kind = request.target.split("?")[1]
            if kind != "head":
                writer.write(STREAM + b"3\r\nabc\r\n")
            if kind == "full":
                with_size = b"%x\r\n%s\r\n" % (1 << 20, b"x" * (1 << 20))
                try:
                    for _ in range(64):
                        writer.write(with_size)
                        await writer.drain()
                except ConnectionError:
                    pass
            await wait_for_end(reader)
            self.upstream.ended.append(request.target)
            return True
        self.start(script)
        for number, (kind, leave) in enumerate((kind, leave) for kind in ("head", "body", "full") for leave in (Client.close, Client.reset)):
            client = self.proxy.client(receive_buffer=65_536)
            client.request("POST", f"{CHAT}?{kind}", b"{}")
            if kind != "head":
                client.head()
            wait_until(lambda count=number + 1: len(self.upstream.requests) == count)
            time.sleep(0.3 if kind == "full" else 0.05)
            leave(client)
            wait_until(lambda count=number + 1: len(self.upstream.ended) == count)
        self.assertEqual([(line["end"], line.get("status")) for line in self.proxy.log(6)],
                         [("the client has gone", status) for status in (None, None, 200, 200, 200, 200)])
        self.assertEqual(self.ask("POST", CHAT + "?head", headers=[("Content-Length", "x")]).status, 400)  # it goes on

    def test_a_client_that_leaves_within_its_request(self):
        self.start()
        text = b"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        for end in range(len(text)):
            with self.proxy.client() as client:
                client.send(text[:end])
        self.assertEqual(self.ask("GET", "/last").status, 200)
        self.assertEqual([request.target for request in self.upstream.requests], ["/last"])

    def test_slow_requests_end(self):
        self.start()
        with self.proxy.client() as slow, self.proxy.client() as late:
            slow.send("POST /x HTTP/1.1\r\nHo")
            late.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab")
            begin = time.monotonic()
            self.assertTrue(slow.has_ended() and late.has_ended())
            self.assertGreater(time.monotonic() - begin, 8)
        self.assertEqual(self.upstream.requests, [])


class Safety(Case):
    REFUSED = [
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nX", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nno colon\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5000000\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: cake\r\nContent-Length: 1\r\n\r\n", 417),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "y" * 17_000 + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\nHost: localhost\n\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("\x16\x03\x01\x02\x00\x01\n", 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403), ("GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example:80\r\n\r\n", 403),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n", 403), ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n", 403),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n", 403),
    ]

    def test_what_is_refused(self):
        self.start()
        for text, status in self.REFUSED:
            with self.subTest(text=text[:120]), self.proxy.client() as client:
                answer = client.send(text + "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n").answer()
                self.assertEqual((answer.status, answer.header("Connection")), (status, "close"))
                self.assertIn("accp proxy: ", json.loads(answer.body)["error"]["message"])
                self.assertTrue(client.has_ended())
        self.assertEqual(self.upstream.requests, [])

    def test_allowed_origins(self):
        self.start(answer_ok, "--origins", "https://a.example,https://b.example")
        for origin in ("https://b.example", "http://localhost"):
            self.assertEqual(self.ask("GET", "/x", headers=[("Origin", origin), ("Sec-Fetch-Site", "cross-site")]).status, 200)

    def test_a_token(self):
        token = "t0k3n-" * 6
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "token")
            with open(path, "w", encoding="ascii") as file:
                file.write(token + "\n")
            os.chmod(path, 0o644)
            with self.assertRaisesRegex(RuntimeError, "chmod 600"):
                Proxy("--token-file", path)
            with self.assertRaisesRegex(RuntimeError, "without --token-file"):
                Proxy("--address", "0.0.0.0")
            os.chmod(path, 0o600)
            self.start(answer_ok, "--address", "0.0.0.0", "--token-file", path)
        self.assertIn("WITHOUT TLS", self.proxy.said)
        for shown, status in ((None, 407), ("Bearer wrong", 407), (f"Basic {token}", 407), (f"Bearer {token[:-1]}", 407), (f"bearer {token}", 200)):
            answer = self.ask("POST", CHAT, b"{}", headers=[("Proxy-Authorization", shown)] if shown else [])
            self.assertEqual((answer.status, answer.header("Proxy-Authenticate") is not None), (status, status == 407), shown)
        request, = self.upstream.requests
        self.assertIsNone(request.header("Proxy-Authorization"))
        self.assertNotIn(token, "".join(self.proxy.lines))

    def test_the_log_has_no_secrets(self):
        self.start()
        self.ask("POST", "/v1beta/models/x:generateContent?key=s3cret", b"s3cret", headers=[("Authorization", "Bearer s3cret"), ("x-api-key", "s3cret")])
        line, = self.proxy.log(1)
        self.assertEqual((line["path"], line["status"], line["end"], line["request_bytes"], line["answer_bytes"]),
                         ("/v1beta/models/x:generateContent", 200, "whole", 6, 2))
        self.assertNotIn("s3cret", "".join(self.proxy.lines))

    def test_too_many_connections(self):
        self.start(answer_ok, "--max-connections", "3")
        clients = [self.proxy.client() for _ in range(4)]
        self.addCleanup(lambda: [client.close() for client in clients])
        answer = clients[3].request("GET", "/x").answer()
        self.assertEqual((answer.status, answer.header("Retry-After")), (503, "1"))
        clients[0].close()
        clients[3].close()
        wait_until(lambda: self.ask("GET", "/x").status == 200)


    def test_too_few_descriptors(self):
        """It waits for connections to end, without using the processor, and goes on."""
        with Upstream(answer_ok) as upstream, Proxy("--upstream", f"openai={upstream.url}",
                                                    before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))) as proxy:
            clients = [proxy.client() for _ in range(60)]
            begin = processor_seconds(proxy.process)
            time.sleep(1.5)
            self.assertLess(processor_seconds(proxy.process) - begin, 0.5)
            for client in clients:
                client.close()
            with proxy.client() as client:
                self.assertEqual(client.request("POST", CHAT, b"{}").answer().status, 200)


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Routes(unittest.TestCase):
    """tests/proxy/upstreams_test.cc has the table of routes; here is one of each kind over sockets."""

    def test_paths_and_headers(self):
        with Upstream(answer_ok) as one, Upstream(answer_ok) as two, Upstream(answer_ok) as three:
            with Proxy("--upstream", f"local={three.url}/base/", "--upstream", f"anthropic={one.url}", "--upstream", f"openai={two.url}") as proxy:
                for target, headers, upstream, expected in (
                        ("/v1/messages?beta=true", [], one, "/v1/messages?beta=true"), ("/v1/responses/a", [], two, "/v1/responses/a"),
                        ("/v1/models", [("anthropic-version", "1")], one, "/v1/models"), ("/local/v1/models", [], three, "/base/v1/models"),
                        ("/", [], three, "/base/")):
                    with proxy.client() as client:
                        self.assertEqual(client.request("GET", target, headers=headers).answer().status, 200)
                    self.assertEqual(upstream.requests[-1].target, expected)


class Tls(unittest.TestCase):
    def test_a_certificate_of_our_own(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = os.path.join(folder, "cert"), os.path.join(folder, "key")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                            "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            with Upstream(answer_ok, context) as upstream:
                for arguments, status in ((["--ca", certificate], 200), ([], 502)):
                    with Proxy("--upstream", f"openai={upstream.url}", *arguments) as proxy:
                        for _ in range(3):
                            with proxy.client() as client:
                                answer = client.request("POST", CHAT, b"{}").answer()
                            self.assertEqual(answer.status, status)
                        if status == 502:
                            self.assertIn("certificate", json.loads(answer.body)["error"]["message"])
                self.assertEqual(len(upstream.requests), 3)
            with self.assertRaisesRegex(RuntimeError, "no-such-file"):
                Proxy("--ca", os.path.join(folder, "no-such-file"))


class End(Case):
    def test_running_calls_may_end(self):
        goes_on = threading.Event()

        async def script(request, reader, writer):
            writer.write(STREAM + b"3\r\nabc\r\n")
            await asyncio.to_thread(goes_on.wait, PATIENCE)
            writer.write(b"3\r\ndef\r\n0\r\n\r\n")
        self.start(script)
        self.addCleanup(goes_on.set)
        with self.proxy.client() as idle, self.proxy.client() as client:
            client.request("POST", CHAT, b"{}").head()
            self.proxy.process.send_signal(signal.SIGTERM)
            self.assertTrue(idle.has_ended())
            with self.assertRaises(ConnectionRefusedError):
                self.proxy.client()
            goes_on.set()
            self.assertEqual([client.chunk() for _ in range(3)], [b"abc", b"def", b""])
            self.assertEqual(self.proxy.process.wait(PATIENCE), 0)

    def refuses_clients(self):
        try:
            self.proxy.client().close()
        except OSError:
            return True
        return False

    def test_a_second_signal_ends_them(self):
        async def script(request, reader, writer):
            writer.write(STREAM + b"3\r\nabc\r\n")
            await wait_for_end(reader)
            return True
        self.start(script)
        with self.proxy.client() as client:
            client.request("POST", CHAT, b"{}").head()
            self.proxy.process.send_signal(signal.SIGTERM)
            wait_until(self.refuses_clients)  # else the kernel may deliver both signals as one
            self.proxy.process.send_signal(signal.SIGTERM)
            self.assertEqual(self.proxy.process.wait(PATIENCE), 0)
            self.assertEqual(client.chunk(), b"abc")
            self.assertTrue(client.has_ended())


if __name__ == "__main__":
    unittest.main()
