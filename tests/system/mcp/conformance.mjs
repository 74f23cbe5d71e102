// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve with MCP's own conformance suite. conformance.mjs ACCP
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { serve } from "./served.mjs";

const hub = await serve(process.argv[2]);
const suite = spawn(process.execPath, ["node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url", `${hub.address}/mcp`,
                                       "--expected-failures", "conformance.yml"], { stdio: ["ignore", "pipe", "inherit"] });
let said = "";
for await (const part of suite.stdout) said += part;
const status = await new Promise((done) => (suite.exitCode !== null ? done(suite.exitCode) : suite.on("exit", done)));
assert.equal(await hub.stop(), 0);
if (status) console.log(said.slice(said.indexOf("=== SUMMARY")));
assert.equal(status, 0);
assert.match(said, /✓ server-initialize/);
