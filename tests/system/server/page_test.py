#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""The page of accp serve in a browser: chromium, by chromedriver's own protocol. ACCP names the command.

SCREENSHOTS, a directory: pictures of it are written there."""
import base64
import json
import os
import subprocess
import threading
import time
import unittest
import urllib.request

from hub import Agent, Hub

KEYS = {"Down": "\ue015", "Up": "\ue013", "Home": "\ue011", "End": "\ue010", "Right": "\ue014", "Tab": "\ue004"}


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if "successfully on port " in line:
                self.address = f"http://127.0.0.1:{line.split('on port ')[1].strip().rstrip('.')}"
                break
        threading.Thread(target=self.driver.stdout.read, daemon=True).start()
        self.session = ""
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,860", "--hide-scrollbars"]}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"

    def call(self, method, path, body=None):
        asked = urllib.request.Request(self.address + self.session + path, method=method,
                                       data=None if body is None else json.dumps(body).encode(),
                                       headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def until(self, script, what):
        for _ in range(150):
            if self.run(f"return {script}"):
                return
            time.sleep(0.1)
        raise AssertionError(f"{what}: {self.run('return document.body.innerText')[:2000]}")

    def picture(self, name):
        place = os.environ.get("SCREENSHOTS")
        data = self.call("GET", "/screenshot")
        if place:
            with open(f"{place}/{name}.png", "wb") as file:
                file.write(base64.b64decode(data))

    def complaints(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(10)


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
            browser.call("POST", "/url", {"url": f"http://127.0.0.1:{hub.port}/"})
            browser.until("records.length === 121 && document.querySelector('.row')", "the frames come")
            # live
            hub.post(plan.frame("comp:late{n:1}"))
            browser.until("records.length === 122", "a frame that comes later")
            # by keys alone
            browser.run("document.getElementById('list').focus()")
            browser.press("Home", "Down", "Down")
            browser.until("document.querySelector('#detail h2').textContent === '$cold.m3'", "the third record")
            self.assertIn("@plan>comp:part{", browser.run("return document.querySelector('#detail pre').textContent"))
            self.assertEqual(browser.run("return document.querySelectorAll('#detail meter').length"), 4)
            browser.picture("page-frames")
            browser.press("End")
            browser.until("document.querySelector('#detail h2').textContent === '$cold.m122'", "the last record")
            browser.press("Up")
            browser.until("document.querySelector('#detail').textContent.includes('<img src=x onerror=alert(1)>')", "markup is text")
            self.assertEqual(browser.run("return document.querySelectorAll('#detail img').length"), 0)
            browser.press("/", "l", "a", "t", "e")
            browser.until("shown.length === 1", "the search")
            # the other views
            browser.run("document.getElementById('tab-frames').focus()")
            browser.press("Right")
            browser.until("document.querySelectorAll('.block').length > 1", "the context")
            browser.picture("page-context")
            browser.press("Right")
            browser.until("document.querySelectorAll('#plot path').length === 4", "the curves")
            self.assertIn("after 122 records: the history", browser.run("return document.getElementById('plot-text').textContent"))
            browser.picture("page-curves")
            browser.press("Right", "Tab", *"$cold.m1", "\ue007")
            browser.until("document.getElementById('ref-value').textContent.includes('\"operation\": \"part\"')", "a ref")
            browser.run("document.getElementById('tab-refs').focus()")
            browser.press("Right")
            browser.until("document.querySelectorAll('#judged meter').length === 4", "the frame box")
            browser.run("const box = document.getElementById('typed'); box.value = '@a>req:x{k:}'; box.dispatchEvent(new Event('input'))")
            browser.until("document.querySelector('#pointer mark') !== null", "the byte that is wrong")
            self.assertEqual(browser.run("return document.querySelector('#pointer').textContent"), "@a>req:x{k:}")
            self.assertEqual(browser.run("return document.querySelector('#pointer mark').textContent"), "}")
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
            browser.call("POST", "/url", {"url": f"http://127.0.0.1:{hub.port}/"})
            browser.until("records.length === 10000", "all frames")
            self.assertLess(browser.run("return document.querySelectorAll('.row').length"), 100)
            browser.run("""window.shifts = 0;
                new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts += one.value; })
                    .observe({type: 'layout-shift', buffered: true});""")
            browser.run("document.getElementById('list').focus()")
            browser.press("End")
            browser.until("document.querySelector('#detail h2') && document.querySelector('#detail h2').textContent === '$cold.m10000'", "the last")
            hub.post(plan.frame("ack:part{n:1}"))
            browser.until("records.length === 10001", "one more")
            self.assertLess(browser.run("return window.shifts"), 0.1)
            self.assertEqual(browser.complaints(), [])
            browser.call("POST", "/url", {"url": "about:blank"})


if __name__ == "__main__":
    unittest.main()
