// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the drop-ins cost beside the frameworks' own classes in memory: node tests/frameworks/bench.mjs. Milliseconds a call, medians over lists that grow to 201
// messages and some 118,000 characters.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import Anthropic from "@anthropic-ai/sdk";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { emptyCheckpoint, InMemoryStore, uuid6 } from "@langchain/langgraph-checkpoint";
import { MemorySession } from "@openai/agents";
import { wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { Engine, Store } from "libaccp";
import { accpMiddleware } from "libaccp/ai-sdk";
import { withAccp } from "libaccp/anthropic";
import { AccpSaver, AccpStore, accpMessages } from "libaccp/langgraph";
import { AccpSession } from "libaccp/openai-agents";

const folder = mkdtempSync(join(tmpdir(), "accp-bench-"));
let files = 0;
const file = () => `sqlite:${join(folder, `${++files}.db`)}`;
const kTurns = 100;
const textOf = (i) =>
    Array.from({ length: 20 }, (_, line) => `line ${line} of result ${i}: ${(line * 7919 + i * 104729) % 99991} and more words`).join("\n");

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

async function time(times, action) {
    const began = performance.now();
    const result = await action();
    times.push(performance.now() - began);
    return result;
}

function report(name, own, ...ours) {
    const cell = (times) => `${median(times).toFixed(3).padStart(9)}`;
    console.log(`${name.padEnd(44)}${[own, ...ours].map(cell).join("")}`);
}

console.log(`${"milliseconds a call, median".padEnd(44)}${["own", "memory", "SQLite"].map((one) => one.padStart(9)).join("")}`);

// ---- LangGraph

async function saverTimes(saver) {
    const puts = [],
        gets = [],
        messages = [new HumanMessage("Look after the farm")];
    let parent;
    for (let step = 0; step < kTurns; ++step) {
        messages.push(
            new AIMessage({ content: "", tool_calls: [{ id: `c${step}`, name: "read", args: { step } }] }),
            new ToolMessage({ tool_call_id: `c${step}`, content: textOf(step) }),
        );
        const versions = { messages: step + 1, step: step + 1 };
        const checkpoint = { ...emptyCheckpoint(), id: uuid6(step), channel_values: { messages: [...messages], step }, channel_versions: versions };
        const config = { configurable: { thread_id: "t", checkpoint_ns: "", ...(parent && { checkpoint_id: parent }) } };
        parent = (await time(puts, () => saver.put(config, checkpoint, { source: "loop", step, parents: {} }, versions))).configurable.checkpoint_id;
        await time(gets, () => saver.getTuple({ configurable: { thread_id: "t", checkpoint_ns: "" } }));
    }
    return { puts, gets };
}

const savers = [new MemorySaver(), new AccpSaver(), new AccpSaver(file())],
    results = [];
for (const saver of savers) results.push(await saverTimes(saver));
report("MemorySaver, AccpSaver: put()", ...results.map((one) => one.puts));
report("  getTuple()", ...results.map((one) => one.gets));
await Promise.all(savers.slice(1).map((one) => one.close()));

async function storeTimes(store) {
    const puts = [],
        gets = [];
    for (let i = 0; i < 200; ++i) {
        await time(puts, () => store.put(["users", String(i % 10)], `k${i}`, { text: textOf(i) }));
        await time(gets, () => store.get(["users", String(i % 10)], `k${i}`));
    }
    return { puts, gets };
}
const stores = [new InMemoryStore(), new AccpStore(), new AccpStore(file())],
    memories = [];
for (const store of stores) memories.push(await storeTimes(store));
report("InMemoryStore, AccpStore: put()", ...memories.map((one) => one.puts));
report("  get()", ...memories.map((one) => one.gets));
await Promise.all(stores.slice(1).map((one) => one.close()));

// ---- OpenAI Agents

async function sessionTimes(session) {
    const adds = [],
        gets = [];
    for (let i = 0; i < kTurns; ++i) {
        const items = [
            { type: "function_call", callId: `c${i}`, name: "read", status: "completed", arguments: "{}" },
            { type: "function_call_result", callId: `c${i}`, name: "read", status: "completed", output: textOf(i) },
        ];
        await time(adds, () => session.addItems(items));
        await time(gets, () => session.getItems());
    }
    return { adds, gets };
}
const sessions = [new MemorySession(), new AccpSession({ sessionId: "s" }), new AccpSession({ sessionId: "s", store: file() })],
    histories = [];
for (const session of sessions) histories.push(await sessionTimes(session));
report("MemorySession, AccpSession: addItems()", ...histories.map((one) => one.adds));
report("  getItems()", ...histories.map((one) => one.gets));
await Promise.all(sessions.slice(1).map((one) => one.close()));

// ---- contexts

function engines() {
    const memory = Store.openSync("memory:"),
        disk = Store.openSync(file());
    return [new Engine({ store: memory }), new Engine({ store: disk })];
}

async function modelTimes(model) {
    const times = [],
        prompt = [{ role: "user", content: [{ type: "text", text: "Look after the farm" }] }];
    for (let i = 0; i < kTurns; ++i) {
        prompt.push(
            { role: "assistant", content: [{ type: "tool-call", toolCallId: `c${i}`, toolName: "read", input: {} }] },
            { role: "tool", content: [{ type: "tool-result", toolCallId: `c${i}`, toolName: "read", output: { type: "text", value: textOf(i) } }] },
        );
        await time(times, () => model.doGenerate({ prompt, tools: [{ type: "function", name: "read", inputSchema: {} }] }));
    }
    return times;
}
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const mock = () =>
    new MockLanguageModelV4({
        doGenerate: async () => ({ content: [{ type: "text", text: "ok" }], finishReason: { unified: "stop" }, usage, warnings: [] }),
    });
report(
    "a fake model, with accpMiddleware",
    await modelTimes(mock()),
    ...(await each(engines(), (engine) => modelTimes(wrapLanguageModel({ model: mock(), middleware: accpMiddleware({ engine }) })))),
);

async function clientTimes(client) {
    const times = [],
        messages = [{ role: "user", content: "Look after the farm" }];
    for (let i = 0; i < kTurns; ++i) {
        messages.push(
            { role: "assistant", content: [{ type: "tool_use", id: `c${i}`, name: "read", input: {} }] },
            { role: "user", content: [{ type: "tool_result", tool_use_id: `c${i}`, content: textOf(i) }] },
        );
        await time(times, () =>
            client.messages.create({ model: "m", max_tokens: 9, messages, tools: [{ name: "read", input_schema: { type: "object" } }] }),
        );
    }
    return times;
}
const answer = {
    id: "m",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "ok" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 },
};
const client = () => new Anthropic({ apiKey: "k", fetch: async () => Response.json(answer) });
report(
    "a fake provider of Anthropic, with withAccp",
    await clientTimes(client()),
    ...(await each(engines(), (engine) => clientTimes(withAccp(client(), { engine })))),
);

async function hookTimes(shorten) {
    const times = [],
        messages = [new HumanMessage("Look after the farm")];
    for (let i = 0; i < kTurns; ++i) {
        messages.push(
            new AIMessage({ content: "", tool_calls: [{ id: `c${i}`, name: "read", args: {} }] }),
            new ToolMessage({ tool_call_id: `c${i}`, content: textOf(i) }),
        );
        await time(times, () => shorten(messages));
    }
    return times;
}
report(
    "accpMessages().shorten()",
    await hookTimes(async (messages) => messages),
    ...(await each(engines(), (engine) => hookTimes(accpMessages({ engine }).shorten))),
);

async function each(list, action) {
    const made = [];
    for (const one of list) made.push(await action(one));
    return made;
}

rmSync(folder, { recursive: true });
process.exit();
