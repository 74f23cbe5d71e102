// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp with the client of the official TypeScript SDK over pipes: reads every list, calls every
// tool (the client checks each result with the tool's output schema), and reads every resource and
// prompt. sdk.mjs ACCP
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CreateMessageRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { accp, connect, every, place } from "./common.mjs";

const project = place();
const server = ["mcp", "--store", `sqlite:${join(project, "sessions.sqlite")}`];
const begin = () => connect(accp, server, { cwd: project, env: { AGENTWIRE_PANE: "1" } });
const client = await begin();

const talk = [
    { role: "user", content: "Add JWT auth to the login endpoint. Never log tokens." },
    { role: "assistant", content: "We use JWT with RS256 and a 24h expiry." },
    { role: "user", content: "Yes, use RS256 for the tokens." },
];
const plan = { g: "FIND_HOTEL", plan: [["search", "H_API", { city: "Paris" }], ["rank", "RANK", {}]] };
const frame = "@me>req:tool{tool:session_budget|schema:TC}[mid:aaaaaaaaaaaa,seq:1]";

// One call of each tool, and the expected text.
const given = `version: 1
created: 2026-01-01T00:00:00Z
creator: me
target_task: Add JWT auth
context:
  goal: Add JWT auth
  constraints:
    - Tokens last 24 hours
`;
const calls = [
    ["session_append", { messages: talk }, /^3 appended, 3 records$/],
    ["session_context", {}, /Never log tokens/],
    ["session_resolve", { ref: "$cold.m2" }, /24h expiry/],
    ["session_checkpoint", {}, /^\$warm\.ckpt_2$/],
    ["session_budget", {}, /^hot \d+ of \d+ tokens/],
    ["frame_encode", { message: { agent: "me", intent: "req", operation: "x", payload: { n: 1 } } }, /^@me>req:x\{n:1\}$/],
    ["frame_decode", { frame: "@me>req:x{n:1}" }, /^@me req:x n:1$/],
    ["frame_render", { frame: "@me>req:x{n:1}" }, /^@me req:x n:1$/],
    ["registry_show", {}, /TC tool_call: tool_name \(tool\)/],
    ["context_generate", { task: "Add JWT auth", pane: 1 }, /target_task: Add JWT auth/],
    ["context_read", {}, /Never log tokens/],
    ["context_push", { pane: 1, packet: given }, /pane-1\.yaml/],
    ["context_edit", { pane: 1, packet: given.replace("24 hours", "12 hours") }, /pane-1\.yaml/],
    ["context_refresh", { pane: 1 }, /pane-1\.yaml/],
    ["context_stats", {}, /tasks/],
    ["context_feedback", { gaps: ["Needed: tests"], unused: [] }, /^Context gaps:\n- Needed: tests\n$/],
    ["context_query", { question: "What was decided for the tokens?" }, /RS256/],
    ["sacp_validate", { message: plan, lenient: true }, /^VALID$/],
    ["sacp_query", { query: { verb: "search" } }, /^nobody$/],
    ["sacp_run", { message: plan, lenient: true }, /1 search H_API SIMULATED/],
    ["frame_call", { frame }, /^@accp>done:tool\{tool:session_budget\|res:/],
];

const textOf = (result) => result.content.map((block) => block.text).join("");

assert.equal(client.getServerVersion().name, "accp");
assert.match(client.getInstructions(), /\n@accp>sync:registry\{/);
const tools = await every(client, "listTools", "tools");
assert.deepEqual(new Set(calls.map((call) => call[0])), new Set(tools.map((tool) => tool.name)));
for (const [name, args, expected] of calls) {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name}: ${textOf(result)}`);
    assert.match(textOf(result), expected, name);
}
assert.match(readFileSync(join(project, ".agentwire/context/pane-1.yaml"), "utf8"), /RS256/);

// An error of the model is a result; an error of the host is an error of the protocol.
const wrong = await client.callTool({ name: "session_append", arguments: { message: {} } });
assert.ok(wrong.isError && textOf(wrong) === "arguments: messages is missing", textOf(wrong));
await assert.rejects(client.callTool({ name: "nothing", arguments: {} }), { code: -32602 });
await assert.rejects(client.readResource({ uri: "accp://session/none/frames" }), { code: -32002 });
await assert.rejects(client.request({ method: "nothing" }, CreateMessageRequestSchema), { code: -32601 });

const resources = await every(client, "listResources", "resources");
assert.deepEqual(
    resources.map((one) => one.uri),
    ["accp://registry", "accp://session/default/frames", "accp://session/default/ref/warm.ckpt_2"],
);
for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.ok(contents.length > 0, uri);
    for (const content of contents) {
        assert.equal(content.mimeType, "application/accp", uri);
        assert.match(content.text, /^@[a-z]+>[a-z]+:[a-z_]+\{/, uri);
    }
}
const templates = await every(client, "listResourceTemplates", "resourceTemplates");
const fill = { session: "default", number: "2", ref: "cold.m2" };
for (const { uriTemplate } of templates) {
    const uri = uriTemplate.replace(/\{(\w+)\}/g, (_, name) => fill[name]);
    assert.equal((await client.readResource({ uri })).contents[0].mimeType, "application/accp", uri);
}
const completed = await client.complete({
    ref: { type: "ref/resource", uri: templates[0].uriTemplate },
    argument: { name: "session", value: "de" },
});
assert.deepEqual(completed.completion.values, ["default"]);

const prompts = await every(client, "listPrompts", "prompts");
assert.deepEqual(prompts.map((prompt) => prompt.name), ["orchestrator", "worker"]);
for (const { name } of prompts) {
    const { messages } = await client.getPrompt({ name, arguments: name === "worker" ? { pane: "1" } : {} });
    assert.match(messages[0].content.text, /context_(generate|read)\(/);
}

// Progress, cancelling, logging. The client forgets the receiver of progress as soon as it has the
// result, and a plan is tried so fast that both come at once. So the test reads the messages below
// the client.
const steps = [];
const take = client.transport.onmessage;
client.transport.onmessage = (message, extra) => {
    if (message.method === "notifications/progress") steps.push(message.params.message);
    take(message, extra);
};
await client.callTool({ name: "sacp_run", arguments: { message: plan, lenient: true } }, undefined, {
    onprogress: () => {},
});
assert.deepEqual(steps, ["1 search H_API SIMULATED", "2 rank RANK SIMULATED"]);
const stop = new AbortController();
const stopped = client.callTool({ name: "session_context", arguments: {} }, undefined, { signal: stop.signal });
stop.abort();
await assert.rejects(stopped);
const logged = [];
client.setNotificationHandler(LoggingMessageNotificationSchema, (one) => logged.push(one.params.data));
await client.setLoggingLevel("info");
await client.callTool({ name: "session_budget", arguments: {} });
assert.deepEqual(logged, ["session_budget: done"]);

// Two processes on one file: each sees what the other appended.
const other = await begin();
const say = (who, text) =>
    who.callTool({ name: "session_append", arguments: { messages: [{ role: "user", content: text }] } });
for (const [who, text] of [[other, "one"], [client, "two"], [other, "three"]]) assert.ok(!(await say(who, text)).isError);
const contexts = await Promise.all([client, other].map((who) => who.callTool({ name: "session_context", arguments: {} })));
assert.match(textOf(contexts[0]), /one[^]*two[^]*three/);
assert.equal(textOf(contexts[0]), textOf(contexts[1]));
await client.ping();
await Promise.all([client.close(), other.close()]);

// Confirmed messages survive the process that confirmed them.
for (let round = 1; round <= 20; ++round) {
    const one = await begin();
    await say(one, `round ${round}`);
    process.kill(one.transport.pid, "SIGKILL");
    await one.close();
}
const last = await begin();
const resolved = await last.callTool({ name: "session_context", arguments: {} });
for (let round = 1; round <= 20; ++round) assert.match(textOf(resolved), new RegExp(`round ${round}\\b`));
await last.close();
