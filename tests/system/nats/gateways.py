#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Two gateways on one NATS server: gateways.py NATS-SERVER. ACCP is the command, ACCP_GATEWAY_KILLS the number of kills (4).

A worker is connected to one gateway, and its requests are posted to the other one, so frames must be forwarded. Then the gateway
with the session is killed repeatedly. Both sides continue at the other gateway; no acknowledged frame may be lost or stored twice."""
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import websockets

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../server"))
from hub import Agent, Hub, free_port, mid_of  # noqa: E402

KILLS, FRAMES, REQUESTS = int(os.environ.get("ACCP_GATEWAY_KILLS", "4")), 20, 50
MAX_SECONDS = 120  # docs/performance.md has the time on an idle machine


def post(hub, frame, ends):
    """Posts until it is acknowledged; a repeated frame may be there already."""
    while True:
        status, told = hub.post(frame, "s")
        if status in (200, 204) or "E3002" in told:
            return told
        if status != 503 or time.monotonic() > ends:
            raise RuntimeError(f"{status}: {told}")


class Worker:
    """An agent that is connected to a gateway, and reconnects on command. It replies to requests, and keeps all received frames."""

    def __init__(self, hub):
        self.agent, self.hub, self.heard, self.answered = Agent("dev"), hub, [], set()
        self.task = asyncio.create_task(self.work())

    async def work(self):
        while True:
            try:
                async with websockets.connect(self.hub.socket_address("?session=s")) as one:
                    await one.send("@dev>sync:registry{v:1}")
                    await one.recv()
                    while True:
                        await self.hear(one, await one.recv())
            except (OSError, websockets.exceptions.WebSocketException):
                await asyncio.sleep(0.01)

    async def hear(self, one, frame):
        if frame.startswith("@hub>"):
            return
        if frame not in self.heard:
            self.heard.append(frame)
        if ">req:" in frame and frame not in self.answered:
            self.answered.add(frame)
            await one.send(self.agent.frame("done:dev{ok:true}", mid_of(frame)))

    async def has_heard(self, count, ends):
        while len(self.heard) < count:
            if time.monotonic() > ends:
                raise RuntimeError(f"the worker heard {len(self.heard)} of {count}")
            await asyncio.sleep(0.002)


async def all_frames(hub, count):
    one = await websockets.connect(hub.socket_address("?session=s&all=1"))
    await one.send("@qa>sync:registry{v:1}")
    await one.recv()
    got = [await asyncio.wait_for(one.recv(), MAX_SECONDS) for _ in range(count)]
    try:
        got.append(await asyncio.wait_for(one.recv(), 0.5))
    except asyncio.TimeoutError:
        pass
    await one.close()
    return [frame for frame in got if frame.startswith("@plan>")]


def milliseconds(seconds):
    return f"{1000 * seconds:.1f} ms"


async def ask(hubs, worker, said):
    """Requests at one gateway, answers from the other."""
    took = []
    for _ in range(REQUESTS):
        said.append(AGENT.frame(f"req:dev{{n:{len(said)}}}"))
        began = time.monotonic()
        told = await asyncio.to_thread(post, hubs[0], said[-1], began + MAX_SECONDS)
        took.append(time.monotonic() - began)
        if ">done:dev{ok:true}" not in told:
            raise RuntimeError(f"the worker's answer did not come: {told}")
    took.sort()
    print(f"{REQUESTS} requests answered through the other gateway, median {milliseconds(statistics.median(took))}, longest {milliseconds(took[-1])}")


async def kill(hubs, number, worker, said, took):
    """The gateway that has the session dies; the worker is at the other, where whoever asks goes on too."""
    home, other = hubs[number % 2], hubs[(number + 1) % 2]
    worker.hub = other
    for _ in range(FRAMES):
        said.append(AGENT.frame(f"comp:x{{n:{len(said)}}}"))
        await asyncio.to_thread(post, other if _ % 2 else home, said[-1], time.monotonic() + MAX_SECONDS)
    home.process.kill()
    home.process.wait()
    began = time.monotonic()
    said.append(AGENT.frame(f"comp:x{{n:{len(said)}}}"))
    await asyncio.to_thread(post, other, said[-1], began + MAX_SECONDS)
    took["acknowledged"].append(time.monotonic() - began)
    await worker.has_heard(len(said), began + MAX_SECONDS)
    took["heard"].append(time.monotonic() - began)
    await asyncio.to_thread(home.start)


async def play(store):
    hubs = [Hub("--store", store), Hub("--store", store)]
    said, took = [], {"acknowledged": [], "heard": []}
    said.append(AGENT.frame("comp:x{n:0}"))
    post(hubs[0], said[-1], time.monotonic() + MAX_SECONDS)
    worker = Worker(hubs[1])
    await worker.has_heard(1, time.monotonic() + MAX_SECONDS)
    await ask(hubs, worker, said)
    for number in range(KILLS):
        await kill(hubs, number, worker, said, took)
    worker.task.cancel()
    got = await all_frames(hubs[0], len(said) + REQUESTS)
    for hub in hubs:
        hub.stop()
    if got != said or worker.heard != said:
        raise RuntimeError(f"{len(said)} were acknowledged, {len(got)} are there, the worker heard {len(worker.heard)}")
    print(f"{len(said)} frames, {KILLS} gateways killed; gone on after", ", ".join(map(milliseconds, took["acknowledged"][-8:])),
          "and heard by the worker after", ", ".join(map(milliseconds, took["heard"][-8:])))


def main():
    port = free_port()
    with tempfile.TemporaryDirectory() as place:
        node = subprocess.Popen([sys.argv[1], "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", place, "-l", f"{place}/log"])
        try:
            store = f"nats://127.0.0.1:{port}/gateways"
            for _ in range(600):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            asyncio.run(play(store))
        finally:
            node.kill()
            node.wait()


AGENT = Agent("plan")
main()
