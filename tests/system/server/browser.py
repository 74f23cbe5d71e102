# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Chromium, by chromedriver's own protocol. SCREENSHOTS is a directory for pictures of pages."""
import base64
import json
import os
import subprocess
import threading
import time
import urllib.request

KEYS = {"Down": "\ue015", "Up": "\ue013", "Home": "\ue011", "End": "\ue010", "Right": "\ue014", "Left": "\ue012", "Tab": "\ue004", "Escape": "\ue00c"}
ENTER = "\ue007"


class Browser:
    def __init__(self):
        self.start_driver()
        threading.Thread(target=self.driver.stdout.read, daemon=True).start()
        self.session = ""
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,860", "--hide-scrollbars"]}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"

    def start_driver(self):
        said = ""
        for _ in range(5):  # it ends if the port that it found is taken meanwhile
            self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for line in self.driver.stdout:
                said += line
                if "successfully on port " in line:
                    self.address = f"http://127.0.0.1:{line.split('on port ')[1].strip().rstrip('.')}"
                    return
            self.driver.wait()
        raise RuntimeError(f"chromedriver does not start: {said}")

    def call(self, method, path, body=None):
        asked = urllib.request.Request(self.address + self.session + path, method=method,
                                       data=None if body is None else json.dumps(body).encode(),
                                       headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=300) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def until(self, script, what):
        """A script that throws is not true yet: the page may lack the element that it reads."""
        for _ in range(1200):
            found = self.run(f"try {{ return {{is: Boolean({script})}} }} catch (error) {{ return {{error: String(error)}} }}")
            if found.get("is"):
                return
            time.sleep(0.1)
        raise AssertionError(f"{what}: {found.get('error', '')} {self.run('return document.body.innerText')[:2000]}")

    def expect(self, script, wanted):
        """Waits until the value of the script is this one."""
        for _ in range(1200):
            found = self.run(f"try {{ return {{is: {script}}} }} catch (error) {{ return {{error: String(error)}} }}")
            if found.get("is") == wanted:
                return
            time.sleep(0.1)
        raise AssertionError(f"{script}: {found}, not {wanted}")

    def contains(self, place, text):
        """Waits until the element has this text."""
        self.until(f"document.querySelector({json.dumps(place)}).textContent.includes({json.dumps(text)})", f"{text} in {place}")

    def picture(self, name):
        place = os.environ.get("SCREENSHOTS")
        data = self.call("GET", "/screenshot")
        if place:
            with open(f"{place}/{name}.png", "wb") as file:
                file.write(base64.b64decode(data))

    def complaints(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def open(self, port, path="/"):
        self.call("POST", "/url", {"url": "about:blank"})
        self.complaints()  # those of the page before, whose server may have ended
        self.call("POST", "/url", {"url": f"http://127.0.0.1:{port}{path}"})

    def look(self, **features):
        """Sets media features, such as prefers_color_scheme="dark"; without any, those of the machine."""
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]}})

    def size(self, width, height, scale=1):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}})

    def text(self, place):
        return self.run(f"return document.querySelector('{place}').textContent")

    def count(self, place):
        return self.run(f"return document.querySelectorAll('{place}').length")

    def show(self, tab):
        """With the keyboard only: from the first tab to the right."""
        self.run("document.querySelector('[role=tab]').focus()")
        names = self.run("return [...document.querySelectorAll('[role=tab]')].map((one) => one.id)")
        self.press("Home", *["Right"] * names.index(f"tab-{tab}"))
        self.until(f"!document.getElementById('{tab}').hidden", f"the view {tab}")

    def search(self, word):
        self.run("const it = document.getElementById('search'); it.value = ''; it.dispatchEvent(new Event('input')); it.blur()")
        if word:
            self.press("/", *word)

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(120)
