// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each rule accepts a request and refuses another, with the provider's words.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as chat from "./cases_chat.mjs";
import * as messages from "./cases_messages.mjs";
import * as responses from "./cases_responses.mjs";
import { Refusal } from "./rules.mjs";
import { checkChat } from "./rules_chat.mjs";
import { checkMessages } from "./rules_messages.mjs";
import { checkResponses } from "./rules_responses.mjs";

// As a client sends it: without members that are undefined.
const sent = (base, more) => JSON.parse(JSON.stringify({ ...base, ...more }));

const interfaces = [
    ["Messages", messages, (body) => checkMessages(body, messages.issued)],
    ["chat completions", chat, checkChat],
    ["Responses", responses, (body) => checkResponses(body, responses.issued, responses.issued.itemsOf(body?.previous_response_id))],
];

for (const [name, { kBase, cases }, check] of interfaces) {
    for (const [rule, accepted, refused, message] of cases) {
        test(`${name}: ${rule}`, () => {
            assert.doesNotThrow(() => check(sent(kBase, accepted)));
            assert.throws(() => check(sent(kBase, refused)), (error) => {
                assert.ok(error instanceof Refusal, error.stack);
                assert.equal(error.message, message);
                return true;
            });
        });
    }
    test(`${name}: a body is an object`, () => {
        for (const body of [null, 1, "x", []]) assert.throws(() => check(body), Refusal);
    });
}

test("Messages: joined roles are accepted on request", () => {
    const body = { ...messages.kBase, messages: [{ role: "user", content: "x" }, { role: "user", content: "y" }] };
    assert.doesNotThrow(() => checkMessages(body, messages.issued, { alternate: false }));
});

test("Messages: a request for a count has no max_tokens", () => {
    const { max_tokens, ...body } = messages.kBase;
    assert.equal(max_tokens, 2048);
    assert.doesNotThrow(() => checkMessages(body, messages.issued, { counts: true }));
});
