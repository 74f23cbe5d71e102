// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The stand-in over HTTP: its streams, how they are cut and broken off, its refusals, the script, and the requests of tests.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { chunks, pieces } from "./stream.mjs";
import { Script } from "./script.mjs";
import { createProvider } from "./server.mjs";

const kText = "naïve 日本語 🙂 text";
const kCall = { name: "read", arguments: { path: "ä.txt", lines: [1, 2] } };
const kTurns = [{ thinking: "Let me see.", text: kText, calls: [kCall, kCall], pings: 2 }, { text: "second" }];
const kScript = { conversations: [{ marker: "ALPHA", tools: ["read"], turns: kTurns }], otherwise: { text: "otherwise" } };

const server = createProvider({ isVirtual: true, min_tokens: 16, log: (line) => lines.push(line) });
const lines = [];
let base;
before(() => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((base = `http://127.0.0.1:${server.address().port}`)))));
after(() => server.close());
const control = async (path, body) => (await fetch(`${base}/__test/${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })).json();
beforeEach(async () => {
    await control("reset", {});
    await control("script", kScript);
});

const kAskers = {
    messages: {
        path: "/v1/messages",
        headers: { "x-api-key": "made-up", "anthropic-version": "2023-06-01" },
        body: {
            model: "m",
            max_tokens: 2000,
            thinking: { type: "enabled", budget_tokens: 1024 },
            tools: [{ name: "read", input_schema: { type: "object" } }],
            messages: [{ role: "user", content: "ALPHA" }],
        },
    },
    chat: {
        path: "/v1/chat/completions",
        headers: { authorization: "Bearer made-up" },
        body: { model: "m", tools: [{ type: "function", function: { name: "read" } }], messages: [{ role: "user", content: "ALPHA" }] },
    },
    responses: {
        path: "/v1/responses",
        headers: { authorization: "Bearer made-up" },
        body: { model: "m", tools: [{ type: "function", name: "read" }], input: "ALPHA" },
    },
};
const ask = (name, more = {}, headers = {}) =>
    fetch(base + kAskers[name].path, {
        method: "POST",
        headers: { ...kAskers[name].headers, ...headers },
        body: JSON.stringify({ ...kAskers[name].body, ...more }),
    });
const played = (turn) => control("script", { ...kScript, conversations: [{ ...kScript.conversations[0], turns: [turn] }] });

for (const name of Object.keys(kAskers)) {
    test(`${name}: a stream is the same however it is cut`, async () => {
        const whole = await (await ask(name, { stream: true })).text();
        assert.ok(whole.includes("ping"));
        for (const chunk of [1, 2, 7, [3, 1, 50], 100_000]) {
            await played({ ...kTurns[0], chunk });
            assert.equal(await (await ask(name, { stream: true })).text(), whole, JSON.stringify(chunk));
        }
    });

    test(`${name}: a retry gets the same answer`, async () => assert.equal(await (await ask(name)).text(), await (await ask(name)).text()));

    test(`${name}: the script wants a failure`, async () => {
        await played({ ...kTurns[1], fault: { kind: "status", status: 429, retry_after: 7, times: 2 } });
        for (const expected of [429, 429, 200]) {
            const answer = await ask(name);
            assert.equal(answer.status, expected);
            assert.equal(answer.headers.get("retry-after"), expected === 429 ? "7" : null);
            const { error } = await answer.json();
            if (expected === 429) assert.equal(error.message, "The script wants this failure");
        }
        assert.equal((await control("bill")).ALPHA.calls, 1, "failures cost nothing");
    });

    test(`${name}: a stream ends with an error, too early, or by a reset`, async () => {
        const whole = await (await ask(name, { stream: true })).text();
        await played({ ...kTurns[0], pings: 0, fault: { kind: "error", after: 2 } });
        const broken = await (await ask(name, { stream: true })).text();
        assert.match(broken, name === "chat" ? /"type":"server_error"[^\n]*\n\n$/ : /event: error\ndata: [^\n]*\n\n$/);
        assert.ok(broken.length < whole.length);
        for (const kind of ["close", "reset"]) {
            await played({ ...kTurns[0], fault: { kind, after: 2 } });
            await assert.rejects(async () => (await ask(name, { stream: true })).text(), kind);
            assert.ok((await (await ask(name, { stream: true })).text()).length >= whole.length - 100, "once");
        }
    });

    test(`${name}: refusals`, async () => {
        const refused = async (answer, status, message) => {
            assert.equal(answer.status, status);
            assert.match((await answer.json()).error.message, message);
        };
        const { path, headers } = kAskers[name],
            post = (body) => fetch(base + path, { method: "POST", headers, body });
        await refused(await ask(name, { model: undefined }), 400, /model/);
        await refused(await fetch(base + path, { method: "POST", body: "{}" }), 401, /^No credentials were given$/);
        await refused(await post("{"), 400, /^The request body is not valid JSON: /);
        await refused(await post("null"), 400, /./);
        await refused(await post(Buffer.from([0x22, 0xff, 0x22])), 400, /^The request body is not valid JSON: /);
        await refused(await post("[".repeat(200_000)), 400, /JSON|nested/);
        await refused(await post(`"${"x".repeat(32 << 20)}"`), 413, /^Request exceeds the maximum size of 33554432 bytes$/);
        await refused(await fetch(base + path, { headers }), 404, /^Unknown request URL: GET/);
        await played({ calls: [{ name: "write", arguments: {} }] });
        await refused(await ask(name), 500, /^The script calls the tool 'write', which the request does not offer. It offers: read$/);
        assert.equal((await control("refused")).length, 9);
        assert.equal(lines.at(-1).refusal, (await control("refused")).at(-1).message);
    });
}

test("Messages: a version is required", async () => {
    const { path, body } = kAskers.messages,
        answer = await fetch(base + path, { method: "POST", headers: { "x-api-key": "x" }, body: JSON.stringify(body) });
    assert.deepEqual([answer.status, (await answer.json()).error.message], [400, "anthropic-version: header is required"]);
});

test("Messages: tokens are counted and cost nothing", async () => {
    const { headers, body } = kAskers.messages,
        { max_tokens, ...counted } = body;
    assert.equal(max_tokens, 2000);
    const answer = await fetch(`${base}/v1/messages/count_tokens`, { method: "POST", headers, body: JSON.stringify(counted) });
    const { usage } = await (await ask("messages")).json();
    assert.equal((await answer.json()).input_tokens, usage.input_tokens);
    assert.equal((await control("bill")).ALPHA.calls, 1);
});

test("Messages: usage has the parts of the bill, on the virtual clock", async () => {
    const marked = (ttl) => ({
        messages: [{ role: "user", content: [{ type: "text", text: `ALPHA ${"x".repeat(4000)}`, cache_control: { type: "ephemeral", ttl } }] }],
    });
    const usage = async (now_ms, ttl) =>
        (await (await ask("messages", marked(ttl), { "x-test-now-ms": String(now_ms), "x-test-conversation": "mine" })).json()).usage;
    const first = await usage(1_000_000, "5m"),
        size = first.cache_creation_input_tokens;
    assert.ok(size > 1000);
    assert.deepEqual(
        [first.input_tokens, first.cache_read_input_tokens, first.cache_creation],
        [0, 0, { ephemeral_5m_input_tokens: size, ephemeral_1h_input_tokens: 0 }],
    );
    assert.equal((await usage(1_300_000, "5m")).cache_read_input_tokens, size);
    await control("clock", { advance_ms: 300_001 });
    assert.deepEqual((await usage(0, "1h")).cache_creation, { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: size });
    const { mine } = await control("bill");
    assert.deepEqual([mine.calls, mine.read, mine.write_5m, mine.write_1h, mine.billed_input], [3, size, size, size, size * (100 + 1250 + 2000)]);
});

const kLong = { messages: [{ role: "user", content: [{ type: "text", text: `ALPHA ${"x".repeat(8000)}`, cache_control: { type: "ephemeral" } }] }] };

test("Messages: requests at the same time do not share a cache that is not written yet", async () => {
    await played({ text: "slow", delay_ms: 3000 });
    const read = async () => (await (await ask("messages", kLong)).json()).usage.cache_read_input_tokens;
    assert.deepEqual(await Promise.all([read(), read()]), [0, 0]);
    assert.ok((await read()) > 2000);
});

test("a slow stream is the same, and ends when the client goes away", async () => {
    const whole = await (await ask("messages", { stream: true })).text();
    await played({ ...kTurns[0], gap_ms: 5 });
    assert.equal(await (await ask("messages", { stream: true })).text(), whole);
    await played({ ...kTurns[0], gap_ms: 500 });
    const abort = new AbortController(),
        { path, headers, body } = kAskers.messages,
        before = lines.length;
    const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify({ ...body, stream: true }), signal: abort.signal });
    await answer.body.getReader().read();
    abort.abort();
    while (lines.length === before) await sleep(20);
    assert.equal(lines.at(-1).isWhole, false);
});

test("a stream that stalls ends when the client goes away, and the next attempt is whole", async () => {
    await played({ text: "first", fault: { kind: "stall", after: 2 } });
    const abort = new AbortController(),
        { path, headers, body } = kAskers.messages,
        given = { method: "POST", headers, body: JSON.stringify({ ...body, stream: true }) };
    lines.length = 0;
    const { body: stream } = await fetch(base + path, { ...given, signal: abort.signal }),
        { value } = await stream.getReader().read();
    assert.match(String(Buffer.from(value)), /message_start/);
    assert.equal(lines.length, 0, "the response has not ended");
    abort.abort();
    for (let tries = 0; !lines.length; ++tries) {
        assert.ok(tries < 6000, "the stream has not ended");
        await sleep(20);
    }
    assert.equal(lines[0].isWhole, false);
    assert.match(await (await fetch(base + path, given)).text(), /message_stop/);
});

test("a response reports more tokens than the bill has", async () => {
    for (const name of Object.keys(kAskers)) {
        await control("reset", {});
        await played({ text: "much", report_tokens: 5_000_000 });
        const { usage } = await (await ask(name)).json();
        assert.ok((usage.input_tokens ?? usage.prompt_tokens) >= 5_000_000, name);
        assert.ok((await control("bill")).ALPHA.input < 5000, name);
    }
});

test("Responses: a custom tool is called with a text, and tools of a namespace by their names", async () => {
    const tools = [
        { type: "custom", name: "patch" },
        { type: "namespace", name: "n", tools: [{ type: "function", name: "read" }] },
    ];
    await played({
        calls: [
            { name: "patch", freeform: kText },
            { name: "read", namespace: "n", arguments: {} },
        ],
    });
    const { output } = await (await ask("responses", { tools })).json(),
        [patch, read] = output;
    assert.deepEqual([patch.type, patch.name, patch.input, read.namespace], ["custom_tool_call", "patch", kText, "n"]);
    const stream = await (await ask("responses", { tools, stream: true })).text();
    assert.deepEqual(JSON.parse(/"response":(\{.*\}),"sequence_number":\d+\}\n\n$/.exec(stream)[1]).output, output);
    const deltas = [...stream.matchAll(/^data: (.*"response.custom_tool_call_input.delta".*)$/gm)].map(([, data]) => JSON.parse(data).delta);
    assert.equal(deltas.join(""), kText);
    const input = [
        { role: "user", content: "ALPHA" },
        ...output,
        { type: "custom_tool_call_output", call_id: patch.call_id, output: "x" },
        { type: "function_call_output", call_id: read.call_id, output: "y" },
    ];
    assert.equal((await ask("responses", { tools, input })).status, 200);
});

test("OpenAI: usage comes in a stream only if it is asked for", async () => {
    const stream = async (more) => (await ask("chat", { stream: true, ...more })).text();
    assert.ok(!(await stream({})).includes("usage"));
    assert.match(await stream({ stream_options: { include_usage: true } }), /"choices":\[\],"usage":\{"prompt_tokens":\d+,/);
});

test("Responses: earlier responses are known by their id", async () => {
    const { id, output } = await (await ask("responses")).json(),
        calls = output.filter(({ type }) => type === "function_call");
    const outputs = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "done" }));
    const second = await (await ask("responses", { previous_response_id: id, input: outputs })).json();
    assert.equal(second.output[0].content[0].text, "second");
    assert.equal((await ask("responses", { previous_response_id: id, input: "go on" })).status, 400);
    const unstored = await (await ask("responses", { store: false })).json();
    assert.equal((await ask("responses", { previous_response_id: `${unstored.id}x`, input: outputs })).status, 400);
});

test("a prompt has a limit", async () => {
    server.provider.window = 10;
    const { error } = await (await ask("messages")).json();
    server.provider.window = 1_000_000;
    assert.match(error.message, /^prompt is too long: \d+ tokens > 10 maximum$/);
});

test("the next turn is found by what was said since the marker", () => {
    const script = new Script({
        conversations: [
            { marker: "ALPHA", turns: [{ text: "a0" }, { text: "a1" }] },
            { marker: "BRAVO", tools: ["edit"], turns: [{ text: "b0" }] },
        ],
        otherwise: { text: "end" },
    });
    const user = (text) => ({ role: "user", text }),
        model = { role: "assistant", text: "" };
    const next = (said, offered = []) => script.next(said, offered).turn.text;
    assert.equal(next([user("hello")]), "end");
    assert.equal(next([user("ALPHA")]), "a0");
    assert.equal(next([user("hello"), model, user("go: ALPHA"), model, user("result")]), "a1");
    assert.equal(next([user("ALPHA"), model, model]), "end");
    assert.equal(next([user("ALPHA"), model, user("BRAVO")], ["edit"]), "b0");
    assert.equal(next([user("ALPHA"), model, user("BRAVO")]), "a1", "another purpose, without the tool");
    assert.equal(next([user("hello"), { role: "assistant", text: "ALPHA" }]), "end");
});

const kBad = [
    [{ conversations: {} }, "script: conversations is {}; it must be a list"],
    [{ conversations: [{ turns: [] }] }, "script: conversations[0].marker is missing; it must be a word"],
    [
        {
            conversations: [
                { marker: "A", turns: [] },
                { marker: "A", turns: [] },
            ],
        },
        'script: conversations[1].marker is "A"; it must be different from the others',
    ],
    [{ conversations: [{ marker: "A" }] }, "script: conversations[0].turns is missing; it must be a list"],
    [
        { otherwise: { txt: "x" } },
        'script: otherwise.txt is "x"; it must be left out: a turn has thinking, text, calls, stop, pings, delay_ms, gap_ms, pause_ms, report_tokens, fault, chunk',
    ],
    [{ otherwise: { text: 1 } }, "script: otherwise.text is 1; it must be of type string"],
    [{ otherwise: { chunk: [1, 0] } }, "script: otherwise.chunk is [1,0]; it must be a whole number above 0, or a list of such"],
    [{ otherwise: { calls: [{}] } }, "script: otherwise.calls[0].name is missing; it must be the name of a tool"],
    [{ otherwise: { calls: [{ name: "a" }] } }, "script: otherwise.calls[0].arguments is missing; it must be an object"],
    [{ otherwise: { fault: { kind: "fire" } } }, 'script: otherwise.fault.kind is "fire"; it must be one of status, error, close, reset, stall'],
    [{ otherwise: [] }, "script: otherwise is []; it must be an object"],
];
for (const [value, message] of kBad) test(`a bad script: ${message}`, () => assert.throws(() => new Script(value), { message }));

test("a bad script changes nothing; nor does a bad clock", async () => {
    assert.match((await control("script", kBad[0][0])).error.message, /^script: conversations/);
    assert.match((await control("clock", { now: 1 })).error.message, /^the clock takes now_ms/);
    assert.match((await (await ask("messages", {}, { "x-test-now-ms": "soon" })).json()).error.message, /^x-test-now-ms is 'soon'/);
    assert.match((await control("nothing", {})).error.message, /^\/__test\/nothing does not exist/);
    assert.equal((await ask("messages")).headers.get("x-test-conversation"), "ALPHA");
});

test("texts are cut between characters, bytes anywhere", () => {
    const text = "🙂é".repeat(100);
    assert.equal(pieces(text).join(""), text);
    assert.ok(pieces(text).every((piece) => !/^[\udc00-\udfff]/.test(piece)));
    assert.deepEqual([...chunks(Buffer.from("abcdefg"), [1, 3])].map(String), ["a", "bcd", "e", "fg"]);
});
