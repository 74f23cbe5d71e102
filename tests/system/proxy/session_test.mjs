// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Recorded sessions become requests that keep the rules, one for each call of the model.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MarkedCache } from "./cache.mjs";
import { Issued } from "./issued.mjs";
import { checkMessages } from "./rules_messages.mjs";
import { createProvider } from "./server.mjs";
import { Session, makeFront } from "./session.mjs";

const line = (agent, intent, payload, ts) => ({ agent, intent, operation: "tool", payload, meta: { ts } });
const user = (content, ts) => line("user", "req", { content }, ts);
const call = (tool_name, ts, thought = "", given = { path: "x" }) => line("claude", "req", { thought, tool_name, arguments: given }, ts);
const result = (tool_name, ts, text = "done") => line("tool", "done", { tool_name, result: text }, ts);

// Short forms: "u" user, "t" text, "c:ID:NAME" call, "r:ID:CONTENT" result.
const shape = ({ role, content }) =>
    `${role[0]}(${content.map((block) => ({ text: () => "t", tool_use: () => `c${block.id.slice(-1)}:${block.name}`, tool_result: () => `r${block.tool_use_id.slice(-1)}:${block.content}` })[block.type]()).join(" ")})`;

// [name, lines, messages, calls]
const kSessions = [
    [
        "one call after the other",
        [user("go", 0), call("A", 1, "Let me."), result("A", 2), call("B", 3), result("B", 4)],
        "u(t t) a(t c1:A) u(r1:done) a(c3:B) u(r3:done)",
        [
            [1, 1],
            [3, 3],
        ],
    ],
    [
        "calls of one turn",
        [user("go", 0), call("A", 1, "Both."), call("B", 1), result("B", 2, "b"), result("A", 3, "a"), call("C", 4)],
        "u(t t) a(t c1:A c2:B) u(r2:b r1:a) a(c5:C)",
        [
            [1, 1],
            [3, 4],
        ],
    ],
    [
        "an interruption",
        [user("go", 0), call("A", 1), user("stop", 2), call("B", 3), result("B", 4)],
        "u(t t) a(c1:A) u(r1:No result was recorded. t) a(c3:B) u(r3:done)",
        [
            [1, 1],
            [3, 3],
        ],
    ],
    [
        "a thought ends a turn without a result",
        [user("go", 0), call("A", 1), call("B", 2, "Or rather."), result("B", 3)],
        "u(t t) a(c1:A) u(r1:No result was recorded.) a(t c2:B) u(r2:done)",
        [
            [1, 1],
            [3, 2],
        ],
    ],
    ["a result without a call", [user("", 0), result("A", 1, ""), call("B", 2)], "u(t t t) a(c2:B)", [[1, 2]]],
    ["arguments and results of any kind", [user({ a: 1 }, 0), call("A", 1, "", "x"), result("A", 2, [1])], "u(t t) a(c1:A) u(r1:[1])", [[1, 1]]],
];
for (const [name, lines, messages, calls] of kSessions) {
    test(`session: ${name}`, () => {
        const session = new Session(lines, "s");
        assert.equal(session.messages.map(shape).join(" "), messages);
        assert.deepEqual(
            session.calls.map(({ count, ts }) => [count, ts]),
            calls,
        );
    });
}

test("every call of a random session keeps the rules", () => {
    let seed = 3,
        calls = 0;
    const below = (limit) => (seed = (seed * 48271) % 0x7fffffff) % limit;
    for (let round = 0; round < 300; ++round) {
        const lines = [user("go", 0)];
        for (let ts = 1; ts < 30; ++ts) {
            const name = "ABC"[below(3)];
            lines.push(
                [call(name, ts, below(2) ? "Hm." : ""), call(name, ts), result(name, ts, below(5) ? "x" : ""), user(below(4) ? "x" : " ", ts)][below(4)],
            );
        }
        const session = new Session(lines, "s");
        for (const one of session.calls) {
            checkMessages({ model: "m", max_tokens: 1, ...makeFront(200, ["A"]), messages: session.seenBy(one) }, new Issued(), { alternate: true });
            ++calls;
        }
    }
    assert.ok(calls > 2000, `${calls} calls`);
});

test("system prompt and tools have the wanted size, and the names of the session's tools", () => {
    for (const tokens of [5000, 17_000, 40_000]) {
        const front = makeFront(tokens, ["Bash", "Read"]),
            { usage } = new MarkedCache().quote({ model: "m", ...front, messages: [] }, 0);
        assert.ok(Math.abs(usage.write_5m / tokens - 1) < 0.03, `${usage.write_5m} of ${tokens}`);
        assert.deepEqual(
            front.tools.slice(0, 2).map(({ name }) => name),
            ["Bash", "Read"],
        );
    }
});

test("a replay is billed at the recorded times, and compared", async () => {
    const server = createProvider({ isVirtual: true }),
        folder = mkdtempSync(join(tmpdir(), "accp-replay-"));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const lines = [
        user("go", 1000),
        call("Read", 1001),
        result("Read", 1002),
        call("Read", 1010),
        result("Read", 1011),
        call("Read", 1400),
        result("Read", 1401),
    ];
    for (const name of ["a", "b"]) writeFileSync(join(folder, `${name}.jsonl`), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
    writeFileSync(
        join(folder, "a.usage.json"),
        JSON.stringify({
            billed: [
                [1001, 10, 20000, 0, 9],
                [1010, 0, 100, 20000, 9],
            ],
        }),
    );
    const child = spawn(process.execPath, ["replay.mjs", "--base", `http://127.0.0.1:${server.address().port}`, "--sessions", folder], {
        cwd: import.meta.dirname,
        stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    for await (const bytes of child.stdout) text += bytes;
    server.close();
    rmSync(folder, { recursive: true });
    const report = JSON.parse(text),
        [a, b] = report.each;
    assert.deepEqual([report.sessions, report.calls, report.refused], [2, 6, 0]);
    assert.equal(a.recorded_input, 10_000 + 20_100 * 1250 + 20_000 * 100);
    assert.equal(report.against_recorded.mean, a.billed_input / a.recorded_input);
    assert.equal(a.billed_input, b.billed_input, "each begins cold");
    assert.ok(a.read > 16_500 && a.read < 17_600, "the second call reads");
    assert.ok(a.write_5m > 33_000, "the first and the third, after a pause, write");
});
