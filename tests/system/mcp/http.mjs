// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve with the official SDK over HTTP. http.mjs ACCP
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serve } from "./served.mjs";

async function connect(url) {
    const client = new Client({ name: "accp-tests", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    return { client, transport };
}

const hub = await serve(process.argv[2]);
const url = `${hub.address}/mcp`;
const one = await connect(url), two = await connect(url);
assert.notEqual(one.transport.sessionId, two.transport.sessionId);
const call = async (of, name, given) => (await of.client.callTool({ name, arguments: given })).structuredContent;
const messages = [{ role: "user", content: "Fix the login" }];
assert.deepEqual(await call(one, "session_append", { session: "shared", messages }), { appended: 1, records: 1 });
// another client, and an agent without MCP, have the same sessions
const context = async (of) =>
    (await of.client.callTool({ name: "session_context", arguments: { session: "shared" } })).content.map((block) => block.text).join("");
assert.match(await context(two), /Fix the login/);
const frame = "@dev>comp:login{n:1}[mid:a00000000001,seq:1,ts:1794000000]";
const posted = await fetch(`${hub.address}/accp/v1/frames?session=shared`, { method: "POST", headers: { "Content-Type": "application/accp" }, body: frame });
assert.equal(posted.status, 204);
assert.match(await context(one), /untrusted.*@dev comp:login/);
assert.ok((await one.client.listResources()).resources.length > 0);
// requests that break the protocol
const ask = (headers, body, method = "POST") =>
    fetch(url, { method, body, headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers } });
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
assert.equal((await ask({}, ping)).status, 400);
assert.equal((await ask({ "Mcp-Session-Id": "0000" }, ping)).status, 404);
assert.equal((await ask({ "Mcp-Session-Id": one.transport.sessionId }, ping)).status, 200);
assert.equal((await ask({ "Mcp-Session-Id": one.transport.sessionId, "MCP-Protocol-Version": "1999-01-01" }, ping)).status, 400);
assert.equal((await ask({ "Mcp-Session-Id": one.transport.sessionId, Accept: "text/html" }, ping)).status, 406);
assert.equal((await ask({ "Mcp-Session-Id": one.transport.sessionId, "Content-Type": "text/plain" }, ping)).status, 415);
assert.equal((await ask({ "Mcp-Session-Id": one.transport.sessionId }, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))).status, 202);
assert.equal((await ask({}, undefined, "GET")).status, 405);
await one.transport.terminateSession();
assert.equal((await ask({ "Mcp-Session-Id": two.transport.sessionId }, undefined, "DELETE")).status, 204);
assert.equal((await ask({ "Mcp-Session-Id": two.transport.sessionId }, ping)).status, 404);
await one.client.close();
await two.client.close();
assert.equal(await hub.stop(), 0);
