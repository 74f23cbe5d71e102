// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy in front of the stand-in: the requests that it sends, their bill, and that a kill changes no byte of them. ACCP is the command.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ask } from "./client.mjs";
import { end, endAll, startProvider, startProxy } from "./processes.mjs";

const kTurns = 60;
const folder = mkdtempSync(join(tmpdir(), "accp-proxy-"));
after(() => {
    endAll();
    rmSync(folder, { recursive: true });
});

// Returns the result of call n: about 900 tokens, different for each call.
const resultOf = (n) => Array.from({ length: 80 }, (_, line) => `line ${line} of file ${n}: value_${n}_${line} = ${n * 131 + line * 17}`).join("\n");

// Returns the request of a coding agent for its call n, with marks as Claude Code sets them.
function requestOf(n) {
    const messages = [{ role: "user", content: "Read all files." }];
    for (let i = 0; i < n; ++i) {
        messages.push({ role: "assistant", content: [{ type: "tool_use", id: `toolu_${i}`, name: "Read", input: { file_path: `src/f${i}.ts` } }] });
        messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${i}`, content: resultOf(i) }] });
    }
    const last = messages.at(-1);
    if (typeof last.content === "string") last.content = [{ type: "text", text: last.content }];
    last.content.at(-1).cache_control = { type: "ephemeral" };
    const tool = { name: "Read", description: "Reads a file.", input_schema: { type: "object", properties: { file_path: { type: "string" } } }, cache_control: { type: "ephemeral" } };
    const system = [{ type: "text", text: "You are a coding agent. ".repeat(600), cache_control: { type: "ephemeral" } }];
    return { model: "claude-sonnet-4-5", max_tokens: 100, system, tools: [tool], messages };
}
const heads = (n) => ({ "x-api-key": "made-up", "anthropic-version": "2023-06-01", "x-test-now-ms": String(1e12 + n * 10_000), "x-test-conversation": "one" });

async function billOf(provider) {
    const bill = await ask(`${provider.url}/__test/bill`);
    return (bill.conversations ?? bill).one?.billed_input ?? Object.values(bill.conversations ?? bill)[0].billed_input;
}
// Sums up a file of --calls.
function sumOf(calls) {
    const lines = readFileSync(calls, "utf8").trim().split("\n").map((line) => JSON.parse(line)),
        sum = (member) => lines.reduce((all, line) => all + line[member], 0);
    return { calls: lines.length, billed: sum("billed"), untouched: sum("untouched"), error: sum("error") };
}
const bodiesIn = (log) =>
    readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(({ body }) => body?.messages)
        .map(({ body }) => body);
const withoutMarks = (value) => JSON.parse(JSON.stringify(value, (key, member) => (key === "cache_control" ? undefined : member)));

// Makes all calls. `each` runs before each one and returns the URL to call.
async function converse(each) {
    for (let n = 0; n < kTurns; ++n) await ask(`${await each(n)}/v1/messages`, requestOf(n), heads(n));
}

test("old results become lines, the rest stays as it came, and the bill falls", async () => {
    const direct = await startProvider(join(folder, "direct.log"));
    await converse(() => direct.url);
    const log = join(folder, "proxied.log"),
        provider = await startProvider(log),
        calls = join(folder, "calls.jsonl"),
        proxy = await startProxy(provider, "--calls", calls);
    await converse(() => proxy.url);
    assert.deepEqual(await ask(`${provider.url}/__test/refused`), await ask(`${direct.url}/__test/refused`));

    let lines = 0;
    let before = [];
    bodiesIn(log).forEach((sent, n) => {
        const asked = withoutMarks(requestOf(n)),
            messages = withoutMarks(sent).messages;
        assert.equal(sent.tools.length, 2);
        assert.equal(sent.tools[1].name, "accp_resolve");
        assert.deepEqual({ ...withoutMarks(sent), messages: 0, tools: 0 }, { ...asked, messages: 0, tools: 0 });
        assert.equal(messages.length, asked.messages.length);
        messages.forEach((message, i) => {
            if (JSON.stringify(message) === JSON.stringify(asked.messages[i])) return;
            const [block] = message.content,
                whole = asked.messages[i].content[0];
            assert.deepEqual({ ...block, content: 0 }, { ...whole, content: 0 });
            assert.match(block.content, /^\[Read src\/f\d+\.ts: 80 lines, .*\]$/);
            assert.ok(i < messages.length - 1, "the newest result is whole");
            ++lines;
        });
        // a result that became a line stays the same line
        before.forEach((message, i) => {
            const text = JSON.stringify(message);
            if (text.includes("left out")) assert.equal(JSON.stringify(messages[i]), text);
        });
        before = messages;
    });
    assert.ok(lines > kTurns, `${lines} results were lines`);
    const [bill, untouched] = [await billOf(provider), await billOf(direct)];
    assert.ok(bill < 0.95 * untouched, `${bill} of ${untouched}`);

    await end(proxy.child, "SIGTERM");
    const [summary, unit] = proxy.child.lines.slice(-2);
    assert.match(summary, /60 calls, billed \$\d.* saved; \d+ results were left out/);
    assert.match(unit, /^\$: US dollars/);
    // the estimate of the untouched bill is near the bill of the untouched run
    const sum = sumOf(calls);
    assert.equal(sum.calls, kTurns);
    assert.ok(Math.abs(sum.billed / sum.untouched - bill / untouched) < 0.01, JSON.stringify({ sum, bill, untouched }));
    for (const { child } of [direct, provider]) await end(child, "SIGKILL");
});

test("what a restart without a store costs is in the account", async () => {
    const calls = join(folder, "restart.jsonl"),
        direct = await startProvider(join(folder, "restart-direct.log")),
        provider = await startProvider(join(folder, "restart.log"));
    await converse(() => direct.url);
    let proxy = await startProxy(provider, "--calls", calls);
    await converse(async (n) => {
        if (n === 50) {
            await end(proxy.child, "SIGTERM");
            proxy = await startProxy(provider, "--calls", calls);
        }
        return proxy.url;
    });
    const sum = sumOf(calls),
        [bill, untouched] = [await billOf(provider), await billOf(direct)];
    assert.ok(Math.abs(sum.billed / sum.untouched - bill / untouched) < 0.03, JSON.stringify({ sum, bill, untouched }));
    assert.ok(sum.error > 0.03 * sum.untouched, "nobody knows whether the cache had expired");
    for (const { child } of [proxy, direct, provider]) await end(child, "SIGKILL");
});

test("with --marks, a client without cache marks pays less", async () => {
    const bills = [];
    for (const options of [[], ["--marks"]]) {
        const provider = await startProvider(join(folder, "marks.log")),
            proxy = await startProxy(provider, ...options);
        for (let n = 0; n < kTurns; ++n) await ask(`${proxy.url}/v1/messages`, withoutMarks(requestOf(n)), heads(n));
        assert.deepEqual(await ask(`${provider.url}/__test/refused`), []);
        bills.push(await billOf(provider));
        for (const { child } of [proxy, provider]) await end(child, "SIGKILL");
    }
    assert.ok(bills[1] < 0.7 * bills[0], JSON.stringify(bills));
});

test("a conversation that was killed and started again sends the same bytes", async () => {
    const sent = [];
    for (const kills of [false, true]) {
        const log = join(folder, `kills-${kills}.log`),
            provider = await startProvider(log),
            store = ["--store", `sqlite:${join(folder, `kills-${kills}.db`)}`];
        let proxy = await startProxy(provider, ...store);
        await converse(async (n) => {
            if (kills && n % 3 === 2) {
                await end(proxy.child, "SIGKILL");
                proxy = await startProxy(provider, ...store);
            }
            return proxy.url;
        });
        // The stand-in logs a request after its response has ended.
        for (let tries = 0; bodiesIn(log).length < kTurns && tries < 6000; ++tries) await new Promise((resolve) => setTimeout(resolve, 20));
        sent.push(bodiesIn(log));
        for (const { child } of [proxy, provider]) await end(child, "SIGKILL");
    }
    assert.ok(JSON.stringify(sent[0]).includes("left out"));
    assert.deepEqual(sent[1], sent[0]);
});

test("--untouched changes nothing", async () => {
    const log = join(folder, "untouched.log"),
        provider = await startProvider(log),
        proxy = await startProxy(provider, "--untouched");
    await converse(() => proxy.url);
    bodiesIn(log).forEach((body, n) => assert.deepEqual(body, requestOf(n)));
    for (const { child } of [proxy, provider]) await end(child, "SIGKILL");
});

test("proxy run sets the agent's variables and returns its exit status", async () => {
    const provider = await startProvider(join(folder, "run.log"));
    const script = "test -n \"$ANTHROPIC_BASE_URL\" && case $OPENAI_BASE_URL in http://127.0.0.1:*/v1) exit 7;; esac; exit 1";
    const child = spawn(process.env.ACCP, ["proxy", "run", "--upstream", `anthropic=${provider.url}`, "--", "sh", "-c", script]);
    let text = "";
    child.stderr.on("data", (data) => (text += data));
    assert.equal(await new Promise((resolve) => child.on("exit", resolve)), 7);
    assert.match(text, /no call of a model/);
    await end(provider.child, "SIGKILL");
});
