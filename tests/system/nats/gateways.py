#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Two gateways on one NATS server: gateways.py NATS-SERVER. ACCP names the command.

An agent posts to one until it is killed, and goes on at the other with what was not acknowledged: nothing is lost, nothing is there
twice."""
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time

import websockets

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../server"))
from hub import Agent, Hub  # noqa: E402

ROUNDS, FRAMES = 4, 40
MAX_SECONDS = 20  # how long it takes on a machine with nothing else to do is in docs/cluster.md


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def post(hub, frame, ends):
    """Until it is acknowledged. A hub from which the session was taken refuses once, and has it again."""
    while True:
        status, told = hub.post(frame, "s")
        if status == 204 or "E3002" in told:
            return
        if status != 503 or time.monotonic() > ends:
            raise RuntimeError(f"{status}: {told}")


async def all_frames(hub, count):
    one = await websockets.connect(hub.socket_address("?session=s&all=1"))
    await one.send("@qa>sync:registry{v:1}")
    await one.recv()
    got = [await asyncio.wait_for(one.recv(), 10) for _ in range(count)]
    try:
        got.append(await asyncio.wait_for(one.recv(), 0.5))
    except asyncio.TimeoutError:
        pass
    await one.close()
    return got


def main():
    port = free_port()
    with tempfile.TemporaryDirectory() as place:
        node = subprocess.Popen([sys.argv[1], "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", place, "-l", f"{place}/log"])
        try:
            store = f"nats://127.0.0.1:{port}/gateways"
            for _ in range(100):
                if subprocess.run([os.environ["ACCP"], "store", "stats", store], capture_output=True, check=False).returncode == 0:
                    break
                time.sleep(0.1)
            hubs = [Hub("--store", store), Hub("--store", store)]
            agent, said, took = Agent("plan"), [], []
            for number in range(ROUNDS):
                hub, other = hubs[number % 2], hubs[(number + 1) % 2]
                for _ in range(FRAMES):
                    said.append(agent.frame(f"comp:x{{n:{len(said)}}}"))
                    post(hub, said[-1], time.monotonic() + MAX_SECONDS)
                hub.process.kill()
                hub.process.wait()
                began = time.monotonic()
                said.append(agent.frame(f"comp:x{{n:{len(said)}}}"))
                post(other, said[-1], began + MAX_SECONDS)
                took.append(time.monotonic() - began)
                hub.start()
            got = asyncio.run(all_frames(hubs[0], len(said)))
            for hub in hubs:
                hub.stop()
            if got != said:
                raise RuntimeError(f"{len(said)} were acknowledged, and {len(got)} are there")
            print(f"{len(said)} frames, {ROUNDS} gateways killed, replaced after", ", ".join(f"{1000 * one:.0f} ms" for one in took))
        finally:
            node.kill()
            node.wait()


main()
