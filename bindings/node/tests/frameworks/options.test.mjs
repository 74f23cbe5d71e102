// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Options of the drop-ins that are not known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AccpError, Store } from "libaccp";
import { accpMiddleware, accpSteps } from "libaccp/ai-sdk";
import { withAccp as withAnthropic } from "libaccp/anthropic";
import { accpMessages, AccpSaver, AccpStore } from "libaccp/langgraph";
import { registerAccpTools } from "libaccp/mcp";
import { withAccp as withOpenAI } from "libaccp/openai";
import { accpHandoffFilter, accpModel, accpModelProvider, AccpSession } from "libaccp/openai-agents";

test("an unknown option is named, with what to write instead", () => {
    const refused = (make, ...texts) =>
        assert.throws(make, (error) => {
            assert.ok(error instanceof AccpError, String(error));
            assert.equal(error.code, "ERR_ARG");
            for (const text of texts) assert.ok(error.message.includes(text), error.message);
            return true;
        });
    const store = Store.openSync("memory:"),
        instead = "'store': give an engine, engine: new Engine({ store })";
    const client = { withOptions: () => client, fetch: () => undefined };
    for (const make of [accpMiddleware, accpSteps, accpMessages]) refused(() => make({ store }), instead, "its options are engine, sessionId, ");
    for (const withAccp of [withAnthropic, withOpenAI]) refused(() => withAccp(client, { store }), instead);
    refused(() => accpModel({}, { store }), instead);
    refused(() => accpModelProvider({}, { store }), instead);
    refused(() => accpSteps({ budgetToken: 5 }), "'budgetToken': perhaps budgetTokens;");
    for (const make of [(options) => new AccpSaver(options), (options) => new AccpStore(options), (options) => new AccpSession({ sessionId: "s", ...options })]) {
        refused(() => make({ engine: 1 }), "'engine': give its store, store: a Store or its URL");
        refused(() => make({ stor: store }), "'stor': perhaps store;");
    }
    refused(() => accpHandoffFilter({ budget: 5 }), "accpHandoffFilter() has no option 'budget'");
    refused(() => registerAccpTools({}, { group: [] }), "registerAccpTools() has no option 'group': perhaps groups;");
});
