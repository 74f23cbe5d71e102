// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Agent, handoff, MemorySession, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { AccpSession, accpHandoffFilter, accpModel, accpModelProvider } from "libaccp/openai-agents";
import { z } from "zod";
import { breaksOf, checkPairs, kAnswer, kInstructions, kNights, kQuestion, logOf, nextMove, refIn, tokensOf } from "./talk.mjs";

setTracingDisabled(true);
const folders = [];
after(() => Promise.all(folders.map((one) => rm(one, { recursive: true }))));

async function file() {
    folders.push(await mkdtemp(join(tmpdir(), "accp-agents-")));
    return `sqlite:${join(folders.at(-1), "agents.db")}`;
}

const textOf = (output) => (typeof output === "string" ? output : Array.isArray(output) ? output.map((one) => one.text).join("") : output.text);
const kReply = `It stopped at ${kAnswer.split(" at ")[1]}.`;

/** A model that does what `move` says for the results so far. */
class Scripted {
    requests = [];
    calls = 0;

    constructor(move = (input) => nextMove(resultsOf(input))) {
        this.move = move;
    }

    async getResponse(request) {
        this.requests.push(request);
        const output = [this.move(request.input)].flat().map((move) =>
            move.text !== undefined
                ? {
                      type: "message",
                      id: `m${this.requests.length}`,
                      role: "assistant",
                      status: "completed",
                      content: [{ type: "output_text", text: move.text }],
                      providerData: { vendor: 1 },
                  }
                : {
                      type: "function_call",
                      id: `f${++this.calls}`,
                      callId: `call_${this.calls}`,
                      name: move.call,
                      status: "completed",
                      arguments: JSON.stringify(move.input),
                  },
        );
        return {
            usage: new Usage({ requests: 1, inputTokens: 10, outputTokens: 2, totalTokens: 12 }),
            output,
            responseId: `r${this.requests.length}`,
        };
    }

    async *getStreamedResponse(request) {
        yield { type: "response_started" };
        const { output, responseId } = await this.getResponse(request);
        for (const [at, item] of output.entries()) {
            yield { type: "model", event: { type: "response.output_item.added", output_index: at, item } };
            if (item.type === "message") yield { type: "output_text_delta", delta: item.content[0].text };
        }
        yield { type: "response_done", response: { id: responseId, usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 }, output } };
    }
}

function resultsOf(input) {
    const names = new Map(input.filter((one) => one.type === "function_call").map((one) => [one.callId, one.name]));
    return input.filter((one) => one.type === "function_call_result").map((one) => ({ name: names.get(one.callId), text: textOf(one.output) }));
}

const pairsOf = (input) =>
    input.flatMap((one) =>
        one.type === "function_call" ? [{ call: one.callId }] : one.type === "function_call_result" ? [{ result: one.callId }] : [],
    );
const readLog = tool({
    name: "read_log",
    description: "The log of a night",
    parameters: z.object({ night: z.number() }),
    execute: ({ night }) => logOf(night),
});
const agentOf = (model) => new Agent({ name: "Farmer", instructions: kInstructions, tools: [readLog], model });
const runner = new Runner();

for (const stream of [false, true]) {
    test(`accpModel, ${stream ? "streamed" : "whole"}: a long run sends less, keeps its front, and gets back what was left out`, async (t) => {
        const bare = new Scripted(),
            inner = new Scripted(),
            model = accpModel(inner);
        t.after(() => model.close());
        const collect = async (of) => {
            const result = await runner.run(agentOf(of), kQuestion, { maxTurns: 100, stream });
            const events = [];
            if (stream)
                for await (const event of result)
                    events.push(event.type === "raw_model_stream_event" ? `${event.type} ${event.data.type}` : event.type);
            return { result, events };
        };
        const plain = await collect(bare),
            { result, events } = await collect(model);
        assert.equal(result.finalOutput, kReply);
        assert.equal(plain.result.finalOutput, kReply);
        assert.deepEqual(events, plain.events);
        assert.deepEqual(
            result.newItems.map((one) => one.type),
            plain.result.newItems.map((one) => one.type),
        );
        assert.equal(inner.requests.length, kNights + 2);
        const inputs = inner.requests.map((one) => one.input);
        for (const one of inputs) checkPairs(pairsOf(one));
        const breaks = breaksOf(inputs),
            share = tokensOf(inputs) / tokensOf(bare.requests.map((one) => one.input));
        t.diagnostic(`input tokens: ${share.toFixed(3)} of those without the wrapper, ${breaks} times results were left out`);
        assert.ok(breaks >= 1 && breaks <= 8 && share < 0.75);
        assert.equal(result.runContext.usage.inputTokens, 10 * (kNights + 2));
        for (const one of inner.requests)
            assert.deepEqual(
                one.tools.map((each) => each.name),
                ["read_log", "accp_resolve"],
            );
        // the history is whole
        assert.equal(textOf(result.history.find((one) => one.type === "function_call_result").output), logOf(0));
        assert.ok(!JSON.stringify(result.history).includes("accp_resolve"));
    });
}

test("accpModelProvider: sessions keep the history whole, and unknown content stays", async (t) => {
    const url = await file(),
        inner = new Scripted(),
        provider = accpModelProvider({ getModel: () => inner });
    t.after(() => provider.close());
    const session = new AccpSession({ sessionId: "user-17", store: url });
    const agent = agentOf("any"),
        own = new Runner({ modelProvider: provider });
    const image = {
        role: "user",
        content: [
            { type: "input_text", text: kQuestion },
            { type: "input_image", image: "data:image/png;base64,AAAA", providerData: { x: 1 } },
        ],
        providerData: { y: 2 },
    };
    await own.run(agent, [image], { session, maxTurns: 100, sessionInputCallback: (history, items) => [...history, ...items] });
    await session.close();
    const again = new AccpSession({ sessionId: "user-17", store: url });
    t.after(() => again.close());
    const items = await again.getItems();
    assert.equal(items.length, 1 + 2 * kNights + 1);
    assert.equal(textOf(items.find((one) => one.type === "function_call_result").output), logOf(0));
    const before = inner.requests.at(-1).input;
    assert.deepEqual(before[0], image);
    assert.equal(before.filter((one) => one.type === "function_call_result" && refIn(textOf(one.output))).length >= 3, true);
    await own.run(agent, "And now?", { session: again });
    const after = inner.requests.at(-1).input;
    assert.equal(
        JSON.stringify(after.slice(0, before.length).map(({ id: _, ...one }) => one)),
        JSON.stringify(before.map(({ id: _, ...one }) => one)),
    );
    checkPairs(pairsOf(after));
});

test("a call of the tool beside another one", async (t) => {
    let step = 0;
    const inner = new Scripted((input) => {
        const results = resultsOf(input),
            ref = results.map((one) => refIn(one.text)).find(Boolean);
        if (!ref) return { call: "read_log", input: { night: results.length } };
        return ++step === 1
            ? [{ text: "Both" }, { call: "accp_resolve", input: { ref } }, { call: "read_log", input: { night: 99 } }]
            : { text: "Done" };
    });
    const model = accpModel(inner);
    t.after(() => model.close());
    const result = await runner.run(agentOf(model), kQuestion, { maxTurns: 100 });
    assert.equal(result.finalOutput, "Done");
    assert.ok(!JSON.stringify(result.history).includes("accp_resolve"));
    const input = inner.requests.at(-1).input;
    checkPairs(pairsOf(input));
    assert.ok(input.some((one) => one.type === "function_call_result" && textOf(one.output).startsWith("worker-0")));
});

const items = [
    { role: "user", content: "one" },
    { type: "function_call", callId: "a", name: "f", status: "completed", arguments: "{}" },
    {
        type: "function_call_result",
        callId: "a",
        name: "f",
        status: "completed",
        output: { type: "image", image: { data: new Uint8Array([1, 0, 255]) } },
    },
    {
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "two" }],
        providerData: { $accp_bytes: "not bytes", deep: { $accp_bytes: { a: 1 } } },
    },
];

test("AccpSession does what MemorySession does, in memory and over a restart", async (t) => {
    const url = await file(),
        reference = new MemorySession();
    let session = new AccpSession({ sessionId: "s", store: url });
    const both = async (action) => {
        const results = await Promise.all([session, reference].map((one) => action(one).catch((error) => error.constructor.name)));
        assert.deepEqual(results[0], results[1], String(action));
        await session.close();
        session = new AccpSession({ sessionId: "s", store: url });
        assert.deepEqual(await session.getItems(), await reference.getItems(), String(action));
    };
    t.after(() => session.close());
    await both((one) => one.addItems(items));
    await both((one) => one.getItems(2));
    await both((one) => one.getItems(0));
    await both((one) => one.popItem());
    await both((one) => one.addItems([]));
    await both((one) =>
        one.applyHistoryMutations({ mutations: [{ type: "replace_function_call", callId: "a", replacement: { ...items[1], name: "g" } }] }),
    );
    const append = { operationId: "o1", transaction: { type: "append_items", items: [items[3]] } };
    await both((one) => one.applyHistoryTransaction(append));
    await both((one) => one.applyHistoryTransaction(append));
    await both((one) => one.applyHistoryTransaction({ ...append, transaction: { type: "append_items", items: [] } }));
    await both((one) =>
        one.applyHistoryTransaction({
            operationId: "o2",
            transaction: { type: "replace_suffix", expectedSuffix: [items[3]], replacement: [items[0], items[0]] },
        }),
    );
    await both((one) =>
        one.applyHistoryTransaction({ operationId: "o3", transaction: { type: "replace_suffix", expectedSuffix: [items[3]], replacement: [] } }),
    );
    await both((one) => one.clearSession());
    await both((one) => one.popItem());
    await both((one) => one.addItems([items[0]]));
    assert.equal(await session.getSessionId(), "s");
    assert.throws(() => new AccpSession({ sessionId: "" }), /1 to 200 bytes/);
});

test("a handoff carries a packet in place of the history", async (t) => {
    const second = new Scripted(() => ({ text: "I do it" }));
    const billing = new Agent({ name: "Billing", instructions: "Bill.", model: second });
    const first = new Scripted(() => ({ call: "transfer_to_Billing", input: {} }));
    const triage = Agent.create({ name: "Triage", model: first, handoffs: [handoff(billing, { inputFilter: accpHandoffFilter() })] });
    const history = [
        {
            role: "user",
            content: "Add JWT-based authentication to the login endpoint. It must use the existing User model. Do not touch the registration flow.",
        },
        { role: "assistant", status: "completed", content: [{ type: "output_text", text: "I'll use PyJWT in src/auth/login.py." }] },
        { role: "user", content: "PyJWT fails, it is not installed here" },
        {
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "I'll switch to python-jose instead of PyJWT, since it is in requirements.txt." }],
        },
        { role: "user", content: "Now finish the task" },
    ];
    for (let i = 0; i < 20; ++i)
        history.splice(
            4,
            0,
            { type: "function_call", callId: `c${i}`, name: "look", status: "completed", arguments: "{}" },
            { type: "function_call_result", callId: `c${i}`, name: "look", status: "completed", output: logOf(i) },
        );
    const result = await runner.run(triage, history);
    assert.equal(result.finalOutput, "I do it");
    const { input } = second.requests[0];
    assert.equal(input.length, 2);
    assert.deepEqual(input[1], history.at(-1));
    assert.equal(input[0].role, "user");
    for (const found of [/Do not touch the registration flow/, /python-jose/, /PyJWT fails/]) assert.match(input[0].content, found);
    const share = tokensOf([input]) / tokensOf([history]);
    t.diagnostic(`the next agent gets ${share.toFixed(3)} of the tokens of the history`);
    assert.ok(share < 0.05);
    // a task that alone is longer than the packet
    const long = accpHandoffFilter({ task: `Do this: ${"word ".repeat(2000)}`, depth: "minimal" })({
        inputHistory: "hello",
        preHandoffItems: [],
        newItems: [],
    });
    assert.match(long.inputHistory[0].content, /word word/);
});
