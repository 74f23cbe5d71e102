# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""A running `accp serve`, and its clients."""
import errno
import http.client
import os
import random
import re
import signal
import socket
import subprocess
import time

TYPE = {"Content-Type": "application/accp"}
PATIENCE = 120  # seconds: only what hangs takes longer, also with a sanitizer on a busy machine


def wait_until(is_so, what):
    ends = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > ends:
            raise AssertionError(f"not after {PATIENCE} s: {what}")
        time.sleep(0.02)


def free_port():
    """Returns a port that the kernel does not use for outgoing connections, so that it stays free while a server is
    down."""
    while True:
        port = random.randrange(10_000, 32_768)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise


class Hub:
    """The process. ACCP is the command."""

    def __init__(self, *arguments, port=0):
        self.arguments = arguments
        self.start(port)

    def start(self, port=0):
        self.process = subprocess.Popen(
            [os.environ["ACCP"], "serve", "--listen", f"127.0.0.1:{port}", *self.arguments],
            stderr=subprocess.PIPE, text=True)
        self.said = self.process.stderr.readline()
        found = re.search(r":(\d+)", self.said.split("//")[-1])
        if not found:
            raise RuntimeError(self.said + self.process.stderr.read())
        self.port = int(found[1])

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.process.stderr.close()
        return status

    def restart_after_kill(self):
        self.stop(signal.SIGKILL)
        for _ in range(600):
            try:
                return self.start(self.port)
            except RuntimeError:
                time.sleep(0.1)
        raise RuntimeError("the port stays in use")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        status = self.stop() if self.process.poll() is None else self.process.returncode
        if status:
            raise RuntimeError(f"the hub ended with {status}")

    def request(self, method, path, body=None, headers=None, timeout=PATIENCE):
        """(status, body, headers)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            connection.close()

    def post(self, frame, session="", headers=None, timeout=PATIENCE):
        path = "/accp/v1/frames" + (f"?session={session}" if session else "")
        return self.request("POST", path, frame.encode(), {**TYPE, **(headers or {})}, timeout)[:2]

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def metrics(self, headers=None):
        """The figures of /metrics by name and labels."""
        return figures(self.request("GET", "/metrics", headers=headers)[1])

    def socket_address(self, query=""):
        return f"ws://127.0.0.1:{self.port}/accp/v1/ws{query}"


class Agent:
    """A sender that counts its frames."""

    def __init__(self, name):
        self.name = name
        self.count = 0

    def frame(self, text, cid=""):
        """`text`: the part after the agent's name, without metadata."""
        self.count += 1
        return f"@{self.name}>{text}[mid:{self.mid(self.count)},seq:{self.count},ts:1794000000" + (
            f",cid:{cid}]" if cid else "]")

    def mid(self, number):
        return f"{'abcdef'[sum(self.name.encode()) % 6]}{sum(self.name.encode()) % 1000:03d}{number:08d}"


def figures(text):
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))}


def mid_of(frame):
    return re.search(r"\[mid:(\w+)", frame)[1]
