#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""The page of accp serve in a browser: chromium, by chromedriver's own protocol. ACCP is the command.

SCREENSHOTS is a directory for pictures of the page."""
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import unittest

from browser import ENTER, Browser
from hub import Agent, Hub, mid_of

TALK = """User: Add JWT-based authentication to the login endpoint. It must use the existing User model from models/user.py. Do not touch the registration flow.
Assistant: I'll use PyJWT in src/auth/login.py.
User: PyJWT fails, it is not installed here
Assistant: I'll switch to python-jose instead of PyJWT, since it is in requirements.txt. How long should a token live?
User: ok, lets use RS256 so that others can verify without the secret
"""
STATED = """{"agent":"dev","intent":"comp","operation":"progress","payload":{"task":"login","algorithm":"HS256"}}
{"agent":"dev","intent":"comp","operation":"progress","payload":{"task":"login","algorithm":"<b>RS256</b>"}}
"""

NESTED = """{"g":"N","subtask":{"g":"S","plan":[["a","A",{}],["b","B",{}]]},"plan":[["x","X",{"subtask":{"g":"I","plan":[["i","I",{}]]}}],
{"parallel":[["p","P",{}],[["q","Q",{}],{"parallel":[["r","R",{}],["s","S",{}]]},["t","T",{}]]]},["join","MERGE",{}],["z","Z",{"v":"$step.3"}]],"test_mode":true}"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def test_a_session_as_it_goes(self):
        browser = self.browser
        with Hub() as hub:
            plan, dev = Agent("plan"), Agent("dev")
            for i in range(60):
                asked = plan.frame(f"comp:part{{text:\"what_was_done_in_step_{i}_of_the_work\"|n:{i}}}")
                self.assertEqual(hub.post(asked), (204, ""))
                self.assertEqual(hub.post(dev.frame(f"ack:part{{n:{i}}}"))[0], 204)
            self.assertEqual(hub.post(plan.frame("comp:part{html:\"<img_src=x_onerror=alert(1)\\>\"}")), (204, ""))
            browser.open(hub.port)
            browser.until("records.length === 121 && document.querySelector('.row')", "the frames come")
            # live
            hub.post(plan.frame("comp:late{n:1}"))
            browser.until("records.length === 122", "a frame that comes later")
            # with the keyboard only
            browser.run("document.getElementById('list').focus()")
            browser.press("Home", "Down", "Down")
            browser.until("document.querySelector('#detail h2').textContent === '$cold.m3'", "the third record")
            browser.contains("#detail pre", "@plan>comp:part{")
            browser.expect("document.querySelectorAll('#detail meter').length", 4)
            browser.picture("page-frames")
            browser.press("End")
            browser.until("document.querySelector('#detail h2').textContent === '$cold.m122'", "the last record")
            browser.press("Up")
            browser.until("document.querySelector('#detail').textContent.includes('<img src=x onerror=alert(1)>')", "markup is text")
            browser.expect("document.querySelectorAll('#detail img').length", 0)
            browser.press("/", "l", "a", "t", "e")
            browser.until("shown.length === 1", "the search")
            # the other views
            browser.run("document.getElementById('tab-frames').focus()")
            browser.press("Right")
            browser.until("document.querySelectorAll('.block').length > 1", "the context")
            browser.search("")
            browser.picture("page-context")
            browser.show("curves")
            browser.until("document.querySelectorAll('#plot path').length === 4", "the curves")
            browser.contains("#plot-text", "after 122 records: the history")
            browser.picture("page-curves")
            browser.press("Right", "Tab", *"$cold.m1", ENTER)
            browser.until("document.getElementById('ref-value').textContent.includes('\"operation\": \"part\"')", "a ref")
            browser.run("document.getElementById('tab-refs').focus()")
            browser.press("Right")
            browser.until("document.querySelectorAll('#judged meter').length === 4", "the frame box")
            browser.run("const box = document.getElementById('typed'); box.value = '@a>req:x{k:}'; box.dispatchEvent(new Event('input'))")
            browser.until("document.querySelector('#pointer mark') !== null", "the byte that is wrong")
            browser.expect("document.querySelector('#pointer').textContent", "@a>req:x{k:}")
            browser.expect("document.querySelector('#pointer mark').textContent", "}")
            self.assertEqual(browser.complaints(), [])
            browser.call("POST", "/url", {"url": "about:blank"})

    def test_a_plan_as_a_graph(self):
        browser = self.browser
        with Hub("--wait", "1") as hub:
            plan, old, other = Agent("plan"), Agent("old"), Agent("other")

            def ask(agent, text):
                frame = agent.frame(text)
                threading.Thread(target=hub.post, args=(frame,)).start()
                browser_sees()
                return mid_of(frame)

            told = [0]

            def browser_sees():
                told[0] += 1
                browser.until(f"records.length >= {told[0]}", "a frame of the plan")

            def answer(agent, text, cid):
                self.assertEqual(hub.post(agent.frame(text, cid))[0], 204)
                browser_sees()

            self.assertEqual(hub.post(old.frame("ack:hello{n:1}"))[0], 204)
            browser.open(hub.port)
            browser_sees()
            browser.show("plans")
            whole = ask(other, "req:execute{g:COMPARE|plan:[{parallel:[[fetch,OLD,{}],[fetch,\"<b\\>NEW</b\\>\",{}]]},[join,MERGE,{}],"
                               "[rank,RANK,{items:\\$step.2,old:\\$step.1.1}]]|msg_id:p1}")
            browser.until("document.querySelectorAll('#graph .step').length === 4", "the steps")
            states = "[...document.querySelectorAll('#graph .step')].map((one) => one.getAttribute('aria-label').split(': ')[1]).join()"
            browser.expect(states, "pending,pending,pending,pending")
            # the branches are side by side, the join is below them, and rank uses the result of
            # fetch
            corners = browser.run("return [...document.querySelectorAll('#graph rect')].map((one) => [one.x.baseVal.value, one.y.baseVal.value])")
            self.assertEqual(corners[0][1], corners[1][1])
            self.assertLess(corners[0][0], corners[1][0])
            self.assertLess(corners[1][1], corners[2][1])
            browser.expect("[document.querySelectorAll('#graph path.order').length, document.querySelectorAll('#graph path.use').length]", [3, 1])
            browser.expect("document.querySelectorAll('#graph b').length", 0)
            # each step is sent to an agent: KEY.PART.TRY, as accp_run_print_request() makes it
            first = ask(plan, "req:execute{SM:[COMPARE,!,[[fetch,OLD,{}]],!,!,k.1.1]}")
            second = ask(plan, "req:execute{SM:[COMPARE,!,[[fetch,\"<b\\>NEW</b\\>\",{}]],!,!,l.2.1]}")
            browser.until(f"{states}.startsWith('in progress,in progress,pending')", "steps that have begun")
            answer(old, "done:execute{SM:[COMPARE,!,[[fetch,OLD,{}]],!,!,r1,k.1.1,!,!,!,{output:1842}]}", first)
            answer(old, "fail:error{code:E3001|msg:\"no_such_file\"|retry:true|schema:ER}", second)
            browser.until(f"{states}.startsWith('done,failed,pending')", "a step that is done, and one that has failed")
            ask(plan, "req:execute{SM:[COMPARE,!,[[fetch,\"<b\\>NEW</b\\>\",{}]],!,!,l.2.2]}")
            browser.until(f"{states}.startsWith('done,in progress, 2 tries,pending')", "it is tried again")
            browser.expect("document.querySelectorAll('#plan option').length", 1)
            # with the keyboard only
            browser.run("document.getElementById('plan').focus()")
            browser.press("Tab", "Tab")
            browser.until("document.activeElement.classList.contains('step')", "a step in focus")
            browser.press("Home")
            browser.until("document.querySelector('#step').textContent.includes('1842')", "what the step has made")
            browser.press("Down")
            browser.until("document.querySelector('#step h2').textContent === '1.2 fetch <b>NEW</b>'", "the second step")
            browser.picture("page-plan")
            browser.search("rank")
            browser.until("document.querySelectorAll('#graph .step:not(.miss)').length === 1", "the search among steps")
            browser.expect("document.querySelector('#found').textContent", "1 of 4")
            browser.search("")
            answer(plan, "fail:execute{SM:[COMPARE,!,[[rank,RANK,{}]],!,FAILED,r2,p1,!,!,!,{step_results:{2:[1842]},"
                         "error:{status:ERR,code:TIMEOUT,details:\"Tool_RANK_timed_out_for_action_step_3\"}}]}", whole)
            browser.until(f"{states}.endsWith('given up, 2 tries,done,failed')", "how the plan ended")
            browser.contains("#plan-sum", "Tool RANK timed out")
            self.assertEqual(browser.complaints(), [])
            browser.call("POST", "/url", {"url": "about:blank"})

    def test_parts_are_numbered_as_a_run_numbers_them(self):
        browser = self.browser
        with Hub() as hub, tempfile.TemporaryDirectory() as place:
            with open(f"{place}/plan.json", "w", encoding="utf-8") as file:
                file.write(NESTED)
            subprocess.run([os.environ["ACCP"], "sacp", "run", f"{place}/plan.json", "--lenient", "--graph", f"{place}/plan.mmd"],
                           check=True, capture_output=True)
            with open(f"{place}/plan.mmd", encoding="utf-8") as file:
                drawn = re.findall(r'\bp(\d+)\["(\S+) (.*)"\](:::)?', file.read())
            browser.open(hub.port)
            parts = browser.run(f"return PlanReader.read({NESTED}).parts.map((one) => one.path ? nameOf(one) : one.kind)")
            self.assertEqual(len(drawn), 14)
            self.assertEqual(parts, [f"{path} {name}" if is_step else name for _, path, name, is_step in sorted(drawn, key=lambda one: int(one[0]))])
            # with dependencies, as in version 1.0.0; even a cycle is drawn
            after = lambda plan: browser.run(f"return PlanReader.read({{plan: {plan}}}).steps.map((one) => one.after.map((other) => other.path).join())")
            self.assertEqual(after('[{"id":"a","verb":"v","tool":"T"},{"id":"b","verb":"v","tool":"T","depends_on":["a","none"]}]'), ["", "a"])
            circle = '[{"id":"a","verb":"v","tool":"T","depends_on":["b"]},{"id":"b","verb":"v","tool":"T","depends_on":["a"]}]'
            self.assertEqual(browser.run(f"return [...placeSteps(PlanReader.read({{plan: {circle}}}).steps).values()].map((one) => one.row)"), [0, 1])
            for odd in ("null", "[null]", "[[]]", "[{}]", '[{"parallel":[null,[[]],3]}]', '[["v","T",3]]', '[["v","T",{"subtask":3}]]', '[{"id":1}]'):
                browser.run(f"placeSteps(PlanReader.read({{plan: {odd}, subtask: [null, 3, {{plan: {odd}}}]}}).steps)")
            self.assertEqual(browser.complaints(), [])
            browser.call("POST", "/url", {"url": "about:blank"})

    def test_what_a_session_remembers(self):
        browser = self.browser
        with tempfile.TemporaryDirectory() as place:
            store = f"sqlite:{place}/talk.sqlite"
            session = lambda said, *arguments: subprocess.run([os.environ["ACCP"], "session", *arguments, "--store", store], input=said,
                                                              text=True, check=True, capture_output=True).stdout
            session(TALK, "append", "--from", "speakers")
            session(STATED, "append")
            packet = session("", "checkpoint", "--packet", "Add <i>JWT</i>", "--depth", "deep")
            with open(f"{place}/packet.yaml", "w", encoding="utf-8") as file:
                file.write(packet)
            session(json.dumps({"agent": "plan", "intent": "req", "operation": "implement", "payload": {"task": "login"}}), "send",
                    "--carry", f"{place}/packet.yaml")
            with Hub("--store", store) as hub:
                browser.open(hub.port)
                browser.until("records.length === 8", "the frames")
                self.check_facts()
                self.check_packets()
                self.assertEqual(browser.complaints(), [])
                browser.call("POST", "/url", {"url": "about:blank"})

    def check_facts(self):
        browser = self.browser
        browser.show("memory")
        browser.until("document.querySelectorAll('#checkpoints .block').length === 4", "the checkpoints")
        browser.expect("[...document.querySelectorAll('#fact-rows tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
                       [["task:login", "algorithm", "<b>RS256</b>", "$warm.ckpt_4"]])  # the newest
        browser.contains("#checkpoints", "PyJWT fails")
        browser.expect("document.querySelectorAll('#memory b').length", 0)
        browser.picture("page-checkpoints")
        browser.search("pyjwt")
        browser.until("document.querySelectorAll('#memory .item:not(.miss)').length === 2", "the search in checkpoints")
        browser.expect("document.querySelector('#found').textContent", "2 of 5")
        browser.search("")
        # a checkpoint can be opened, and leads to its records
        browser.run("document.getElementById('load-memory').focus()")
        browser.press("Tab", ENTER)
        browser.until("document.getElementById('ref-value').textContent.includes('\"id\": 4')", "the checkpoint that the fact is in")
        browser.show("memory")
        browser.run("document.querySelector('#checkpoints p .link').focus()")
        browser.press(ENTER)
        browser.until("document.querySelector('#detail h2').textContent === '$cold.m7'", "the record that the checkpoint begins with")

    def check_packets(self):
        browser = self.browser
        browser.show("packets")
        heading = lambda word: f"[...document.querySelectorAll('#packet-view h3')].some((one) => one.textContent.startsWith('{word}'))"
        browser.until(heading("Decisions (3)"), "a packet that is made now")
        browser.run("document.getElementById('packet').focus()")
        browser.press("Down")
        browser.until("document.querySelector('#packet-view h2').textContent === 'Add <i>JWT</i>'", "the packet that a message carries")
        browser.expect("document.querySelectorAll('#packet-view i i').length", 0)
        for title in ("Goal (1)", "Constraints (4)", "Decisions (3)", "Files (3)", "Failed before (1)", "Folded away: not included (1)"):
            browser.until(heading(title), title)
        self.assertNotIn("{", browser.text("#packet-view"))
        browser.contains("#packet-view", "reason: others can verify without the secret")
        browser.contains("#packet-sum", "165 tokens (goals 54, decisions 56")
        browser.picture("page-packet")
        browser.search("python-jose")
        browser.until("document.querySelectorAll('#packet-view .item:not(.miss)').length === 1", "the search in a packet")
        browser.search("")
        browser.run("document.querySelector('#packet-view .link').focus()")
        browser.press(ENTER)
        browser.until("!document.getElementById('frames').hidden && document.querySelector('#detail h2').textContent === '$cold.m1'", "where it was said")

    def test_dark(self):
        browser = self.browser
        with Hub() as hub:
            hub.post(Agent("plan").frame("ack:part{n:1}"))
            looks = []
            for scheme in ("light", "dark"):
                browser.look(prefers_color_scheme=scheme)
                browser.open(hub.port)
                browser.until("records.length === 1", "the frame")
                looks.append(browser.run("const it = getComputedStyle(document.documentElement);"
                                         "return [it.getPropertyValue('--accent').trim(), getComputedStyle(document.querySelector('h1')).color]"))
            browser.size(360, 740)
            browser.until("document.documentElement.scrollWidth <= 360", "the width of a phone")
            browser.size(1280, 860)
            self.assertNotEqual(looks[0][0], looks[1][0])
            self.assertNotEqual(looks[0][1], looks[1][1])
            browser.look()
            self.assertEqual(browser.complaints(), [])
            browser.call("POST", "/url", {"url": "about:blank"})

    def test_ten_thousand_frames(self):
        browser = self.browser
        with Hub() as hub:
            plan = Agent("plan")
            import http.client
            wire = http.client.HTTPConnection("127.0.0.1", hub.port)
            for i in range(10_000):
                wire.request("POST", "/accp/v1/frames", plan.frame(f"ack:part{{n:{i}}}"), {"Content-Type": "application/accp"})
                answer = wire.getresponse()
                answer.read()
                self.assertEqual(answer.status, 204)
            wire.close()
            browser.open(hub.port)
            browser.until("records.length === 10000", "all frames")
            browser.until("document.querySelectorAll('.row').length < 100", "only some rows")
            browser.run("""window.shifts = 0;
                new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts += one.value; })
                    .observe({type: 'layout-shift', buffered: true});""")
            browser.run("document.getElementById('list').focus()")
            browser.press("End")
            browser.until("document.querySelector('#detail h2') && document.querySelector('#detail h2').textContent === '$cold.m10000'", "the last")
            hub.post(plan.frame("ack:part{n:1}"))
            browser.until("records.length === 10001", "one more")
            # and no view moves while frames arrive
            for n, view in enumerate(("context", "memory", "plans", "packets", "curves", "refs", "box")):
                browser.show(view)
                self.assertEqual(hub.post(plan.frame(f"ack:part{{n:{n}}}")), (204, ""))
                browser.until(f"records.length === {10002 + n}", f"a frame while {view} is in sight")
            self.assertLess(browser.run("return window.shifts"), 0.1)
            self.assertEqual(browser.complaints(), [])
            browser.call("POST", "/url", {"url": "about:blank"})


if __name__ == "__main__":
    unittest.main()
