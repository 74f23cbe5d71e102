// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The official .NET SDKs play a conversation to its end before accp proxy, whole and streamed: untouched, with results that are left out, and with calls of
// accp_resolve. ACCP is the command, ACCP_DOTNET_CLIENT the program of dotnet/.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { ask } from "./client.mjs";
import { endAll, startProxy } from "./processes.mjs";
import { createProvider } from "./server.mjs";

const kReads = 12; // before the pause
const kChunk = { chunk: [1, 2, 3, 50, 700], pings: 4 };
const read = (number) => ({ name: "Read", arguments: { file_path: `src/ä${number}.ts` } });
const seeAgain = (place) => ({ name: "accp_resolve", arguments: { left_out: place } });
const kBegin = Array.from({ length: kReads }, (_, number) => ({ text: `Reading ${number}.`, thinking: "größer 🙂", calls: [read(number), read(number + 50)], ...kChunk }));
const kEnd = [{ text: "日本語", calls: [read(20)], ...kChunk }, { text: "The end.", ...kChunk }];
const kResolves = [
    { thinking: "Was?", text: "I look again.", calls: [seeAgain(0)], ...kChunk },
    { thinking: "A file.", text: "Now I know.", calls: [read(20)], ...kChunk },
    { text: "Both.", calls: [seeAgain(1), read(21)], ...kChunk },
    { text: "The end.", ...kChunk },
];

const lines = [],
    server = createProvider({ isVirtual: true, log: (line) => lines.push(line) });
let provider,
    untouching, // a proxy that changes nothing
    proxy,
    child, // the program of the SDKs
    output,
    errors = "";
before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    provider = { url: `http://127.0.0.1:${server.address().port}` };
    [untouching, proxy] = await Promise.all([startProxy(provider, "--untouched"), startProxy(provider)]);
    child = spawn("dotnet", [process.env.ACCP_DOTNET_CLIENT]);
    output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.on("data", (bytes) => (errors += bytes));
});
after(() => {
    child?.kill();
    endAll();
    server.close();
    server.closeAllConnections();
});

// Plays a conversation and returns what the provider got of it last, as text.
async function play({ url }, how, turns, shown) {
    await ask(`${provider.url}/__test/reset`, {});
    await ask(`${provider.url}/__test/script`, { conversations: [{ marker: "ALPHA", tools: ["Read"], turns: [...kBegin, ...turns] }] });
    lines.length = 0;
    child.stdin.write(`${how} ${url}\n`);
    const { value } = await output.next();
    assert.ok(value, `the program of the SDKs ended: ${errors}`);
    const words = JSON.parse(value);
    assert.deepEqual(await ask(`${provider.url}/__test/refused`), []);
    assert.deepEqual(words.slice(0, kReads), kBegin.map(({ text }) => text));
    assert.deepEqual(
        words.slice(kReads).map((text) => text.replaceAll(/\s+/g, " ")),
        shown,
    );
    const bodies = lines.filter(({ body }) => body?.model);
    assert.equal(bodies.length, kReads + turns.length);
    return JSON.stringify(bodies.at(-1).body);
}

for (const api of ["messages", "chat", "responses"])
    for (const how of ["whole", "streamed"]) {
        test(`.NET, ${api}, ${how}: untouched, left out, and accp_resolve`, async () => {
            const name = `${api} ${how}`,
                plain = ["日本語", "The end."];
            const untouched = await play(untouching, name, kEnd, plain);
            assert.ok(!untouched.includes("accp_resolve"));
            assert.ok(!untouched.includes("left out"));
            const leftOut = await play(proxy, name, kEnd, plain);
            assert.match(leftOut, /\[Read src\/ä\d+\.ts: 80 lines, [\d,]+ tokens, left out to save cost\. To see it: accp_resolve \d+\.\]/);
            const first = api === "responses" ? "I look again.Now I know." : "I look again. Now I know.";
            const resolved = await play(proxy, name, kResolves, [first, "Both.", "The end."]);
            assert.equal(resolved.match(/"name":"accp_resolve",(?:"input"|"arguments")/g).length, 2);
        });
    }
