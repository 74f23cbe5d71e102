#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""The page of accp proxy in a browser, while agents work through the proxy. ACCP is the command.

SCREENSHOTS is a directory for pictures of the page."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "server"))
from browser import ENTER, Browser  # noqa: E402  after the path
from forward_parties import Case, wait_until  # noqa: E402
from page_parties import Agent, Provider, now_ms  # noqa: E402

VALUES = "[...document.querySelectorAll('{} .figures .value')].map((one) => one.textContent)"
# The contrast of each visible text with what is behind it (WCAG 2.1, 1.4.3), those below 4.5.
FAINT = """const rgb = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 && n[3] === 0 ? null : n; };
const light = (c) => c.slice(0, 3).map((n) => (n /= 255) <= .03928 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4).reduce((s, n, i) => s + n * [.2126, .7152, .0722][i], 0);
const behind = (one) => { for (; one; one = one.parentElement) { const c = rgb(getComputedStyle(one).backgroundColor); if (c) return c; } return [255, 255, 255]; };
const faint = [];
for (const one of document.querySelectorAll('body *')) {
    const isText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) && one.checkVisibility();
    if (!isText || one.closest('.strip svg') || one.closest('.sr')) continue;
    const look = getComputedStyle(one), a = light(rgb(one instanceof SVGElement ? look.fill : look.color)), b = light(behind(one));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) faint.push(one.textContent.slice(0, 30) + ' ' + ratio.toFixed(2));
}
return faint;"""


def money(dollars):
    return f"${dollars:.{2 if dollars >= 1 else 3 if dollars >= 0.1 else 4}f}"


class ProxyPage(Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.look()
        self.browser.size(1280, 900)
        self.addCleanup(self.browser.call, "POST", "/url", {"url": "about:blank"})

    def begin(self, *arguments):
        self.provider = Provider()
        self.start(self.provider.answer, "--clock-header", "X-Time", *arguments)

    def open(self):
        self.browser.open(self.proxy.port, "/_accp/")

    def work(self, agent, calls):
        for _ in range(calls):
            agent.work()
            self.assertEqual(agent.send(self.ask).status, 200)

    def agent(self, model="gpt-5.5", task="Mend the login.", seed=1, minutes=60):
        return Agent(model, task, seed, now_ms() - minutes * 60_000)

    def data(self, path):
        return json.loads(self.ask("GET", f"/_accp/{path}").body)

    def test_from_nothing_to_a_saving(self):
        browser = self.browser
        self.begin()
        self.open()
        browser.until("document.querySelector('#overview h1')?.textContent.startsWith('No call')", "the empty state")
        browser.contains("#overview", f"OPENAI_BASE_URL=http://127.0.0.1:{self.proxy.port}/v1")
        browser.picture("proxy-empty")
        agent = self.agent()
        self.work(agent, 1)
        browser.until("document.querySelectorAll('.list tbody tr').length === 1", "a conversation that comes while the page is open")
        browser.expect(f"{VALUES.format('#overview')}[3]", "1")
        self.work(agent, 39)
        self.work(self.agent("gpt-5.4-mini", "Write the docs.", 2, 30), 25)
        self.work(self.agent("local-llm", "Hello.", 3, 20), 3)
        browser.until("document.querySelectorAll('.list tbody tr').length === 3", "three conversations")
        # the figures are those of the data
        groups = lambda: sorted(self.data("conversations")["groups"], key=lambda one: -one["sum"]["calls"])
        wait_until(lambda: [one["sum"]["calls"] for one in groups()] == [65, 3])
        group, _ = groups()
        self.assertTrue(group["is_priced"])
        figures = f"{VALUES.format('#overview')}"
        browser.until(f"{figures}[3] === '65'", "the figures")
        share = 1 - group["sum"]["billed"] / group["sum"]["untouched"]
        self.assertGreater(share, 0.2)
        browser.expect(f"{figures}.slice(0, 3)", [f"{100 * share:.0f} %", money(group['sum']['billed']), f"\u2248 {money(group['sum']['untouched'])}"])
        browser.until(f"{figures}[5].includes('tokens')", "those of the model without a price")
        browser.expect("document.querySelectorAll('#overview .curve path.with').length", 2)
        # the curve reads off values by keyboard
        browser.run("document.querySelector('.curve svg').focus()")
        browser.press("End")
        browser.until("document.querySelector('.curve .read').textContent.includes('without the proxy')", "a value")
        browser.picture("proxy-overview")
        self.assertEqual(browser.complaints(), [])

    def test_one_conversation(self):
        browser = self.browser
        self.begin()
        agent = self.agent()
        self.work(agent, 30)
        agent.add("Read", {"file_path": "<img src=x onerror=alert(1)>\"'&amp;"}, "no markup\n" * 400)
        agent.send(self.ask)
        self.open()
        browser.until("document.querySelector('.list a')", "the list")
        browser.run("document.querySelector('.list a').focus()")
        browser.press(ENTER)
        browser.until("document.querySelectorAll('.strip g').length", "the strip")
        one = self.data("conversation?id=" + browser.run("return location.hash.slice(1)"))
        browser.expect("document.querySelectorAll('.strip g').length", len(one["pages"]))
        self.assertGreater(sum(page[1] == 3 for page in one["pages"]), 5)
        # widths follow tokens: the ribbon of a kind is as long as its tokens, about
        lengths = browser.run("return ['cached', 'resident', 'new', 'evicted'].map((kind) => [...document.querySelectorAll(`.strip .${kind} rect`)]"
                              ".reduce((sum, one) => sum + one.width.baseVal.value, 0))")
        for length, tokens in zip(lengths, one["use"]):
            self.assertAlmostEqual(length / sum(lengths), tokens / sum(one["use"]), delta=0.12)
        # by keyboard: the last page is the result with markup in its name, which is text
        browser.run("document.querySelector('.strip svg').focus()")
        browser.press("End")
        browser.until("document.querySelector('.page .name').textContent === 'Read <img src=x onerror=alert(1)>\"\\'&amp;'", "the name of a page")
        self.assertEqual(browser.count("#conversation img"), 0)
        browser.contains(".page p", "sent for the first time")
        browser.press("Left")
        browser.until("document.querySelector('.page').textContent.includes('Call of a tool')", "the page before")
        browser.press("Home")
        browser.until("document.querySelector('.page').textContent.includes('page 1 of')", "the first page")
        evicted = next(i for i, page in enumerate(one["pages"]) if page[1] == 3)
        browser.press(*["Right"] * evicted)
        browser.until("document.querySelector('.page p').textContent.includes('Left out before call')", "what became of a page")
        # as sent, the evicted pages are short
        before = lengths[3]
        browser.run("[...document.querySelectorAll('.switch button')].find((one) => one.textContent === 'As sent').click()")
        browser.until(f"[...document.querySelectorAll('.strip .evicted rect')].reduce((sum, one) => sum + one.width.baseVal.value, 0) < {before}", "they are shorter")
        browser.run("document.querySelector('.switch button').click()")
        # evictions and calls as tables, and the rest of the calls
        browser.expect("document.querySelectorAll('#conversation .net').length", min(12, len(one["evictions"])))
        browser.run("[...document.querySelectorAll('.more')].at(-1).click()")
        browser.until("[...document.querySelectorAll('#conversation table')].at(-1).tBodies[0].rows.length === 31", "all calls")
        browser.picture("proxy-conversation")
        # live, and back by keyboard
        self.work(agent, 1)
        browser.until(f"document.querySelectorAll('.strip g').length === {len(one['pages']) + 2}", "two pages more")
        browser.press("Escape")
        browser.until("!document.getElementById('overview').hidden", "the overview")
        self.assertEqual(browser.complaints(), [])

    def test_calls_that_failed(self):
        browser = self.browser
        self.begin()
        agent = self.agent()
        self.work(agent, 2)
        self.open()
        browser.until("document.querySelector('.list a')", "the list")
        self.assertEqual(browser.count(".failures"), 0)

        async def refuse(_, reader, writer):
            writer.write(b"HTTP/1.1 529 Busy\r\nContent-Type: application/json\r\nContent-Length: 38\r\n\r\n" + b'{"error":{"type":"overloaded_error"}}\n')
        self.upstream.script = refuse
        for _ in range(2):
            agent.work()
            self.assertEqual(agent.send(self.ask).status, 529)
        browser.until("document.querySelector('.failures p')?.textContent.startsWith('2 calls failed. The last one')", "the failures")
        browser.until("document.querySelector('.failures p').textContent.endsWith('of openai: status 529 (overloaded_error)')", "the reason")
        browser.contains(".list tbody", "2 failed")
        browser.picture("proxy-failures")
        browser.run("document.querySelector('.list a').click()")
        browser.until("[...document.querySelectorAll('#conversation table')].at(-1).textContent.includes('status 529 (overloaded_error)')", "the reason in the list of calls")
        self.assertEqual(browser.complaints(), [])

    def test_looks(self):
        browser = self.browser
        self.begin()
        self.work(self.agent(), 30)
        grounds = set()
        for scheme in ("light", "dark"):
            for width in (1280, 360):
                browser.look(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
                browser.size(width, 800)
                self.open()
                for view in ("overview", "conversation"):
                    with self.subTest(scheme=scheme, width=width, view=view):
                        if view == "conversation":
                            browser.run("document.querySelector('.list a').click()")
                        browser.until(f"document.querySelector('#{view} .figures')", view)
                        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), width)
                        self.assertEqual(browser.run(FAINT), [])
                        browser.picture(f"proxy-{view}-{scheme}-{width}")
                grounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(grounds), 2)
        self.assertEqual(browser.complaints(), [])

    def test_the_token(self):
        browser = self.browser
        token = "t0k3n-" * 6
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "token")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
                file.write(token + "\n")
            self.begin("--token-file", path)
        self.open()
        browser.until("!document.getElementById('unlock').hidden", "the form")
        for text, until in (("wrong", "document.getElementById('wrong').textContent.includes('not the token')"), (token, "document.querySelector('#overview h1')")):
            browser.run("document.getElementById('token').focus()")
            browser.press(*text, ENTER)
            browser.until(until, text)
        self.assertEqual(browser.run("return document.cookie + location.href + localStorage.length + sessionStorage.length"),
                         f"http://127.0.0.1:{self.proxy.port}/_accp/00")
        self.assertEqual([one for one in browser.complaints() if "401" not in one], [])
        self.assertNotIn(token, "".join(self.proxy.lines))

    def test_an_end_and_a_conversation_that_is_gone(self):
        browser = self.browser
        self.begin()
        browser.open(self.proxy.port, "/_accp/#0123456789abcdef")
        browser.until("document.querySelector('#conversation h1')?.textContent.includes('no longer shown')", "that it is gone")
        browser.run("document.querySelector('#conversation a').click()")
        browser.until("document.querySelector('#overview h1')", "the overview")
        self.proxy.stop()
        browser.until("document.getElementById('live').className === 'off'", "that the proxy has gone")
        self.assertTrue(all("Failed to load resource" in one for one in browser.complaints()))

    def test_without_a_page(self):
        self.begin("--no-page")
        self.work(self.agent(), 2)
        for path in ("", "page.js", "conversations"):
            self.assertEqual(self.ask("GET", f"/_accp/{path}").status, 404, path)
        self.assertEqual(self.data("status")["calls"], 2)


if __name__ == "__main__":
    unittest.main()
