#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Minutes of work on one hub, after which it must not use more memory than before: soak.py [MINUTES]. ACCP is the command.

Agents come and go by HTTP and WebSocket, and by MCP, in the same few sessions on SQLite; some break the protocol. Memory, descriptors and sockets are
measured after each tenth of the time. In the first three tenths caches may fill (90,000 frames are enough); the log of a session is in the file and may
grow."""
import asyncio
import json
import os
import random
import socket
import sys
import tempfile
import time

import websockets

from hub import TYPE, Agent, Hub, mid_of

SESSIONS = 8


class Counted:
    done = 0


async def request(hub, path, body, content_type):
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
    data = body.encode()
    writer.write(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\nConnection: close\r\n"
                 f"Accept: application/json, text/event-stream\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
    told = (await reader.read()).decode()
    writer.close()
    Counted.done += 1
    return int(told[9:12]), told.split("\r\n\r\n", 1)[1]


async def poster(hub, number, ends):
    agent = Agent(f"p{number}")
    while time.monotonic() < ends:
        status, told = await request(hub, f"/accp/v1/frames?session=s{number % SESSIONS}", agent.frame("comp:x{text:some_work|n:1}"), TYPE["Content-Type"])
        if status != 204:
            raise RuntimeError(f"{status}: {told}")
        await asyncio.sleep(random.random() / 20)


async def visitor(hub, number, ends):
    """Connects, is told what it missed, says something, and goes; now and then without a word."""
    agent = Agent(f"v{number}")
    while time.monotonic() < ends:
        one = await websockets.connect(hub.socket_address(f"?session=s{number % SESSIONS}"))
        await one.send(f"@{agent.name}>sync:registry{{v:1}}")
        await one.recv()
        await one.send(agent.frame("ack:x{}"))
        await asyncio.sleep(random.random() / 5)
        if random.random() < 0.3:
            one.transport.abort()
        else:
            await one.close()
        Counted.done += 1


async def asker(hub, number, ends):
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}}
    while time.monotonic() < ends:
        status, _ = await request(hub, "/mcp", json.dumps(body), "application/json")
        assert status == 200, status
        status, _ = await request(hub, "/a2a", '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}', "application/json")
        assert status == 200, status
        await asyncio.sleep(random.random() / 10)


async def rude(hub, _, ends):
    while time.monotonic() < ends:
        one = socket.create_connection(("127.0.0.1", hub.port))
        one.sendall(random.choice([b"POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n@", b"\x16\x03\x01", b"GET /", b""]))
        await asyncio.sleep(random.random() / 5)
        one.close()


def look(hub):
    process = hub.process.pid
    status = dict(line.split(":\t") for line in open(f"/proc/{process}/status", encoding="ascii").read().splitlines())
    return int(status["VmRSS"].split()[0]), len(os.listdir(f"/proc/{process}/fd")), Counted.done


async def run(hub, seconds):
    ends, seen = time.monotonic() + seconds, []
    crowd = [asyncio.ensure_future(kind(hub, i, ends)) for kind, count in ((poster, 32), (visitor, 16), (asker, 8), (rude, 8)) for i in range(count)]
    for tenth in range(1, 10):
        await asyncio.sleep(ends - seconds + seconds * tenth / 10 - time.monotonic())
        seen.append(look(hub))
        print(f"{tenth * seconds / 10:6.0f} s: {seen[-1][0]:,} KiB, {seen[-1][1]} descriptors, {seen[-1][2]:,} visits", flush=True)
    await asyncio.gather(*crowd)
    await asyncio.sleep(1)
    seen.append(look(hub))
    print(f"at rest: {seen[-1][0]:,} KiB, {seen[-1][1]} descriptors")
    return seen


def main():
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as place, Hub("--store", f"sqlite:{place}/soak.db") as hub:
        began = look(hub)
        seen = asyncio.run(run(hub, minutes * 60))
        steady, last = seen[2], seen[-2]
        grown = last[0] / steady[0] - 1
        print(f"memory grew by {100 * grown:.1f} % between the third tenth and the ninth")
        return 1 if grown > 0.1 or seen[-1][1] > began[1] + 4 else 0


sys.exit(main())
