// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
    Annotation,
    Command,
    DeltaValue,
    END,
    interrupt,
    MemorySaver,
    MessagesAnnotation,
    START,
    StateGraph,
    StateSchema,
} from "@langchain/langgraph";
import { emptyCheckpoint, InMemoryStore, uuid6 } from "@langchain/langgraph-checkpoint";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { Store } from "libaccp";
import { AccpSaver, AccpStore, accpMessages } from "libaccp/langgraph";
import { z } from "zod";
import { breaksOf, checkPairs, kAnswer, kInstructions, kNights, kQuestion, logOf, nextMove, tokensOf } from "./talk.mjs";

const folders = [];
after(() => Promise.all(folders.map((one) => rm(one, { recursive: true }))));

async function file() {
    folders.push(await mkdtemp(join(tmpdir(), "accp-langgraph-")));
    return `sqlite:${join(folders.at(-1), "store.db")}`;
}

async function all(generator) {
    const made = [];
    for await (const one of generator) made.push(one);
    return made;
}

const counter = new StateGraph(Annotation.Root({ log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }), count: Annotation() }))
    .addNode("step", ({ count = 0 }) => ({ log: [`step ${count} ${"x".repeat(500)}`], count: count + 1 }))
    .addEdge(START, "step")
    .addEdge("step", END);

test("a graph continues from SQLite in another saver, and can be read at each checkpoint", async (t) => {
    const url = await file(),
        config = { configurable: { thread_id: "talk" } };
    const first = new AccpSaver(url),
        reference = new MemorySaver();
    const graph = counter.compile({ checkpointer: first }),
        expected = counter.compile({ checkpointer: reference });
    for (let i = 0; i < 5; ++i) {
        await graph.invoke({ log: [`in ${i}`] }, config);
        await expected.invoke({ log: [`in ${i}`] }, config);
    }
    await first.close();
    const second = new AccpSaver(url);
    t.after(() => second.close());
    const again = counter.compile({ checkpointer: second });
    const states = await all(again.getStateHistory(config)),
        others = await all(expected.getStateHistory(config));
    assert.equal(states.length, 15);
    assert.deepEqual(
        states.map((one) => one.values),
        others.map((one) => one.values),
    );
    assert.deepEqual(
        states.map((one) => one.next),
        others.map((one) => one.next),
    );
    await again.invoke({ log: ["in 5"] }, config);
    assert.equal((await again.getState(config)).values.count, 6);
    // a fork in the past, whose versions of channels have the numbers of others
    const past = states.find((one) => one.values.count === 2 && one.next.length === 0);
    const forked = await again.updateState(past.config, { log: ["forked"], count: 100 });
    assert.deepEqual((await again.getState(forked)).values.log, [...past.values.log, "forked"]);
    const result = await again.invoke({ log: ["after"] }, forked);
    assert.equal(result.count, 101);
    assert.equal((await again.getState(states[0].config)).values.count, 5);
    assert.deepEqual(
        (await all(again.getStateHistory(config))).slice(-15).map((one) => one.values),
        others.map((one) => one.values),
    );
});

test("interrupts resume in another saver", async (t) => {
    const url = await file(),
        config = { configurable: { thread_id: "t" } };
    const ask = new StateGraph(Annotation.Root({ said: Annotation() })).addNode("ask", () => ({ said: interrupt("name?") })).addEdge(START, "ask");
    const first = new AccpSaver(url);
    await ask.compile({ checkpointer: first }).invoke({}, config);
    await first.close();
    const second = new AccpSaver(url);
    t.after(() => second.close());
    assert.deepEqual(await ask.compile({ checkpointer: second }).invoke(new Command({ resume: "Ada" }), config), { said: "Ada" });
});

test("two savers of one store take turns on a thread", async (t) => {
    const url = await file(),
        config = { configurable: { thread_id: "t" } };
    const savers = [new AccpSaver(url), new AccpSaver(url)];
    t.after(() => Promise.all(savers.map((one) => one.close())));
    const graphs = savers.map((checkpointer) => counter.compile({ checkpointer }));
    for (let i = 0; i < 6; ++i) assert.equal((await graphs[i % 2].invoke({ log: [`${i}`] }, config)).count, i + 1);
});

async function put(saver, thread, parent, values, step, ts = new Date().toISOString()) {
    const versions = Object.fromEntries(Object.keys(values).map((key) => [key, step + 1]));
    const checkpoint = { ...emptyCheckpoint(), id: uuid6(step), ts, channel_values: values, channel_versions: versions };
    return await saver.put(
        { configurable: { thread_id: thread, checkpoint_ns: "", ...(parent && { checkpoint_id: parent }) } },
        checkpoint,
        { source: "loop", step, parents: {} },
        versions,
    );
}

test("delta storage: a list that grows is written once", async (t) => {
    const store = Store.openSync("memory:");
    const saver = new AccpSaver({ store });
    t.after(async () => {
        await saver.close();
        await store.close();
    });
    const messages = [],
        other = { settings: "y".repeat(5000) };
    let parent,
        size = 0;
    for (let step = 0; step < 100; ++step) {
        messages.push({ role: "user", text: `message ${step} é😀 ${"z".repeat(1000)}` });
        size += JSON.stringify(messages.at(-1)).length;
        parent = (await put(saver, "t", parent, { messages: [...messages], other }, step)).configurable.checkpoint_id;
    }
    const { blobBytes } = await store.counts();
    t.diagnostic(`${blobBytes} bytes stored for a list that has ${size} bytes in the end`);
    assert.ok(blobBytes < 1.8 * size, `${blobBytes} bytes of ${size}`);
    const tuples = await all(saver.list({ configurable: { thread_id: "t" } }));
    assert.equal(tuples.length, 100);
    tuples.reverse().forEach((one, at) => assert.deepEqual(one.checkpoint.channel_values, { messages: messages.slice(0, at + 1), other }));
});

test("values that are edited, shrink, or have another type are kept as they are", async (t) => {
    const url = await file();
    let saver = new AccpSaver(url);
    const values = [
        "a",
        "ab",
        "b",
        "",
        null,
        5,
        ["x"],
        ["x", "é😀"],
        ["x", "é😁"],
        { __proto__: null, a: [1, 2] },
        new Uint8Array([0, 255, 10]),
        new Map([["k", 1]]),
        "\ud83d lone",
        "\ud83d\ude00",
        [new HumanMessage("hi")],
        new Set([1]),
    ];
    let parent;
    for (let step = 0; step < values.length; ++step)
        parent = (await put(saver, "ü/#: thread", parent, { v: values[step] }, step)).configurable.checkpoint_id;
    await saver.close();
    saver = new AccpSaver(url);
    t.after(() => saver.close());
    const reference = new MemorySaver();
    for (let step = 0; step < values.length; ++step) {
        const [type, bytes] = await reference.serde.dumpsTyped(values[step]);
        const expected = await reference.serde.loadsTyped(type, bytes);
        const tuple = await saver.getTuple({
            configurable: {
                thread_id: "ü/#: thread",
                checkpoint_id: (await all(saver.list({ configurable: { thread_id: "ü/#: thread" } }))).at(-1 - step).checkpoint.id,
            },
        });
        assert.deepEqual(tuple.checkpoint.channel_values.v, expected);
    }
});

test("retention keeps the newest checkpoints, and their values", async (t) => {
    const url = await file();
    let saver = new AccpSaver({ store: url, retention: { checkpoints: 3 } });
    const messages = [];
    let parent;
    for (let step = 0; step < 40; ++step) {
        messages.push(`message ${step} ${"z".repeat(2000)}`);
        const config = await put(saver, "t", parent, { messages: [...messages] }, step);
        parent = config.configurable.checkpoint_id;
        await saver.putWrites(config, [["messages", `write ${step}`]], "task");
    }
    await saver.close();
    const store = Store.openSync(url);
    const { blobBytes } = await store.counts();
    assert.ok(blobBytes < 3 * 40 * 2000, `${blobBytes} bytes`);
    await store.close();
    saver = new AccpSaver(url);
    t.after(() => saver.close());
    const tuples = await all(saver.list({ configurable: { thread_id: "t" } }));
    assert.deepEqual(
        tuples.map((one) => one.metadata.step),
        [39, 38, 37],
    );
    assert.deepEqual(tuples[2].checkpoint.channel_values.messages, messages.slice(0, 38));
    assert.deepEqual(tuples[0].pendingWrites, [["task", "messages", "write 39"]]);
    await saver.prune("t", { checkpoints: 1 });
    assert.equal((await all(saver.list({ configurable: { thread_id: "t" } }))).length, 1);
    assert.deepEqual((await saver.getTuple({ configurable: { thread_id: "t" } })).checkpoint.channel_values.messages, messages);
    assert.throws(() => new AccpSaver({ retention: { checkpoints: 0 } }), /whole number from 1/);
});

test("retention by age", async (t) => {
    const saver = new AccpSaver({ retention: { maxAgeMs: 60_000 } });
    t.after(() => saver.close());
    await put(saver, "t", undefined, { v: 1 }, 0, new Date(Date.now() - 120_000).toISOString());
    await put(saver, "t", undefined, { v: 2 }, 1);
    assert.deepEqual(
        (await all(saver.list({ configurable: { thread_id: "t" } }))).map((one) => one.metadata.step),
        [1],
    );
});

test("retention keeps what a DeltaChannel of LangGraph is made from", async (t) => {
    const savers = [new MemorySaver(), new AccpSaver({ store: await file(), retention: { checkpoints: 2 } })];
    t.after(() => savers[1].close());
    const State = new StateSchema({
        notes: new DeltaValue(
            z.array(z.string()).default(() => []),
            { inputSchema: z.array(z.string()), reducer: (now, all) => [...now, ...all.flat()], snapshotFrequency: 7 },
        ),
    });
    const graphs = savers.map((checkpointer) =>
        new StateGraph(State)
            .addNode("step", ({ notes }) => ({ notes: [`after ${notes.length}`] }))
            .addEdge(START, "step")
            .compile({ checkpointer }),
    );
    const config = { configurable: { thread_id: "t" } };
    for (let i = 0; i < 30; ++i) {
        const [expected, values] = await Promise.all(graphs.map((one) => one.invoke({ notes: [`in ${i}`] }, config)));
        assert.deepEqual(values, expected);
    }
    assert.equal((await graphs[1].getState(config)).values.notes.length, 60);
    const count = (await all(savers[1].list(config))).length;
    assert.ok(count >= 2 && count < 30, `${count} checkpoints`);
});

test("threads are copied and deleted", async (t) => {
    const url = await file(),
        saver = new AccpSaver(url);
    t.after(() => saver.close());
    const graph = counter.compile({ checkpointer: saver }),
        long = "l".repeat(500);
    for (let i = 0; i < 3; ++i) await graph.invoke({ log: [`${i}`] }, { configurable: { thread_id: "a" } });
    await saver.copyThread("a", long);
    const values = async (thread) => (await all(graph.getStateHistory({ configurable: { thread_id: thread } }))).map((one) => one.values);
    assert.deepEqual(await values(long), await values("a"));
    await graph.invoke({ log: ["more"] }, { configurable: { thread_id: long } });
    assert.equal((await values("a"))[0].count, 3);
    assert.equal((await values(long))[0].count, 4);
    assert.deepEqual((await saver.threadIds()).sort(), ["a", long].sort());
    await saver.deleteThread("a");
    await saver.deleteThread("a");
    assert.deepEqual(await values("a"), []);
    assert.deepEqual(await saver.threadIds(), [long]);
    await assert.rejects(saver.copyThread("a", "b"), /there is no thread a/);
    await assert.rejects(saver.copyThread(long, long), /both/);
    // reading a thread that does not exist makes none
    assert.equal(await saver.getTuple({ configurable: { thread_id: "nobody" } }), undefined);
    assert.deepEqual(await saver.threadIds(), [long]);
    await assert.rejects(saver.put({ configurable: { thread_id: 5 } }, emptyCheckpoint(), {}, {}), /must be a string/);
});

// ---- long-term memory

const operations = [
    (store) => store.put(["users", "1"], "a", { text: "likes tea", n: 1 }),
    (store) => store.put(["users", "1"], "b", { text: "likes coffee", n: 5 }),
    (store) => store.put(["users", "2"], "a", { text: "plays chess", n: 9, deep: { x: [1] } }),
    (store) => store.put(["docs"], "d", { text: "manual" }),
    (store) => store.put(["users", "1"], "b", { text: "likes mate", n: 6 }),
    (store) => store.delete(["docs"], "d"),
];
const queries = [
    (store) => store.get(["users", "1"], "b"),
    (store) => store.get(["users", "1"], "none"),
    (store) => store.search(["users"], { filter: { n: { $gt: 4 } } }),
    (store) => store.search(["users", "1"]),
    (store) => store.search(["users"], { filter: { n: 1 }, limit: 1 }),
    (store) => store.search([], { limit: 1, offset: 1 }),
    (store) => store.listNamespaces({ prefix: ["users"] }),
    (store) => store.listNamespaces({ suffix: ["1"], maxDepth: 1 }),
    (store) => store.listNamespaces({ prefix: ["*", "2"] }),
];

const plain = (value) => JSON.parse(JSON.stringify(value, (key, one) => (key === "createdAt" || key === "updatedAt" ? undefined : one)) ?? "null");

test("AccpStore answers as LangGraph's own store in memory, and continues from SQLite", async (t) => {
    const url = await file(),
        reference = new InMemoryStore();
    let store = new AccpStore(url);
    for (const one of operations) await Promise.all([one(store), one(reference)]);
    const created = (await store.get(["users", "1"], "b")).createdAt;
    for (let round = 0; round < 2; ++round) {
        for (const one of queries) assert.deepEqual(plain(await one(store)), plain(await one(reference)), String(one));
        await store.close();
        store = new AccpStore(url);
    }
    t.after(() => store.close());
    assert.deepEqual((await store.get(["users", "1"], "b")).createdAt, created);
    const [, found] = await store.batch([
        { namespace: ["x"], key: "k", value: { a: 1 } },
        { namespace: ["x"], key: "k" },
    ]);
    assert.equal(found, null); // reads of a batch come first
    assert.deepEqual((await store.get(["x"], "k")).value, { a: 1 });
    await assert.rejects(store.put([], "k", {}), /[Nn]amespace/);
});

test("AccpStore forgets what was replaced", async (t) => {
    const base = Store.openSync("memory:"),
        store = new AccpStore({ store: base, name: "mine" });
    t.after(async () => {
        await store.close();
        await base.close();
    });
    for (let i = 0; i < 1500; ++i) await store.put(["x"], `k${i % 3}`, { a: i });
    assert.ok((await base.counts()).blobs < 520);
    assert.deepEqual(
        (await store.search(["x"])).map((one) => [one.key, one.value.a]),
        [
            ["k0", 1497],
            ["k1", 1498],
            ["k2", 1499],
        ],
    );
});

test("AccpStore searches by meaning, and makes each vector once", async (t) => {
    const url = await file();
    let asked = 0;
    const embed = (text) => [/tea|coffee/.test(text) ? 1 : 0, /chess/.test(text) ? 1 : 0, 0.1];
    const index = {
        dims: 3,
        fields: ["text"],
        embeddings: { embedDocuments: async (texts) => ((asked += texts.length), texts.map(embed)), embedQuery: async (text) => embed(text) },
    };
    let store = new AccpStore({ store: url, index });
    const reference = new InMemoryStore({ index });
    for (const one of operations.slice(0, 4)) await Promise.all([one(store), one(reference)]);
    const before = asked;
    await store.close();
    store = new AccpStore({ store: url, index });
    t.after(() => store.close());
    const search = async (one) =>
        (await one.search(["users"], { query: "who plays chess?" })).map(({ key, namespace, score }) => [key, namespace, score.toFixed(6)]);
    assert.deepEqual(await search(store), await search(reference));
    await store.put(["users", "3"], "c", { text: "likes tea" });
    assert.equal(asked, before);
});

// ---- contexts

class Scripted extends BaseChatModel {
    requests = [];
    tools = [];
    calls = 0;

    constructor() {
        super({});
    }

    _llmType() {
        return "scripted";
    }

    bindTools(tools) {
        this.tools = tools;
        return this;
    }

    async _generate(messages) {
        this.requests.push(
            messages.map((one) => ({ type: one.getType(), content: one.content, tool_calls: one.tool_calls, tool_call_id: one.tool_call_id })),
        );
        const results = messages.filter((one) => one.getType() === "tool").map((one) => ({ name: one.name, text: one.content }));
        const move = nextMove(results);
        const message = new AIMessage(
            move.text !== undefined ? move.text : { content: "", tool_calls: [{ id: `call_${++this.calls}`, name: move.call, args: move.input }] },
        );
        return { generations: [{ text: "", message }] };
    }
}

const readLog = tool(({ night }) => logOf(night), { name: "read_log", description: "The log of a night", schema: z.object({ night: z.number() }) });
const pairsOf = (request) =>
    request.flatMap((one) => [
        ...(one.tool_calls ?? []).map((call) => ({ call: call.id })),
        ...(one.tool_call_id ? [{ result: one.tool_call_id }] : []),
    ]);

test("preModelHook: a long run sends less, keeps its front, and gets back what was left out", async (t) => {
    const accp = accpMessages(),
        saver = new AccpSaver();
    t.after(() => Promise.all([accp.close(), saver.close()]));
    const input = { messages: [new HumanMessage(kQuestion)] },
        config = { configurable: { thread_id: "t" }, recursionLimit: 500 };
    const bare = new Scripted(),
        model = new Scripted();
    await createReactAgent({ llm: bare, tools: [readLog], prompt: kInstructions }).invoke(input, config);
    const agent = createReactAgent({
        llm: model,
        tools: [readLog, accp.tool],
        prompt: kInstructions,
        preModelHook: accp.preModelHook,
        checkpointer: saver,
    });
    const result = await agent.invoke(input, config);
    assert.equal(result.messages.at(-1).content, `It stopped at ${kAnswer.split(" at ")[1]}.`);
    assert.equal(model.requests.length, kNights + 2);
    for (const one of model.requests) checkPairs(pairsOf(one));
    const breaks = breaksOf(model.requests),
        share = tokensOf(model.requests) / tokensOf(bare.requests);
    assert.ok(breaks >= 1 && breaks <= 8);
    t.diagnostic(`input tokens: ${share.toFixed(3)} of those without the hook, ${breaks} times results were left out`);
    assert.ok(share < 0.75);
    // the state has everything
    const state = await agent.getState(config);
    assert.equal(state.values.messages.find((one) => one.getType() === "tool").content, logOf(0));
    // another turn, in another process
    const fresh = accpMessages();
    t.after(() => fresh.close());
    const sent = await fresh.shorten(state.values.messages, config);
    assert.ok(sent.length === state.values.messages.length);
});

test("messages with unknown content stay the same objects", async (t) => {
    const accp = accpMessages();
    t.after(() => accp.close());
    const messages = [
        new SystemMessage(kInstructions),
        new HumanMessage({
            content: [
                { type: "text", text: kQuestion },
                { type: "image_url", image_url: { url: "data:," } },
            ],
            additional_kwargs: { x: 1 },
        }),
    ];
    for (let i = 0; i < kNights; ++i) {
        messages.push(
            new AIMessage({
                content: [
                    { type: "thinking", thinking: "t", signature: "s" },
                    { type: "text", text: `Night ${i}` },
                    { type: "tool_use", id: `c${i}`, name: "read_log", input: { night: i } },
                    { type: "vendor_block", v: i },
                ],
                tool_calls: [{ id: `c${i}`, name: "read_log", args: { night: i } }],
                response_metadata: { model: "m" },
                id: `m${i}`,
            }),
        );
        messages.push(
            new ToolMessage({
                tool_call_id: `c${i}`,
                name: "read_log",
                content: i % 20 ? logOf(i) : [{ type: "text", text: logOf(i), cache_control: { type: "ephemeral" } }],
                artifact: { raw: i },
                status: "success",
            }),
        );
    }
    let sent;
    for (let length = 4; length <= messages.length; length += 2) sent = await accp.shorten(messages.slice(0, length));
    assert.equal(sent.length, messages.length);
    let left = 0;
    sent.forEach((one, at) => {
        const was = messages[at];
        if (one === was) return;
        ++left;
        assert.ok(one instanceof ToolMessage);
        assert.deepEqual([one.tool_call_id, one.name, one.artifact, one.status], [was.tool_call_id, was.name, was.artifact, was.status]);
        if (Array.isArray(was.content)) assert.deepEqual(one.content, [{ ...was.content[0], text: one.content[0].text }]);
        assert.equal(JSON.parse(JSON.stringify(one)).kwargs.content.length, one.content.length);
    });
    assert.ok(left >= 3);
});
