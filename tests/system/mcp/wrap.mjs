// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp wrap before three public servers: the result of each call, with its refs resolved, must
// be that of the server. wrap.mjs ACCP
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { accp, calling, connect, every, everythingCalls, place, sameResult } from "./common.mjs";

const node = process.execPath;
const packages = resolve("node_modules/@modelcontextprotocol");

// Short and long files to read.
function files() {
    const path = place();
    mkdirSync(join(path, "deep"));
    const lines = (count) => Array.from({ length: count }, (_, i) => `line ${i}: "é" of a text\n`).join("");
    writeFileSync(join(path, "short.txt"), lines(3));
    writeFileSync(join(path, "long.txt"), lines(3000));
    writeFileSync(join(path, "deep", "other.txt"), lines(1200));
    return path;
}

const root = files();
const entities = Array.from({ length: 150 }, (_, i) => ({
    name: `entity ${i}`,
    entityType: "thing",
    observations: [`it is number ${i}`, "it is one of many, and has a sentence of its own"],
}));

const servers = [
    {
        name: "filesystem",
        args: () => [join(packages, "server-filesystem/dist/index.js"), root],
        calls: [
            ["read_text_file", { path: join(root, "short.txt") }],
            ["read_text_file", { path: join(root, "long.txt") }],
            ["read_multiple_files", { paths: [join(root, "long.txt"), join(root, "deep/other.txt")] }],
            ["list_directory", { path: root }],
            ["directory_tree", { path: root }],
            ["read_text_file", { path: join(root, "none.txt") }],
        ],
        cuts: 2,
    },
    {
        name: "everything",
        args: () => [join(packages, "server-everything/dist/index.js"), "stdio"],
        calls: everythingCalls,
        cuts: 1,
    },
    {
        name: "memory",
        args: () => [join(packages, "server-memory/dist/index.js")],
        env: () => ({ MEMORY_FILE_PATH: join(place(), "memory.jsonl") }),
        calls: [
            ["create_entities", { entities }],
            ["read_graph", {}],
            ["search_nodes", { query: "number 7" }],
            ["open_nodes", { names: ["entity 3"] }],
        ],
        cuts: 2,
    },
];

// more: arguments of each call that belong to the wrap.
async function check(server, options, more = {}) {
    const plain = await connect(node, server.args(), { cwd: root, env: server.env?.() });
    const wrapped = await connect(accp, ["mcp", "wrap", ...options, "--", node, ...server.args()], {
        cwd: root,
        env: server.env?.(),
    });
    const names = (tools) => tools.map((tool) => tool.name);
    const own = names(await every(plain, "listTools", "tools"));
    assert.deepEqual(names(await every(wrapped, "listTools", "tools")).slice(0, own.length), own);
    const state = { cuts: 0 };
    for (const call of server.calls) {
        const [name, args] = call, expected = await calling(plain, call);
        await sameResult(wrapped, await calling(wrapped, [name, { ...args, ...more }]), expected, state, `${server.name} ${call[0]}`);
    }
    assert.equal(state.cuts >= server.cuts, true, `${server.name}: ${state.cuts} texts were cut`);
    await Promise.all([plain.close(), wrapped.close()]);
}

for (const server of servers) {
    await check(server, []);
    await check(server, ["--on-demand"]);
    await check(server, ["--bounds"], { _max_tokens: 200 });
    await check(server, ["--bounds"], { _lines: "1-3" });
}
