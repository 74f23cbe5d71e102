#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""accp serve with third-party clients: Python's own HTTP, websockets, curl. ACCP is the command."""
import asyncio
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import websockets

from hub import PATIENCE, TYPE, Agent, Hub, figures, mid_of, wait_until

KILLS = int(os.environ.get("ACCP_KILLS", "8"))


async def join(hub, name, query="", headers=None):
    one = await websockets.connect(hub.socket_address(query), extra_headers=headers or {})
    await one.send(f"@{name}>sync:registry{{v:1}}")
    hello = await one.recv()
    assert hello.startswith("@hub>sync:registry{"), hello
    return one


async def in_thread(function, *arguments):
    return await asyncio.get_running_loop().run_in_executor(None, function, *arguments)


class Frames(unittest.TestCase):
    def test_two_strangers_speak(self):
        async def speak(hub):
            plan, dev = Agent("plan"), Agent("dev")
            worker = await join(hub, "dev")
            asked = plan.frame("req:build{what:it|who:dev}")
            waiting = asyncio.ensure_future(in_thread(hub.post, asked))
            self.assertEqual(await worker.recv(), asked)
            answered = dev.frame("done:build{ok:true}", mid_of(asked))
            await worker.send(answered)
            self.assertEqual(await waiting, (200, answered))
            await worker.close()

        with Hub() as hub:
            asyncio.run(speak(hub))

    def test_a_stream_comes_in_lines(self):
        async def speak(hub):
            plan, dev = Agent("plan"), Agent("dev")
            worker = await join(hub, "dev")
            asked = plan.frame("req:dev{what:it}")
            curl = await asyncio.create_subprocess_exec(
                "curl", "-sN", "-H", "Content-Type: application/accp", "--data-raw", asked,
                f"http://127.0.0.1:{hub.port}/accp/v1/frames", stdout=subprocess.PIPE)
            self.assertEqual(await worker.recv(), asked)
            chunks = [dev.frame(f"stream:infer{{idx:{i}|d:x{i}|done:{'true' if i == 4 else 'false'}}}", mid_of(asked))
                      for i in range(5)]
            for chunk in chunks:
                await worker.send(chunk)
                self.assertEqual((await curl.stdout.readline()).decode(), chunk + "\n")
            self.assertEqual(await curl.stdout.read(), b"")
            self.assertEqual(await curl.wait(), 0)
            await worker.close()

        with Hub() as hub:
            asyncio.run(speak(hub))

    def test_an_offer_of_http2_without_tls_is_passed_over(self):
        """As Java's client does with each request."""
        with Hub() as hub:
            frame = Agent("plan").frame("comp:x{}")
            status, _, _ = hub.request("POST", "/accp/v1/frames", frame, {
                **TYPE, "Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA"})
            self.assertEqual(status, 204)

    def test_agents_are_made_in_the_store(self):
        library = {"verbs": [{"name": "check", "description": "d", "inputs": ["to"], "outputs": "visa", "required": []}],
                   "tools": [{"id": "VISA", "description": "d", "supported_verbs": ["check"]}]}
        asked = {"g": "SPAWN_AGENT", "plan": [["instantiate", "VISA_AGENT", {"tool": "VISA", "verb": "check"}]]}
        with tempfile.TemporaryDirectory() as place:
            with open(f"{place}/library.json", "w", encoding="utf-8") as file:
                json.dump(library, file)
            store = f"sqlite:{place}/s.db"
            with Hub("--store", store, "--library", f"{place}/library.json", "--spawn") as hub:
                status, told, _ = hub.request("POST", "/sacp/v1/spawn", json.dumps(asked), {"Content-Type": "application/json"})
                self.assertEqual((status, json.loads(told)["result"]["agent_name"]), (200, "VISA_AGENT"))
                for own in ("accp.capabilities", "accp.capabilities.log", "a2a.tasks"):
                    self.assertIn("E5002", hub.post(Agent("boss").frame("comp:x{}"), own)[1])
                found = subprocess.run([os.environ["ACCP"], "sacp", "query", "--store", store], input='{"query":{"verb":"check"}}\n',
                                       capture_output=True, text=True, check=True).stdout
                self.assertIn("VISA_AGENT", found)
                # in a frame, with any registry of the hub
                asked["plan"][0][1] = "OTHER_AGENT"
                frame = subprocess.run([os.environ["ACCP"], "sacp", "frame", "--agent", "boss"], input=json.dumps(asked) + "\n",
                                       capture_output=True, text=True, check=True).stdout.strip()
                boss = Agent("boss")
                status, told = hub.post(boss.frame(frame.removeprefix("@boss>")), "s")
                self.assertEqual(status, 200)
                said = subprocess.run([os.environ["ACCP"], "sacp", "unframe"], input=told, capture_output=True, text=True, check=True).stdout
                self.assertEqual(json.loads(said)["result"]["agent_name"], "OTHER_AGENT")
                asked["plan"][0][2]["tool"] = "NONE"
                wrong = subprocess.run([os.environ["ACCP"], "sacp", "frame", "--agent", "boss"], input=json.dumps(asked) + "\n",
                                       capture_output=True, text=True, check=True).stdout.strip()
                status, told = hub.post(boss.frame(wrong.removeprefix("@boss>")), "s")
                self.assertEqual(status, 200)
                self.assertIn(">fail:", told)
                hub.post(boss.frame("comp:build{who:somebody_with_a_name_that_is_longer}"), "s")
            # The first frame for a session that must be opened, which reads earlier records.
            with Hub("--store", store, "--library", f"{place}/library.json", "--spawn", "--wait", "60000") as hub:
                frame = boss.frame(frame.removeprefix("@boss>").removesuffix("}") + "|who:hub}")
                status, told = hub.post(frame, "s")
                self.assertEqual((status, told.split(":")[0]), (200, "@hub>done"), told)

    def test_seen_from_outside(self):
        with Hub("--log") as hub:
            plan = Agent("plan")
            frame = plan.frame("comp:part{secret:x}", "c1")
            caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            self.assertEqual(hub.post(frame, headers={"traceparent": caller}), (204, ""))
            self.assertEqual(hub.post(frame, headers={"traceparent": caller.replace("0af", "0AF")})[0], 400)
            self.assertEqual(hub.post("@plan>\x1b[31m")[0], 400)
            status, text, headers = hub.request("GET", "/metrics")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
            counts = figures(text)
            self.assertEqual(counts['accp_hub_frames_total{intent="comp",code="OK"}'], 1)
            self.assertEqual(counts['accp_hub_frames_total{intent="comp",code="E3002"}'], 1)
            self.assertEqual(counts['accp_hub_frames_total{intent="other",code="E1001"}'], 1)
            self.assertEqual(counts['accp_hub_http_replies_total{status="400"}'], 2)
            self.assertEqual(counts["accp_hub_http_reply_seconds_count"], 3)
            self.assertEqual(counts["accp_frames_received_total"], 2)
            lines = [json.loads(hub.process.stderr.readline()) for _ in range(3)]
            self.assertEqual([line["code"] for line in lines], ["OK", "E3002", "E1001"])
            self.assertEqual((lines[0]["agent"], lines[0]["session"], lines[0]["cid"]), ("plan", "default", "c1"))
            self.assertRegex(lines[0]["traceparent"], "^00-[0-9a-f]{32}-[0-9a-f]{16}-01$")
            self.assertEqual([line.get("caller") for line in lines], [caller, None, None])
            self.assertNotIn("secret", json.dumps(lines))

    def test_later_by_a_question(self):
        with Hub("--wait", "300") as hub:
            plan, dev = Agent("plan"), Agent("dev")
            asked = plan.frame("req:dev{what:it}")
            status, told = hub.post(asked)
            self.assertEqual(status, 200)
            self.assertIn("@hub>wait:dev{", told)
            answered = dev.frame("done:dev{ok:true}", mid_of(asked))
            self.assertEqual(hub.post(answered), (204, ""))
            self.assertEqual(hub.post(plan.frame("qry:dev{}", mid_of(asked))), (200, answered))
            self.assertIn("E3002", hub.post(asked)[1])
            told = hub.post(plan.frame("req:build{who:dve}"))[1]
            self.assertIn('msg:"no_agent_called_dve_has_been_in_this_session"|known:[dev]', told)

    def test_an_address_has_any_number_of_bytes(self):
        with Hub() as hub:
            frame, long = Agent("plan").frame("comp:x{}"), "y" * 2000
            status, _, _ = hub.request("POST", f"/accp/v1/frames?x={long}&session=b", frame, TYPE)
            self.assertEqual(status, 204)
            self.assertEqual(hub.request("GET", "/api/sessions")[1], '["b"]')
            self.assertEqual(hub.request("GET", f"/healthz?x={long}&token=x")[0], 200)
            self.assertEqual(hub.request("GET", f"/api/sessions?x={long}&token=x")[0], 400)

    def test_who_is_gone_without_a_word_is_noticed(self):
        """The kernel probes a client that follows a session, because it may never be sent anything else."""
        kept_alive = "02"
        with Hub() as hub, socket.create_connection(("127.0.0.1", hub.port)) as one:
            hub.post(Agent("plan").frame("comp:x{}"))
            one.sendall(b"GET /api/follow?session=default HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200", one.recv(100))
            ends = f":{hub.port:04X}", f":{one.getsockname()[1]:04X}"

            def timers():
                with open("/proc/net/tcp", encoding="ascii") as table:
                    return [words[5][:2] for words in map(str.split, table) if (words[1][8:], words[2][8:]) == ends]

            wait_until(lambda: timers() == [kept_alive], "the timer of the connection, once its bytes are acknowledged")

    def test_binary_and_silence_are_not_taken(self):
        async def speak(hub):
            one = await join(hub, "dev")
            await one.send(b"@dev>ack:x{}")
            with self.assertRaises(websockets.ConnectionClosed):
                await one.recv()
            self.assertEqual(one.close_code, 1003)
            two = await websockets.connect(hub.socket_address())
            await two.send(Agent("dev").frame("ack:x{}"))
            self.assertIn("E1003", await two.recv())
            with self.assertRaises(websockets.ConnectionClosed):
                await two.recv()
            self.assertEqual(two.close_code, 1008)
            three = await join(hub, "qa")
            await three.send("x" * 70_000)
            with self.assertRaises(websockets.ConnectionClosed):
                await three.recv()
            self.assertEqual(three.close_code, 1009)

        with Hub() as hub:
            asyncio.run(speak(hub))

    def test_what_was_kept_outlives_the_process(self):
        async def told(hub, name, count):
            one = await join(hub, name)
            frames = [await asyncio.wait_for(one.recv(), PATIENCE) for _ in range(count)]
            await one.close()
            return frames

        with tempfile.TemporaryDirectory() as place:
            hub = Hub("--store", f"sqlite:{place}/s.db")
            plan = Agent("plan")
            frames = [plan.frame(f"comp:part{{n:{i}}}") for i in range(20)]
            for frame in frames:
                self.assertEqual(hub.post(frame), (204, ""))
            hub.restart_after_kill()
            self.assertEqual(asyncio.run(told(hub, "dev", 20)), frames)
            self.assertEqual(hub.stop(), 0)

    def test_nothing_that_was_acknowledged_is_lost_by_a_kill(self):
        """Each writer posts in order, and repeats frames without a reply: each frame is there once."""
        def write(hub, agent, kept, over):
            frame = agent.frame("comp:part{n:1}")
            while not over.is_set():
                try:
                    status, told = hub.post(frame, timeout=5)
                except OSError:
                    time.sleep(0.02)
                    continue
                if status == 204 or "E3002" in told:
                    kept.append(frame)
                    frame = agent.frame(f"comp:part{{n:{agent.count}}}")
                elif status != 503:
                    kept.append(f"{status} {told}")
                    return

        with tempfile.TemporaryDirectory() as place:
            hub = Hub("--store", f"sqlite:{place}/s.db")
            over, kept = threading.Event(), {f"w{i}": [] for i in range(8)}
            writers = [threading.Thread(target=write, args=(hub, Agent(name), frames, over))
                       for name, frames in kept.items()]
            for writer in writers:
                writer.start()
            for number in range(KILLS + 1):
                before = {name: len(frames) for name, frames in kept.items()}
                wait_until(lambda: all(len(frames) > before[name] for name, frames in kept.items()), "each writer goes on")
                if number < KILLS:
                    time.sleep(random.random() / 10)
                    hub.restart_after_kill()
            over.set()
            for writer in writers:
                writer.join()
            self.assertEqual(hub.stop(), 0)
            log = subprocess.run([os.environ["ACCP"], "session", "log", "--store", f"sqlite:{place}/s.db"],
                                 capture_output=True, text=True, check=True).stdout
            there = [line.split("\t")[-1] for line in log.splitlines() if "\tR\t" in line]
            for name, frames in kept.items():
                mine = [frame for frame in there if frame.startswith(f"@{name}>")]
                self.assertEqual(mine[:len(frames)], frames)
                self.assertEqual(len(set(mine)), len(mine))
                self.assertLessEqual(len(mine), len(frames) + 1)
                self.assertGreater(len(frames), KILLS)


class Rights(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.file = f"{self.place.name}/tokens"

    def tearDown(self):
        self.place.cleanup()

    def token(self, *arguments):
        made = subprocess.run([os.environ["ACCP"], "serve", "token", "--tokens", self.file, *arguments],
                              capture_output=True, text=True, check=True).stdout.strip()
        return {"Authorization": f"Bearer {made}"}

    def test_a_token_is_for_its_agents_and_sessions(self):
        plan = self.token("--agents", "plan", "--sessions", "team-*")
        looks = self.token("--agents", "qa", "--sessions", "team-1", "--read-only")
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)
        with Hub("--tokens", self.file) as hub:
            frame = Agent("plan").frame("comp:x{}")
            self.assertEqual(hub.post(frame)[0], 401)
            self.assertEqual(hub.post(frame, headers={"Authorization": "Bearer no"})[0], 401)
            self.assertIn("E5002", hub.post(frame, "other", plan)[1])
            self.assertIn("E5001", hub.post(Agent("qa").frame("comp:x{}"), "team-1", plan)[1])
            self.assertIn("E5001", hub.post(Agent("qa").frame("comp:x{}"), "team-1", looks)[1])
            self.assertEqual(hub.post(frame, "team-1", plan), (204, ""))
            status, _, _ = hub.request("POST", "/accp/v1/frames?access_token=x", frame, plan)
            self.assertEqual(status, 415)
            status, _, _ = hub.request("GET", "/nothing?token=x", None, plan)
            self.assertEqual(status, 400)

            async def speak():
                one = await join(hub, "qa", "?session=team-1", looks)
                self.assertEqual(await one.recv(), frame)
                with self.assertRaises(websockets.InvalidStatusCode) as refused:
                    await websockets.connect(hub.socket_address())
                self.assertEqual(refused.exception.status_code, 401)
                two = await websockets.connect(hub.socket_address("?session=team-1"), extra_headers=looks)
                await two.send("@plan>sync:registry{v:1}")
                self.assertIn("E5001", await two.recv())
                await one.close()
                await two.close()

            asyncio.run(speak())

    def test_tokens_are_read_again(self):
        first = self.token("--agents", "plan", "--sessions", "*")
        with Hub("--tokens", self.file) as hub:
            second = self.token("--agents", "dev", "--sessions", "*")
            dev = Agent("dev")
            self.assertEqual(hub.post(dev.frame("comp:x{}"), headers=second)[0], 401)
            hub.process.send_signal(signal.SIGHUP)
            self.assertIn("read again", hub.process.stderr.readline())
            dev.count = 0
            self.assertEqual(hub.post(dev.frame("comp:x{}"), headers=second)[0], 204)
            self.assertEqual(hub.post(Agent("plan").frame("comp:x{}"), headers=first)[0], 204)
            with open(self.file, "a", encoding="utf-8") as file:
                file.write("{\n")
            hub.process.send_signal(signal.SIGHUP)
            self.assertIn("the old tokens stay valid", hub.process.stderr.readline())
            self.assertEqual(hub.post(dev.frame("comp:x{}"), headers=second)[0], 204)

    def test_a_token_that_is_taken_away_ends_what_is_open(self):
        stays = self.token("--agents", "plan", "--sessions", "*")
        with open(self.file, encoding="utf-8") as file:
            kept = file.read()
        goes = self.token("--agents", "dev", "--sessions", "*")

        async def speak(hub):
            one, other = await join(hub, "dev", headers=goes), await join(hub, "plan", headers=stays)
            self.assertIn("comp:x", await one.recv())
            follower = await asyncio.create_subprocess_exec(
                "curl", "-sN", "-H", f"Authorization: {goes['Authorization']}",
                f"http://127.0.0.1:{hub.port}/api/follow?session=default", stdout=subprocess.PIPE)
            self.assertEqual(await follower.stdout.readline(), b"retry: 1000\n")
            with open(self.file, "w", encoding="utf-8") as file:
                file.write(kept)
            hub.process.send_signal(signal.SIGHUP)
            self.assertIn("read again", await in_thread(hub.process.stderr.readline))
            with self.assertRaises(websockets.ConnectionClosed):
                await asyncio.wait_for(one.recv(), PATIENCE)
            self.assertEqual(one.close_code, 1008)
            await asyncio.wait_for(follower.stdout.read(), PATIENCE)
            await other.send(f"@plan>ping:hb{{}}[mid:p99999999999,seq:0,ts:{int(time.time())}]")
            self.assertIn("@hub>pong:", await asyncio.wait_for(other.recv(), PATIENCE))
            await other.close()

        with Hub("--tokens", self.file) as hub:
            hub.post(Agent("plan").frame("comp:x{}"), headers=stays)
            asyncio.run(speak(hub))

    def test_who_says_too_much_is_read_more_slowly(self):
        plan = self.token("--agents", "plan", "--sessions", "*", "--rate", "5", "--max-sessions", "1")

        async def speak(hub):
            speaker = Agent("plan")
            one = await join(hub, "plan", "?session=a", plan)
            began = time.monotonic()
            for _ in range(20):
                await one.send(speaker.frame("comp:x{}"))
            await one.send(f"@plan>ping:hb{{}}[mid:p99999999999,seq:0,ts:{int(time.time())}]")
            self.assertIn("@hub>pong:", await asyncio.wait_for(one.recv(), PATIENCE))
            self.assertGreater(time.monotonic() - began, 1.5)
            await one.close()

        with Hub("--tokens", self.file) as hub:
            asyncio.run(speak(hub))
            metrics = hub.request("GET", "/metrics", None, plan)[1]
            self.assertIn('accp_hub_frames_total{intent="comp",code="OK"} 20', metrics)
            codes = [hub.post(Agent("plan").frame("comp:y{}"), "a", plan)[0] for _ in range(120)]
            self.assertIn(429, codes)
            time.sleep(1)  # for one more, which is refused for another reason
            self.assertIn("E5001", hub.post(Agent("plan").frame("comp:x{}"), "b", plan)[1])

    def test_only_this_machine_without_tokens(self):
        ran = subprocess.run([os.environ["ACCP"], "serve", "--listen", "0.0.0.0:0"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("without --tokens", ran.stderr)

    def test_what_cannot_be_listened_to_is_said(self):
        def fault(*arguments):
            # libwebsockets 4.1 leaks 72 bytes for a host that it cannot create
            ran = subprocess.run([os.environ["ACCP"], "serve", "--listen", *arguments], capture_output=True, text=True,
                                 env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
            self.assertEqual(ran.returncode, 2)
            return ran.stderr

        with Hub() as hub:
            for address in "127.0.0.1", "localhost":
                self.assertIn(f"127.0.0.1, port {hub.port}: Address already in use", fault(f"{address}:{hub.port}"))
        self.token("--agents", "plan", "--sessions", "*")
        bad = f"{self.place.name}/bad.pem"
        with open(bad, "w", encoding="utf-8") as file:
            file.write("no certificate\n")
        self.assertIn("none.pem: No such file", fault("127.0.0.1:0", "--cert", f"{self.place.name}/none.pem", "--key", bad))
        self.assertIn("not a pair of PEM files", fault("127.0.0.1:0", "--cert", bad, "--key", bad))
        self.assertIn("cannot listen on hub.test, port 1: not a number", fault("hub.test:1", "--tokens", self.file))
        self.assertIn("cannot listen on 192.0.2.1, port 1: Cannot assign", fault("192.0.2.1:1", "--tokens", self.file))

    def test_tls_and_http2(self):
        cert, key = f"{self.place.name}/cert.pem", f"{self.place.name}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost"],
                       check=True, capture_output=True)
        with Hub("--cert", cert, "--key", key) as hub:
            plan = Agent("plan")
            for version in ["--http1.1", "--http2"]:
                ran = subprocess.run(
                    ["curl", "-sS", version, "--cacert", cert, "--resolve", f"localhost:{hub.port}:127.0.0.1",
                     "-o", "/dev/null", "-w", "%{http_code} %{http_version}", "-H", "Content-Type: application/accp",
                     "--data-raw", plan.frame("comp:x{}"), f"https://localhost:{hub.port}/accp/v1/frames"],
                    capture_output=True, text=True, check=True)
                self.assertEqual(ran.stdout, "204 2" if version == "--http2" else "204 1.1")
                # a body of unknown length
                ran = subprocess.run(
                    ["curl", "-sS", version, "--cacert", cert, "--resolve", f"localhost:{hub.port}:127.0.0.1", "-X", "POST",
                     "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/accp", "-H", "Expect:", "-T", "-",
                     f"https://localhost:{hub.port}/accp/v1/frames"], input=Agent("dev").frame("comp:x{}"), capture_output=True, text=True)
                self.assertEqual(ran.stdout, "411", version)


class Hostile(unittest.TestCase):
    """After any input on one connection, the next one is served."""

    def raw(self, hub, *parts, wait=0.0):
        with socket.create_connection(("127.0.0.1", hub.port), PATIENCE) as one:
            one.settimeout(PATIENCE)
            answer = b""
            try:
                for part in parts:
                    one.sendall(part)
                    time.sleep(wait)
                while got := one.recv(65536):
                    answer += got
                    if b"\r\n\r\n" in answer and not wait:
                        break
            except OSError:
                pass
            return answer.decode(errors="replace")

    def test_requests_that_want_to_be_two(self):
        head = "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/accp\r\n"
        frame = Agent("plan").frame("comp:x{}")
        smuggled = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        cases = {
            "both lengths": f"{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{smuggled}",
            "chunks": f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n{smuggled}",
            "a chunk that is huge": f"{head}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{smuggled}",
            "a length that is none": f"{head}Content-Length: -1\r\n\r\n{smuggled}",
            "no method": f"\x00\x01 / HTTP/1.1\r\n\r\n{smuggled}",
            "a host of elsewhere": f"GET /nothing HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        }
        with Hub() as hub:
            for name, text in cases.items():
                answer = self.raw(hub, text.encode())
                self.assertLessEqual(answer.count("HTTP/1.1 200"), 0, f"{name}: {answer}")
            self.assertEqual(hub.post(frame), (204, ""))

    def test_headers_without_an_end(self):
        with Hub() as hub:
            start = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
            self.assertNotIn(" 200 ", self.raw(hub, start + b"".join(b"x-%d: y\r\n" % i for i in range(100_000)) + b"\r\n"))
            self.assertNotIn(" 200 ", self.raw(hub, b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n"))
            self.assertEqual(hub.request("GET", "/healthz")[0], 200)

    def test_slow_ones_are_let_go(self):
        with Hub() as hub:
            body = b"POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/accp\r\nContent-Length: 99\r\n\r\n@"
            slow = [socket.create_connection(("127.0.0.1", hub.port)) for _ in range(64)]
            for i, one in enumerate(slow):
                one.sendall(body if i % 2 else b"GET /healthz HT")
            self.assertEqual(hub.post(Agent("plan").frame("comp:x{}")), (204, ""))
            for one in slow:
                one.settimeout(PATIENCE)  # one that is not let go raises TimeoutError
                try:
                    while one.recv(1000):
                        pass
                except ConnectionError:
                    pass
                one.close()

    def test_bytes_behind_a_body_end_the_connection(self):
        with Hub() as hub:
            head = "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/accp\r\nContent-Length: {}\r\n\r\n"
            frame = Agent("plan").frame("comp:x{}")
            for behind in ("x", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", head.format(5)):
                self.raw(hub, (head.format(len(frame)) + frame + behind).encode())
                self.assertEqual(hub.request("GET", "/healthz")[0], 200)

    def test_requests_that_do_not_wait_end_the_connection(self):
        one = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with Hub() as hub:
            told = self.raw(hub, (one * 3).encode(), wait=0.1)
            self.assertTrue(told.startswith("HTTP/1.1 200"))
            self.assertIn("connection: close", told)
            self.assertEqual(told.count("HTTP/1.1 "), 1)
            last = one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
            with socket.create_connection(("127.0.0.1", hub.port), PATIENCE) as waits:
                waits.sendall(one.encode())
                told = waits.recv(65536)
                waits.sendall(last.encode())
                while got := waits.recv(65536):
                    told += got
            self.assertEqual(told.count(b"HTTP/1.1 200"), 2)

    def test_who_has_gone_before_the_answer_costs_nothing(self):
        def used(process):
            fields = open(f"/proc/{process.pid}/stat", encoding="ascii").read().split()
            return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

        with Hub() as hub:
            frame = Agent("plan").frame("comp:x{}")
            hub.post(frame, "s")
            qa = Agent("qa")

            def follow():
                return b"GET /api/follow?session=s&after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"

            def wait():
                asked = qa.frame("req:build{what:it|who:dev}").encode()
                return (b"POST /accp/v1/frames?session=s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/accp\r\n"
                        b"Content-Length: %d\r\n\r\n%s" % (len(asked), asked))

            before = hub.open_files()
            for request in (wait, follow):
                for is_rude in (False, True):
                    with socket.create_connection(("127.0.0.1", hub.port)) as one:
                        one.sendall(request())
                        time.sleep(0.2)
                        if request == follow:
                            self.assertTrue(one.recv(65536).startswith(b"HTTP/1.1 200"))
                        if is_rude:  # RST
                            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            began = used(hub.process)
            time.sleep(3)
            self.assertLess(used(hub.process) - began, 0.5)
            wait_until(lambda: hub.open_files() <= before, "the connections are closed")

    def test_connections_have_a_bound(self):
        with Hub("--max-connections", "8") as hub:
            many = [socket.create_connection(("127.0.0.1", hub.port)) for _ in range(40)]
            answers = {}
            for one in many:
                one.settimeout(PATIENCE)
                one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                status = one.recv(4096)[9:12].decode()
                answers[status] = answers.get(status, 0) + 1
            self.assertEqual(set(answers), {"200", "503"}, answers)
            self.assertTrue(1 <= answers["200"] <= 8, answers)
            for one in many:
                one.close()
            wait_until(lambda: hub.request("GET", "/healthz")[0] == 200, "there is space again")

    def test_more_than_it_can_serve_is_told_so_and_then_it_serves_again(self):
        with Hub("--max-connections", "32") as hub:
            ends, statuses = time.monotonic() + 2, []

            def press(number):
                agent = Agent(f"w{number}")
                while time.monotonic() < ends or (503 not in statuses and time.monotonic() < ends + PATIENCE):
                    try:
                        status = hub.post(agent.frame("comp:x{}"), "s")[0]
                    except OSError:
                        status = 0
                    statuses.append(status)
                    if status != 204:
                        agent.count -= 1

            crowd = [threading.Thread(target=press, args=(i,)) for i in range(128)]
            held = [socket.create_connection(("127.0.0.1", hub.port)) for _ in range(31)]
            for one in crowd:
                one.start()
            for one in crowd:
                one.join()
            self.assertIn(503, statuses)
            for one in held:
                one.close()
            began = time.monotonic()
            after = Agent("after")
            while hub.post(after.frame("comp:x{}"), "s")[0] != 204:
                after.count -= 1
                self.assertLess(time.monotonic() - began, PATIENCE)
            self.assertEqual([hub.post(after.frame("comp:x{}"), "s")[0] for _ in range(64)], [204] * 64)

    def test_bytes_that_are_no_text(self):
        with Hub() as hub:
            for body in [b"\xff\xfe", b"@a>comp:x{k:\xc3\x28}", b"", b"\x00", b"@a>comp:x{k:<script>alert(1)</script>}"]:
                status, told, headers = hub.request("POST", "/accp/v1/frames", body, {"Content-Type": "application/accp"})
                self.assertEqual(status, 400, body)
                self.assertIn("code:E1001", told)
                self.assertEqual(headers["Content-Type"], "application/accp")
            for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/accp/v1/frames/../../../etc/passwd"]:
                self.assertIn(hub.request("GET", path)[0], (400, 403, 404, 405), path)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[1:] or ["-v"]
    unittest.main()
