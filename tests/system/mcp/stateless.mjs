// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp with version 2 of the official TypeScript SDK over pipes: with revision 2026-07-28,
// whose requests are complete in themselves, negotiated or required; and with the revision before,
// by initialize. Then the same through accp mcp wrap. stateless.mjs ACCP
import assert from "node:assert/strict";
import { join } from "node:path";
import { Client, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { accp, every, place } from "./common.mjs";

const eras = [
    [{ mode: "auto" }, "modern", "2026-07-28"],
    [{ mode: { pin: "2026-07-28" } }, "modern", "2026-07-28"],
    [{ mode: "legacy" }, "legacy", "2025-11-25"],
];

async function begin(project, versionNegotiation, before = []) {
    const client = new Client({ name: "accp-tests", version: "1.0.0" }, { versionNegotiation });
    const args = [...before, "mcp", "--store", `sqlite:${join(project, "s.sqlite")}`];
    await client.connect(new StdioClientTransport({ command: accp, args, cwd: project, stderr: "inherit" }));
    return client;
}

const project = place();
for (const [negotiation, era, revision] of eras) {
    const client = await begin(project, negotiation);
    assert.equal(client.getProtocolEra(), era);
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.match(client.getInstructions(), /\n@accp>sync:registry\{/);
    assert.equal(client.getServerVersion().name, "accp");

    const tools = await every(client, "listTools", "tools");
    assert.ok(tools.some((tool) => tool.name === "frame_call"));
    const say = await client.callTool({
        name: "session_append",
        arguments: { messages: [{ role: "user", content: `said in ${era}` }] },
    });
    assert.ok(!say.isError, JSON.stringify(say));
    const context = await client.callTool({ name: "session_context", arguments: {} });
    assert.match(context.structuredContent.blocks.map((block) => block.text).join(""), new RegExp(`said in ${era}`));
    const wrong = await client.callTool({ name: "session_append", arguments: {} });
    assert.ok(wrong.isError);

    for (const { uri } of await every(client, "listResources", "resources"))
        assert.equal((await client.readResource({ uri })).contents[0].mimeType, "application/accp");
    await assert.rejects(client.readResource({ uri: "accp://none" }), (error) => {
        assert.ok(error instanceof ProtocolError, error);
        assert.equal(error.code, era === "modern" ? -32602 : -32002);
        return true;
    });
    assert.equal((await every(client, "listPrompts", "prompts")).length, 2);
    const prompt = await client.getPrompt({ name: "worker", arguments: { pane: "1" } });
    assert.match(prompt.messages[0].content.text, /pane-1\.yaml/);
    await client.close();
}

for (const [negotiation, era] of eras) {
    const client = await begin(project, negotiation, ["mcp", "wrap", "--max-result", "200", "--", accp]);
    assert.equal(client.getProtocolEra(), era);
    const text = "a line of a long text\n".repeat(500);
    const messages = [{ agent: "t", intent: "done", operation: "tool", payload: { text } }];
    await client.callTool({ name: "session_append", arguments: { session: era, messages } });
    const cut = await client.callTool({ name: "session_resolve", arguments: { session: era, ref: "$cold.m1.payload.text" } });
    const [, ref] = /"ref":"\$([^"]+)"/.exec(cut.content[0].text);
    assert.equal((await client.readResource({ uri: `accp://ref/${ref}` })).contents[0].text, text);
    const first = await client.callTool({ name: "resolve", arguments: { ref: `$${ref}`, lines: "1-1" } });
    assert.match(first.content[0].text, /a line of a long text/);
    await client.close();
}
