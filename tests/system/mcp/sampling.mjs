// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp and accp serve with clients of the official SDKs whose model has canned answers:
// context_generate asks it by sampling/createMessage. sampling.mjs ACCP
import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { accp, connect, place } from "./common.mjs";
import { serve } from "./served.mjs";

const conversation = `User: Add JWT auth to the login. Do not touch the registration flow.
Assistant: I'll use PyJWT in src/auth/login.py.
User: no, take python-jose, it is installed
`;
const found = {
    constraints: [{ text: "The registration flow stays as it is", quote: "Do not touch the registration flow" }],
    decisions: [
        { choice: "PyJWT", made_by: "agent", quote: "use PyJWT in src/auth/login.py" },
        { choice: "python-jose", reason: "installed", made_by: "user", quote: "take python-jose" },
    ],
};
const outdated = { outdated: [{ item: 2, quote: "no, take python-jose" }] };
const call = (more = {}) => ({ name: "context_generate", arguments: { task: "Add JWT auth", conversation, ...more } });

// Answers the two questions, and notes them.
function model() {
    const asked = [];
    const answer = ({ params }) => {
        asked.push(params);
        const text = params.systemPrompt.startsWith("You check") ? JSON.stringify(outdated) : "```json\n" + JSON.stringify(found) + "\n```";
        return { role: "assistant", model: "canned", stopReason: "endTurn", content: { type: "text", text } };
    };
    return { asked, answer };
}

function checkPacket(result, asked) {
    assert.ok(!result.isError, JSON.stringify(result));
    const { yaml, model } = result.structuredContent;
    assert.match(yaml, /- choice: python-jose\n +reason: installed\n +made_by: user\n/);
    assert.match(yaml, /The registration flow stays as it is/);
    assert.doesNotMatch(yaml, /choice: PyJWT/);
    assert.deepEqual(model, { used: true, notes: ['"PyJWT": left out, a user said later: no, take python-jose'] });
    assert.deepEqual(asked.map((params) => params.systemPrompt.slice(0, 9)), ["You prepa", "You check"]);
    assert.match(asked[0].messages[0].content.text, /\n2 user "no, take python-jose/);
}

// Up to 2025-11-25 the server sends requests, over pipes.
async function sampling(handler, args = []) {
    const client = await connect(accp, ["mcp", ...args], { capabilities: { sampling: {} } });
    client.setRequestHandler(CreateMessageRequestSchema, handler);
    return client;
}

const { asked, answer } = model();
const client = await sampling(answer);
checkPacket(await client.callTool(call()), asked);
const both = await Promise.all([client.callTool(call()), client.callTool(call()), client.ping()]);
for (const result of both.slice(0, 2)) assert.match(result.structuredContent.yaml, /choice: python-jose/);
const before = asked.length;
for (const more of [{ model: "none" }, { items: { decisions: ["RS256"] } }]) {
    const result = await client.callTool(call(more));
    assert.ok(!result.isError && !result.structuredContent.model, JSON.stringify(result));
}
assert.equal(asked.length, before);
await client.close();

const off = model(), silent = await sampling(off.answer, ["--model", "none"]);
assert.ok(!(await silent.callTool(call())).isError);
assert.equal(off.asked.length, 0);
await silent.close();

// A refusal, a client that does not answer in time, and an answer of another form.
const refusing = await sampling(() => {
    throw new Error("User rejected sampling request");
});
const refused = await refusing.callTool(call());
assert.ok(!refused.isError, JSON.stringify(refused));
assert.equal(refused.structuredContent.model.used, false);
assert.match(refused.structuredContent.model.notes[0], /did not let its model be asked: .*User rejected .*; rules made this packet/);
assert.match(refused.content[1].text, /rules made this packet/);
await refusing.close();

const stopped = [];
let onAsked = () => {};
const slow = await sampling(
    (_, { signal }) =>
        new Promise((resolve) => {
            signal.addEventListener("abort", () => (stopped.push(signal.reason), resolve({})));
            onAsked();
        }),
    ["--model-seconds", "1"],
);
const late = await slow.callTool(call());
assert.match(late.structuredContent.model.notes[0], /did not answer within 1 s; rules made this packet/);
assert.equal(stopped.length, 1);  // the server has withdrawn its question
const abort = new AbortController();
onAsked = () => abort.abort();
const given = slow.callTool(call(), undefined, { signal: abort.signal });
await assert.rejects(given);
await slow.ping();
assert.equal(stopped.length, 2);
await slow.close();

const wrong = await sampling(() => ({ role: "assistant", model: "canned", content: { type: "text", text: "I cannot." } }));
const failed = await wrong.callTool(call());
assert.ok(failed.isError);
assert.match(failed.content[0].text, /has no JSON object with goal.*give items, or set model to none/);
await wrong.close();

// In 2026-07-28 the result has the question, over pipes and over HTTP.
const hub = await serve(accp);
const transports = [
    () => new StdioClientTransport({ command: accp, args: ["mcp"], cwd: place(), stderr: "inherit" }),
    () => new StreamableHTTPClientTransport(new URL(`${hub.address}/mcp`)),
];
for (const transport of transports) {
    const stateless = model();
    const modern = new Client({ name: "accp-tests", version: "1.0.0" }, { capabilities: { sampling: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } });
    modern.setRequestHandler("sampling/createMessage", stateless.answer);
    await modern.connect(transport());
    checkPacket(await modern.callTool(call()), stateless.asked);
    const long = call({ conversation: conversation + `Assistant: ${"Done. ".repeat(2000)}\n` });
    assert.match((await modern.callTool(long)).structuredContent.yaml, /choice: python-jose/);
    await modern.close();
}
assert.equal(await hub.stop(), 0);
