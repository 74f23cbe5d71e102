// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp wrap --url before a public server over HTTP, and before accp serve. The result of each
// call, with its refs resolved, must be that of the server. The server's own messages must get
// through, a session that the server has forgotten must be replaced, and errors must be reported.
// remote.mjs ACCP
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { createServer as createPlain } from "node:net";
import { join, resolve } from "node:path";
import { accp, calling, connect, every, everythingCalls, place, sameResult } from "./common.mjs";
import { serve } from "./served.mjs";

const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

const freePort = () =>
    new Promise((done) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });

// A running server-everything.
async function startEverything(port) {
    port ??= await freePort();
    const server = spawn(process.execPath, [everything, "streamableHttp"], { env: { ...process.env, PORT: port }, stdio: ["ignore", "ignore", "pipe"] });
    process.on("exit", () => server.kill());
    for (let tries = 0; tries < 2400; ++tries) {
        const answer = await fetch(`http://127.0.0.1:${port}/mcp`).catch(() => null);
        if (answer) return { port, url: `http://127.0.0.1:${port}/mcp`, stop: () => new Promise((done) => server.on("exit", done) && server.kill()) };
        await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("server-everything does not listen");
}

const wrap = (url, ...options) => connect(accp, ["mcp", "wrap", ...options, "--url", url]);

async function direct(url) {
    const client = new Client({ name: "accp-tests", version: "1.0.0" }, { capabilities: {} });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
}

async function same(url, calls, options, cuts) {
    const plain = await direct(url), wrapped = await wrap(url, ...options);
    const state = { cuts: 0 };
    for (const call of calls) {
        const expected = await calling(plain, call);
        await sameResult(wrapped, await calling(wrapped, call), expected, state, call[0]);
    }
    assert.ok(state.cuts >= cuts, `${state.cuts} texts were cut`);
    const names = (tools) => tools.map((tool) => tool.name);
    const own = names(await every(plain, "listTools", "tools"));
    assert.deepEqual(names(await every(wrapped, "listTools", "tools")).slice(0, own.length), own);
    await Promise.all([plain.close(), wrapped.close()]);
}

const server = await startEverything();
await same(server.url, everythingCalls, [], 1);
await same(server.url, everythingCalls, ["--on-demand"], 1);

// messages of the server: progress during a call, log messages, and a question to the client
{
    const client = new Client({ name: "accp-tests", version: "1.0.0" }, { capabilities: { sampling: {} } });
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({ model: "m", role: "assistant", content: { type: "text", text: "asked and answered" } }));
    let logged = 0;
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => { ++logged; });
    await client.connect(new StdioClientTransport({ command: accp, args: ["mcp", "wrap", "--url", server.url], stderr: "inherit" }));
    const steps = [];
    await client.callTool({ name: "trigger-long-running-operation", arguments: { duration: 1, steps: 4 } }, undefined, { onprogress: (step) => steps.push(step.progress) });
    assert.deepEqual(steps.slice(0, 3), [1, 2, 3]);  // the SDK forgets the receiver of a step that arrives together with the
                                                     // result
    const sampled = await client.callTool({ name: "trigger-sampling-request", arguments: { prompt: "p", maxTokens: 10 } });
    assert.match(JSON.stringify(sampled.content), /asked and answered/);
    // many calls at once
    const sums = await Promise.all(Array.from({ length: 40 }, (_, i) => client.callTool({ name: "get-sum", arguments: { a: i, b: 1 } })));
    sums.forEach((sum, i) => assert.match(sum.content[0].text, new RegExp(`\\b${i + 1}\\b`)));
    await client.callTool({ name: "toggle-simulated-logging", arguments: {} });
    for (let tries = 0; !logged && tries < 1200; ++tries) await new Promise((done) => setTimeout(done, 100));
    assert.ok(logged > 0, "the stream of the server's own messages");
    // a message of 1 MB in both directions
    const large = "0123456789".repeat(1e5), state = { cuts: 0 };
    await sameResult(client, await client.callTool({ name: "echo", arguments: { message: large } }), { content: [{ type: "text", text: `Echo: ${large}` }] }, state, "1 MB");
    assert.equal(state.cuts, 1);
    // a cancelled call ends at once, and so does its connection
    const cancelled = new AbortController();
    const long = client.callTool({ name: "trigger-long-running-operation", arguments: { duration: 60, steps: 1 } }, undefined, { signal: cancelled.signal });
    setTimeout(() => cancelled.abort(), 200);
    await assert.rejects(long);
    // a restarted server has no session, and reports that by status 400
    await server.stop();
    const again = await startEverything(server.port);
    assert.match((await client.callTool({ name: "echo", arguments: { message: "anew" } })).content[0].text, /anew/);
    await client.close();
    await again.stop();
}

// our own hub, whose sessions are lost by a restart
{
    const hub = await serve(accp);
    const own = [
        ["frame_encode", { message: { agent: "a", intent: "req", operation: "x", payload: { k: 1 } } }],
        ["session_append", { session: "r", messages: [{ agent: "a", intent: "req", operation: "x", payload: { text: "word ".repeat(5000) } }] }],
        ["session_context", { session: "r" }],
        ["session_resolve", { session: "r", ref: "$cold.m1" }],
        ["frame_decode", { frame: "no frame" }],
        ["no_such_tool", {}],
    ];
    const plain = await direct(`${hub.address}/mcp`), wrapped = await wrap(`${hub.address}/mcp`), state = { cuts: 0 };
    for (const call of own) {
        // the result of an append contains a count, which differs
        if (call[0] === "session_append") {
            assert.ok(!(await calling(wrapped, call)).isError);
            continue;
        }
        const expected = await calling(plain, call);
        await sameResult(wrapped, await calling(wrapped, call), expected, state, call[0]);
    }
    assert.ok(state.cuts >= 1, "a long text was cut");
    await plain.close();
    const port = new URL(hub.address).port;
    await hub.stop();
    const gone = await calling(wrapped, own[0]);
    assert.match(gone.message, /the server cannot be reached/);
    const again = await serve(accp, "--listen", `127.0.0.1:${port}`);
    assert.match(JSON.stringify(await calling(wrapped, own[0])), /@a>req:x/);  // a new session
    await wrapped.close();
    await again.stop();
}

// with revision 2026-07-28, whose requests are complete in themselves: negotiated, and required
for (const mode of ["auto", { pin: "2026-07-28" }]) {
    const hub = await serve(accp);
    const client = new ModernClient({ name: "accp-tests", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport({ command: accp, args: ["mcp", "wrap", "--max-result", "200", "--bounds", "--url", `${hub.address}/mcp`], stderr: "inherit" }));
    assert.equal(client.getProtocolEra(), "modern");
    assert.ok((await every(client, "listTools", "tools")).some((tool) => tool.name === "resolve"));
    const said = await client.callTool({ name: "session_append", arguments: { messages: [{ role: "user", content: "word ".repeat(5000) }] } });
    assert.ok(!said.isError, JSON.stringify(said));
    const context = await client.callTool({ name: "session_context", arguments: {} });
    assert.match(context.content[0].text, /\[cut from \d+ tokens/);
    const line = await client.callTool({ name: "session_context", arguments: { _lines: "1" } });
    assert.match(line.content[0].text, /^\(untrusted\)\nlines 1-1 of \d+:\n/);
    const wrong = await client.callTool({ name: "session_context", arguments: { _lines: "first" } });
    assert.ok(wrong.isError && /_lines is "first"; it must be a-b/.test(wrong.content[0].text));
    const resource = await client.readResource({ uri: "accp://registry" });
    assert.equal(resource.contents[0].mimeType, "application/accp");
    await client.close();
    await hub.stop();
}

// TLS: a trusted certificate, an untrusted one, and one for another name
{
    const path = place(), [cert, key] = [join(path, "cert.pem"), join(path, "key.pem")];
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], { stdio: "ignore" });
    const hub = await serve(accp, "--cert", cert, "--key", key), { port } = new URL(hub.address);
    const client = await wrap(`https://localhost:${port}/mcp`, "--ca", cert);
    assert.match(JSON.stringify(await calling(client, ["frame_encode", { message: { agent: "a", intent: "req", operation: "x", payload: { k: 1 } } }])), /@a>req:x/);
    await client.close();
    await assert.rejects(wrap(`https://localhost:${port}/mcp`), /the server cannot be reached: .*certificate/i);
    await assert.rejects(wrap(`https://127.0.0.1:${port}/mcp`, "--ca", cert), /the server cannot be reached: .*(certificate|hostname|mismatch)/i);
    await assert.rejects(wrap(`http://localhost:${port}/mcp`), /the server cannot be reached: localhost:\d+: /);
    await hub.stop();
}

// our own headers, and those of the environment; no proxy for this machine; silence is reported
{
    const seen = [];
    const quiet = createServer((request, response) => { seen.push(request.headers.authorization); });
    await new Promise((done) => quiet.listen(0, "127.0.0.1", done));
    const options = ["--timeout", "1", "--header", "Authorization: Bearer ${TOKEN_OF_TEST}", "--url", `http://127.0.0.1:${quiet.address().port}/`];
    const env = { TOKEN_OF_TEST: "t0", http_proxy: "http://127.0.0.1:1" };
    await assert.rejects(connect(accp, ["mcp", "wrap", ...options], { env }), /the server sent nothing for 1 s \(--timeout\)/);
    assert.equal(seen[0], "Bearer t0");
    quiet.closeAllConnections();
    quiet.close();
}

// errors are reported to the caller
{
    const odd = createServer((request, response) => {
        const answers = { "/none": [404], "/token": [401, { "content-type": "text/plain" }, "no\ttoken"], "/moved": [308, { location: "https://example.com/mcp" }], "/html": [200, { "content-type": "text/html" }, "<p>"] };
        const [status, headers, body] = answers[request.url];
        response.writeHead(status, headers).end(body);
    });
    await new Promise((done) => odd.listen(0, "127.0.0.1", done));
    const { port } = odd.address();
    for (const [path, said] of [["/none", /answered 404.*path of --url/], ["/token", /answered 401: no token; pass its token with --header/],
                                ["/moved", /answered 308: it has moved to https:\/\/example.com\/mcp/], ["/html", /has no message for this request/]])
        await assert.rejects(wrap(`http://127.0.0.1:${port}${path}`), said);
    odd.close();
    await assert.rejects(wrap(`http://127.0.0.1:${port}/`), new RegExp(`the server cannot be reached: 127.0.0.1:${port}: no connection`));
    await assert.rejects(wrap("http://nowhere.invalid/"), /nowhere.invalid: unknown host/);
    // a server that does not send HTTP, or closes the connection
    const words = { ended: "", garbage: "no HTTP at all\r\n\r\n", headers: `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(1e5)}\r\n` };
    for (const [name, text] of Object.entries(words)) {
        const raw = createPlain((socket) => socket.on("error", () => {}).once("data", () => socket.end(text)));
        await new Promise((done) => raw.listen(0, "127.0.0.1", done));
        await assert.rejects(wrap(`http://127.0.0.1:${raw.address().port}/`), /the server cannot be reached: 127/, name);
        raw.close();
    }
}
