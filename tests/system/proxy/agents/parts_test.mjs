// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The means of comparing runs of agents: the relay changes nothing, and digests of folders and transcripts differ exactly if the contents do.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { agents } from "./known.mjs";
import { Relay } from "./relay.mjs";
import { makeProject, makeScript } from "./task.mjs";
import { normalise, treeHash } from "./transcript.mjs";
import { Script } from "../script.mjs";

test("the relay passes requests, streams and broken streams on as they are", async () => {
    const seen = [],
        server = createServer(async (request, response) => {
            let body = "";
            for await (const bytes of request) body += bytes;
            seen.push([request.method, request.url, request.headers["x-key"], body]);
            response.writeHead(207, { "x-test-conversation": "A", "x-test-turn": "4", "x-other": "é" });
            response.write("one ");
            setTimeout(() => (request.url === "/broken" ? response.destroy() : response.end("two")), 20);
        });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const pieces = [],
        relay = new Relay(`http://127.0.0.1:${server.address().port}`, { onBytes: (piece) => pieces.push(piece) }),
        base = await relay.listen();
    const ask = (path) => fetch(base + path, { method: "POST", headers: { "x-key": "k" }, body: '{"a":"ü"}' });
    const answer = await ask("/a?b=c");
    assert.deepEqual([answer.status, answer.headers.get("x-other"), await answer.text()], [207, "é", "one two"]);
    assert.deepEqual(seen[0], ["POST", "/a?b=c", "k", '{"a":"ü"}']);
    assert.deepEqual(relay.last, { A: { a: "ü" } });
    assert.deepEqual(pieces[0], { conversation: "A", turn: 4 });
    await assert.rejects(async () => (await ask("/broken")).text());
    server.close();
    await assert.rejects(ask("/gone"));
    relay.close();
});

test("a folder's digest sees names, contents and modes", () => {
    const folder = mkdtempSync(join(tmpdir(), "accp-tree-")),
        seen = new Set();
    const look = () => seen.add(treeHash(folder));
    look();
    writeFileSync(join(folder, "a"), "x");
    look();
    writeFileSync(join(folder, "a"), "y");
    look();
    chmodSync(join(folder, "a"), 0o700);
    look();
    mkdirSync(join(folder, "d"));
    writeFileSync(join(folder, "d/a"), "y");
    look();
    assert.equal(seen.size, 5);
    look();
    assert.equal(seen.size, 5);
    rmSync(folder, { recursive: true });
});

// Two texts of tool results, and whether they count as the same.
const kTexts = [
    ["in /home/one/work/a.js", "in /home/two/work/a.js", true],
    ["in /home/one/work/a.js", "in /home/two/work/b.js", false],
    ["HOME/.qwen/projects/-home-one-work/x", "HOME/.qwen/projects/-home-two-work/x", true],
    ["msg_01a22161-2c6d-7660-9b4b-9182476518b3", "msg_01a22163-b895-7703-91f5-5f51e050db6b", true],
    ["toolu_6b73a4b834cfbbac20f2bfe5", "toolu_6b73a4b834cfbbac20f2bfe6", true],
    ["toolu_6b73a4b834cfbbac20f2bfe5 toolu_6b73a4b834cfbbac20f2bfe6", "toolu_6b73a4b834cfbbac20f2bfe5 toolu_6b73a4b834cfbbac20f2bfe5", false],
    ["Wall time: 0.1234 seconds", "Wall time: 1.5 seconds", true],
    ["at 2026-11-28T08:59:59.123Z", "at 2026-11-29", true],
    ["Saturday, November 28, 2026", "Sunday, November 29, 2026", true],
    ["pi-bash-0123456789abcdef.log", "pi-bash-fedcba9876543210.log", true],
    ["exit code 0", "exit code 1", false],
];
for (const [one, other, isSame] of kTexts) {
    test(`${one} and ${other} are ${isSame ? "the same" : "different"}`, () => {
        const text = (content, folder) => normalise({ messages: [{ role: "user", content }], model: content }, [[folder, "FOLDER"]]);
        assert.equal(text(one, "/home/one/work") === text(other, "/home/two/work"), isSame);
    });
}

for (const [name, { toCall }] of Object.entries(agents)) {
    test(`the script of ${name} is well formed and has 60 calls or more`, () => {
        const { conversations } = new Script(
            makeScript((step) => toCall(step, "/folder"), { isInterrupted: true, pause_ms: 1, faults: { 6: { kind: "close" } } }),
        );
        assert.ok(conversations[0].turns.flatMap(({ calls = [] }) => calls).length >= 60);
        assert.ok(conversations.every(({ turns }) => turns.length > 2 && !turns.at(-1).calls));
    });
}

test("the project is always the same", () => {
    const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), "accp-project-")));
    folders.forEach(makeProject);
    assert.equal(treeHash(folders[0]), treeHash(folders[1]));
    for (const folder of folders) rmSync(folder, { recursive: true });
});
