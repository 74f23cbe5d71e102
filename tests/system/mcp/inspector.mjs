// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp with the command of MCP's inspector. inspector.mjs ACCP
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { accp, place } from "./common.mjs";

const command = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const cwd = process.cwd();
const project = place();

// Returns the result of a method as the command prints it.
function ask(method, ...more) {
    const args = [command, "--cli", accp, "mcp", "--store", `sqlite:${project}/s.sqlite`, "--method", method, "-q", ...more];
    return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: "utf8" }));
}

// --strict: every known client and model accepts the schemas of all tools
assert.ok(ask("tools/list", "--strict").tools.some((tool) => tool.name === "session_append"));
const messages = JSON.stringify([{ role: "user", content: "Fix the login" }]);
const appended = ask("tools/call", "--tool-name", "session_append", "--tool-arg", `messages=${messages}`);
assert.deepEqual(appended.structuredContent, { appended: 1, records: 1 });
assert.match(ask("tools/call", "--tool-name", "session_context").content[0].text, /Fix the login/);
assert.ok(ask("resources/list").resources.some((one) => one.uri === "accp://session/default/frames"));
assert.equal(ask("resources/read", "--uri", "accp://registry").contents[0].mimeType, "application/accp");
assert.equal(ask("resources/templates/list").resourceTemplates.length, 3);
// with revision 2026-07-28 too
assert.ok(ask("tools/list", "--protocol-era", "modern").tools.length > 10);
assert.deepEqual(ask("prompts/list").prompts.map((prompt) => prompt.name), ["orchestrator", "worker"]);
const worker = ask("prompts/get", "--prompt-name", "worker", "--prompt-args", "pane=4");
assert.match(worker.messages[0].content.text, /pane-4\.yaml/);
