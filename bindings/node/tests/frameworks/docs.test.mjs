// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the programs of docs/frameworks.md word by word, before and after, each in an empty folder, against the stand-in of tests/system/proxy.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HumanMessage } from "@langchain/core/messages";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Engine, Store } from "libaccp";
import { accpMessages, AccpSaver, AccpStore } from "libaccp/langgraph";
import { AccpSession } from "libaccp/openai-agents";
import { createProvider } from "../../../../tests/system/proxy/server.mjs";
import { Script } from "../../../../tests/system/proxy/script.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const page = await readFile(join(here, "../../docs/frameworks.md"), "utf8");
const farm = /<!-- file: farm\.mjs -->\n```js\n(.*?)```/s.exec(page)[1];
const programs = [...page.matchAll(/<!-- program: ([a-z-]+) -->\n```diff\n(.*?)```/gs)].map(([, name, text]) => {
    const lines = text.split("\n"),
        of = (sign) =>
            lines
                .filter((one) => one[0] !== sign)
                .map((one) => one.slice(1))
                .join("\n");
    return { name, before: of("+"), after: of("-"), added: lines.filter((one) => one.startsWith("+")).length };
});

let server, url;
before(async () => {
    server = createProvider();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
    server.close();
    server.closeAllConnections();
});

const reads = Array.from({ length: 40 }, (_, night) => ({ calls: [{ name: "read_log", arguments: { night } }] }));
const answer = { text: "It stopped at 7:13." };
const sessions = new Map([
    ["ai-sdk", 3],
    ["ai-sdk-steps", 3],
    ["langgraph", 3],
    ["langchain", 3],
    ["anthropic", 3],
    ["openai", 3],
    ["openai-agents", 3],
]);

function script(name, isAfter) {
    const see = { calls: [{ name: "accp_resolve", arguments: { ref: `$cold.m${sessions.get(name)}`, query: "worker-1 " } }] };
    return new Script({
        conversations: [
            { marker: "build farm", tools: ["read_log"], turns: [...reads, ...(isAfter ? [see] : []), answer] },
            { marker: "invoice for March", tools: ["transfer_to_Billing"], turns: [{ calls: [{ name: "transfer_to_Billing", arguments: {} }] }] },
        ],
        otherwise: { text: "The invoice is written." },
    });
}

async function folderOf(program, t) {
    // inside the package, so that its name and its development dependencies are found
    const folder = await mkdtemp(join(here, ".docs-"));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "farm.mjs"), farm);
    await writeFile(join(folder, "program.mjs"), program);
    return folder;
}

function environment(name) {
    const v1 = name.startsWith("ai-sdk") ? "/v1" : "";
    return {
        PATH: process.env.PATH,
        HOME: here,
        ANTHROPIC_API_KEY: "made-up",
        ANTHROPIC_BASE_URL: `${url}${v1}`,
        OPENAI_API_KEY: "made-up",
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_AGENTS_DISABLE_TRACING: "1",
    };
}

async function run(name, program, t) {
    const cwd = await folderOf(program, t);
    const [error, stdout, stderr] = await new Promise((resolve) =>
        execFile(process.execPath, ["program.mjs"], { cwd, env: environment(name), timeout: 600_000 }, (...all) => resolve(all)),
    );
    assert.equal(error, null, `${stdout}${stderr}${JSON.stringify(server.provider.refused).slice(0, 500)}`);
    assert.deepEqual(server.provider.refused, []);
    return stdout;
}

const billed = () => Object.values(server.provider.bill.conversations).reduce((sum, one) => sum + one.billed_input, 0);

for (const { name, before: without, after: withIt, added } of programs) {
    test(`${name}: the program before and after`, async (t) => {
        assert.ok(added >= 1 && added <= 5, `${added} lines are added`);
        if (name === "mcp") return await checkMcp(withIt, t);
        const results = [];
        for (const [isAfter, program] of [
            [false, without],
            [true, withIt],
        ]) {
            server.provider.reset();
            server.provider.script = script(name, isAfter);
            results.push({ stdout: await run(name, program, t), bill: billed() });
        }
        assert.ok(results[0].stdout.trim().length > 5);
        assert.equal(results[1].stdout, results[0].stdout);
        if (!sessions.has(name)) return undefined;
        // the tool gave the line back, which is not in the request otherwise
        const last = JSON.stringify(Object.values(server.provider.last).at(-1));
        assert.match(last, /400 lines, \d+ tokens: \$cold/);
        assert.match(last, /worker-1 stopped at 7:13/);
        t.diagnostic(`billed input: ${(results[1].bill / results[0].bill).toFixed(3)} of that before`);
        assert.ok(results[1].bill < 0.8 * results[0].bill);
        return undefined;
    });
}

async function checkMcp(program, t) {
    const cwd = await folderOf(program, t),
        client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: ["program.mjs"], cwd, env: environment("mcp") }));
    t.after(() => client.close());
    assert.equal((await client.listTools()).tools.length, 10);
    await client.callTool({ name: "session_append", arguments: { messages: [{ role: "user", content: "hello" }] } });
    assert.match((await client.callTool({ name: "session_context", arguments: {} })).content[0].text, /hello/);
}

const fileOf = (name) => new RegExp(`<!-- file: ${name}\\.mjs -->\n\`\`\`js\n(.*?)\`\`\``, "s").exec(page)[1];

test("a restart: the program goes on with its conversation", async (t) => {
    server.provider.reset();
    server.provider.script = new Script({ conversations: [], otherwise: { text: "Yes." } });
    const cwd = await folderOf(fileOf("restart"), t),
        run = promisify(execFile);
    const said = [];
    for (const words of ["first", "second", "third"]) said.push((await run(process.execPath, ["program.mjs", words], { cwd, env: environment("openai"), timeout: 600_000 })).stdout);
    said.forEach((text, i) => assert.match(text, new RegExp(`^${2 * i + 2} messages: Yes\\.\ntokens: \\d+ of \\d+\n$`)));
    const store = await Store.open(`sqlite:${join(cwd, "talks.db")}`);
    t.after(() => store.close());
    assert.match((await store.sessions()).join(), /^chat-[\w-]+$/);
    assert.deepEqual(server.provider.refused, []);
});

test("sessions are named as the page says, and forget() removes those of a conversation", async (t) => {
    const store = await Store.open("memory:"),
        engine = new Engine({ store });
    t.after(() => store.close());
    const accp = accpMessages({ engine }),
        saver = new AccpSaver({ store }),
        session = new AccpSession({ sessionId: "farm", store }),
        memory = new AccpStore({ store, name: "farm" });
    const checkpoint = { v: 4, id: "1ef4f797-8335-6428-8001-8a1503f9b875", ts: new Date(0).toISOString(), channel_values: {}, channel_versions: {}, versions_seen: {} };
    await saver.put({ configurable: { thread_id: "farm", checkpoint_ns: "" } }, checkpoint, { source: "input", step: 0, parents: {} }, {});
    await session.addItems([{ role: "user", content: "a" }]);
    await memory.put(["a"], "b", { c: 1 });
    for (const ns of ["", "sub:1|model:2"]) await accp.shorten([new HumanMessage("a")], { configurable: { thread_id: "farm", checkpoint_ns: ns } });
    await accp.shorten([new HumanMessage("b")], { configurable: { thread_id: "farm" } });
    await accp.shorten([new HumanMessage("a")], { configurable: { thread_id: "farm2" } });
    await accp.shorten([new HumanMessage("a")]);
    const sessions = async () => (await store.sessions()).sort().map((one) => one.replace(/chat-.*/, "chat-HASH").replace(/\.[0-9A-F]+$/, ".HASH"));
    assert.deepEqual(await sessions(), ["agents-farm", "chat-HASH", "graph-farm", "graph-farm.HASH", "graph-farm/sub", "graph-farm2", "langgraph-farm", "langgraph_store-farm"]);
    await saver.deleteThread("farm");
    await session.clearSession();
    assert.deepEqual(await sessions(), ["agents-farm", "chat-HASH", "graph-farm", "graph-farm.HASH", "graph-farm/sub", "graph-farm2", "langgraph_store-farm"]);
    const { forget } = await import(`data:text/javascript,${encodeURIComponent(fileOf("forget"))}`);
    await forget(store, "graph-farm");
    assert.deepEqual(await sessions(), ["agents-farm", "chat-HASH", "graph-farm2", "langgraph_store-farm"]);
    await accp.shorten([new HumanMessage("b")], { configurable: { thread_id: "farm" } });
    assert.ok((await sessions()).includes("graph-farm"));
    await accp.close();
});

test("the page has a program for each export", () => {
    for (const name of ["ai-sdk", "langgraph", "anthropic", "openai", "openai-agents", "mcp"])
        assert.ok(
            programs.some((one) => one.name === name),
            name,
        );
});
