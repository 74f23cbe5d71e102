// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each rule accepts a request and refuses another, with the provider's words.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as chat from "./cases_chat.mjs";
import * as messages from "./cases_messages.mjs";
import * as responses from "./cases_responses.mjs";
import { promptBlocks, promptText } from "./cache.mjs";
import { Refusal } from "./rules.mjs";
import { checkChat } from "./rules_chat.mjs";
import { checkMessages } from "./rules_messages.mjs";
import { checkResponses } from "./rules_responses.mjs";
import { chat as chatWire } from "./wire_chat.mjs";
import { messages as messagesWire } from "./wire_messages.mjs";
import { responses as responsesWire } from "./wire_responses.mjs";

// Returns the value as a client sends it: without members that are undefined.
const sent = (base, more) => JSON.parse(JSON.stringify({ ...base, ...more }));

const interfaces = [
    ["Messages", messages, (body) => checkMessages(body, messages.issued, { alternate: true })],
    ["chat completions", chat, checkChat],
    ["Responses", responses, (body) => checkResponses(body, responses.issued, responses.issued.itemsOf(body?.previous_response_id))],
];

for (const [name, { kBase, cases }, check] of interfaces) {
    for (const [rule, accepted, refused, message] of cases) {
        test(`${name}: ${rule}`, () => {
            assert.doesNotThrow(() => check(sent(kBase, accepted)));
            assert.throws(
                () => check(sent(kBase, refused)),
                (error) => {
                    assert.ok(error instanceof Refusal, error.stack);
                    assert.equal(error.message, message);
                    return true;
                },
            );
        });
    }
    test(`${name}: a body is an object`, () => {
        for (const body of [null, 1, "x", []]) assert.throws(() => check(body), Refusal);
    });
}

test("Messages: neighbours of one role are one message", () => {
    const user = (...content) => ({ role: "user", content }),
        assistant = (...content) => ({ role: "assistant", content });
    const text = { type: "text", text: "x" },
        use = { type: "tool_use", id: "t1", name: "read", input: {} },
        result = { type: "tool_result", tool_use_id: "t1" };
    const check = (...list) => checkMessages({ ...messages.kBase, messages: list }, messages.issued);
    assert.doesNotThrow(() => check(user(text), assistant(text), assistant(use), user(result), user(text)));
    assert.throws(() => check(user(text), assistant(use), user(text), user(result)), Refusal);
});

test("Messages: a request for a count has no max_tokens", () => {
    const { max_tokens, ...body } = messages.kBase;
    assert.equal(max_tokens, 2048);
    assert.doesNotThrow(() => checkMessages(body, messages.issued, { counts: true }));
});

let seed = 11;
const below = (limit) => (seed = (seed * 48271) % 0x7fffffff) % limit;
const kOdd = [null, 0, -1, 1.5, "", " ", "x", true, [], {}, [null], [[]], [{}], { type: "text" }, { type: null }, { role: "user" }, { length: 3 }];

// Replaces or removes one value somewhere in a copy.
function changed(value, isRoot = false) {
    if (value === null || typeof value !== "object" || (!isRoot && !below(5))) return kOdd[below(kOdd.length)];
    const copy = Array.isArray(value) ? [...value] : { ...value },
        keys = Object.keys(copy);
    if (!keys.length) return kOdd[below(kOdd.length)];
    const key = keys[below(keys.length)];
    if (below(6)) copy[key] = changed(copy[key]);
    else if (Array.isArray(copy)) copy.splice(key, 1);
    else delete copy[key];
    return copy;
}

// The server calls these functions for an accepted request.
const uses = {
    Messages: (body) => [messagesWire.said(body), messagesWire.offered(body), promptBlocks(body)],
    "chat completions": (body) => [chatWire.said(body), chatWire.offered(body), promptText(body)],
    Responses: (body) => [responsesWire.said(responsesWire.expand(body, responses.issued)), responsesWire.offered(body), promptText(body)],
};
for (const [name, { kBase, cases }, check] of interfaces) {
    test(`${name}: a request with anything changed is accepted and used, or refused`, () => {
        const bodies = cases
            .flatMap(([, accepted, refused]) => [accepted, refused])
            .map((more) => sent(kBase, more))
            .filter((body) => JSON.stringify(body).length < 100_000);
        let accepted = 0;
        for (let round = 0; round < 20_000; ++round) {
            let body = bodies[below(bodies.length)];
            for (let count = 1 + below(2); count; --count) body = changed(body, true);
            try {
                check(body);
                uses[name](body);
                ++accepted;
            } catch (error) {
                assert.ok(error instanceof Refusal, `${JSON.stringify(body)}\n${error.stack}`);
            }
        }
        assert.ok(accepted > 500, `${accepted} accepted`);
    });
}
