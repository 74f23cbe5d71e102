// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shared by the tests: a client of the official SDK over pipes, and temporary directories.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.setMaxListeners(0);  // removed or stopped at the end

export const accp = process.argv[2];

// A temporary directory of the test.
export function place() {
    const path = mkdtempSync(join(tmpdir(), "accp-mcp-"));
    process.on("exit", () => rmSync(path, { recursive: true, force: true }));
    return path;
}

// Connects a client to the server that a command starts.
export async function connect(command, args, options = {}) {
    const client = new Client({ name: "accp-tests", version: "1.0.0" }, { capabilities: options.capabilities ?? {} });
    const transport = new StdioClientTransport({
        command,
        args,
        cwd: options.cwd,
        env: { PATH: process.env.PATH, HOME: options.cwd ?? place(), ...options.env },
        stderr: "inherit",
    });
    await client.connect(transport);
    return client;
}

// Returns all pages of a list: every(client, "listTools", "tools").
export async function every(client, method, member) {
    const all = [];
    for (let cursor; ; ) {
        const page = await client[method](cursor ? { cursor } : {});
        all.push(...page[member]);
        cursor = page.nextCursor;
        if (!cursor) return all;
    }
}

// Returns the result of a call, or its error.
export const calling = (client, [name, args]) =>
    client.callTool({ name, arguments: args }).catch((error) => ({ code: error.code, message: error.message }));

// Returns the original of a text that was shortened.
async function whole(client, text, state) {
    const cut = /\[cut from \d+ tokens; the tool (\w+) has all of it: \{"ref":"\$([^"]+)"\}[^\]]*\]$/.exec(text ?? "");
    if (!cut) return text;
    ++state.cuts;
    const { contents } = await client.readResource({ uri: `accp://ref/${cut[2]}` });
    const begin = await client.callTool({ name: cut[1], arguments: { ref: `$${cut[2]}`, lines: "1-2" } });
    assert.ok(!begin.isError);
    return contents[0].text;
}

// Returns a result with all its refs resolved.
async function resolved(client, result, state) {
    const content = [];
    for (const block of result.content ?? []) {
        const made = structuredClone(block);
        if ("text" in made) made.text = await whole(client, made.text, state);
        if (made.resource?.text) made.resource.text = await whole(client, made.resource.text, state);
        content.push(made);
    }
    return result.content ? { ...result, content } : result;
}

// Checks that a result through the wrap, with its refs resolved, is that of the server. If a text has the same content as the structure, the structure is left out
// beside the shortened text. If none has, the structure comes as a text.
export async function sameResult(client, got, expected, state, what) {
    const before = state.cuts, all = await resolved(client, got, state), own = structuredClone(expected);
    if (state.cuts > before) delete own.structuredContent;
    if (all.content?.length === own.content?.length + 1) assert.deepEqual(JSON.parse(all.content.pop().text), expected.structuredContent, what);
    assert.deepEqual(all, own, what);
}

// Calls of server-everything, for every kind of connection.
export const everythingCalls = [
    ["echo", { message: "é \"quoted\"" }],
    ["echo", { message: "a long one ".repeat(3000) }],
    ["get-sum", { a: 2, b: 3 }],
    ["get-tiny-image", {}],
    ["get-annotated-message", { messageType: "error", includeImage: true }],
    ["get-structured-content", { location: "New York" }],
    ["echo", {}],
];
