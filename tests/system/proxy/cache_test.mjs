// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The bill of each case, computed by hand, and random conversations against a slow model of the cache.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomaticCache, Bill, Clock, MarkedCache, priceOf, promptBlocks, promptText } from "./cache.mjs";
import { tokensOf } from "./canonical.mjs";

// Returns a block of exactly this many tokens, 20 or more.
function block(name, tokens, ttl, isFirst) {
    const made = { type: "text", text: name },
        before = { type: "text", text: "" };
    const bytes = Buffer.byteLength(promptBlocks({ messages: [{ role: "user", content: isFirst ? [made] : [before, made] }] }).at(-1).text);
    made.text += ".".repeat(4 * tokens - bytes);
    if (ttl) made.cache_control = { type: "ephemeral", ttl };
    return made;
}

// "A2000* B500": block A of 2,000 tokens with a mark of five minutes (^: an hour), and block B of 500.
function request(text) {
    const content = text.split(" ").map((one, at) => {
        const [, name, tokens, sign] = /^([A-Z]+)(\d+)([*^]?)$/.exec(one);
        return block(name, Number(tokens), { "*": "5m", "^": "1h" }[sign], at === 0);
    });
    return { model: "m", messages: [{ role: "user", content }] };
}

const many = (count, last = "") => Array.from({ length: count }, (_, at) => `B20${at === count - 1 ? last : ""}`).join(" ");
const kMinute = 60_000;

// [name, [time, blocks, input, read, written for 5 minutes, for an hour]...]
const kMarked = [
    ["nothing is cached without a mark", [0, "A2000", 2000, 0, 0, 0], [1, "A2000", 2000, 0, 0, 0]],
    ["what was written is read", [0, "A2000*", 0, 0, 2000, 0], [1, "A2000* B100", 100, 2000, 0, 0]],
    ["a prefix has a minimum", [0, "A1023*", 1023, 0, 0, 0], [1, "A1023*", 1023, 0, 0, 0], [2, "A1004 B20*", 0, 0, 1024, 0], [3, "A1004 B20*", 0, 1024, 0, 0]],
    ["an entry lives five minutes", [0, "A2000*", 0, 0, 2000, 0], [5 * kMinute, "A2000*", 0, 2000, 0, 0], [10 * kMinute + 1, "A2000*", 0, 0, 2000, 0]],
    [
        "a hit starts the life anew",
        [0, "A2000*", 0, 0, 2000, 0],
        [4 * kMinute, "A2000*", 0, 2000, 0, 0],
        [8 * kMinute, "A2000*", 0, 2000, 0, 0],
        [12 * kMinute, "A2000*", 0, 2000, 0, 0],
    ],
    ["an entry lives an hour", [0, "A2000^", 0, 0, 0, 2000], [60 * kMinute, "A2000^", 0, 2000, 0, 0], [120 * kMinute + 1, "A2000^", 0, 0, 0, 2000]],
    [
        "both lives in one request",
        [0, "A2000^ B500*", 0, 0, 500, 2000],
        [10 * kMinute, "A2000^ B500*", 0, 2000, 500, 0],
        [11 * kMinute, "A2000^ B500* C20", 20, 2500, 0, 0],
    ],
    ["a mark moves on", [0, "A2000* B500*", 0, 0, 2500, 0], [1, "A2000 B500 C600*", 0, 2500, 600, 0], [2, "A2000 B500 C600 D20*", 0, 3100, 20, 0]],
    ["what follows the last mark is plain", [0, "A2000* B500", 500, 0, 2000, 0], [1, "A2000* B500 C500", 1000, 2000, 0, 0]],
    ["an entry ends at its mark", [0, "A2000 B100*", 0, 0, 2100, 0], [1, "A2000*", 0, 0, 2000, 0], [2, "A2000 B100*", 0, 2100, 0, 0]],
    ["a change in front costs everything", [0, "A2000* B2000*", 0, 0, 4000, 0], [1, "X2000* B2000*", 0, 0, 4000, 0]],
    ["a change in the middle costs what follows", [0, "A2000* B2000*", 0, 0, 4000, 0], [1, "A2000* X2000*", 0, 2000, 2000, 0]],
    ["a lookup checks twenty blocks", [0, "A2000*", 0, 0, 2000, 0], [1, `A2000 ${many(19, "*")}`, 0, 2000, 380, 0]],
    ["and no more", [0, "A2000*", 0, 0, 2000, 0], [1, `A2000 ${many(20, "*")}`, 0, 0, 2400, 0]],
    ["a second mark in between helps", [0, "A2000*", 0, 0, 2000, 0], [1, `A2000 ${many(10, "*")} ${many(15, "*")}`, 0, 2000, 500, 0]],
];

for (const [name, ...calls] of kMarked) {
    test(`Anthropic: ${name}`, () => {
        const cache = new MarkedCache();
        for (const [now, text, input, read, write_5m, write_1h] of calls) {
            const { usage, commit } = cache.quote(request(text), now);
            assert.deepEqual(usage, { input, read, write_5m, write_1h }, `${now} ${text}`);
            commit(now);
        }
    });
}

test("Anthropic: an entry can be read once its response has started", () => {
    const cache = new MarkedCache(),
        first = cache.quote(request("A2000*"), 0),
        second = cache.quote(request("A2000*"), 1);
    assert.equal(second.usage.write_5m, 2000);
    first.commit(2);
    second.commit(3);
    assert.equal(cache.quote(request("A2000*"), 4).usage.read, 2000);
});

test("Anthropic: what changes a prefix, and what does not", () => {
    const base = {
        model: "m",
        tools: [{ name: "a", input_schema: { type: "object", properties: {} } }],
        system: [{ type: "text", text: "s".repeat(8000), cache_control: { type: "ephemeral" } }],
        messages: [{ role: "user", content: [{ type: "text", text: "u".repeat(4000), cache_control: { type: "ephemeral" } }] }],
    };
    const bill = (change) => {
        const cache = new MarkedCache();
        cache.quote(base, 0).commit(0);
        return cache.quote({ ...base, ...change }, 1).usage.read;
    };
    const all = bill({}),
        system = bill({ messages: [{ role: "user", content: "other" }] });
    assert.ok(all > system && system > 2000);
    assert.equal(bill({ temperature: 0, max_tokens: 5, stream: true, metadata: { user_id: "x" } }), all);
    assert.equal(bill({ system: [{ cache_control: { type: "ephemeral" }, text: "s".repeat(8000), type: "text" }] }), all, "keys of a block in another order");
    assert.equal(bill({ tools: [{ name: "a", input_schema: { properties: {}, type: "object" } }] }), 0, "keys of a schema in another order");
    assert.equal(bill({ model: "n" }), 0);
    assert.equal(bill({ tools: [] }), 0);
    assert.equal(bill({ tools: [{ name: "b", defer_loading: true }, ...base.tools] }), all, "a deferred tool is not in the prompt");
    assert.equal(bill({ tools: [{ name: "b", defer_loading: false }, ...base.tools] }), 0);
    assert.equal(bill({ tool_choice: { type: "any" } }), system);
    assert.equal(bill({ thinking: { type: "enabled", budget_tokens: 1024 } }), system);
    assert.equal(bill({ messages: [...base.messages, { role: "user", content: [{ type: "image", source: {} }] }] }), system);
});

test("Anthropic: a text is one block", () => {
    const cache = new MarkedCache(),
        text = "u".repeat(8000);
    cache.quote({ model: "m", messages: [{ role: "user", content: [{ type: "text", text, cache_control: { type: "ephemeral" } }] }] }, 0).commit(0);
    const again = { model: "m", cache_control: { type: "ephemeral" }, messages: [{ role: "user", content: text }] };
    assert.equal(cache.quote(again, 1).usage.input, 0, "the mark of a whole request is at its last block");
    assert.ok(cache.quote(again, 1).usage.read > 2000);
});

// The whole prompt has this many tokens: two bytes for the instructions, the rest in the last message.
function prompt(sizes, more = {}) {
    const messages = [];
    for (const tokens of sizes) {
        messages.push({ role: "user", content: "" });
        messages.at(-1).content = "x".repeat(4 * tokens - Buffer.byteLength(promptText({ messages })));
    }
    return { model: "m", messages, ...more };
}

// [name, [time, tokens of the prompt after each message, input, read]...]
const kAutomatic = [
    ["steps of 128", [0, [2000], 2000, 0], [1, [2000], 80, 1920]],
    ["a minimum of 1,024", [0, [1023], 1023, 0], [1, [1023], 1023, 0], [2, [1024], 1024, 0], [3, [1024], 0, 1024]],
    ["the longest equal prefix", [0, [2000], 2000, 0], [1, [2000, 3000], 1080, 1920], [2, [2000, 3000, 4000], 1056, 2944], [3, [2000, 2500], 68, 2432]],
    ["five minutes", [0, [2000], 2000, 0], [5 * kMinute, [2000], 80, 1920], [10 * kMinute, [2000], 80, 1920], [15 * kMinute + 1, [2000], 2000, 0]],
];

for (const [name, ...calls] of kAutomatic) {
    test(`OpenAI: ${name}`, () => {
        const cache = new AutomaticCache();
        for (const [now, sizes, input, read] of calls) {
            const { usage, commit } = cache.quote(prompt(sizes), now);
            assert.deepEqual(usage, { input, read, write_5m: 0, write_1h: 0 }, `${now} ${sizes}`);
            commit(now);
        }
    });
}

test("OpenAI: another model or key has another cache; identifiers of items are not in the prompt", () => {
    const read = (one, other) => {
        const cache = new AutomaticCache();
        cache.quote(one, 0).commit(0);
        return cache.quote(other, 1).usage.read;
    };
    assert.equal(read(prompt([2000]), prompt([2000], { model: "n" })), 0);
    assert.equal(read(prompt([2000]), prompt([2000], { prompt_cache_key: "k" })), 0);
    const items = (id) => ({ model: "m", input: [{ type: "message", id, role: "user", content: "x".repeat(8000) }] });
    assert.equal(read(items("msg_1"), items("msg_2")), 1920);
});

// Entries are whole texts, which are compared.
class SlowCache {
    #entries = [];
    bill(blocks, now) {
        const prefix = (end) =>
            blocks
                .slice(0, end + 1)
                .map(({ text }) => text)
                .join("");
        const tokens = (end) => (end < 0 ? 0 : tokensOf(prefix(end)));
        const live = (end) => this.#entries.find((one) => one.text === prefix(end) && now - one.used <= one.life);
        const marks = blocks.map((_, at) => at).filter((at) => blocks[at].life && tokens(at) >= 1024);
        const found = marks.map((mark) => Array.from({ length: 20 }, (_, back) => mark - back).find((at) => at >= 0 && live(at)) ?? -1);
        const read = tokens(Math.max(-1, ...found));
        const hour = Math.max(read, tokens(Math.max(-1, ...marks.filter((at) => blocks[at].life > 300_000)))),
            all = Math.max(hour, tokens(Math.max(-1, ...marks)));
        const hits = found.filter((at) => at >= 0).map(live),
            misses = marks.filter((at) => !live(at));
        for (const hit of hits) hit.used = now;
        for (const at of misses) this.#entries.push({ text: prefix(at), used: now, life: blocks[at].life });
        return { input: tokens(blocks.length - 1) - all, read, write_5m: all - hour, write_1h: hour - read };
    }
}

test("Anthropic: random conversations cost what a slow model says", () => {
    let seed = 7;
    const below = (limit) => (seed = (seed * 48271) % 0x7fffffff) % limit;
    let reads = 0;
    for (let round = 0; round < 12; ++round) {
        const cache = new MarkedCache(),
            slow = new SlowCache(),
            content = [];
        let now = 0;
        for (let step = 0; step < 20; ++step) {
            now += below(4) ? below(100_000) : below(4_000_000);
            if (!below(6)) content.splice(below(content.length + 1));
            for (let count = 1 + below(8); count; --count) content.push({ type: "text", text: "abc"[below(3)].repeat(1 + below(3000)) });
            const marks = new Set([content.length - 1, below(content.length), below(content.length)]);
            const marked = content.map((one, at) => (marks.has(at) ? { ...one, cache_control: { type: "ephemeral", ttl: below(3) ? "5m" : "1h" } } : one));
            const body = { model: "m", messages: [{ role: "user", content: marked }] };
            const quote = cache.quote(body, now),
                expected = slow.bill(promptBlocks(body), now);
            assert.deepEqual(quote.usage, expected, `round ${round}, step ${step}`);
            quote.commit(now);
            reads += quote.usage.read > 0;
        }
    }
    assert.ok(reads > 50, `${reads} calls read from the cache`);
});

test("a bill adds up, in thousandths of a plain token", () => {
    const usage = { input: 1, read: 10, write_5m: 100, write_1h: 1000, output: 10000 };
    assert.equal(priceOf(usage), 1000 + 1000 + 125_000 + 2_000_000 + 50_000_000);
    const bill = new Bill();
    bill.add("a", usage);
    bill.add("a", usage);
    bill.add("b", { ...usage, output: 0 });
    assert.deepEqual(bill.conversations.a, {
        calls: 2,
        input: 2,
        read: 20,
        write_5m: 200,
        write_1h: 2000,
        output: 20000,
        billed_input: 4_254_000,
        billed: 104_254_000,
    });
    assert.equal(bill.conversations.b.billed, 2_127_000);
});

test("a virtual clock never goes back", () => {
    const clock = new Clock(true);
    clock.moveTo(1000);
    clock.moveTo(500);
    clock.advance(7);
    assert.equal(clock.now(), 1007);
    assert.ok(new Clock(false).now() > 1_700_000_000_000);
});
