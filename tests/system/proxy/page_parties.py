# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Agents that work on a folder, and a provider that bills them with a cache, for tests of the page."""
import json
import random
import time

FILES = ["src/server/http/service.cc", "src/app.ts", "tests/login_test.py", "models/user.py", "README.md", "src/auth/login.py", "package.json", "docs/api.md",
         "src/very/deeply/nested/folder/with/a/long/name/and/a/file/with/a/longer/one.test.tsx"]
COMMANDS = ["npm test", "git diff --stat", "grep -rn \"jwt\" src", "ls -la", "pytest -x tests/login_test.py"]


class Agent:
    """Sends its whole conversation with each call, in the form of chat completions. `clock_ms` goes on with each call."""

    def __init__(self, model, task, seed, clock_ms):
        self.model, self.random, self.clock_ms = model, random.Random(seed), clock_ms
        self.messages = [{"role": "system", "content": "You are an agent. " + "Follow the rules of the project. " * 900}, {"role": "user", "content": task}]
        self.calls = 0

    def work(self):
        """A call of a tool and its result."""
        self.calls += 1
        if self.random.random() < 0.3:
            name, argument = "Bash", {"command": self.random.choice(COMMANDS)}
        else:
            name, argument = "Read", {"file_path": self.random.choice(FILES)}
        lines = int(self.random.choice([4, 12, 60, 150, 320, 500]))
        result = "".join(f"{i:4} value_{self.calls} = compute({self.random.randrange(10_000)}, {i})\n" for i in range(lines))
        self.add(name, argument, result)

    def add(self, name, argument, result):
        call = f"call_{len(self.messages)}"
        self.messages += [{"role": "assistant", "content": None, "tool_calls": [{"id": call, "type": "function", "function": {
            "name": name, "arguments": json.dumps(argument)}}]}, {"role": "tool", "tool_call_id": call, "content": result}]

    def send(self, ask, pause_ms=20_000):
        self.clock_ms += pause_ms
        body = json.dumps({"model": self.model, "messages": self.messages}).encode()
        return ask("POST", "/v1/chat/completions", body, headers=[("Authorization", "Bearer s3cret"), ("X-Time", str(self.clock_ms))])


class Provider:
    """Bills a prefix that it had before as read from its cache. Tokens are quarters of bytes."""

    def __init__(self):
        self.last = {}

    async def answer(self, request, reader, writer):
        asked = json.loads(request.body)
        texts = [json.dumps(one) for one in asked["messages"]]
        known = self.last.get((asked["model"], texts[1]), [])
        cached = 0
        for mine, other in zip(texts, known):
            if mine != other:
                break
            cached += len(mine)
        self.last[asked["model"], texts[1]] = texts
        usage = {"prompt_tokens": sum(map(len, texts)) // 4, "completion_tokens": 180, "prompt_tokens_details": {"cached_tokens": cached // 4 // 128 * 128}}
        body = json.dumps({"choices": [], "usage": usage}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def now_ms():
    return int(time.time() * 1000)
