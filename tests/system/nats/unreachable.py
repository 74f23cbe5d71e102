#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""A hub over a NATS server that is killed or does not respond: unreachable.py NATS-SERVER. ACCP is the command.

After the first failed call the hub refuses frames at once, with the reason. When the server is back, the hub continues with
everything that was acknowledged."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../server"))
from hub import PATIENCE, Agent, Hub, free_port  # noqa: E402

MAX_FAST = 0.3  # seconds; a call that asked the server would wait for 5
MAX_FIRST = 60  # of a few seconds on an idle machine
TRIES = 10  # a busy machine may hold up some


class Node:
    def __init__(self, server, place):
        self.command = [server, "-a", "127.0.0.1", "-p", str(free_port()), "-js", "-sd", place, "-l", f"{place}/log"]
        self.store = f"nats://127.0.0.1:{self.command[4]}/unreachable"
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command)
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", int(self.command[4])), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("nats-server does not begin")

    def stop(self):
        """Returns when all its threads have stopped. Until then it may still answer."""
        self.process.send_signal(signal.SIGSTOP)
        threads = pathlib.Path(f"/proc/{self.process.pid}/task")
        while any((thread / "stat").read_text().rsplit(")", 1)[1].split()[0] != "T" for thread in threads.iterdir()):
            time.sleep(0.01)

    def kill(self):
        self.process.kill()
        self.process.wait()


def expect(what, is_so):
    if not is_so:
        raise RuntimeError(what)


def timed(call):
    began = time.monotonic()
    return call(), time.monotonic() - began


def post_until_taken(hub, frame):
    ends = time.monotonic() + PATIENCE
    while True:
        status, told = hub.post(frame, "s")
        if status == 204 or "E3002" in told:
            return
        expect(f"{status}: {told}", status == 503 and time.monotonic() < ends)
        time.sleep(0.05)


def check_refusals(hub, agent):
    """One frame that was not acknowledged, which is sent again later."""
    frame = agent.frame("comp:x{n:lost}")
    (status, told), took = timed(lambda: hub.post(frame, "s"))
    expect(f"a frame is answered {status}: {told}", status == 503)
    expect(f"the first refusal took {took:.1f} s", took < MAX_FIRST)
    asked = {"post": lambda: hub.post(frame, "s")[0], "health": lambda: hub.request("GET", "/healthz")[0],
             "sessions": lambda: hub.request("GET", "/api/sessions")[0]}
    for name, call in asked.items():
        times = []
        for _ in range(TRIES):
            status, took = timed(call)
            expect(f"{name} is answered {status}", status == 503)
            times.append(took)
        expect(f"{name} took {times}", sorted(times)[TRIES // 2] < MAX_FAST)
    expect("health says no reason", "status" in hub.request("GET", "/healthz")[1])
    return frame


def main():
    with tempfile.TemporaryDirectory() as place:
        node, hubs = Node(sys.argv[1], place), []
        try:
            hub = Hub("--store", node.store)
            hubs.append(hub)
            agent = Agent("plan")
            for number in range(10):
                post_until_taken(hub, agent.frame(f"comp:x{{n:{number}}}"))
            expect("health is not well", hub.request("GET", "/healthz")[0] == 200)
            node.kill()
            frame = check_refusals(hub, agent)
            node.start()
            post_until_taken(hub, frame)
            node.stop()
            frame = check_refusals(hub, agent)
            node.process.send_signal(signal.SIGCONT)
            post_until_taken(hub, frame)
            expect("health is not well again", hub.request("GET", "/healthz")[0] == 200)
            expect("the session is not listed", hub.request("GET", "/api/sessions")[1] == '["s"]')
            hub.stop()
        finally:
            for hub in hubs:
                hub.process.kill()
            node.kill()


main()
