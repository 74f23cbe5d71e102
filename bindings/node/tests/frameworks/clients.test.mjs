// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The SDKs of Anthropic and OpenAI against the strict stand-in of tests/system/proxy, which refuses what a provider refuses and bills with a model of the
// provider's cache.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, stepCountIs, tool, wrapLanguageModel } from "ai";
import { Engine, Store } from "libaccp";
import { accpMiddleware } from "libaccp/ai-sdk";
import { withAccp as withAnthropic } from "libaccp/anthropic";
import { withAccp as withOpenAI } from "libaccp/openai";
import OpenAI from "openai";
import { z } from "zod";
import { createProvider } from "../../../../tests/system/proxy/server.mjs";
import { Script } from "../../../../tests/system/proxy/script.mjs";
import { breaksOf, kInstructions, kNights, kQuestion, logOf, tokensOf } from "./talk.mjs";

const kSchema = { type: "object", properties: { night: { type: "number" } }, required: ["night"] };
const readTurn = (night) => ({ text: night % 3 ? undefined : `Night ${night}.`, calls: [{ name: "read_log", arguments: { night } }] });
const reads = Array.from({ length: kNights }, (_, night) => readTurn(night));
const strip = (turn) => Object.fromEntries(Object.entries(turn).filter(([, value]) => value !== undefined));

/** The turns of a run; with `ref` the model calls the tool alone, twice in a row, and beside another tool. */
function turnsOf(ref, chunk) {
    const see = { name: "accp_resolve", arguments: { ref, query: "worker-1 " } };
    const turns = ref
        ? [
              ...reads,
              { thinking: "größer 🙂", text: "I look again.", calls: [see] },
              { calls: [{ name: "accp_resolve", arguments: { ref: "$cold.m9999" } }] },
              { thinking: "both", text: "Both 日本語.", calls: [see, readTurn(1).calls[0], see] },
              { text: "It stopped at 7:13." },
          ]
        : [...reads, { thinking: "größer 🙂", text: "I look again.", calls: [readTurn(1).calls[0]] }, { text: "It stopped at 7:13." }];
    return turns.map((one) => ({ ...strip(one), ...chunk }));
}

let server, url, lines;
before(async () => {
    server = createProvider({ isVirtual: true, log: (line) => lines.push(line) });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
    server.close();
    server.closeAllConnections();
});
beforeEach(() => play(undefined));

function play(ref, chunk = {}) {
    lines = [];
    server.provider.reset();
    server.provider.script = new Script({ conversations: [{ marker: "worker-1", tools: ["read_log"], turns: turnsOf(ref, chunk) }] });
}

/** Runs the loop of a host. Returns what the host saw, and what the provider got. */
const hosts = {
    async messages(client, isStream, from = []) {
        const messages = [...from, { role: "user", content: from.length ? "And now?" : kQuestion }],
            seen = [];
        for (let goesOn = true; goesOn;) {
            // as agents do: a mark at the end of the system prompt, and one at the end of the request
            const sent = messages.map((one, at) => (at < messages.length - 1 ? one : { ...one, content: marked(one.content) }));
            const body = {
                model: "m",
                max_tokens: 2048,
                thinking: { type: "enabled", budget_tokens: 1024 },
                system: [{ type: "text", text: kInstructions, cache_control: { type: "ephemeral" } }],
                tools: [{ name: "read_log", input_schema: kSchema }],
                messages: sent,
            };
            const message = isStream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
            seen.push({ stop: message.stop_reason, blocks: message.content.map(({ type, text, name, input }) => ({ type, text, name, input })) });
            messages.push({ role: "assistant", content: message.content });
            const calls = message.content.filter((one) => one.type === "tool_use");
            if (calls.length)
                messages.push({
                    role: "user",
                    content: calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: logOf(input.night) })),
                });
            goesOn = calls.length > 0;
        }
        return { messages, seen };
    },
    async chat(client, isStream, from = []) {
        const messages = [
                ...from,
                ...(from.length ? [] : [{ role: "system", content: kInstructions }]),
                { role: "user", content: from.length ? "And now?" : kQuestion },
            ],
            seen = [];
        for (let goesOn = true; goesOn;) {
            const body = { model: "m", tools: [{ type: "function", function: { name: "read_log", parameters: kSchema } }], messages };
            const { choices } = isStream
                ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
                : await client.chat.completions.create(body);
            const { message, finish_reason: stop } = choices[0];
            seen.push({ stop, text: message.content, calls: (message.tool_calls ?? []).map((one) => one.function) });
            messages.push({
                role: "assistant",
                content: message.content,
                ...(message.tool_calls?.length && {
                    tool_calls: message.tool_calls.map(({ id, type, function: { name, arguments: given } }) => ({
                        id,
                        type,
                        function: { name, arguments: given },
                    })),
                }),
            });
            for (const call of message.tool_calls ?? [])
                messages.push({ role: "tool", tool_call_id: call.id, content: logOf(JSON.parse(call.function.arguments).night) });
            goesOn = Boolean(message.tool_calls?.length);
        }
        return { messages, seen };
    },
    async responses(client, isStream, from = []) {
        const input = [...from, { role: "user", content: from.length ? "And now?" : kQuestion }],
            seen = [];
        for (let goesOn = true; goesOn;) {
            const body = {
                model: "m",
                instructions: kInstructions,
                store: false,
                include: ["reasoning.encrypted_content"],
                tools: [{ type: "function", name: "read_log", parameters: kSchema, strict: false }],
                input,
            };
            const response = isStream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
            const output = response.output.map(({ parsed_arguments: _, ...item }) =>
                item.content ? { ...item, content: item.content.map(({ parsed: __, ...part }) => part) } : item,
            );
            seen.push({
                stop: response.status,
                items: output.map(({ type, name, arguments: given, content }) => ({
                    type,
                    name,
                    given,
                    text: content?.map((one) => one.text).join(""),
                })),
            });
            input.push(...output);
            const calls = output.filter((one) => one.type === "function_call");
            for (const call of calls)
                input.push({ type: "function_call_output", call_id: call.call_id, output: logOf(JSON.parse(call.arguments).night) });
            goesOn = calls.length > 0;
        }
        return { messages: input, seen };
    },
};

function marked(content) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return blocks.map((one, at) => (at < blocks.length - 1 ? one : { ...one, cache_control: { type: "ephemeral" } }));
}

const makers = {
    messages: () => new Anthropic({ baseURL: url, apiKey: "made-up", maxRetries: 0 }),
    chat: () => new OpenAI({ baseURL: `${url}/v1`, apiKey: "made-up", maxRetries: 0 }),
    responses: () => new OpenAI({ baseURL: `${url}/v1`, apiKey: "made-up", maxRetries: 0 }),
};
const withAccp = { messages: withAnthropic, chat: withOpenAI, responses: withOpenAI };
/** The result of night 0: a user's message, perhaps instructions, the call, the result. */
const refs = { messages: "$cold.m3", chat: "$cold.m4", responses: "$cold.m3" };

const listOf = (body) => body.messages ?? body.input;
const withoutMarks = (value) => JSON.parse(JSON.stringify(value, (key, one) => (key === "cache_control" ? undefined : one)));
const billed = () => Object.values(server.provider.bill.conversations).reduce((sum, one) => sum + one.billed_input, 0);

for (const kind of Object.keys(hosts)) {
    for (const isStream of [false, true]) {
        test(`${kind}, ${isStream ? "streamed" : "whole"}: a long run`, async (t) => {
            const bare = await hosts[kind](makers[kind](), isStream);
            assert.deepEqual(server.provider.refused, []);
            const plain = { tokens: tokensOf(lines.map((one) => listOf(one.body))), bill: billed() };
            play(refs[kind], isStream ? { chunk: [1, 2, 3, 700], pings: 3 } : {});
            const client = withAccp[kind](makers[kind]());
            t.after(() => client.closeAccp());
            const { messages, seen } = await hosts[kind](client, isStream);
            assert.deepEqual(server.provider.refused, []);
            assert.equal(lines.length, kNights + 4);
            // the host sees what it saw without the wrapper, and nothing of the tool
            assert.deepEqual(seen.slice(0, kNights), bare.seen.slice(0, kNights));
            assert.equal(seen.length, kNights + 2);
            assert.ok(!JSON.stringify(messages).includes("accp_resolve"));
            assert.ok(JSON.stringify(seen[kNights]).includes("I look again.") && JSON.stringify(seen[kNights]).includes("Both 日本語."));
            assert.ok(JSON.stringify(seen[kNights + 1]).includes("It stopped at 7:13."));
            // the model got what was left out, and an error for what does not exist
            const last = JSON.stringify(listOf(lines.at(-1).body));
            assert.ok(last.includes("worker-1 stopped at 7:13"));
            assert.match(last, /nothing stands under .{0,5}cold\.m9999/);
            const requests = lines.map((one) => withoutMarks(listOf(one.body))),
                breaks = breaksOf(requests);
            assert.ok(breaks >= 1 && breaks <= 8, `results were left out ${breaks} times`);
            for (const { body } of lines)
                assert.deepEqual(
                    body.tools.map((one) => one.name ?? one.function.name),
                    ["read_log", "accp_resolve"],
                );
            const share = tokensOf(requests) / plain.tokens,
                price = billed() / plain.bill;
            t.diagnostic(
                `input tokens: ${share.toFixed(3)}, price with the provider's cache: ${price.toFixed(3)} of those without the wrapper, ${breaks} times results were left out`,
            );
            assert.ok(share < 0.75 && price < 1, `${share} ${price}`);
            // the next turn of the user, and a restart of the host without a store: the same front, or a request that is accepted
            const before = requests.at(-1);
            await hosts[kind](client, isStream, messages);
            assert.deepEqual(server.provider.refused, []);
            assert.deepEqual(withoutMarks(listOf(lines[kNights + 4].body)).slice(0, before.length), before);
        });
    }

    test(`${kind}: a restart of the host with a store changes no byte`, async (t) => {
        const store = Store.openSync("memory:"),
            engine = new Engine({ store });
        t.after(async () => {
            engine.close();
            await store.close();
        });
        play(refs[kind]);
        const first = withAccp[kind](makers[kind](), { engine });
        const { messages } = await hosts[kind](first, false);
        const before = withoutMarks(listOf(lines.at(-1).body));
        await first.closeAccp();
        const second = withAccp[kind](makers[kind](), { engine });
        t.after(() => second.closeAccp());
        await hosts[kind](second, true, messages);
        assert.deepEqual(withoutMarks(listOf(lines[kNights + 4].body)).slice(0, before.length), before);
        assert.deepEqual(server.provider.refused, []);
    });
}

/** Sends one request of a host. */
const senders = {
    messages: (client, messages) =>
        client.messages.create({
            model: "m",
            max_tokens: 2048,
            system: kInstructions,
            tools: [{ name: "read_log", input_schema: kSchema }],
            messages,
        }),
    chat: (client, messages) =>
        client.chat.completions.create({ model: "m", tools: [{ type: "function", function: { name: "read_log", parameters: kSchema } }], messages }),
    responses: (client, input) =>
        client.responses.create({
            model: "m",
            store: false,
            instructions: kInstructions,
            tools: [{ type: "function", name: "read_log", parameters: kSchema, strict: false }],
            input,
        }),
};

for (const kind of Object.keys(hosts)) {
    test(`${kind}: under a hard budget whole exchanges leave, and the provider accepts what stays`, async (t) => {
        // turns with thoughts, and with several calls, which leave one by one
        const turns = Array.from({ length: kNights }, (_, night) =>
            strip({
                thinking: night % 2 ? `thought ${night}` : undefined,
                calls: Array.from({ length: 1 + (night % 3) }, (__, at) => ({ name: "read_log", arguments: { night: 3 * night + at } })),
            }),
        );
        play(undefined);
        server.provider.script = new Script({ conversations: [{ marker: "worker-1", tools: ["read_log"], turns }] });
        const { messages } = await hosts[kind](makers[kind](), false);
        server.provider.script = new Script();
        lines = [];
        const client = withAccp[kind](makers[kind](), { budgetTokens: 900 });
        t.after(() => client.closeAccp());
        for (let length = 1; length <= messages.length; ++length) {
            const isInput = (one) => one !== undefined && (["user", "tool"].includes(one.role) || one.type === "function_call_output");
            if (isInput(messages[length - 1]) && !isInput(messages[length])) await senders[kind](client, messages.slice(0, length));
        }
        assert.deepEqual(server.provider.refused, []);
        assert.ok(lines.length > kNights);
        const last = listOf(lines.at(-1).body);
        assert.ok(last.length < messages.length / 2, `${last.length} of ${messages.length} messages`);
        assert.ok(tokensOf([last]) < 3500, `${tokensOf([last])} tokens`);
        assert.match(JSON.stringify(last), /… \$cold\.m\d+ to \$cold\.m\d+/);
    });
}

test("messages: the blocks of a stream without the tool's calls have consecutive numbers", async (t) => {
    play(refs.messages);
    const raw = new Map();
    const client = withAnthropic(makers.messages());
    t.after(() => client.closeAccp());
    const create = client.messages.create.bind(client.messages);
    client.messages.stream = (body) => ({
        finalMessage: async () => {
            const stream = await create({ ...body, stream: true }),
                blocks = [];
            let starts = 0,
                ends = 0;
            for await (const event of stream) {
                if (event.type === "message_start") ++starts;
                if (event.type === "message_stop") ++ends;
                if (event.type === "content_block_start") {
                    assert.equal(event.index, blocks.length);
                    blocks.push({ ...event.content_block, open: true, json: "" });
                } else if (event.type === "content_block_delta") {
                    const block = blocks[event.index];
                    assert.ok(block.open);
                    for (const key of ["text", "thinking", "signature"])
                        if (event.delta[key] !== undefined) block[key] = (block[key] ?? "") + event.delta[key];
                    if (event.delta.partial_json !== undefined) block.json += event.delta.partial_json;
                } else if (event.type === "content_block_stop") {
                    assert.ok(blocks[event.index].open);
                    blocks[event.index].open = false;
                }
            }
            assert.deepEqual([starts, ends], [1, 1]);
            raw.set(blocks.length, true);
            return {
                content: blocks.map(({ open: _, json, ...block }) =>
                    block.type === "tool_use" ? { ...block, input: JSON.parse(json || "{}") } : block,
                ),
                stop_reason: "end_turn",
            };
        },
    });
    await hosts.messages(client, true);
    assert.deepEqual(server.provider.refused, []);
    assert.ok([...raw.keys()].some((count) => count >= 4)); // thoughts, words and a call of three responses
});

// An agent with many results of the same length, which the engine leaves out one by one. The provider finds its cache only near a mark.
const kLong = 100;
const even = {
    turns: Array.from({ length: kLong }, (_, night) => ({ calls: [{ name: "read_log", arguments: { night } }] })),
    marker: "worker-1",
    tools: ["read_log"],
};

async function evenBill(run) {
    lines = [];
    server.provider.reset();
    server.provider.script = new Script({ conversations: [even] });
    await run();
    assert.deepEqual(server.provider.refused, []);
    assert.equal(lines.length, kLong + 1);
    return billed();
}

async function evenRun(client) {
    const messages = [{ role: "user", content: kQuestion }];
    for (;;) {
        const sent = messages.map((one, at) => (at < messages.length - 1 ? one : { ...one, content: marked(one.content) }));
        const { content } = await client.messages.create({
            model: "m",
            max_tokens: 2048,
            tools: [{ name: "read_log", input_schema: kSchema }],
            messages: sent,
        });
        messages.push({ role: "assistant", content });
        const call = content.find((one) => one.type === "tool_use");
        if (!call) return;
        messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: logOf(call.input.night, 60) }] });
    }
}

test("messages: a mark lets the provider find its cache after results are left out", async (t) => {
    const bare = await evenBill(() => evenRun(makers.messages()));
    const client = withAnthropic(makers.messages());
    t.after(() => client.closeAccp());
    const price = (await evenBill(() => evenRun(client))) / bare;
    t.diagnostic(`price with the provider's cache: ${price.toFixed(3)} of that without the wrapper`);
    assert.ok(price < 0.6, `${price}`);
    assert.ok(lines.every(({ body }) => (JSON.stringify(body).match(/cache_control/g) ?? []).length <= 4));
});

test("AI SDK with Anthropic's provider: the same", async (t) => {
    const tools = { read_log: tool({ inputSchema: z.object({ night: z.number() }), execute: ({ night }) => logOf(night, 60) }) };
    const cached = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
    const run = (model) =>
        generateText({
            model,
            tools,
            maxOutputTokens: 2048,
            stopWhen: stepCountIs(kLong + 5),
            messages: [{ role: "user", content: kQuestion }],
            prepareStep: ({ messages }) => ({
                messages: messages.map((one, at) => (at < messages.length - 1 ? { ...one, providerOptions: undefined } : { ...one, ...cached })),
            }),
        });
    const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: "made-up" })("m"),
        middleware = accpMiddleware();
    t.after(() => middleware.close());
    const bare = await evenBill(() => run(model));
    const price = (await evenBill(() => run(wrapLanguageModel({ model, middleware })))) / bare;
    t.diagnostic(`price with the provider's cache: ${price.toFixed(3)} of that without the middleware`);
    assert.ok(price < 0.6, `${price}`);
});

/** Answers each request with `answer(body)`, and keeps the requests. */
function fakeFetch(answer) {
    const requests = [];
    const fetch = async (input, init) => {
        requests.push({ url: String(input), ...init });
        return answer(JSON.parse(init.body));
    };
    return { fetch, requests };
}

test("messages: bytes of streams, unknown events and unknown members pass unchanged", async (t) => {
    const stream = [
        'event: message_start\ndata: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","content":[],"model":"x","usage":{"input_tokens":3,"output_tokens":1,"new":1}}}\n\n',
        ": a comment\n\n",
        'event: brand_new\r\ndata: {"type":"brand_new","ü":1}\r\n\r\n',
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
        'event: content_block_delta\ndata: {"type":"content_block_delta", "index":0,"delta":{"type":"text_delta","text":"hé"}}\n\n',
        'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
        'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}\n\n',
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ].join("");
    const { fetch, requests } = fakeFetch(() => new Response(stream, { headers: { "content-type": "text/event-stream", "request-id": "r1" } }));
    const client = withAnthropic(new Anthropic({ apiKey: "k", fetch, maxRetries: 0 }));
    t.after(() => client.closeAccp());
    const messages = [
        {
            role: "user",
            content: [
                { type: "text", text: "hi", new_member: { a: [1.0, "x"] } },
                { type: "new_block", z: 1 },
            ],
        },
    ];
    const body = {
        model: "m",
        max_tokens: 9,
        stream: true,
        messages,
        system: "s",
        new_option: { deep: true },
        tools: [{ type: "web_search_20250305", name: "web_search" }],
    };
    const response = await client.messages.create(body).asResponse();
    assert.equal(await response.text(), stream);
    assert.equal(response.headers.get("request-id"), "r1");
    const { tools, ...sent } = JSON.parse(requests[0].body),
        { tools: given, ...rest } = body;
    assert.deepEqual(sent, rest);
    assert.deepEqual(tools.slice(0, -1), given);
    assert.equal(tools.at(-1).name, "accp_resolve");
    // other paths, and a count of tokens
    const counted = withAnthropic(
        new Anthropic({ apiKey: "k", fetch: async (_, init) => Response.json({ input_tokens: 1, body: init.body }), maxRetries: 0 }),
    );
    t.after(() => counted.closeAccp());
    assert.deepEqual(JSON.parse((await counted.messages.countTokens({ model: "m", messages })).body), { model: "m", messages });
});

test("messages: errors of the provider reach the host, also in the middle of the tool's calls", async (t) => {
    let calls = 0;
    const see = {
        id: "m",
        type: "message",
        role: "assistant",
        model: "x",
        content: [{ type: "tool_use", id: "t1", name: "accp_resolve", input: { ref: "$cold.m1" } }],
        stop_reason: "tool_use",
        usage: { input_tokens: 1, output_tokens: 1 },
    };
    const answers = [
        () => Response.json(see),
        () => Response.json({ type: "error", error: { type: "overloaded_error", message: "busy" } }, { status: 529 }),
    ];
    const { fetch } = fakeFetch(() => answers[calls++ % 2]());
    const client = withAnthropic(new Anthropic({ apiKey: "k", fetch, maxRetries: 0 }));
    t.after(() => client.closeAccp());
    const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }], tools: [{ name: "a", input_schema: { type: "object" } }] };
    await assert.rejects(client.messages.create(body), (error) => error.status === 529);
    await assert.rejects(
        client.messages.create({ ...body, tools: [{ name: "accp_resolve", input_schema: { type: "object" } }] }),
        /set the option toolName/,
    );
    // a retry of the SDK sends the same request again
    const retrying = withAnthropic(
        new Anthropic({
            apiKey: "k",
            fetch: fakeFetch(() =>
                ++calls % 2
                    ? Response.json({}, { status: 500, headers: { "retry-after-ms": "1" } })
                    : Response.json({ ...see, content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" }),
            ).fetch,
            maxRetries: 1,
        }),
    );
    t.after(() => retrying.closeAccp());
    calls = 0;
    assert.equal((await retrying.messages.create(body)).content[0].text, "ok");
});

test("openai: what the service keeps, forced tools and several answers are left alone", async (t) => {
    const { fetch, requests } = fakeFetch(() =>
        Response.json({ id: "r", output: [], choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] }),
    );
    const client = withOpenAI(new OpenAI({ apiKey: "k", fetch, maxRetries: 0 }));
    t.after(() => client.closeAccp());
    const tools = [{ type: "function", function: { name: "a", parameters: {} } }],
        messages = [{ role: "user", content: "hi" }];
    const bodies = [
        ["chat", { model: "m", messages, tools, n: 2 }],
        ["chat", { model: "m", messages, tools, tool_choice: "required" }],
        ["chat", { model: "m", messages }],
        ["responses", { model: "m", input: "hi", tools: [{ type: "function", name: "a", parameters: {} }] }],
        ["responses", { model: "m", input: messages, previous_response_id: "r", tools: [] }],
        ["responses", { model: "m", input: messages, tools: [{ type: "web_search" }] }],
    ];
    for (const [kind, body] of bodies) {
        if (kind === "chat") await client.chat.completions.create(body);
        else await client.responses.create(body);
        assert.deepEqual(JSON.parse(requests.at(-1).body), body);
    }
    assert.throws(() => withOpenAI({}), /needs a client of the SDK/);
});
