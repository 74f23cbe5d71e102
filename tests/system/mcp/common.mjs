// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the tests have in common: a client of the official SDK over pipes, and places that go again.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const accp = process.argv[2];

// A directory that is gone when the test is.
export function place() {
    const path = mkdtempSync(join(tmpdir(), "accp-mcp-"));
    process.on("exit", () => rmSync(path, { recursive: true, force: true }));
    return path;
}

// A client of the server that a command is.
export async function connect(command, args, options = {}) {
    const client = new Client({ name: "accp-tests", version: "1.0.0" }, { capabilities: {} });
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

// All pages of a list: every(client, "listTools", "tools").
export async function every(client, method, member) {
    const all = [];
    for (let cursor; ; ) {
        const page = await client[method](cursor ? { cursor } : {});
        all.push(...page[member]);
        cursor = page.nextCursor;
        if (!cursor) return all;
    }
}
