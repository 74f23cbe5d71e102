#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""accp proxy forwards requests and answers byte for byte and at once. ACCP is the command."""
import asyncio
import gzip
import os
import random
import re
import threading
import time
import unittest

from forward_parties import CHAT, Case, answer_ok, wait_until

OVERHEAD = 8 if os.environ.get("ACCP_SANITIZED") == "1" else 1  # of memory


class Bytes(Case):
    """What arrives is what was sent."""

    def test_head_and_body_of_a_request(self):
        self.start()
        body = bytes(range(256)) * 9
        headers = [("X-CaSe", "Aa"), ("x-two", "1"), ("Accept", "text/event-stream"), ("X-Two", "2"), ("X-Empty", ""), ("Authorization", "Bearer s3cret"),
                   ("Cookie", "a=b; c=d"), ("Content-Type", "application/json; charset=utf-8"), ("X-Bytes", "\xe9\xff"), ("Content-Length", str(len(body))),
                   ("User-Agent", "agent/1.0 (x; y)")]
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        target = '/v1/responses/%7Eid//..%2f/../a?q=%20a+b&q=%C3%A9;[]|"<>'
        with self.proxy.client() as client:
            client.send(f"POST {target} HTTP/1.1\r\nHost: localhost:1\r\n{lines}\r\n".encode("latin-1") + body)
            self.assertEqual(client.answer().status, 200)
        request, = self.upstream.requests
        self.assertEqual((request.method, request.target), ("POST", target))
        self.assertEqual(request.headers, [("Host", f"localhost:{self.upstream.port}"), *headers])
        self.assertEqual(request.body, body)

    def test_nothing_is_added_to_a_bare_request(self):
        self.start()
        for method in ("GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"):
            self.ask(method, "/v1/models")
            self.ask(method, "/v1/models", b"")
        self.ask("HEAD", "/v1/models", b"")
        self.ask("HEAD", "/v1/models", b"dropped", headers=[("Connection", "close")])
        for request in self.upstream.requests[-2:]:
            self.assertEqual(request.headers[1:], [])
        for i, request in enumerate(self.upstream.requests[:-2]):
            expected = [("Host", f"localhost:{self.upstream.port}")] + [("Content-Length", "0")] * (i % 2)
            self.assertEqual(request.headers, expected, request.method)

    def test_headers_of_the_connection_stay_here(self):
        self.start()
        own = [("Connection", "keep-alive, X-Mine"), ("X-Mine", "1"), ("Keep-Alive", "timeout=5"), ("TE", "trailers"), ("Proxy-Authorization", "Bearer x"),
               ("Proxy-Connection", "keep-alive"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAAQAAP__")]
        self.ask("GET", "/x", headers=[*own, ("X-Other", "2")])
        self.assertEqual([name for name, _ in self.upstream.requests[0].headers], ["Host", "HTTP2-Settings", "X-Other"])

    def test_head_and_body_of_an_answer(self):
        body = gzip.compress(b"data: {}\n\n" * 99) + b"\0\xff"

        async def script(request, reader, writer):
            writer.write(b"HTTP/1.1 203 Only  This\r\nX-CaSe: Aa\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nX-Empty:\r\nContent-Encoding: gzip\r\n"
                         b"X-Bytes: \xe9\r\nConnection: keep-alive, x-mine\r\nX-Mine: 1\r\nKeep-Alive: timeout=5\r\nDate: never\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.start(script)
        answer = self.ask("GET", "/x", headers=[("Accept-Encoding", "gzip, br")])
        self.assertEqual(self.upstream.requests[0].header("Accept-Encoding"), "gzip, br")
        self.assertEqual((answer.status, answer.reason), (203, "Only  This"))
        self.assertEqual(answer.headers, [("X-CaSe", "Aa"), ("set-cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Empty", ""), ("Content-Encoding", "gzip"),
                                          ("X-Bytes", "\xe9"), ("Date", "never"), ("Content-Length", str(len(body)))])
        self.assertEqual(answer.body, body)

    def test_status_without_a_body(self):
        heads = {"/204": b"HTTP/1.1 204 No Content\r\n", "/304": b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n",
                 "/head": b"HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n"}

        async def script(request, reader, writer):
            writer.write(heads[request.target] + b"\r\n")
        self.start(script)
        with self.proxy.client() as client:
            for target, head in heads.items():
                method = "HEAD" if target == "/head" else "GET"
                self.assertEqual(client.request(method, target).answer(method).head + b"\r\n", head)
            self.assertEqual(client.buffer, b"")
        self.assertEqual(self.upstream.requests[-1].method, "HEAD")

    def test_errors_of_the_upstream_pass(self):
        async def script(request, reader, writer):
            status = request.target[1:].encode()
            writer.write(b"HTTP/1.1 " + status + b" \r\nRetry-After: 7\r\nx-should-retry: true\r\nContent-Length: 3\r\n\r\n{ }")
        self.start(script)
        for status in (400, 401, 403, 404, 413, 429, 500, 502, 503, 529, 599):
            answer = self.ask("POST", f"/{status}", b"{}")
            self.assertEqual((answer.status, answer.header("Retry-After"), answer.header("x-should-retry"), answer.body), (status, "7", "true", b"{ }"))

    def test_early_heads_and_trailers_pass(self):
        async def script(request, reader, writer):
            writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n0\r\nX-Sum: 7\r\nx-more: 8\r\n\r\n")
        self.start(script)
        with self.proxy.client() as client:
            client.request("GET", "/x")
            self.assertEqual(client.head(), b"HTTP/1.1 103 Early Hints\r\nLink: </a>")
            self.assertEqual(client.head(), b"HTTP/1.1 102 Processing")
            answer = client.answer()
        self.assertEqual((answer.body, answer.trailers, answer.header("Trailer")), (b"ab", b"X-Sum: 7\nx-more: 8\n", "X-Sum"))

    def test_a_body_until_the_end_of_the_connection(self):
        async def script(request, reader, writer):
            writer.write(b"HTTP/1.0 200 OK\r\n\r\nabc")
            return True
        self.start(script)
        with self.proxy.client() as client:
            for _ in range(2):  # the client's connection stays
                answer = client.request("GET", "/x").answer()
                self.assertEqual((answer.body, answer.header("Transfer-Encoding")), (b"abc", "chunked"))

    def test_a_client_of_http_1_0(self):
        async def script(request, reader, writer):
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        self.start(script)
        with self.proxy.client() as client:
            answer = client.send("GET /x HTTP/1.0\r\n\r\n").answer()
            self.assertEqual((answer.status, answer.body), (403, answer.body))  # it names no host
        with self.proxy.client() as client:
            answer = client.send("GET /x HTTP/1.0\r\nHost: localhost\r\n\r\n").answer()
            self.assertEqual((answer.body, answer.header("Connection"), answer.header("Transfer-Encoding")), (b"abc", "close", None))

    def test_a_chunked_request_gets_a_length(self):
        self.start()
        with self.proxy.client() as client:
            client.send("POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\nabcd\r\n00a\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n")
            self.assertEqual(client.answer().status, 200)
        request, = self.upstream.requests
        self.assertEqual((request.body, request.headers[1:]), (b"abcd0123456789", [("Content-Length", "14")]))

    def test_expect_100_continue(self):
        self.start()
        with self.proxy.client() as client:
            client.send("POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n")
            self.assertEqual(client.head(), b"HTTP/1.1 100 Continue")
            self.assertEqual(client.send("abc").answer().status, 200)
            self.assertEqual(client.request("GET", "/y").answer().status, 200)
        request = self.upstream.requests[0]
        self.assertEqual((request.body, request.header("Expect")), (b"abc", None))

    def test_a_body_of_64_mib(self):
        async def script(request, reader, writer):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(request.body) + request.body)
        self.start(script)
        body = random.Random(7).randbytes(1 << 20) * 64
        with self.proxy.client(timeout=120) as client:
            answer = client.request("POST", CHAT, body).answer()
        self.assertTrue(answer.body == body)
        self.assertEqual(self.ask("POST", CHAT, headers=[("Content-Length", str((64 << 20) + 1))]).status, 413)

    def test_random_bytes_in_random_pieces(self):
        """A request and its answer in pieces of random sizes, with a length or in chunks."""
        async def script(request, reader, writer):
            rng = random.Random(request.target)
            is_chunked = rng.random() < 0.6
            writer.write(b"HTTP/1.1 200 OK\r\n" + (b"Transfer-Encoding: chunked" if is_chunked else b"Content-Length: %d" % len(request.body)) + b"\r\n\r\n")
            for piece in pieces(rng, request.body):
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece)
                if rng.random() < 0.3:
                    await asyncio.sleep(0)
            if is_chunked:
                writer.write(b"0\r\n\r\n")
        self.start(script)
        rng = random.Random(42)
        with self.proxy.client() as client:
            for number in range(200):
                body = rng.randbytes(rng.choice([0, 1, 100, 5000, 70_000]))
                is_chunked = rng.random() < 0.5
                text = b"POST /%d HTTP/1.1\r\nHost: localhost\r\n" % number + (
                    b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces(rng, body)) + b"0\r\n\r\n"
                    if is_chunked else b"Content-Length: %d\r\n\r\n" % len(body) + body)
                for piece in pieces(rng, text):
                    client.send(piece)
                answer = client.answer()
                self.assertTrue(answer.is_whole and answer.body == body, number)


def pieces(rng, data):
    """Cuts into pieces of which many are short."""
    at = 0
    while at < len(data):
        size = rng.choice([1, 2, 3, 17, 1000, 1460, 16_384, 50_000])
        yield data[at:at + size]
        at += size


class Streams(Case):
    """Timing, bounds and many at once."""

    def test_each_chunk_passes_at_once(self):
        step = threading.Semaphore(0)

        async def script(request, reader, writer):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number in range(5):
                await asyncio.get_running_loop().run_in_executor(None, step.acquire)
                writer.write(b"7\r\nchunk %d\r\n" % number)
            await asyncio.get_running_loop().run_in_executor(None, step.acquire)
            writer.write(b"0\r\n\r\n")
        self.start(script)
        with self.proxy.client() as client:
            client.request("POST", CHAT, b"{}").head()  # before the first chunk is written
            took = []
            for number in range(5):
                begin = time.monotonic()
                step.release()
                self.assertEqual(client.chunk(), b"chunk %d" % number)
                took.append(time.monotonic() - begin)
            step.release()
            self.assertEqual(client.chunk(), b"")
            self.assertLess(sorted(took)[2], 0.5)  # a second for most if they waited for the next look at all connections

    def test_a_slow_reader_pauses_the_upstream(self):
        size = 64 << 20
        sent = [0]

        async def script(request, reader, writer):
            if request.target == "/other":
                return await answer_ok(request, reader, writer)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
            while sent[0] < size:
                writer.write(bytes([sent[0] >> 16 & 255]) * (1 << 16))
                sent[0] += 1 << 16
                await writer.drain()
        self.start(script)
        before = self.proxy.memory_kib()
        with self.proxy.client(receive_buffer=65_536) as client:
            client.request("GET", "/x").head()
            wait_until(lambda: self.has_stopped(sent))
            self.assertLess(sent[0], 24 << 20)  # what the sockets of both connections hold
            self.assertLess(self.proxy.memory_kib() - before, 4096 * OVERHEAD)
            self.assertEqual(self.ask("GET", "/other").status, 200)  # others go on
            body = client.exactly(size)
        self.assertTrue(all(body[at:at + (1 << 16)] == bytes([at >> 16 & 255]) * (1 << 16) for at in range(0, size, 1 << 16)))

    @staticmethod
    def has_stopped(sent):
        before = sent[0]
        time.sleep(0.3)
        return before == sent[0]

    def test_500_streams_at_once(self):
        count, chunks = 500, 20

        async def script(request, reader, writer):
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number in range(chunks):
                piece = b"%s %d %s" % (request.body, number, b"x" * 99)
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                await asyncio.sleep(0.05)
            writer.write(b"0\r\n\r\n")

        async def one(number):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.proxy.port)
            body = b"client %d" % number
            writer.write(b"POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (CHAT.encode(), len(body), body))
            head, rest = (await reader.read()).split(b"\r\n\r\n", 1)
            writer.close()
            text = re.sub(rb"[0-9a-f]+\r\n(.*?)\r\n", rb"\1", rest.removesuffix(b"0\r\n\r\n"))
            return head.startswith(b"HTTP/1.1 200") and text == b"".join(b"%s %d %s" % (body, i, b"x" * 99) for i in range(chunks))

        async def all_of_them():
            return await asyncio.gather(*(one(number) for number in range(count)))
        self.start(script)
        before = self.proxy.memory_kib()
        self.assertEqual(asyncio.run(all_of_them()), [True] * count)
        self.assertLess(self.proxy.memory_kib() - before, count * 128 * OVERHEAD)

    def test_connections_are_kept(self):
        self.start()
        with self.proxy.client() as client:
            for _ in range(20):
                client.request("POST", CHAT, b"{}").answer()
        self.assertEqual(self.upstream.connections, 1)

    def test_pipelined_requests(self):
        async def script(request, reader, writer):
            await asyncio.sleep(0.02 if request.target.endswith("0") else 0)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(request.target) + request.target.encode())
        self.start(script)
        with self.proxy.client() as client:
            client.send("".join(f"POST /{i} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc" for i in range(30)))
            for i in range(30):
                self.assertEqual(client.answer().body, b"/%d" % i)


if __name__ == "__main__":
    unittest.main()
