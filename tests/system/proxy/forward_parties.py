# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""A running `accp proxy`, an upstream that plays a script for each path, and a client that sees every byte."""
import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import unittest

CHAT = "/v1/chat/completions"
PATIENCE = 120  # seconds: only what hangs takes longer, also with a sanitizer on a busy machine


class Request:
    """A request as the upstream got it."""

    def __init__(self, head, body):
        self.head, self.body = head, body
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, self.version = lines[0].split(" ")
        self.headers = [tuple(line.split(": ", 1)) if ": " in line else (line.rstrip(":"), "") for line in lines[1:] if line]

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class Upstream:
    """Serves HTTP/1.1 on a thread. `script(request, reader, writer)` is a coroutine that writes an answer; it closes the connection by returning True."""

    def __init__(self, script, tls=None):
        self.script, self.tls = script, tls
        self.requests, self.ended = [], []  # ended: targets whose script was cancelled, or saw the client leave
        self.connections = self.open = 0
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(PATIENCE)

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.tls, limit=1 << 20, backlog=1024))
        self.port = self.server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()
        self.server.close()
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()

    async def serve(self, reader, writer):
        self.connections += 1
        self.open += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.I)
                body = await reader.readexactly(int(length[1])) if length else b""
                request = Request(head[:-4], body)
                self.requests.append(request)
                if await self.script(request, reader, writer):
                    return
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE)

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://localhost:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


async def wait_for_end(reader):
    """Waits until the other side has closed or reset the connection."""
    try:
        while await reader.read(1 << 16):
            pass
    except ConnectionError:
        pass


class Proxy:
    """The process. ACCP is the command."""

    def __init__(self, *arguments, before=None):
        self.process = subprocess.Popen([os.environ["ACCP"], "proxy", "--port", "0", "--log", *arguments], stderr=subprocess.PIPE, text=True,
                                        preexec_fn=before)
        self.said = self.process.stderr.readline()
        found = re.match(r"accp: proxy at http://([^,]*):(\d+),", self.said)
        if not found:
            raise RuntimeError(self.said + self.process.stderr.read())
        self.host, self.port = found[1].strip("[]"), int(found[2])
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stderr.close()
        return status

    def log(self, count):
        """The lines of the log as objects, once there are `count`."""
        wait_until(lambda: len(self.lines) >= count)
        return [json.loads(line) for line in self.lines]

    def memory_kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def client(self, **options):
        return Client(self.port, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        status = self.stop() if self.process.poll() is None else self.process.returncode
        if status:
            raise RuntimeError(f"the proxy ended with {status}")


class Answer:
    def __init__(self, head, body, is_whole, trailers=b""):
        lines = head.decode("latin-1").split("\r\n")
        self.head, self.body, self.is_whole, self.trailers = head, body, is_whole, trailers
        self.status, self.reason = int(lines[0].split(" ")[1]), lines[0].split(" ", 2)[2]
        self.headers = [tuple(line.split(": ", 1)) if ": " in line else (line.rstrip(":"), "") for line in lines[1:]]

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class Client:
    """A connection of one client. It reads no more than it is asked for."""

    def __init__(self, port, receive_buffer=0, timeout=PATIENCE):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray()

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode("latin-1"))
        return self

    def request(self, method, target, body=None, headers=()):
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers)]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        return self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b""))

    def more(self):
        """Reads what has arrived. False: the connection has ended."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        self.buffer += data
        return bool(data)

    def until(self, end):
        while end not in self.buffer:
            if not self.more():
                raise EOFError(self.buffer)
        at = self.buffer.index(end)
        return bytes(self.take(at + len(end))[:at])

    def take(self, count):
        text = self.buffer[:count]
        del self.buffer[:count]
        return text

    def exactly(self, count):
        while len(self.buffer) < count:
            if not self.more():
                raise EOFError(self.buffer)
        return bytes(self.take(count))

    def head(self):
        return self.until(b"\r\n\r\n")

    def chunk(self):
        """Returns the next chunk; empty: the last one, whose trailers are then in the buffer."""
        size = int(self.until(b"\r\n"), 16)
        return self.exactly(size + 2)[:-2] if size else b""

    def answer(self, method="GET"):
        """Reads an answer without those of status 1xx before it."""
        head = self.head()
        while head.startswith(b"HTTP/1.1 1"):
            head = self.head()
        answer = Answer(head, b"", True)
        if method == "HEAD" or answer.status in (204, 304):
            return answer
        try:
            if answer.header("Transfer-Encoding") == "chunked":
                while data := self.chunk():
                    answer.body += data
                while line := self.until(b"\r\n"):
                    answer.trailers += line + b"\n"
            elif answer.header("Content-Length"):
                answer.body = self.exactly(int(answer.header("Content-Length")))
            else:
                while self.more():
                    pass
                answer.body = bytes(self.take(len(self.buffer)))
        except EOFError:
            answer.is_whole = False
        return answer

    def has_ended(self):
        """Waits for the end of the connection. False: bytes came first."""
        return not self.buffer and not self.more()

    def close(self):
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def wait_until(is_true, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError("it did not become true")
        time.sleep(0.01)


async def answer_ok(request, reader, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


class Case(unittest.TestCase):
    """Each case has a proxy whose upstreams are both `self.upstream`, which plays `script`."""

    def start(self, script=answer_ok, *arguments):
        self.upstream = Upstream(script)
        self.addCleanup(self.upstream.close)
        self.proxy = Proxy("--upstream", f"openai={self.upstream.url}", "--upstream", f"anthropic={self.upstream.url}", *arguments)
        self.addCleanup(lambda: self.proxy.process.poll() is not None or self.proxy.stop())
        return self.proxy

    def ask(self, *request, **options):
        """Sends a request on a connection of its own, and returns the answer."""
        with self.proxy.client() as client:
            return client.request(*request, **options).answer(request[0])
