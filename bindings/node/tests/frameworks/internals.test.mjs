// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random texts, lists and crashes against what the drop-ins are made of. ACCP_SEED=N plays others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, Store } from "libaccp";
import { chatWire } from "../../dist/frameworks/openai-chat.mjs";
import { responsesWire } from "../../dist/frameworks/openai-responses.mjs";
import { fromJson, toJson } from "../../dist/frameworks/json.mjs";
import { MessageList } from "../../dist/frameworks/message-list.mjs";
import { deltaOf, GrowingText } from "../../dist/frameworks/text-delta.mjs";
import { turnsOf } from "../../dist/frameworks/items.mjs";
import { ValueLog } from "../../dist/frameworks/value-log.mjs";
import { checkPairs } from "./talk.mjs";

const kSeed = Number(process.env.ACCP_SEED ?? 1);

function randomOf(seed) {
    let state = (kSeed * 7919 + seed * 104729) >>> 0 || 1;
    return (below) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % below;
    };
}

const kPieces = ["a", "ab", "é", "😀", "\ud83d", "\n", "x".repeat(5000), "[", "]", ",", "日本"];

test("differences of texts give the texts back", () => {
    for (let seed = 0; seed < 300; ++seed) {
        const random = randomOf(seed),
            texts = [""];
        for (let i = 0; i < 12; ++i) {
            const before = texts.at(-1),
                from = random(before.length + 1),
                to = Math.min(before.length, from + random(4) * random(3000));
            texts.push(before.slice(0, from) + kPieces[random(kPieces.length)].repeat(random(3)) + before.slice(to));
        }
        const growing = new GrowingText(texts[0]);
        for (let i = 1; i < texts.length; ++i) {
            growing.apply(deltaOf(texts[i - 1], texts[i]));
            assert.equal(growing.toString(), texts[i]);
        }
    }
    assert.throws(() => new GrowingText("ab").apply({ prefix: 5, suffix: 0, middle: "" }), /longer than its base/);
});

test("JSON with bytes gives the values back", () => {
    for (const value of [
        null,
        5,
        "x",
        [new Uint8Array([0, 255])],
        { $accp_bytes: "no" },
        { $accp_bytes: { $accp_bytes: "no", b: new Uint8Array(3) } },
        { a: { $accp_bytes: 1 } },
        Buffer.from("hi"),
    ])
        assert.deepEqual(fromJson(toJson(value)), value instanceof Buffer ? new Uint8Array(value) : value);
});

/** A random list in the form of chat completions; some calls have no result, some results no call, some ids occur twice. */
function chatOf(random) {
    const messages = [];
    if (random(2)) messages.push({ role: random(2) ? "system" : "developer", content: "rules" });
    const long = () => Array.from({ length: random(3) ? random(5) : random(300) }, (_, i) => `line ${random(50)} ${i} \ud83d😀`).join("\n");
    for (let turn = 0; turn < 3 + random(25); ++turn) {
        if (turn === 0 || !random(5))
            messages.push({
                role: "user",
                content: random(3)
                    ? long()
                    : [
                          { type: "text", text: long() },
                          { type: "image_url", image_url: { url: "data:," } },
                      ],
                name: random(2) ? "ada" : undefined,
            });
        const calls = Array.from({ length: random(4) }, (_, i) => ({
            id: random(9) ? `c${turn}_${i}` : "same",
            type: "function",
            function: { name: "read", arguments: random(5) ? `{"n":${turn}}` : random(2) ? "not json" : "" },
        }));
        messages.push({ role: "assistant", content: random(2) ? long() : null, ...(calls.length && { tool_calls: calls }), extra: turn });
        for (const call of calls)
            if (random(12)) messages.push({ role: "tool", tool_call_id: call.id, content: random(6) ? long() : [{ type: "text", text: long() }] });
        if (!random(10)) messages.push({ role: "tool", tool_call_id: "nobody", content: "stray" });
    }
    return messages;
}

test("random lists: what is not shortened is the same object, and whole pairs stay whole", async () => {
    const store = Store.openSync("memory:"),
        engine = new Engine({ store });
    let shortened = 0;
    for (let seed = 0; seed < 60; ++seed) {
        const random = randomOf(seed),
            chat = chatOf(random);
        const items = chat.flatMap((one) =>
            one.role === "tool"
                ? [
                      {
                          type: "function_call_output",
                          call_id: one.tool_call_id,
                          output: typeof one.content === "string" ? one.content : one.content[0].text,
                      },
                  ]
                : [
                      ...(one.role === "assistant" && random(2) ? [{ type: "reasoning", id: `r${random(1e6)}`, summary: [] }] : []),
                      ...(one.content === null || one.content === undefined
                          ? []
                          : [
                                {
                                    role: one.role,
                                    content:
                                        typeof one.content === "string"
                                            ? one.content
                                            : [{ type: "input_text", text: one.content[0].text }, { type: "input_image" }],
                                },
                            ]),
                      ...(one.tool_calls ?? []).map((call) => ({
                          type: "function_call",
                          call_id: call.id,
                          name: "read",
                          arguments: call.function.arguments,
                      })),
                  ],
        );
        const cases = [
            [chatWire.form, chat],
            [responsesWire.form, turnsOf(items, { callId: "call_id", result: "function_call_output", customResult: undefined })],
        ];
        for (const [at, [form, messages]] of cases.entries()) {
            const list = new MessageList(messages, form),
                session = await engine.open(`random-${seed}-${at}`);
            await session.appendHistory("openai", list.json);
            for (const budgetTokens of [0, 4000, 900]) {
                let context;
                try {
                    context = await session.contextMessages("openai", { budgetTokens });
                } catch (error) {
                    assert.equal(error.code, "E2003"); // the first messages alone are longer
                    continue;
                }
                const { messages: made, changed, sent } = list.apply(context.json),
                    kept = new Set(made);
                shortened += changed;
                messages.forEach((one, index) => assert.ok(kept.has(one) || sent.get(index) !== one));
                for (const [index, one] of sent) assert.equal(form.role(one), form.role(messages[index]));
                if (JSON.stringify(chat).includes('"same"')) continue; // ids that a provider refuses
                const known = new Set(
                    messages.flatMap((one) =>
                        form
                            .parts(one)
                            .filter((part) => part.kind === "result")
                            .map((part) => part.id),
                    ),
                );
                const ids = made.flatMap((one) =>
                    form
                        .parts(one)
                        .flatMap((part) =>
                            part.kind === "call" && known.has(part.id)
                                ? [{ call: part.id }]
                                : part.kind === "result" && part.id !== "nobody"
                                  ? [{ result: part.id }]
                                  : [],
                        ),
                );
                checkPairs(ids);
            }
            await session.close();
        }
    }
    assert.ok(shortened > 200, `${shortened}`);
    engine.close();
    await store.close();
});

/** An engine whose sessions fail at one write. */
function failing(engine, at) {
    let writes = 0;
    return {
        open: async (id) => {
            const session = await engine.open(id),
                fail = () => {
                    if (++writes === at) throw new Error("crash");
                };
            return {
                resolveText: (ref) => session.resolveText(ref),
                putText: async (ref, text) => (fail(), session.putText(ref, text)),
                remove: async (ref) => (fail(), session.remove(ref)),
                close: () => session.close(),
            };
        },
    };
}

test("a log that is replaced has the old records or the new ones, wherever a crash happens", async () => {
    const store = Store.openSync("memory:"),
        engine = new Engine({ store });
    const open = async (of, id) => {
        const records = [];
        const log = new ValueLog(
            of,
            id,
            () => (records.length = 0),
            (text) => records.push(text),
        );
        await log.run(async () => undefined);
        return { log, records };
    };
    const old = ["a", "b", "c", "d"],
        fresh = ["x", "😀", "z"];
    for (let at = 1; at <= 12; ++at) {
        const id = `log-${at}`,
            first = await open(engine, id);
        await first.log.run(async () => {
            for (const one of old) await first.log.append(one);
        });
        await first.log.end();
        const broken = await open(failing(engine, at), id);
        const failure = await broken.log.run(() => broken.log.replace(fresh)).catch((error) => error);
        assert.ok(failure === undefined || failure.message === "crash", String(failure));
        await broken.log.end();
        const again = await open(engine, id);
        assert.deepEqual(again.records, at <= fresh.length + 1 && failure ? old : fresh, `a crash at write ${at}`);
        // the next one leaves nothing of an interrupted one
        await again.log.run(() => again.log.replace(["1"]));
        await again.log.run(() => again.log.append("2"));
        await again.log.end();
        assert.deepEqual((await open(engine, id)).records, ["1", "2"]);
    }
    engine.close();
    await store.close();
});
